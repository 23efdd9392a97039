/* Host code between two constructs, in front of which the first one is not to
   be any more: it is executed where the second one stands.

   That code may compute scalars from scalars and memory, and branch within
   itself.  It must not set what the first construct reads, nor read what that
   one writes: then either may come first.  Variables that hold operands of the
   first construct's clauses for a moment, and that the code sets again for the
   second's, have copies; so have variables of which the construct has copies of
   its own.  Where it is a fused one, what must be true for that is made of these.
   What the code loads must be apart from all that the first construct stores, on
   the host and on the device, which may be the same memory.

   Needs: object_scan.  Keeps: all code.
   Source: A. V. Aho et al., "Compilers", 2nd ed., 11.2.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuse/fuse.h"

static gimple *
place (const fusion *f, unsigned i)
{
  return gsi_stmt (f->run->places[i]);
}

/* ---- Jumps ---- */

/* Jumps to labels of the code between.  */
struct jump_count
{
  hash_set<tree> labels;
  unsigned all;
};

static void
count_jumps (jump_count *j, gimple *stmt)
{
  unsigned n = 0;
  while (tree label = stmt_jump_target (stmt, n++))
    j->all += TREE_CODE (label) == LABEL_DECL && j->labels.contains (label);
}

static tree
count_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  count_jumps ((jump_count *) wi->info, gsi_stmt (*gsi));
  return NULL_TREE;
}

static bool
leaves_by_value_p (gimple *stmt)
{
  return gimple_code (stmt) == GIMPLE_GOTO
	 && TREE_CODE (gimple_goto_dest (stmt)) != LABEL_DECL;
}

/* Does control enter the code between, or leave it, by a jump?  */
static bool
jumps_out_p (const fusion *f)
{
  jump_count jumps;
  unsigned targets = 0, within;
  for (unsigned i = f->from + 1; i < f->to; i++)
    if (gimple_code (place (f, i)) == GIMPLE_LABEL)
      {
	tree label = gimple_label_label (as_a<glabel *> (place (f, i)));
	if (FORCED_LABEL (label) || DECL_NONLOCAL (label))
	  return true;
	jumps.labels.add (label);
      }
  jumps.all = 0;
  for (unsigned i = f->from + 1; i < f->to; i++)
    {
      gimple *stmt = place (f, i);
      if (leaves_by_value_p (stmt))
	return true;
      count_jumps (&jumps, stmt);
      targets += gimple_code (stmt) == GIMPLE_GOTO   ? 1
		 : gimple_code (stmt) == GIMPLE_COND ? 2
						     : 0;
    }
  if (jumps.labels.is_empty () && !targets)
    return false;
  within = jumps.all;
  jumps.all = 0;
  struct walk_stmt_info wi = {};
  wi.info = &jumps;
  walk_gimple_seq (gimple_body (current_function_decl), count_stmt, NULL, &wi);
  return within != targets || jumps.all != within;
}

bool
fuse_in_line_p (const fusion *f)
{
  return !jumps_out_p (f);
}

/* ---- Variables ---- */

/* What the clauses of a construct say about a variable.  */
enum clause_use
{
  USE_NONE,
  /* An operand holds its value, at the beginning.  */
  USE_VALUE,
  /* The construct has a copy, which begins with its value.  */
  USE_COPY,
  USE_VARIABLE
};

