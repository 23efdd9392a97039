/* Heavy Hamiltonian paths against all permutations.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "random.h"

static void
swap (unsigned *a, unsigned *b)
{
  unsigned t = *a;
  *a = *b;
  *b = t;
}

/* The weight of the heaviest path that starts with PATH[0..FIXED).  */
static uint64_t
heaviest (const struct acr_weights *a, unsigned *path, unsigned fixed)
{
  uint64_t most = 0;
  if (fixed == a->n)
    return acr_path_weight (a, path);
  for (unsigned i = fixed; i < a->n; i++)
    {
      swap (&path[fixed], &path[i]);
      uint64_t w = heaviest (a, path, fixed + 1);
      swap (&path[fixed], &path[i]);
      if (w > most)
	most = w;
    }
  return most;
}

static bool
is_permutation (const unsigned *path, unsigned n)
{
  unsigned seen = 0;
  for (unsigned i = 0; i < n; i++)
    seen |= path[i] < n ? 1u << path[i] : 0;
  return seen == (1u << n) - 1;
}

int
main (void)
{
  enum { N = 8, GRAPHS = 300 };
  struct acr_arena arena = { .chunks = NULL };
  if (setjmp (arena.nomem))
    return 99;
  uint64_t rng = 41;
  unsigned exact_bad = 0, entry_bad = 0, search_bad = 0, lighter = 0;
  unsigned found = 0, searched = 0;
  for (unsigned round = 0; round < GRAPHS; round++)
    {
      unsigned n = 1 + roll (&rng, N), matrix[N * N] = { 0 };
      unsigned density = 1 + roll (&rng, 4), range = 1 + roll (&rng, 9);
      unsigned id[N], path[N];
      struct acr_weights a = { n, id, matrix };
      for (unsigned i = 0; i < n; i++)
	{
	  id[i] = path[i] = i;
	  for (unsigned j = 0; j < i; j++)
	    if (roll (&rng, 4) < density)
	      matrix[i * n + j] = matrix[j * n + i] = 1 + roll (&rng, range);
	}
      uint64_t best = heaviest (&a, path, 0);

      unsigned *table = acr_path_table (&arena, &a);
      acr_path_exact (&a, table, path);
      exact_bad += !is_permutation (path, n)
		   || acr_path_weight (&a, path) != best;
      unsigned rest = ((1u << n) - 1) ^ 1u << path[0];
      entry_bad += table[rest * n + path[0]] != best;

      uint64_t seed = round;
      for (unsigned i = 0; i < 4; i++, searched++)
	{
	  acr_path_search (&arena, &a, &seed, path);
	  uint64_t before = acr_path_weight (&a, path);
	  search_bad += !is_permutation (path, n) || before > best;
	  uint64_t moves = UINT64_MAX;
	  acr_path_improve (&arena, &a, &moves, path);
	  search_bad += !is_permutation (path, n);
	  lighter += acr_path_weight (&a, path) < before;
	  found += acr_path_weight (&a, path) == best;
	}
    }
  ok_int (exact_bad, 0, "dynamic programming finds the heaviest of %d graphs",
	  GRAPHS);
  ok_int (entry_bad, 0, "its table says so");
  ok_int (search_bad, 0, "searches give permutations");
  ok_int (lighter, 0, "local search never makes a path lighter");
  ok (found > searched * 9 / 10, "%u of %u searches find the heaviest path",
      found, searched);
  acr_arena_free (&arena);
  return done_testing ();
}
