/* What the cases share: compare with the host's results.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

static int check_failures;

static inline void
check_ints (const char *what, const int *got, const int *want, int n)
{
  for (int i = 0; i < n; i++)
    if (got[i] != want[i])
      {
        printf ("%s: [%d] is %d, should be %d\n", what, i, got[i], want[i]);
        check_failures++;
        return;
      }
}

static inline void
check_double (const char *what, double got, double want)
{
  double error = got > want ? got - want : want - got;
  double size = want < 0 ? -want : want;
  if (!(error <= 1e-9 * (size + 1)))
    {
      printf ("%s: is %.17g, should be %.17g\n", what, got, want);
      check_failures++;
    }
}

static inline void
check_long (const char *what, long long got, long long want)
{
  if (got != want)
    {
      printf ("%s: is %lld, should be %lld\n", what, got, want);
      check_failures++;
    }
}

static inline int
check_status (void)
{
  return check_failures != 0;
}
