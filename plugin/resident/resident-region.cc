/* The construct that stands for a loop of regions.

       for (t = 0; t < n; t++) {	target map (DATA, state) firstprivate (t, n) {
	 target map (A) PART;		  for (t = 0; t < n; t++) {
	 target map (B) PART;	->	    PART;
       }				    PART;
					  }
					  state = t, ...;
					}

   It maps what the regions map, once.  Be an object on the device already: then no
   region copies it.  Be it not: then what one region copies back and the next one to
   the device is the same, and fuse-map.cc has the rule by which the copies between
   may be left out; it is asked for all regions one after the other, twice, since the
   first follows the last.  Nobody looks at the host's copies meanwhile, for the
   host's code in the loop touches numbers of its own alone, none of which is mapped but as the result of a
   reduction, which comes and goes by value.

   Scalars that come by value are those that the host has when a region begins.  In
   the construct they are the thread's, which computes them as the host does, and no
   region sets them.

   Needs: host_loop_bar.  Keeps: the loop, of which the construct has a copy.
   Source: OpenMP 5.0, 2.19.7; OpenACC 3.2, 2.6 and 2.7.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/resident.h"
#include "fuse/fuse.h"

/* What is done while the construct is built.  */
struct building
{
  resident *x;
  host_loop *l;
  host_entry *e;
  host_values *v;
  /* What is executed in front of the construct.  */
  gimple_seq *seq;
  /* The numbers of pointers, variables of a thread.  */
  auto_vec<tree> numbers;
  /* Variables for SSA names.  */
  hash_map<tree, tree> names;
  /* Values of statements that the host executes once.  */
  hash_map<int_hash<unsigned, -1U, -2U>, tree> steady;
  /* What the construct has by value.  */
  hash_set<tree> values;
  tree clauses = NULL_TREE;
  /* The statement at which a clause's operands are computed.  */
  hash_map<tree, unsigned> at;
};

/* ---- Clauses ---- */

enum treatment
{
  CLAUSE_BARS,
  CLAUSE_VALUE,
  CLAUSE_ONCE,
  CLAUSE_MAPS,
  CLAUSE_SPENT,
  CLAUSE_REDUCES,
  CLAUSE_OPEN
};

static treatment
treatment_of (const_tree c)
{
  switch (OMP_CLAUSE_CODE (c))
    {
    case OMP_CLAUSE_MAP:
      return CLAUSE_MAPS;
    case OMP_CLAUSE_FIRSTPRIVATE:
      return CLAUSE_VALUE;
    case OMP_CLAUSE_IS_DEVICE_PTR:
      return CLAUSE_ONCE;
    case OMP_CLAUSE_NUM_TEAMS:
    case OMP_CLAUSE_THREAD_LIMIT:
      return CLAUSE_OPEN;
    case OMP_CLAUSE_REDUCTION:
      return CLAUSE_REDUCES;
    case OMP_CLAUSE_DEFAULT:
    case OMP_CLAUSE_DEFAULTMAP:
    case OMP_CLAUSE_COLLAPSE:
    /* Numbers in OpenACC are advice.  */
    case OMP_CLAUSE_NUM_GANGS:
    case OMP_CLAUSE_NUM_WORKERS:
    case OMP_CLAUSE_VECTOR_LENGTH:
      return CLAUSE_SPENT;
    default:
      return CLAUSE_BARS;
    }
}

static const char *
clause_bars (const_tree c)
{
  static char text[80];
  snprintf (text, sizeof text, "a clause %s of a region",
	    omp_clause_code_name[OMP_CLAUSE_CODE (c)]);
  for (char *s = text; *s; s++)
    *s = *s == '_' ? ' ' : *s;
  return text;
}

/* The clause CODE about VAR.  */
static tree
clause_about (omp_clause_code code, tree var)
{
  tree c = build_omp_clause (UNKNOWN_LOCATION, code);
  OMP_CLAUSE_DECL (c) = var;
  return c;
}

static void
add_clause (building *b, tree c)
{
  OMP_CLAUSE_CHAIN (c) = b->clauses;
  b->clauses = c;
}

