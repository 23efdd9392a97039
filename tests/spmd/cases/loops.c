/* Loop headers of C.  Every region sets cells of an array once; the host does
   the same and compares.

   ACCEPT: 15
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

enum { N = 700 };
static int a[N], want[N];

#define CHECK(...)                                                            \
  do                                                                          \
    {                                                                         \
      for (int k = 0; k < N; k++)                                             \
        a[k] = want[k] = -1;                                                  \
      _Pragma ("omp target teams distribute parallel for map (tofrom: a)")    \
      __VA_ARGS__                                                             \
      {                                                                       \
        int *out = a;                                                         \
        BODY;                                                                 \
      }                                                                       \
      __VA_ARGS__                                                             \
      {                                                                       \
        int *out = want;                                                      \
        BODY;                                                                 \
      }                                                                       \
      check_ints (#__VA_ARGS__, a, want, N);                                  \
    }                                                                         \
  while (0)

static void
integers (int n, int low, unsigned un, long ln, short sn, unsigned char cn,
          int step)
{
#define BODY out[i] += 2 * (int)i + 3
  CHECK (for (int i = 0; i < n; i++));
  CHECK (for (int i = low; i <= n; i += 3));
  CHECK (for (int i = n; i > low; i -= 2));
  CHECK (for (int i = n; i >= low; --i));
  CHECK (for (int i = low; i != n; i++));
  CHECK (for (int i = n; i != low; i--));
  CHECK (for (unsigned i = 7; i < un; i += 5));
  CHECK (for (unsigned i = un; i > 3; i -= 4));
  CHECK (for (long i = 1; i <= ln; i = i + 2));
  CHECK (for (unsigned long i = un; i >= 2; i = i - 3));
  CHECK (for (short i = 0; i < sn; i++));
  CHECK (for (unsigned char i = 0; i < cn; i += 7));
  CHECK (for (int i = low; i < n; i += step));
  CHECK (for (int i = n; i > low; i -= step));
  /* Nothing to do.  */
  CHECK (for (int i = n; i < low; i++));
#undef BODY
}

int
main (void)
{
  integers (N - 1, 5, 600, 650, 300, 240, 11);
  return check_status ();
}
