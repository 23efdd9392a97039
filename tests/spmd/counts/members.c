/* Bounds in C.  The name of a function says how many iterations its loop has, or
   how many gangs it asks for.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#ifdef _OPENACC
#define LOOP(maps) _Pragma (TEXT (acc parallel loop copy (x[:30000]) maps))
#define copied copy
#else
#define LOOP(maps)                                                           \
  _Pragma (TEXT (omp target teams distribute parallel for map (x[:30000]) maps))
#define copied(v) map (to : v)
#endif
#define TEXT(t) TEXT_ (t)
#define TEXT_(t) #t

struct inner
{
  short n;
  int a[4];
};
struct sizes
{
  unsigned n;
  long step;
  struct inner in;
};

static int *x, total, global = 5003;
static struct sizes all = { 5003, 3, { 511, { 1, 2, 5003, 4 } } };

static void
count_5003_value (long n)
{
  LOOP ()
  for (long i = 0; i < n; i++)
    x[i]++;
}

static void
count_5003_global (void)
{
  LOOP ()
  for (int i = global; i > 0; i--)
    x[i]++;
}

static void
count_5003_member (struct sizes s)
{
  LOOP (copied (s))
  for (unsigned i = 0; i < s.n; i++)
    x[i]++;
}

static void
count_5003_static_member (void)
{
  LOOP (copied (all))
  for (int i = 0; i < all.in.a[2]; i++)
    x[i]++;
}

static void
count_5621_two_members (void)
{
  struct sizes s = all;
  LOOP (collapse (2) copied (s))
  for (int i = 0; i < s.in.n; i++)
    for (int j = 0; j < 11; j++)
      x[11 * i + j]++;
}

static void
count_1668_computed (struct sizes s)
{
  LOOP (copied (s))
  for (int i = 0; i < (int)s.n; i += 3)
    x[i]++;
}

static void
count_5003_element (void)
{
  int m[] = { 1, 5003, 7 };
  LOOP (copied (m))
  for (int i = 0; i < m[1]; i++)
    x[i]++;
}

static void
count_5003_vla (int n)
{
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = 1;
  LOOP (copied (a))
  for (int i = 0; i < (int)(sizeof a / sizeof *a); i++)
    x[i] += a[i];
}

/* GCC's nested functions: what is of the function around them is in its
   frame.  */
static void
around (int n, struct sizes s)
{
  int m = 2 * n, e[] = { 3, n };
  void count_5003_nested (void)
  {
    LOOP ()
    for (int i = 0; i < n; i++)
      x[i]++;
  }
  void count_15009_nested (void)
  {
    LOOP (collapse (2))
    for (int i = m; i > n; i--)
      for (int j = 0; j < 3; j++)
        x[3 * (m - i) + j]++;
  }
  void count_5003_nested_member (void)
  {
    LOOP (copied (s))
    for (unsigned i = 0; i < s.n; i++)
      x[i]++;
  }
  void count_5003_nested_element (void)
  {
    LOOP (copied (e))
    for (int i = 0; i < e[1]; i++)
      x[i]++;
  }
  count_5003_nested ();
  m++, m--;
  count_15009_nested ();
  count_5003_nested_member ();
  count_5003_nested_element ();
}

int
main (void)
{
  x = calloc (30000, sizeof *x);
  count_5003_value (5003);
  count_5003_global ();
  count_5003_member (all);
  count_5003_static_member ();
  count_5621_two_members ();
  count_1668_computed (all);
  count_5003_element ();
  count_5003_vla (5003);
  around (5003, all);
  for (int i = 0; i < 30000; i++)
    total += x[i];
  printf ("%d\n", total);
  return total != 9 * 5003 + 5621 + 1668 + 15009;
}