/* VAR comes by value.  */
static void
add_value (building *b, tree var)
{
  if (!b->l->locals.contains (var) && !b->values.add (var))
    add_clause (b, clause_about (OMP_CLAUSE_FIRSTPRIVATE, var));
}

static bool
clause_there_p (const building *b, const_tree like)
{
  for (tree c = b->clauses; c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_CODE (like)
	&& omp_clause_num_ops[OMP_CLAUSE_CODE (c)] > 0
	&& OMP_CLAUSE_OPERAND (c, 0) == OMP_CLAUSE_OPERAND (like, 0))
      return true;
  return false;
}

/* ---- What regions set ---- */

/* Does the region STMT set a variable that it has by value, and that its part has no
   copy of (resident-kernel.cc)?  Such a variable of the thread would keep that.  */
static bool
sets_value_p (const gomp_target *stmt)
{
  for (tree c = gimple_omp_target_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE)
      {
	tree var = OMP_CLAUSE_DECL (c), type = TREE_TYPE (var);
	bool copied = INTEGRAL_TYPE_P (type) || SCALAR_FLOAT_TYPE_P (type);
	if (copied ? region_points_p (stmt, var) : region_stores_p (stmt, var))
	  return true;
      }
  return false;
}

/* ---- Clauses of the regions ---- */

/* How many teams and threads there are is left open: a region's own numbers its part
   obeys, with threads that idle.  */
static void
add_open (building *b, omp_clause_code code)
{
  if (omp_find_clause (b->clauses, code))
    return;
  tree c = build_omp_clause (UNKNOWN_LOCATION, code);
  OMP_CLAUSE_OPERAND (c, 0) = integer_zero_node;
  add_clause (b, c);
}

/* Is VAR a result of a region of L?  */
static bool
result_p (const host_loop *l, tree var)
{
  for (unsigned i = 0; i < l->regions.length (); i++)
    {
      auto_vec<tree> clauses;
      region_results (host_loop_region (l, i), &clauses);
      for (unsigned k = 0; k < clauses.length (); k++)
	if (OMP_CLAUSE_DECL (clauses[k]) == var)
	  return true;
    }
  return false;
}

static const char *
take_clause (building *b, tree c)
{
  switch (treatment_of (c))
    {
    case CLAUSE_VALUE:
      add_value (b, OMP_CLAUSE_DECL (c));
      return NULL;
    case CLAUSE_ONCE:
      if (b->l->sets.contains (OMP_CLAUSE_DECL (c)))
	return "a device pointer that changes";
      if (!clause_there_p (b, c))
	add_clause (b, clause_copy (c));
      return NULL;
    case CLAUSE_OPEN:
      add_open (b, OMP_CLAUSE_CODE (c));
      return NULL;
    case CLAUSE_MAPS:
    case CLAUSE_SPENT:
      return NULL;
    case CLAUSE_REDUCES:
      return result_p (b->l, OMP_CLAUSE_DECL (c)) ? NULL : clause_bars (c);
    default:
      return clause_bars (c);
    }
}

/* The variable that REF, of a clause, begins with: the object, or the pointer or
   descriptor that leads there.  */
static tree
bottom_of (tree ref)
{
  tree var = reference_base (ref);
  while (TREE_CODE (var) == MEM_REF || INDIRECT_REF_P (var)
	 || CONVERT_EXPR_P (var))
    var = reference_base (TREE_OPERAND (var, 0));
  return var;
}

/* The pointer, or the object proper, that a clause maps may not change, nor be what
   threads compute with.  */
static const char *
mapped_bar (building *b, const_tree c)
{
  tree var = bottom_of (OMP_CLAUSE_DECL (c));
  if (!DECL_P (var) && TREE_CODE (var) != SSA_NAME)
    return "a mapping that is not understood";
  if (b->l->locals.contains (var) && !decl_temporary_p (var))
    return "a region maps a variable of the loop's own";
  if (b->l->sets.contains (var) && !b->l->pointers.contains (var)
      && !(TREE_CODE (var) == SSA_NAME || decl_temporary_p (var)))
    return "a region maps a variable that the host sets";
  return b->values.contains (var) || b->v->looked.contains (var) ? "a variable that only one of them maps"
				  : NULL;
}

