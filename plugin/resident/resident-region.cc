/* The construct that stands for a loop of regions.

       for (t = 0; t < n; t++) {	target map (DATA, state)
	 target map (A) PART;		  firstprivate (t, n) {
	 target map (B) PART;	->	  for (t = 0; t < n; t++) {
       }				    PART;
					    PART;
					  }
					  state = t, ...;
					}

   It maps what the regions map, once.  Be an object on the device already:
   then no region copies it.  Be it not: then what one region copies back and
   the next one to the device is the same, and fuse-map.cc has the rule by
   which the copies between may be left out; it is asked for all regions one
   after the other, twice, since the first follows the last.  Nobody looks at
   the host's copies meanwhile, for the host's code in the loop touches numbers
   of its own alone, none of which is mapped but as the result of a reduction,
   which comes and goes by value.

   Scalars that come by value are those that the host has when a region begins.
   In the construct they are the thread's, which computes them as the host
   does; a part that sets one has a copy.

   Needs: host_loop_bar.  Keeps: the loop, of which the construct has a copy.
   Source: OpenMP 5.0, 2.19.7; OpenACC 3.2, 2.6 and 2.7.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/building.h"
#include "resident/chain/chain.h"

/* ---- What threads compute with ---- */

static tree
note_name_in (tree *tp, int *walk_subtrees, void *data)
{
  building *b = (building *) data;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  else if (VAR_P (*tp) || TREE_CODE (*tp) == PARM_DECL)
    building_add_value (b, *tp);
  else if (TREE_CODE (*tp) == SSA_NAME && !b->l->sets.contains (*tp))
    {
      tree &var = b->names.get_or_insert (*tp);
      if (var)
	return NULL_TREE;
      var = code_value (*tp, "value", b->seq);
      building_add_value (b, var);
    }
  return NULL_TREE;
}

static tree
note_name (tree *tp, int *walk_subtrees, void *data)
{
  return note_name_in (tp, walk_subtrees,
		       ((struct walk_stmt_info *) data)->info);
}

/* What is needed of the host's code comes by value; what of that threads
   cannot compute, computed in front of the loop.  Why it cannot, or NULL.  */
static const char *
take_values (building *b)
{
  struct walk_stmt_info wi = {};
  wi.info = b;
  for (unsigned i = 0; i < b->l->code.length (); i++)
    {
      gimple *stmt = b->l->code[i];
      if ((!is_gimple_assign (stmt) && gimple_code (stmt) != GIMPLE_COND)
	  || !host_loop_needs_p (b->l, i))
	continue;
      if (is_gimple_assign (stmt) && host_copy_p (stmt))
	continue;
      if (host_thread_stmt_p (stmt))
	{
	  walk_gimple_op (stmt, note_name, &wi);
	  continue;
	}
      tree value = host_values_of (b->v, i);
      if (!value)
	return "arithmetic of the host that threads cannot do";
      tree lhs = gimple_assign_lhs (stmt);
      walk_tree (&lhs, note_name_in, b, NULL);
      building_add_value (b, value);
      b->steady.put (i, value);
    }
  return NULL;
}

/* ---- Pointers that turn ---- */

/* Does the construct find out where VAR leads to on the device?  */
static bool
pointer_mapped_p (const building *b, tree var)
{
  for (tree c = gimple_omp_target_clauses (b->x->stmt); c;
       c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	&& OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_FIRSTPRIVATE_POINTER
	&& OMP_CLAUSE_DECL (c) == var)
      return true;
  return false;
}

/* Is VAR set in front of the statement AT, in the same round in any case?  */
static bool
set_in_round_p (const host_loop *l, unsigned at, tree var)
{
  while (at-- > 0)
    switch (gimple_code (l->code[at]))
      {
      case GIMPLE_LABEL:
      case GIMPLE_GOTO:
      case GIMPLE_COND:
	return false;
      case GIMPLE_ASSIGN:
	if (gimple_assign_lhs (l->code[at]) == var)
	  return true;
	break;
      default:
	break;
      }
  return false;
}

/* Threads copy pointers to the device as the host copies those that it has.
   That is the same when each is what the device has for the host's, before the
   loop and in each round: when nothing is put on the device or taken from it
   meanwhile.  Why not, or NULL.  */
static const char *
pointers_bar (building *b, const fusion *f)
{
  const host_loop *l = b->l;
  if (l->pointers.is_empty ())
    return NULL;
  for (unsigned i = 0; i < l->code.length (); i++)
    if (is_gimple_assign (l->code[i]) && host_loop_needs_p (l, i)
	&& host_copy_p (l->code[i]))
      {
	tree from = gimple_assign_rhs1 (l->code[i]);
	if (!pointer_mapped_p (b, from) && !set_in_round_p (l, i, from))
	  return "a pointer that no region has";
      }
  for (tree c = gimple_omp_target_clauses (b->x->stmt); c;
       c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	&& OMP_CLAUSE_MAP_KIND (c) != GOMP_MAP_FORCE_PRESENT
	&& !building_there_p (f, c))
      return "pointers that change, and data that only regions map";
  return NULL;
}

/* Pointers without clauses are the thread's.  */
static void
add_own_pointers (building *b)
{
  for (unsigned i = 0; i < b->l->pointers.length (); i++)
    {
      tree var = b->l->pointers[i];
      if (!DECL_P (var) || b->l->locals.contains (var)
	  || pointer_mapped_p (b, var))
	continue;
      tree c = clause_about (OMP_CLAUSE_PRIVATE, var);
      OMP_CLAUSE_CHAIN (c) = gimple_omp_target_clauses (b->x->stmt);
      gimple_omp_target_set_clauses (b->x->stmt, c);
    }
}

