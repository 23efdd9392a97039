/* The .approx functions (PTX ISA 9.7.3): computed in double precision and
   rounded once, which is within the errors that PTX documents.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "machine/table.h"
#include "ops/lanes.h"

static f32
canon (double x)
{
  f32 r = (f32) x;
  u32 nan = 0x7fffffff;
  if (r != r)
    memcpy (&r, &nan, sizeof r);
  return r;
}

#define APPROX(name, value)						      \
  HANDLER (name##_approx)						      \
  {									      \
    f32 *d = OPERAND (f32, i->d);					      \
    const f32 *a = OPERAND (f32, i->a);					      \
    EACH_LANE (l)							      \
      {									      \
	double x = a[l];						      \
	d[l] = canon (value);						      \
      }									      \
  }
APPROX (sin, sin (x))
APPROX (cos, cos (x))
APPROX (lg2, log2 (x))
APPROX (ex2, exp2 (x))
APPROX (tanh, tanh (x))
APPROX (rsqrt, 1 / sqrt (x))

/* The f64 forms look at the upper half of the operand only and give zeros in
   the lower half of the result; subnormals count as zero.  */
static double
upper (double x)
{
  uint64_t u;
  memcpy (&u, &x, sizeof u);
  u &= u >> 52 & 0x7ff ? 0xffffffff00000000u : 0x8000000000000000u;
  memcpy (&x, &u, sizeof x);
  return x;
}

#define APPROX_F64(name, value)						      \
  HANDLER (name##_approx_f64)						      \
  {									      \
    f64 *d = OPERAND (f64, i->d);					      \
    const f64 *a = OPERAND (f64, i->a);					      \
    EACH_LANE (l)							      \
      {									      \
	double x = upper (a[l]);					      \
	d[l] = upper (value);						      \
      }									      \
  }
APPROX_F64 (rcp, 1 / x)
APPROX_F64 (rsqrt, 1 / sqrt (x))

const struct emu_row emu_approx_rows[]
  = { { "sin_approx.f32", sin_approx },	    { "cos_approx.f32", cos_approx },
      { "lg2_approx.f32", lg2_approx },	    { "ex2_approx.f32", ex2_approx },
      { "tanh_approx.f32", tanh_approx },   { "rsqrt_approx.f32", rsqrt_approx },
      { "rcp_approx.f64", rcp_approx_f64 }, { "rsqrt_approx.f64", rsqrt_approx_f64 },
      { NULL, NULL } };