static const char *
take_region (building *b, unsigned i)
{
  gomp_target *stmt = host_loop_region (b->l, i);
  const construct *what = construct_of (stmt);
  if (stmt_reverse_p (stmt)
      || (what->kind != ACR_KIND_OMP_TARGET
	  && what->kind != ACR_KIND_ACC_PARALLEL))
    return "a region of another kind";
  if (gimple_omp_target_kind (stmt)
      != gimple_omp_target_kind (host_loop_region (b->l, 0)))
    return "regions of two models";
  if (sets_value_p (stmt))
    return "a region sets a variable that it has by value";
  for (tree c = gimple_omp_target_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	&& host_loop_number_p (b->l, stmt, c))
      add_value (b, OMP_CLAUSE_DECL (c));
    else if (const char *why = take_clause (b, c))
      return why;
  return NULL;
}

/* Is what the clause C of F's construct is about there in any case, as far as a data
   construct or C itself says?  */
static bool
there_p (const fusion *f, tree c)
{
  tree size = OMP_CLAUSE_SIZE (c), var = reference_base (OMP_CLAUSE_DECL (c));
  object_name name = object_of_reference (OMP_CLAUSE_DECL (c));
  switch (OMP_CLAUSE_MAP_KIND (c))
    {
    case GOMP_MAP_POINTER:
    case GOMP_MAP_TO_PSET:
    case GOMP_MAP_FIRSTPRIVATE_POINTER:
    case GOMP_MAP_FIRSTPRIVATE_REFERENCE:
      return true;
    default:
      return (size && integer_zerop (size))
	     || (DECL_P (var) && fuse_present_p (f, var))
	     || (name.var && DECL_P (name.var) && fuse_present_p (f, name.var));
    }
}

/* Merge the maps of region I into the construct of F; its results come and go by
   value.  */
static const char *
merge_maps (building *b, fusion *f, unsigned i)
{
  tree clauses
    = unshare_expr (gimple_omp_target_clauses (host_loop_region (b->l, i)));
  auto_vec<tree> maps;
  fuse_list_maps (clauses, &maps);
  for (unsigned k = maps.length (); k--;)
    if (host_loop_number_p (b->l, host_loop_region (b->l, i), maps[k]))
      maps.ordered_remove (k);
  for (unsigned k = 0; k < maps.length (); k++)
    {
      if (const char *why = mapped_bar (b, maps[k]))
	return why;
      if (!b->e->regions.contains (host_loop_region (b->l, i))
	  && !there_p (f, maps[k]))
	return "data that only some rounds map, and no data construct around";
      b->at.put (maps[k], b->l->regions[i]);
    }
  f->second = host_loop_region (b->l, i);
  return fuse_merge_maps (f, maps);
}

/* ---- What threads compute with ---- */

static tree
note_name_in (tree *tp, int *walk_subtrees, void *data)
{
  building *b = (building *) data;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  else if (VAR_P (*tp) || TREE_CODE (*tp) == PARM_DECL)
    add_value (b, *tp);
  else if (TREE_CODE (*tp) == SSA_NAME && !b->l->sets.contains (*tp))
    {
      tree &var = b->names.get_or_insert (*tp);
      if (var)
	return NULL_TREE;
      var = code_value (*tp, "value", b->seq);
      add_value (b, var);
    }
  return NULL_TREE;
}

static tree
note_name (tree *tp, int *walk_subtrees, void *data)
{
  return note_name_in (tp, walk_subtrees,
		       ((struct walk_stmt_info *) data)->info);
}

/* What is needed of the host's code comes by value; what of that threads cannot
   compute, computed in front of the loop.  Why it cannot, or NULL.  */
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
      if (is_gimple_assign (stmt) && host_loop_turns_p (b->l, i))
	continue;
      if (host_loop_threads_p (b->l, i))
	{
	  walk_gimple_op (stmt, note_name, &wi);
	  continue;
	}
      tree value = host_values_of (b->v, i);
      if (!value)
	return "arithmetic of the host that is not on integers";
      tree lhs = gimple_assign_lhs (stmt);
      walk_tree (&lhs, note_name_in, b, NULL);
      add_value (b, value);
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

