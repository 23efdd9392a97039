/* Heavy Hamiltonian paths: exact for few vectors; for many the paper's
   affinity-biased randomised depth-first search (section 4) and local
   search, which the paper leaves to the literature on offset assignment.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "planner/plan.h"

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
  unsigned *best = ACR_NEW (arena, unsigned, (size_t)(full + 1) * n);
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

/* Weight between the vectors at places I and J; beyond the ends it is 0.  */
static int64_t
edge (const struct acr_weights *a, const unsigned *p, int i, int j)
{
  return i < 0 || j >= (int)a->n ? 0 : a->a[p[i] * a->n + p[j]];
}

/* 2-opt: reverse [i, k) where that gains.  */
static bool
improve_reverse (const struct acr_weights *a, unsigned *p, int i, int k)
{
  int n = a->n;
  int64_t old = edge (a, p, i - 1, i) + edge (a, p, k - 1, k);
  int64_t left = i > 0 ? edge (a, p, i - 1, k - 1) : 0;
  int64_t right = k < n ? edge (a, p, i, k) : 0;
  if (left + right <= old)
    return false;
  reverse (p, i, k);
  return true;
}

/* Or-opt: exchange the pieces [i, j) and [j, k), either of them reversed or
   not, where that gains.  */
static bool
improve_pieces (const struct acr_weights *a, unsigned *p, int i, int j, int k)
{
  int n = a->n;
  int64_t old
      = edge (a, p, i - 1, i) + edge (a, p, j - 1, j) + edge (a, p, k - 1, k);
  for (unsigned turn = 0; turn < 4; turn++)
    {
      /* First and last place of each piece as it will stand.  */
      int a1 = turn & 1 ? j - 1 : i, a2 = turn & 1 ? i : j - 1;
      int b1 = turn & 2 ? k - 1 : j, b2 = turn & 2 ? j : k - 1;
      int64_t left = i > 0 ? edge (a, p, i - 1, b1) : 0;
      int64_t right = k < n ? edge (a, p, a2, k) : 0;
      if (left + edge (a, p, b2, a1) + right <= old)
        continue;
      /* Reversed as a whole, both pieces are exchanged and reversed.  */
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

/* Or-opt moves pieces of up to this many vectors.  */
enum
{
  PIECE = 3
};

/* All moves on [i, k); true if one was made.  */
static bool
improve_range (const struct acr_weights *a, unsigned *p, int i, int k)
{
  if (improve_reverse (a, p, i, k))
    return true;
  for (int len = 1; len <= PIECE && len < k - i; len++)
    if (improve_pieces (a, p, i, i + len, k)
        || improve_pieces (a, p, i, k - len, k))
      return true;
  return false;
}

void
acr_path_improve (struct acr_arena *arena, const struct acr_weights *a,
                  uint64_t *moves, unsigned *p)
{
  int n = a->n;
  unsigned *most = ACR_NEW (arena, unsigned, n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (most[i] < a->a[i * n + j])
        most[i] = a->a[i * n + j];

  /* A range may do better where an edge at its ends is not the heaviest of
     the vector outside.  */
  for (bool again = true; again;)
    {
      again = false;
      for (int i = 0; i < n; i++)
        for (int k = i + 2; k <= n; k++)
          {
            if (!(i > 0 && most[p[i - 1]] > edge (a, p, i - 1, i))
                && !(k < n && most[p[k]] > edge (a, p, k - 1, k)))
              continue;
            if (*moves == 0)
              return;
            --*moves;
            again |= improve_range (a, p, i, k);
          }
    }
}
