/* Sums with constants in subscripts, of all kinds of types.

   ACCEPT: 5
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

enum { N = 60, ALL = N * N };
static int a[ALL], b[ALL], want[ALL];

static void
start (void)
{
  for (int i = 0; i < ALL; i++)
    {
      a[i] = i * 7919 % 10007;
      b[i] = want[i] = -1;
    }
}

#define EACH(...) EACH_OF (__VA_ARGS__)
#define EACH_OF(BODY, to)                                                     \
  for (int y = 2; y < n - 2; y++)                                             \
    for (int x = 2; x < n - 2; x++)                                           \
      {                                                                       \
        int *p = to;                                                          \
        BODY                                                                  \
      }
#define RUN(what, ...)                                                        \
  do                                                                          \
    {                                                                         \
      start ();                                                               \
      _Pragma ("omp target teams distribute parallel for collapse (2)        \
               map (to: a) map (tofrom: b)")                                  \
      EACH (__VA_ARGS__, b)                                                   \
      EACH (__VA_ARGS__, want)                                                \
      check_ints (what, b, want, ALL);                                        \
    }                                                                         \
  while (0)

int
main (void)
{
  int n = N;
  long stride = N;
  RUN ("ints", p[y * n + x] = a[(y - 1) * n + x + 1] - a[(y + 2) * n + x - 2]
                              + a[(y + 1) * n + (x - 1)];);
  RUN ("long strides",
       p[y * stride + x] = a[(y - 1) * stride + (x + 1)]
                           - a[(y + 1) * stride - (x - 1)]
                           + a[(x - 2) + stride * (y + 2)];);
  RUN ("factors", p[y * stride + x] = a[2 * (long)(x - 1) + 3L * (y + 1)]
                                      + a[(long)(y - 1) * 8 + 60 - (x - 2)];);
  /* They wrap.  */
  RUN ("unsigned", {
    unsigned u = x;
    p[y * stride + x] = a[(long)(u - 2) + y * stride] + a[(long)(3 - u) & 7];
  });
  RUN ("short and reassigned", {
    short s = (short)(x - 1);
    int t = x + 1;
    long at = t;
    t = a[x] % n;
    at += t * stride;
    p[y * stride + x] = a[at] + a[(long)(s - 1)];
  });
  return check_status ();
}