/* Threads copy pointers to the device as the host copies those that it has.  That is
   the same when each is what the device has for the host's, before the loop and in
   each round: when nothing is put on the device or taken from it meanwhile.  Why not,
   or NULL.  */
static const char *
pointers_bar (building *b, const fusion *f)
{
  const host_loop *l = b->l;
  if (l->pointers.is_empty ())
    return NULL;
  for (unsigned i = 0; i < l->code.length (); i++)
    if (is_gimple_assign (l->code[i]) && host_loop_needs_p (l, i)
	&& host_loop_turns_p (l, i))
      {
	tree from = gimple_assign_rhs1 (l->code[i]);
	if (!pointer_mapped_p (b, from) && !set_in_round_p (l, i, from))
	  return "a pointer that no region has";
      }
  for (tree c = gimple_omp_target_clauses (b->x->stmt); c;
       c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	&& OMP_CLAUSE_MAP_KIND (c) != GOMP_MAP_FORCE_PRESENT
	&& !there_p (f, c))
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

/* The number of the pointer NAME.  */
static tree
number_of (building *b, tree name)
{
  for (unsigned i = 0; i < b->l->pointers.length (); i++)
    if (b->l->pointers[i] == name)
      return b->numbers[i];
  gcc_unreachable ();
}

/* Let a copy of a pointer, at GSI, which is FROM in the loop, copy its number as
   well.  */
static void
turn_number (building *b, gimple_stmt_iterator *gsi, gimple *from)
{
  gimple *stmt = gsi_stmt (*gsi);
  gimple_seq seq = NULL;
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL_TREE);
  gsi_replace (gsi, bind, false);
  gimple_seq_add_stmt (&seq, stmt);
  gimple_seq_add_stmt (
    &seq, gimple_build_assign (number_of (b, gimple_assign_lhs (from)),
			       number_of (b, gimple_assign_rhs1 (from))));
  gimple_bind_set_body (bind, seq);
}

/* ---- The copy ---- */

/* Take N statements out of SEQ from I on, and put them at the end of TO.  */
static void
move_statements (gimple_stmt_iterator *i, unsigned n, gimple_seq *to)
{
  while (n--)
    {
      gimple *stmt = gsi_stmt (*i);
      gsi_remove (i, false);
      gimple_seq_add_stmt_without_update (to, stmt);
    }
}

void
host_loop_take (host_loop *l, gimple_seq *to, gimple *instead)
{
  gimple_stmt_iterator i = gsi_start (*l->seq);
  for (unsigned n = 0; n < l->first; n++)
    gsi_next (&i);
  move_statements (&i, l->last - l->first + 1, to);
  if (!gsi_end_p (i))
    gsi_insert_before_without_update (&i, instead, GSI_SAME_STMT);
  else
    gimple_seq_add_stmt_without_update (l->seq, instead);
}

/* The loop, copied.  */
static gimple_seq
copy_loop (building *b)
{
  gimple *place = gimple_build_nop ();
  gimple_seq loop = NULL;
  host_loop_take (b->l, &loop, place);
  gimple_seq copy = copy_statements (loop);
  gimple_stmt_iterator to = gsi_start (*b->l->seq);
  while (gsi_stmt (to) != place)
    gsi_next (&to);
  for (gimple_stmt_iterator i = gsi_start (loop); !gsi_end_p (i);)
    {
      gimple *stmt = gsi_stmt (i);
      gsi_remove (&i, false);
      gsi_insert_before_without_update (&to, stmt, GSI_SAME_STMT);
    }
  gsi_remove (&to, false);
  return copy;
}

