/* A parent's clauses give each thread objects that are constructed by calls, and
   destroyed when its iterations have ended: so their memory is there for all children,
   and none is executed after its parent.  What teams copy their threads copy again.
   FLAGS: -fopenmp -O1
   NESTED: 2
   LAUNCHES: 2
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstdio>
#include <cstdlib>

#pragma omp declare target
struct memory
{
  int *p, copies;
  memory () : p ((int *)std::malloc (48 * sizeof (int))), copies (0) {}
  memory (const memory &other)
      : p ((int *)std::malloc (48 * sizeof (int))), copies (other.copies + 1)
  {
  }
  ~memory () { std::free (p); }
};
#pragma omp end declare target

static long sums[100];

static void
with_new (int *seen)
{
  memory m;
#pragma omp target teams distribute parallel for private(m) \
  map (tofrom : seen[0 : 100])
  for (int i = 0; i < 100; i++)
    {
      int n = 8 + i % 40, *p = m.p;
      for (int k = 0; k < n; k++)
        p[k] = i * k;
#pragma omp target teams distribute parallel for
      for (int k = 0; k < n; k++)
        {
#pragma omp atomic
          seen[k] += p[n - 1 - k];
        }
    }
}

static void
with_copies (void)
{
  memory m;
#pragma omp target teams distribute parallel for firstprivate(m) \
  map (tofrom : sums) schedule(static, 3)
  for (int i = 0; i < 100; i++)
    {
      int n = 8 + i % 40, *p = m.p;
#pragma omp target teams distribute parallel for
      for (int k = 0; k < n; k++)
        p[k] = k + i;
      long sum = m.copies;
      for (int k = 0; k < n; k++)
        sum = sum * 3 + p[k];
      sums[i] = sum;
    }
}

int
main ()
{
  int seen[100] = {};
  with_new (seen);
  with_copies ();
  for (int i = 0; i < 100; i++)
    std::printf ("%d %ld\n", seen[i], sums[i]);
  return 0;
}