/* ---- All ---- */

/* A variable NAME of N elements for the construct X, which maps it by KIND.  */
static tree
add_elements (resident *x, const char *name, unsigned n, gomp_map_kind kind)
{
  tree type = build_array_type_nelts (uint64_type_node, n);
  tree var = code_temp (type, name);
  TREE_ADDRESSABLE (var) = 1;
  tree c = clause_about (OMP_CLAUSE_MAP, var);
  OMP_CLAUSE_SET_MAP_KIND (c, kind);
  OMP_CLAUSE_SIZE (c) = TYPE_SIZE_UNIT (type);
  OMP_CLAUSE_CHAIN (c) = gimple_omp_target_clauses (x->stmt);
  gimple_omp_target_set_clauses (x->stmt, c);
  return var;
}

/* The construct has a state, of as many elements as a copy of the loop wants.
 */
static void
add_state (building *b)
{
  resident *x = b->x;
  x->turned = ACR_RESIDENT_VALUES + b->l->out.length ();
  x->size = x->turned + b->l->out_pointers.length ();
  for (unsigned i = 0; i < b->l->regions.length (); i++)
    {
      auto_vec<tree> vars;
      region_results (host_loop_region (b->l, i), &vars);
      const gomp_target *region = host_loop_region (b->l, i);
      region_flags (b->l, region, region, &vars);
      x->size += RESIDENT_SLOTS * vars.length ();
    }
  x->own = x->size;
  if (chain *c = x->promoted)
    {
      c->slots = x->own;
      c->results = x->size + chain_reserved (c);
      if (unsigned rest = chain_elements (c, b->l))
	x->board = add_elements (x, "board", rest, GOMP_MAP_TO);
    }
  x->state = add_elements (x, "resident", x->size, GOMP_MAP_TOFROM);
  x->size = x->turned + b->l->out_pointers.length ();
}

/* May a region's copies back to the host set a number of the host's that
   threads compute with, or that it has looked at?  */
static bool
copies_over_p (const building *b, const fusion *f)
{
  bool exposed = !b->v->looked.is_empty ();
  hash_set<tree> *sets = &b->l->sets;
  for (hash_set<tree>::iterator i = sets->begin (); i != sets->end (); ++i)
    exposed |= DECL_P (*i) && TREE_ADDRESSABLE (*i)
	       && !b->l->mapped.contains (*i);
  for (tree c = gimple_omp_target_clauses (b->x->stmt); c && exposed;
       c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	&& OMP_CLAUSE_MAP_KIND (c) != GOMP_MAP_FORCE_PRESENT
	&& OMP_CLAUSE_MAP_KIND (c) != GOMP_MAP_TO
	&& OMP_CLAUSE_MAP_KIND (c) != GOMP_MAP_ALLOC
	&& !building_there_p (f, c))
      return true;
  return false;
}

/* Note in X what must not be written, for copies of what is not on the device
   already to make no difference when they are left out.  */
static void
take_needs (resident *x, const fusion *f)
{
  for (unsigned i = 0; i < f->needs.length (); i++)
    x->constant.safe_push (
      object_of_reference (OMP_CLAUSE_DECL (f->needs[i].clause)));
}

static const char *
merge_all_maps (building *b, fusion *f)
{
  host_values_number (b->l, &f->numbers, &f->first_numbers);
  for (unsigned twice = 0; twice < 2; twice++)
    for (unsigned i = 0; i < b->l->regions.length (); i++)
      if (const char *why = building_merge_maps (b, f, i))
	return why;
  if (const char *why = pointers_bar (b, f))
    return why;
  return copies_over_p (b, f)
	   ? "a copy back may set what the host computes with"
	   : NULL;
}

/* Let the clauses have operands that are computed in front of the loop.  */
static const char *
hoist_operands (building *b)
{
  for (tree c = gimple_omp_target_clauses (b->x->stmt); c;
       c = OMP_CLAUSE_CHAIN (c))
    if (unsigned *at = b->at.get (c))
      if (!host_values_hoist (b->v, *at, c))
	return "an operand of a region that may change";
  return NULL;
}

const char *
resident_build (resident *x, host_loop *l, host_entry *e, host_values *v)
{
  building b;
  b.x = x;
  b.l = l;
  b.e = e;
  b.v = v;
  b.seq = &v->seq;
  for (unsigned i = 0; i < l->regions.length (); i++)
    if (const char *why = building_take_region (&b, i))
      return why;
  if (const char *why = take_values (&b))
    return why;
  gomp_target *first = host_loop_region (l, 0);
  x->stmt = gimple_build_omp_target (NULL, gimple_omp_target_kind (first),
				     b.clauses);
  gimple_set_location (x->stmt, gimple_location (first));
  host_run run;
  run.around.safe_splice (*l->around);
  fusion f;
  f.first = first;
  f.run = &run;
  f.a.stmt = x->stmt;
  if (const char *why = merge_all_maps (&b, &f))
    return why;
  add_state (&b);
  add_own_pointers (&b);
  take_needs (x, &f);
  gimple_omp_set_body (x->stmt, building_body (&b));
  return hoist_operands (&b);
}
