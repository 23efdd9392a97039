/* Regions as blocks: the form in which programs are ported from CUDA.

     #pragma omp target teams num_teams (T) thread_limit (B)
     {
       float tile[N];
       #pragma omp parallel
       {
         int i = omp_get_thread_num ();
         tile[i] = ...;
         #pragma omp barrier
         ...
       }
     }

   A team is a block of the grid, and its threads are the block's; where there
   are fewer blocks than teams, a block is one after the other.  Variables of
   the team that several threads use lie in shared memory.  Parallel constructs
   begin and end without anybody being woken: all threads of the block are
   there.

   Needs: access_find and alias_find of the region, as all SPMD kernels.
   Keeps: the number of teams, and numbers of threads as far as the launch has
   so many.
   Source: OpenMP 5.0, 2.6 and 2.7.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/block/block.h"

bool
spmd_block_p (const region *r, const char **why)
{
  block_region b;
  *why = block_find (r, gimple_omp_body (r->stmt), &b);
  return b.parallel;
}

/* Add to C that partial results of the team at PLACE go into the
   variables.  */
static void
add_results (const block_region *b, const spmd_place *place, code c)
{
  if (b->reductions.is_empty ())
    return;
  c.if_ (val (place->id) == 0, [&] {
    for (unsigned i = 0; i < b->reductions.length (); i++)
      {
	tree clause = b->reductions[i], var = OMP_CLAUSE_DECL (clause);
	tree type = TYPE_MAIN_VARIANT (TREE_TYPE (b->results[i]));
	val value = c.var (type, "partial", b->results[i]);
	val address = decl_by_reference_p (var) ? val (var)
						: val (spmd_address_of (var, c));
	address = c.let ("address", address.as (build_pointer_type (type)));
	spmd_update (clause, address, value, c);
      }
  });
  if (b->loads)
    block_meet (c);
}

/* The teams construct in a copy gives way to what a block executes.  */
struct replacement
{
  gimple *to;
};

static tree
replace_teams (gimple_stmt_iterator *gsi, bool *handled,
	       struct walk_stmt_info *wi)
{
  if (gimple_code (gsi_stmt (*gsi)) != GIMPLE_OMP_TEAMS)
    return NULL_TREE;
  gsi_replace (gsi, ((replacement *) wi->info)->to, false);
  *handled = true;
  return NULL_TREE;
}

/* What a block executes: the teams that are its own, one after the other, each
   by BODY.  */
static gimple *
teams_of_block (block_region *b, gimple_seq body)
{
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL);
  gimple_seq seq = NULL;
  spmd_sharing none;
  push_gimplify_context ();
  code c = &seq;
  spmd_place place = spmd_find_block (&b->team, &none, c);
  val step = place.blocks, first = place.block, teams = place.all;
  val team = c.var (unsigned_type_node, "team", first);
  tree wide = uint64_type_node;
  b->code = &body;
  place.block = team;
  place.blocks = teams;
  place.all = c.let ("teams", teams.as (wide));
  c.while_ (team < teams, [&] {
    place.global_id = c.let ("team", team.as (wide));
    block_place_variables (b, bind, &place, &body, c);
    block_team_code (b, &place, &body);
    gimple_seq_add_seq (c, body);
    add_results (b, &place, c);
    c.set (team, team + step);
  });
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}

gimple *
spmd_build_block (const region *r)
{
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL);
  push_gimplify_context ();
  gimple_seq body = copy_statements (gimple_omp_body (r->stmt));
  block_region b;
  block_find (r, body, &b);
  gimple_seq seq = NULL;
  if (b.teams)
    {
      replacement with = { teams_of_block (&b, gimple_omp_body (b.teams)) };
      struct walk_stmt_info wi = {};
      wi.info = &with;
      walk_gimple_seq_mod (&body, replace_teams, NULL, &wi);
      seq = body;
    }
  else
    gimple_seq_add_stmt (&seq, teams_of_block (&b, body));
  spmd_atomic_hide (&seq);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}