static clause_use
clause_use_of (const gomp_target *stmt, tree var)
{
  clause_use use = USE_NONE;
  for (tree c = gimple_omp_target_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    for (int i = 0; i < omp_clause_num_ops[OMP_CLAUSE_CODE (c)]; i++)
      {
	tree operand = OMP_CLAUSE_OPERAND (c, i);
	if (!operand || !decl_named_p (operand, var))
	  continue;
	if (operand == var && i == 0
	    && OMP_CLAUSE_CODE (c) != OMP_CLAUSE_FIRSTPRIVATE)
	  return USE_VARIABLE;
	use = operand == var && i == 0 ? USE_COPY : MAX (use, USE_VALUE);
      }
  return use;
}

/* May the construct STMT set VAR, on the host?  */
static bool
may_set_p (const gomp_target *stmt, tree var)
{
  for (tree c = gimple_omp_target_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if ((OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	 || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION)
	&& OMP_CLAUSE_DECL (c) == var
	/* A descriptor is only read.  */
	&& !(OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	     && OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_TO_PSET)
	&& !(OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	     && POINTER_TYPE_P (TREE_TYPE (var))
	     && (OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_FIRSTPRIVATE_POINTER
		 || OMP_CLAUSE_MAP_KIND (c)
		      == GOMP_MAP_FIRSTPRIVATE_REFERENCE
		 || OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_POINTER)))
      return true;
  return false;
}

/* Let SEQ and *EXPR have F's copies.  */
static void
rename (const fusion *f, gimple_seq *seq, tree *expr)
{
  hash_map<tree, tree> map;
  for (unsigned i = 0; i < f->renamed.length (); i++)
    map.put (f->renamed[i], f->saved[i]);
  replace_variables (seq, &map, expr);
}

void
fuse_rename (const fusion *f, gomp_target *stmt)
{
  rename (f, gimple_omp_body_ptr (stmt), gimple_omp_target_clauses_ptr (stmt));
}

tree
fuse_renamed (const fusion *f, tree expr)
{
  gimple_seq none = NULL;
  expr = unshare_expr (expr);
  rename (f, &none, &expr);
  return expr;
}

/* Is VAR a pointer that only ever is a copy of another one, which is set
   once?  */
static bool
always_same_p (tree var)
{
  gimple *stmt
    = POINTER_TYPE_P (TREE_TYPE (var)) ? object_setting (var) : NULL;
  if (!stmt || !gimple_assign_single_p (stmt))
    return false;
  tree from = gimple_assign_rhs1 (stmt);
  return DECL_P (from) && POINTER_TYPE_P (TREE_TYPE (from))
	 && object_set_once_p (from);
}

/* The code sets VAR again, of which the first construct only takes the value:
   that shall have a copy.  */
static void
save (fusion *f, tree var)
{
  if (f->renamed.contains (var))
    return;
  tree copy = create_tmp_var_raw (TREE_TYPE (var), "was");
  DECL_CONTEXT (copy) = current_function_decl;
  DECL_SEEN_IN_BIND_EXPR_P (copy) = 1;
  f->renamed.safe_push (var);
  f->saved.safe_push (copy);
  if (unsigned *number = f->first_numbers.get (var))
    {
      unsigned n = *number;
      f->first_numbers.put (copy, n);
    }
}

/* ---- Statements ---- */

struct reads
{
  const gomp_target *of;
  bool found;
};

static tree
find_set_operand (tree *tp, int *walk_subtrees, void *data)
{
  reads *r = (reads *) data;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  r->found |= DECL_P (*tp) && may_set_p (r->of, *tp);
  return NULL_TREE;
}

static const char *
assignment_bar (fusion *f, gimple *stmt)
{
  tree lhs = gimple_assign_lhs (stmt);
  if (gimple_clobber_p (stmt) || stmt_volatile_p (stmt)
      || stmt_traps_p (stmt)
      || (TREE_CODE (lhs) != SSA_NAME && !register_p (lhs)))
    return "a statement between them";
  reads r = { f->first, false };
  for (unsigned i = 1; i < gimple_num_ops (stmt); i++)
    walk_tree (gimple_op_ptr (stmt, i), find_set_operand, &r, NULL);
  if (r.found)
    return "the host reads a result of the one before";
  switch (clause_use_of (f->first, lhs))
    {
    case USE_VARIABLE:
      return "a variable of the one before changes";
    case USE_VALUE:
    case USE_COPY:
      if (!always_same_p (lhs))
	save (f, lhs);
      break;
    default:
      /* One of its threads' own.  */
      if (stmt_mentions_p (gimple_omp_body (f->first), lhs))
	save (f, lhs);
      break;
    }
  return NULL;
}

static const char *
statement_bar (fusion *f, gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_ASSIGN:
      return assignment_bar (f, stmt);
    case GIMPLE_NOP:
    case GIMPLE_DEBUG:
    case GIMPLE_PREDICT:
    case GIMPLE_LABEL:
    case GIMPLE_GOTO:
    case GIMPLE_COND:
      return NULL;
    default:
      return "a statement between them";
    }
}

/* ---- Values ---- */

static bool
straight_p (const gimple *stmt)
{
  return gimple_code (stmt) == GIMPLE_ASSIGN
	 || gimple_code (stmt) == GIMPLE_CALL
	 || gimple_code (stmt) == GIMPLE_NOP || is_gimple_debug (stmt)
	 || gimple_code (stmt) == GIMPLE_PREDICT;
}

static bool
sets_p (const gimple *stmt)
{
  return gimple_code (stmt) == GIMPLE_ASSIGN
	 || gimple_code (stmt) == GIMPLE_CALL;
}

/* What the code from FROM up to TO sets is not known any more.  */
static void
forget_places (fusion *f, unsigned from, unsigned to)
{
  for (unsigned i = from; i < to; i++)
    if (sets_p (place (f, i)))
      if (tree lhs = gimple_get_lhs (place (f, i)))
	number_forget (&f->numbers, lhs);
}

/* Number the values from FROM up to TO.  Where control parts and meets again
   nothing is known of what is set on the way.  */
static void
number_places (fusion *f, unsigned from, unsigned to)
{
  unsigned parts = from, meets = to;
  while (parts < to && straight_p (place (f, parts)))
    parts++;
  while (meets > parts && straight_p (place (f, meets - 1)))
    meets--;
  for (unsigned i = from; i < to; i++)
    {
      if (sets_p (place (f, i)))
	number_statement (&f->numbers, place (f, i));
      if (i + 1 == meets)
	forget_places (f, parts, meets);
    }
}

/* Note what the operands of the first construct's clauses are worth.  */
static void
note_first_values (fusion *f)
{
  for (tree c = gimple_omp_target_clauses (f->first); c;
       c = OMP_CLAUSE_CHAIN (c))
    for (int i = 0; i < omp_clause_num_ops[OMP_CLAUSE_CODE (c)]; i++)
      {
	tree operand = OMP_CLAUSE_OPERAND (c, i);
	if (operand
	    && (TREE_CODE (operand) == SSA_NAME
		|| (DECL_P (operand) && register_p (operand))))
	  f->first_numbers.put (operand,
				number_of_operand (&f->numbers, operand));
      }
}

bool
fuse_same_value_p (fusion *f, tree expr, tree other)
{
  if (CONSTANT_CLASS_P (expr) || CONSTANT_CLASS_P (other))
    return operand_equal_p (expr, other);
  unsigned *number = f->first_numbers.get (expr);
  if (!number
      || (TREE_CODE (other) != SSA_NAME
	  && (!DECL_P (other) || !register_p (other)
	      || may_set_p (f->first, other))))
    return false;
  return *number == number_of_operand (&f->numbers, other);
}

const char *
fuse_host_bar (fusion *f)
{
  unsigned begin = f->begin;
  while (begin > 0 && straight_p (place (f, begin - 1)))
    begin--;
  number_places (f, begin, f->from);
  note_first_values (f);
  number_places (f, f->from + 1, f->to);
  for (unsigned i = f->from + 1; i < f->to; i++)
    if (const char *why = statement_bar (f, place (f, i)))
      return why;
  return NULL;
}

/* ---- Loads ---- */

/* What the assignment STMT loads, or NULL.  */
static tree
loaded_by (gimple *stmt)
{
  if (!gimple_assign_single_p (stmt))
    return NULL_TREE;
  tree rhs = gimple_assign_rhs1 (stmt);
  if (CONSTANT_CLASS_P (rhs) || TREE_CODE (rhs) == SSA_NAME
      || TREE_CODE (rhs) == ADDR_EXPR || (DECL_P (rhs) && register_p (rhs)))
    return NULL_TREE;
  return rhs;
}

bool
fuse_load_apart_p (const fusion *f, tree ref, const line_access *load,
		   const line_access *store)
{
  if (depend_objects_apart_p (&f->l, load, store))
    return true;
  return flag_strict_aliasing
	 && !alias_sets_conflict_p (get_alias_set (TREE_TYPE (ref)),
				    get_alias_set (TREE_TYPE (store->ref)));
}

/* All that the host loads behind the first construct, for the second: by the
   code between, and where a scalar in memory is copied.  */
static void
list_loads (fusion *f, vec<tree> *refs)
{
  for (unsigned i = f->from + 1; i < f->to; i++)
    if (tree ref = loaded_by (place (f, i)))
      refs->safe_push (ref);
  for (tree c = gimple_omp_target_clauses (f->second); c;
       c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE)
      {
	tree var = OMP_CLAUSE_DECL (c);
	if (decl_by_reference_p (var))
	  refs->safe_push (build_simple_mem_ref (var));
	else if (!register_p (var))
	  refs->safe_push (var);
      }
}

void
fuse_enter_host_loads (fusion *f)
{
  auto_vec<tree> refs;
  list_loads (f, &refs);
  for (unsigned i = 0; i < refs.length (); i++)
    {
      unsigned o = object_index (&f->r, object_of_reference (refs[i]));
      if (o != anything)
	f->r.objects[o].mapped = true;
    }
}

const char *
fuse_host_loads_bar (fusion *f)
{
  auto_vec<tree> refs;
  list_loads (f, &refs);
  for (unsigned i = 0; i < refs.length (); i++)
    {
      line_access load = {};
      load.ref = refs[i];
      load.object = object_index (&f->r, object_of_reference (refs[i]));
      for (unsigned k = 0; k < f->border_access; k++)
	if (f->l.accesses[k].write
	    && !depend_load_apart_p (&f->l, &load, &f->l.accesses[k])
	    && !fuse_load_apart_p (f, refs[i], &load, &f->l.accesses[k]))
	  return "the host reads what the one before may store";
    }
  return NULL;
}