static tree
replace_name (tree *tp, int *walk_subtrees, void *data)
{
  building *b = (building *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  if (TREE_CODE (*tp) != SSA_NAME)
    return NULL_TREE;
  tree &var = b->names.get_or_insert (*tp);
  if (!var)
    var = code_temp (TREE_TYPE (*tp), "value");
  *tp = var;
  return NULL_TREE;
}

/* The statements of a copy, and which ones of the loop they are.  */
struct finishing
{
  building *b;
  hash_map<gimple *, unsigned> numbers;
};

/* PLACE in X stands for the region TARGET, whose results get a place in the
   state.  */
static void
add_part (resident *x, gomp_target *target, gimple *place)
{
  resident_part *part = new resident_part ();
  auto_vec<tree> clauses;
  part->target = target;
  part->place = place;
  region_results (target, &clauses);
  for (unsigned i = 0; i < clauses.length (); i++)
    {
      part->results.safe_push ({ clauses[i], x->size });
      x->size += RESIDENT_SLOTS;
    }
  x->parts.safe_push (part);
}

/* Let the copy have the statements that threads need, and of a region what is in
   it.  */
static tree
finish_stmt (gimple_stmt_iterator *gsi, bool *handled,
	     struct walk_stmt_info *wi)
{
  finishing *f = (finishing *) wi->info;
  building *b = f->b;
  gimple *stmt = gsi_stmt (*gsi);
  unsigned *number = f->numbers.get (stmt);
  struct walk_stmt_info ops = {};
  ops.info = b;
  if (!number)
    return NULL_TREE;
  if (gomp_target *target = dyn_cast<gomp_target *> (stmt))
    {
      gbind *bind = gimple_build_bind (NULL_TREE, gimple_omp_body (target),
				       NULL_TREE);
      gsi_replace (gsi, bind, false);
      add_part (b->x, target, bind);
      *handled = true;
    }
  else if (gimple_code (stmt) == GIMPLE_COND
	   && !host_loop_needs_p (b->l, *number))
    gsi_replace (gsi,
		 gimple_build_goto (
		   gimple_cond_true_label (as_a<gcond *> (stmt))),
		 false);
  else if (stmt_empty_p (stmt) || !host_loop_needs_p (b->l, *number))
    gsi_replace (gsi, gimple_build_nop (), false);
  else if (is_gimple_assign (stmt) || gimple_code (stmt) == GIMPLE_COND)
    {
      if (tree *value = b->steady.get (*number))
	{
	  stmt = gimple_build_assign (gimple_assign_lhs (stmt), *value);
	  gsi_replace (gsi, stmt, false);
	}
      walk_gimple_op (stmt, replace_name, &ops);
      if (is_gimple_assign (stmt) && host_loop_turns_p (b->l, *number))
	{
	  turn_number (b, gsi, b->l->code[*number]);
	  *handled = true;
	}
    }
  return NULL_TREE;
}

static void
finish_copy (building *b, gimple_seq *body)
{
  finishing f;
  f.b = b;
  auto_vec<gimple *> code;
  host_loop_flatten (*body, &code);
  gcc_assert (code.length () == b->l->code.length ());
  for (unsigned i = 0; i < code.length (); i++)
    f.numbers.put (code[i], i);
  struct walk_stmt_info wi = {};
  wi.info = &f;
  walk_gimple_seq_mod (body, finish_stmt, NULL, &wi);
}

/* ---- The body ---- */

tree
resident_state (const resident *x, unsigned i, tree type)
{
  return build2 (MEM_REF, TYPE_MAIN_VARIANT (type),
		 build_fold_addr_expr (x->state),
		 build_int_cst (ptr_type_node, 8 * i));
}

/* What a thread does behind the loop: say what it has come to, after RAN
   regions.  */
static gimple *
epilogue_of (building *b, val ran)
{
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL_TREE);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  code c = &seq;
  for (unsigned i = 0; i < b->l->out.length (); i++)
    c.set (resident_state (b->x, ACR_RESIDENT_VALUES + i,
			   TREE_TYPE (b->l->out[i])),
	   b->l->out[i]);
  for (unsigned i = 0; i < b->l->out_pointers.length (); i++)
    c.set (resident_state (b->x, b->x->turned + i, unsigned_type_node),
	   number_of (b, b->l->out_pointers[i]));
  val done = c.let ("done", resident_state (b->x, ACR_RESIDENT_DONE));
  c.set (resident_state (b->x, ACR_RESIDENT_DONE), done + ran + 1);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}

