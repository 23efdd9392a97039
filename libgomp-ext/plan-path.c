/* Heavy Hamiltonian paths: exact for few vectors; for many the paper's
   affinity-biased randomised depth-first search (section 4) and local
   search, which the paper leaves to the literature on offset assignment.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "plan.h"

#include <string.h>

uint64_t
acr_path_weight (const struct acr_weights *a, const unsigned *path)
{
  uint64_t sum = 0;
  for (unsigned i = 1; i < a->n; i++)
    sum += a->a[path[i - 1] * a->n + path[i]];
  return sum;
}

/* Exact: Held and Karp's recurrence, backwards.  */

unsigned *
acr_path_table (struct acr_arena *arena, const struct acr_weights *a)
{
  unsigned n = a->n, full = (1u << n) - 1;
  unsigned *best = ACR_NEW (arena, unsigned, (size_t) (full + 1) * n);
  for (unsigned mask = 1; mask <= full; mask++)
    for (unsigned i = 0; i < n; i++)
      {
	unsigned most = 0;
	if (mask >> i & 1)
	  continue;
	for (unsigned rest = mask; rest; rest &= rest - 1)
	  {
	    unsigned j = __builtin_ctz (rest);
	    unsigned sum = a->a[i * n + j] + best[(mask ^ 1u << j) * n + j];
	    if (sum > most)
	      most = sum;
	  }
	best[mask * n + i] = most;
      }
  return best;
}

void
acr_path_exact (const struct acr_weights *a, const unsigned *table,
		unsigned *path)
{
  unsigned n = a->n, mask = (1u << n) - 1;
  for (unsigned k = 0; k < n; k++)
    {
      unsigned next = 0, most = 0;
      bool found = false;
      for (unsigned i = 0; i < n; i++)
	if (mask >> i & 1)
	  {
	    unsigned sum = table[(mask ^ 1u << i) * n + i]
			   + (k ? a->a[path[k - 1] * n + i] : 0);
	    if (!found || sum > most)
	      next = i, most = sum, found = true;
	  }
      path[k] = next;
      mask ^= 1u << next;
    }
}

/* Randomised depth-first search.  */

/* splitmix64, after S. Vigna.  */
static uint64_t
random_next (uint64_t *state)
{
  uint64_t z = *state += UINT64_C (0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C (0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* The order in which the search first reaches the vectors.  It goes to a
   neighbour with a probability proportional to the affinity, and back where
   there is none.  */
void
acr_path_search (struct acr_arena *arena, const struct acr_weights *a,
		 uint64_t *rng, unsigned *path)
{
  unsigned n = a->n, count = 0, depth = 0;
  bool *seen = ACR_NEW (arena, bool, n);
  unsigned *stack = ACR_NEW (arena, unsigned, n);
  while (count < n)
    {
      unsigned next = n;
      if (depth == 0)
	{
	  unsigned skip = random_next (rng) % (n - count);
	  for (next = 0; seen[next] || skip--; next++)
	    continue;
	}
      else
	{
	  const unsigned *row = a->a + stack[depth - 1] * n;
	  uint64_t sum = 0;
	  for (unsigned i = 0; i < n; i++)
	    if (!seen[i])
	      sum += row[i];
	  if (sum == 0)
	    {
	      depth--;
	      continue;
	    }
	  uint64_t pick = random_next (rng) % sum;
	  for (next = 0; seen[next] || pick >= row[next]; next++)
	    if (!seen[next])
	      pick -= row[next];
	}
      seen[next] = true;
      stack[depth++] = path[count++] = next;
    }
}

/* Local search.  */

static void
reverse (unsigned *p, unsigned from, unsigned to)
{
  while (from + 1 < to)
    {
      unsigned t = p[from];
      p[from++] = p[--to];
      p[to] = t;
    }
}

/* Weight between places I and J; places before the first and after the last
   are free.  */
static int64_t
edge (const struct acr_weights *a, const unsigned *p, int i, int j)
{
  int n = a->n;
  return i < 0 || j >= n ? 0 : a->a[p[i] * n + p[j]];
}

/* Exchange the neighbouring pieces [i, j) and [j, k) of the path, either of
   them reversed or not, where that gains.  */
static bool
improve_pieces (const struct acr_weights *a, unsigned *p, int i, int j, int k)
{
  int64_t old = edge (a, p, i - 1, i) + edge (a, p, j - 1, j)
		+ edge (a, p, k - 1, k);
  /* First and last place of each piece in the new path.  */
  for (unsigned turn = 0; turn < 4; turn++)
    {
      int a1 = turn & 1 ? j - 1 : i, a2 = turn & 1 ? i : j - 1;
      int b1 = turn & 2 ? k - 1 : j, b2 = turn & 2 ? j : k - 1;
      int64_t joint = a->a[p[b2] * a->n + p[a1]];
      int64_t left = i > 0 ? a->a[p[i - 1] * a->n + p[b1]] : 0;
      int64_t right = k < (int) a->n ? a->a[p[a2] * a->n + p[k]] : 0;
      if (left + joint + right <= old)
	continue;
      /* [i, j)[j, k) reversed as a whole is [j, k)'[i, j)'.  */
      reverse (p, i, k);
      int middle = i + (k - j);
      if (!(turn & 2))
	reverse (p, i, middle);
      if (!(turn & 1))
	reverse (p, middle, k);
      return true;
    }
  return false;
}

/* 2-opt: reverse [i, k).  */
static bool
improve_reverse (const struct acr_weights *a, unsigned *p, int i, int k)
{
  int n = a->n;
  int64_t old = edge (a, p, i - 1, i) + edge (a, p, k - 1, k);
  int64_t left = i > 0 ? a->a[p[i - 1] * n + p[k - 1]] : 0;
  int64_t right = k < n ? a->a[p[i] * n + p[k]] : 0;
  if (left + right <= old)
    return false;
  reverse (p, i, k);
  return true;
}

/* Pieces of up to this many vectors are moved elsewhere (or-opt).  */
enum { PIECE = 3 };

void
acr_path_improve (const struct acr_weights *a, unsigned *p)
{
  int n = a->n;
  for (bool again = true; again;)
    {
      again = false;
      for (int i = 0; i < n; i++)
	for (int k = i + 2; k <= n; k++)
	  {
	    again |= improve_reverse (a, p, i, k);
	    for (int len = 1; len <= PIECE && len < k - i; len++)
	      {
		again |= improve_pieces (a, p, i, i + len, k);
		again |= improve_pieces (a, p, i, k - len, k);
	      }
	  }
    }
}
