/* What the stencils of applications share: derivatives of fourth order.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../grid.h"
#include "../codegen/cuda-grid.h"

/* The first derivative at 0 of what has the value F (o) at OFFSET o.  */
#define DERIVATIVE(offset, f)                                                 \
  {                                                                           \
    _Pragma ("unroll") for (int offset = -2; offset <= 2; offset++)           \
      if (offset)                                                             \
        f;                                                                    \
  }

/* The offsets -2 to 2 from the centre outwards, as the formula below has them.  */
#define OUTWARDS(o)                                                           \
  _Pragma ("unroll") for (int n = 0, o = 0; n < 5;                            \
                          n++, o = (n & 1 ? -1 : 1) * ((n + 1) / 2))

/* Its weight at offset O.  */
__host__ __device__ static inline float
weight (int o)
{
  return o == 1 ? 8 / 12.0f : o == -1 ? -8 / 12.0f : o == 2 ? -1 / 12.0f
                                                            : 1 / 12.0f;
}

/* The derivative of M times the derivative of U, each given at offsets -2 to 2
   (Sjogreen and Petersson, "A Fourth Order Accurate Finite Difference Scheme
   for the Elastic Wave Equation in Second Order Formulation", 2012).  */
template <typename T>
__host__ __device__ static inline T
second_derivative (const T *m, const T *u)
{
  const T q = T (0.75);
  T m1 = m[1] - q * (m[2] + m[0]);
  T m2 = m[0] + m[3] + 3 * (m[2] + m[1]);
  T m3 = m[1] + m[4] + 3 * (m[3] + m[2]);
  T m4 = m[3] - q * (m[2] + m[4]);
  return (m1 * (u[0] - u[2]) + m2 * (u[1] - u[2]) + m3 * (u[3] - u[2])
          + m4 * (u[4] - u[2]))
         / 6;
}