/* Let each part of B count in RAN, and keep a place of its own.  */
static void
count_parts (building *b, val ran)
{
  for (unsigned i = 0; i < b->x->parts.length (); i++)
    {
      gbind *place = as_a<gbind *> (b->x->parts[i]->place);
      gbind *inner = gimple_build_bind (NULL_TREE, gimple_bind_body (place),
					NULL_TREE);
      gimple_seq counted = NULL;
      code_set (ran, ran + 1, &counted);
      gimple_seq_add_stmt (&counted, inner);
      gimple_bind_set_body (place, counted);
      b->x->parts[i]->place = inner;
    }
}

static gimple_seq
body_of (building *b)
{
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, make_node (BLOCK));
  gimple_seq seq = NULL, all = NULL;
  push_gimplify_context ();
  for (unsigned i = 0; i < b->l->pointers.length (); i++)
    b->numbers.safe_push (code (&seq).var (unsigned_type_node, "number",
					   (int) i));
  gimple_seq loop = copy_loop (b);
  finish_copy (b, &loop);
  val ran = code (&seq).var (uint64_type_node, "ran", 0);
  count_parts (b, ran);
  gimple_seq_add_seq (&seq, loop);
  b->x->epilogue = epilogue_of (b, ran);
  gimple_seq_add_stmt (&seq, b->x->epilogue);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  gimple_seq_add_stmt (&all, bind);
  return all;
}

/* ---- All ---- */

/* The construct has a state, of as many elements as a copy of the loop wants.  */
static void
add_state (building *b)
{
  resident *x = b->x;
  x->turned = ACR_RESIDENT_VALUES + b->l->out.length ();
  x->size = x->turned + b->l->out_pointers.length ();
  for (unsigned i = 0; i < b->l->regions.length (); i++)
    {
      auto_vec<tree> clauses;
      region_results (host_loop_region (b->l, i), &clauses);
      x->size += RESIDENT_SLOTS * clauses.length ();
    }
  tree type = build_array_type_nelts (uint64_type_node, x->size);
  tree state = code_temp (type, "resident");
  TREE_ADDRESSABLE (state) = 1;
  x->state = state;
  x->size = x->turned + b->l->out_pointers.length ();
  tree c = clause_about (OMP_CLAUSE_MAP, state);
  OMP_CLAUSE_SET_MAP_KIND (c, GOMP_MAP_TOFROM);
  OMP_CLAUSE_SIZE (c) = TYPE_SIZE_UNIT (type);
  OMP_CLAUSE_CHAIN (c) = gimple_omp_target_clauses (b->x->stmt);
  gimple_omp_target_set_clauses (b->x->stmt, c);
}

/* May a region's copies back to the host set an integer of the host's that threads
   compute with, or that it has looked at?  */
static bool
copies_over_p (const building *b, const fusion *f)
{
  bool exposed = !b->v->looked.is_empty ();
  hash_set<tree> *sets = &b->l->sets;
  for (hash_set<tree>::iterator i = sets->begin (); i != sets->end (); ++i)
    exposed |= DECL_P (*i) && TREE_ADDRESSABLE (*i);
  for (tree c = gimple_omp_target_clauses (b->x->stmt); c && exposed;
       c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	&& OMP_CLAUSE_MAP_KIND (c) != GOMP_MAP_FORCE_PRESENT
	&& OMP_CLAUSE_MAP_KIND (c) != GOMP_MAP_TO
	&& OMP_CLAUSE_MAP_KIND (c) != GOMP_MAP_ALLOC && !there_p (f, c))
      return true;
  return false;
}

/* Note in X what must not be written, for copies of what is not on the device already
   to make no difference when they are left out.  */
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
  for (unsigned twice = 0; twice < 2; twice++)
    for (unsigned i = 0; i < b->l->regions.length (); i++)
      if (const char *why = merge_maps (b, f, i))
	return why;
  if (const char *why = pointers_bar (b, f))
    return why;
  return copies_over_p (b, f) ? "a copy back may set what the host computes with"
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
resident_build (resident *x, host_loop *l, host_entry *e,
		host_values *v)
{
  building b;
  b.x = x;
  b.l = l;
  b.e = e;
  b.v = v;
  b.seq = &v->seq;
  for (unsigned i = 0; i < l->regions.length (); i++)
    if (const char *why = take_region (&b, i))
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
  gimple_omp_set_body (x->stmt, body_of (&b));
  return hoist_operands (&b);
}
