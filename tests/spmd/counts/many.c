/* Eighty kernels by turns: what is printed of one is news only where it has
   changed, whatever has been printed of others since.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

#define N 1111

static int x[N];

#define KERNEL(NUMBER)                                                        \
  static void __attribute__ ((noinline)) count_1111_##NUMBER (void)           \
  {                                                                           \
    _Pragma (                                                                 \
        "omp target teams distribute parallel for map(x)") for (int i = 0;    \
                                                                i < N; i++)   \
        x[i]                                                                  \
        += 1##NUMBER;                                                         \
  }
#define TEN(DO, TENS)                                                         \
  DO (TENS##0)                                                                \
  DO (TENS##1) DO (TENS##2) DO (TENS##3) DO (TENS##4) DO (TENS##5)            \
      DO (TENS##6) DO (TENS##7) DO (TENS##8) DO (TENS##9)
#define EIGHTY(DO)                                                            \
  TEN (DO, 1)                                                                 \
  TEN (DO, 2) TEN (DO, 3) TEN (DO, 4) TEN (DO, 5) TEN (DO, 6) TEN (DO, 7)     \
      TEN (DO, 8)

EIGHTY (KERNEL)

#define CALL(NUMBER) count_1111_##NUMBER ();
#define PLUS(NUMBER) +1##NUMBER

int
main (void)
{
  for (int round = 0; round < 2; round++)
    {
      EIGHTY (CALL)
    }
  for (int i = 0; i < N; i++)
    if (x[i] != 2 * (EIGHTY (PLUS)))
      abort ();
  return 0;
}
