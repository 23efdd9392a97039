/* Collapsed loops whose bounds depend on the variables of loops around them.

   ACCEPT: 9
   REJECT: a loop whose bounds depend on another's variable
   REJECT: a last value of a loop whose bounds depend on another's
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

enum { N = 40, ALL = N * N * N };
static int a[ALL], want[ALL];

static void
expect (const char *what)
{
  check_ints (what, a, want, ALL);
  for (int i = 0; i < ALL; i++)
    a[i] = want[i] = 0;
}

static void
two (int n)
{
#pragma omp target teams distribute parallel for collapse (2)                \
    map (tofrom : a)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[i * N + j] += i + 2 * j + 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      want[i * N + j] += i + 2 * j + 1;
  expect ("below the diagonal");

#pragma omp target teams distribute parallel for simd collapse (2)           \
    map (tofrom : a)
  for (int i = n - 1; i >= 0; i -= 4)
    for (int j = i; j < n; j += 2)
      a[i * N + j] += i + 2 * j + 1;
  for (int i = n - 1; i >= 0; i -= 4)
    for (int j = i; j < n; j += 2)
      want[i * N + j] += i + 2 * j + 1;
  expect ("above it, with steps");

#pragma omp target parallel for collapse (2) map (tofrom : a)
  for (int i = -5; i <= 5; i++)
    for (int j = 2 * i + 10; j >= i - 5; j--)
      a[(i + 5) * N + j + 10] += i + 2 * j + 1;
  for (int i = -5; i <= 5; i++)
    for (int j = 2 * i + 10; j >= i - 5; j--)
      want[(i + 5) * N + j + 10] += i + 2 * j + 1;
  expect ("both bounds, downward");

  int sum = 0, right = 0;
#pragma omp target teams distribute parallel for collapse (2)                \
    reduction (+ : sum) map (tofrom : a)
  for (unsigned i = 0; i < (unsigned)n; i++)
    for (unsigned j = 0; j <= i; j++)
      {
        a[i * N + j] += 3;
        sum += i * j;
      }
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      {
        want[i * N + j] += 3;
        right += i * j;
      }
  check_long ("a sum over a triangle", sum, right);
  expect ("an unsigned triangle");

  /* No row at all; rows of which most are empty.  */
#pragma omp target teams distribute parallel for collapse (2)                \
    map (tofrom : a)
  for (int i = 0; i < n - N; i++)
    for (int j = 0; j < i; j++)
      a[i * N + j] += 3;
  expect ("no row");
#pragma omp target teams distribute parallel for collapse (2)                \
    map (tofrom : a)
  for (int i = 0; i < n; i++)
    for (int j = 3 * n; j < 4 * i; j++)
      a[i * N + j - 3 * n] += 1 + j;
  for (int i = 0; i < n; i++)
    for (int j = 3 * n; j < 4 * i; j++)
      want[i * N + j - 3 * n] += 1 + j;
  expect ("few rows");
}

static void
three (int n)
{
#pragma omp target teams distribute parallel for collapse (3)                \
    map (tofrom : a)
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      for (int k = j + 1; k < n; k++)
        a[(i * N + j) * N + k] += i + 2 * j + 3 * k;
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      for (int k = j + 1; k < n; k++)
        want[(i * N + j) * N + k] += i + 2 * j + 3 * k;
  expect ("a tetrahedron");

#pragma omp target teams distribute parallel for collapse (3)                \
    map (tofrom : a)
  for (int i = 2; i < n; i += 2)
    for (int k = 0; k < 7; k++)
      for (int j = 2 * i - 4; j < i + 3; j++)
        a[(i * N + k) * N + j] += i + 2 * j + 3 * k;
  for (int i = 2; i < n; i += 2)
    for (int k = 0; k < 7; k++)
      for (int j = 2 * i - 4; j < i + 3; j++)
        want[(i * N + k) * N + j] += i + 2 * j + 3 * k;
  expect ("a rectangle in a triangle");

  /* Threads of a team under teams.  */
#pragma omp target teams distribute collapse (2) map (tofrom : a)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      {
#pragma omp parallel for
        for (int k = 0; k < n; k++)
          a[(i * N + j) * N + k] += i + 2 * j + 3 * k;
      }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      for (int k = 0; k < n; k++)
        want[(i * N + j) * N + k] += i + 2 * j + 3 * k;
  expect ("a triangle of teams");
}

static void
others (int n)
{
  /* The difference might wrap around.  */
#pragma omp target teams distribute parallel for collapse (2)                \
    map (tofrom : a)
  for (unsigned i = 1; i < (unsigned)n; i++)
    for (unsigned j = 0; j < i - 1; j++)
      a[i * N + j] += 3;
  for (int i = 1; i < n; i++)
    for (int j = 0; j < i - 1; j++)
      want[i * N + j] += 3;
  expect ("unsigned bounds");

  int x = 0;
#pragma omp target parallel for collapse (2) lastprivate (x)                 \
    map (tofrom : a, x)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      {
        a[i * N + j] += 3;
        x = i * N + j;
      }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      want[i * N + j] += 3;
  expect ("lastprivate");
  check_long ("its value", x, (n - 1) * N + n - 2);
}

int
main (void)
{
  two (N);
  three (N / 2);
  others (N);
  return check_status ();
}
