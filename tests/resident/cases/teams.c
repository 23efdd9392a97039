/* FLAGS: -fopenacc
   KERNELS: 4

   Teams that access atomically, between their loops, what others set meanwhile.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../case.h"

#define DO(...) _Pragma (#__VA_ARGS__)
#ifdef _OPENACC
#define DATA(...) DO (acc data copy (__VA_ARGS__))
#define PARENTS(...) DO (acc parallel loop gang copy (__VA_ARGS__) default (present))
#define CHILDREN DO (acc loop vector)
#define LOOP DO (acc parallel loop)
#define ATOMIC(what) DO (acc atomic what)
#else
#define DATA(...) DO (omp target data map (tofrom: __VA_ARGS__))
#define PARENTS(...) DO (omp target teams distribute map (tofrom: __VA_ARGS__))
#define CHILDREN DO (omp parallel for)
#define LOOP DO (omp target teams distribute parallel for)
#define ATOMIC(what) DO (omp atomic what)
#endif

enum { EDGES = 5, FAR = 1 << 20 };
static int target[N * EDGES], weight[N * EDGES], distance[N], marks[2][N];

static void
graph (void)
{
  for (int e = 0; e < N * EDGES; e++)
    {
      target[e] = (e / EDGES * 7 + e * e % 91) % N;
      weight[e] = 1 + e * 37 % 23;
    }
}

static unsigned
ways (void)
{
  unsigned h = 0;
  for (int v = 0; v < N; v++)
    h = h * 31 + distance[v];
  return h;
}

/* Shortest paths: a distance is read once for all edges, while others shorten it.  In
   OpenMP, whose regions map what pointers that change point to, numbers change places
   instead.  */
static void
paths (int *shrunk, int *next)
{
  int more = 1;
  graph ();
  for (int v = 0; v < N; v++)
    {
      distance[v] = v ? FAR : 0;
      shrunk[v] = !v;
      next[v] = 0;
    }
  DATA (target, weight, distance, shrunk[0:N], next[0:N])
  while (more)
    {
      more = 0;
/* REMARK: loop over [12] regions?: becomes one kernel */
      PARENTS (more)
      for (int v = 0; v < N; v++)
	if (shrunk[v])
	  {
	    int here;
	    ATOMIC (read)
	    here = distance[v];
	    shrunk[v] = 0;
	    CHILDREN
	    for (int e = v * EDGES; e < (v + 1) * EDGES; e++)
	      {
		int t = target[e], d = here + weight[e];
		int old = __atomic_load_n (&distance[t], __ATOMIC_RELAXED);
		while (d < old
		       && !__atomic_compare_exchange_n (&distance[t], &old, d, 0,
							__ATOMIC_RELAXED,
							__ATOMIC_RELAXED))
		  ;
		if (d < old)
		  {
		    ATOMIC (write)
		    next[t] = 1;
		    ATOMIC (write)
		    more = 1;
		  }
	      }
	  }
#ifdef _OPENACC
      int *now = next;
      next = shrunk;
      shrunk = now;
#else
      LOOP
      for (int v = 0; v < N; v++)
	{
	  shrunk[v] = next[v];
	  next[v] = 0;
	}
#endif
    }
  printf ("paths: %u %d\n", ways (), more);
}

/* Places of a list, which teams take; each edge of theirs once.  */
static void
places (int n)
{
  int t;
  fill ();
  DATA (a, b)
  for (t = 0; t < n; t++)
    {
      int taken = t & 1, odd = 0;
/* REMARK: loop over 2 regions: becomes one kernel */
      PARENTS (taken, odd)
      for (int v = 0; v < N; v++)
	{
	  int at, mine = a[v];
	  if ((mine ^ t) & 1)
	    {
	      ATOMIC (capture)
	      {
		taken++;
		at = taken;
	      }
	      CHILDREN
	      for (int k = 0; k < EDGES; k++)
		{
		  ATOMIC (update)
		  b[(at + k * 7) % N] += k;
		}
	    }
	  else
	    {
	      ATOMIC (update)
	      odd += mine;
	    }
	}
      LOOP
      for (int i = 0; i < N; i++)
	a[i] = a[i] * 3 + b[i] + (i == 3);
      if (taken > 100000 + odd)
	break;
    }
  printf ("places %d: %u %d\n", n, hash (), t);
}

/* What one says, others read: the branch is the same for all of a team.  */
static void
signs (int n)
{
  int t, sign = 0;
  fill ();
  DATA (a, b)
  for (t = 0; t < n; t++)
    {
/* REMARK: loop over 2 regions: becomes one kernel */
      PARENTS (sign)
      for (int v = 0; v < N; v++)
	{
	  int seen;
	  ATOMIC (read)
	  seen = sign;
	  if (seen & 1)
	    {
	      CHILDREN
	      for (int k = 0; k < EDGES; k++)
		{
		  ATOMIC (update)
		  b[(v * 3 + k) % N] += v;
		}
	    }
	  else
	    {
	      CHILDREN
	      for (int k = EDGES - 1; k >= 0; k--)
		{
		  ATOMIC (update)
		  b[(v * 3 + k) % N] += v;
		}
	    }
	  ATOMIC (update)
	  sign += 1;
	}
      LOOP
      for (int i = 0; i < N; i++)
	a[i] ^= b[i];
    }
  printf ("signs %d: %u %d %d\n", n, hash (), t, sign);
}

int
main (void)
{
  paths (marks[0], marks[1]);
  paths (marks[1], marks[0]);
  places (5);
  signs (6);
}
