/* Data that constructs move in each iteration of a host loop around them.

   Where a loop of the host has constructs that copy a variable, and nothing
   else in the loop looks at it, a data construct around the loop copies it
   once.  It may be on the device already, by a data construct of a caller;
   what the function itself maps around the loop, or enters, certainly is.

   Needs: GIMPLE before omp-low; object_scan; region_find.  Keeps: all code.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "advice/advice.h"

/* Statements of a function in the order of the source.  */
struct place
{
  unsigned begin, end;
};

/* A use of a variable by the host.  */
struct use
{
  tree var;
  unsigned at;
};

struct walk
{
  unsigned at = 0;
  hash_map<tree, unsigned> labels;
  auto_vec<place> loops;
  hash_map<gimple *, place> constructs;
  auto_vec<use> uses;
  /* Calls and the like: whoever knows an address may look.  */
  auto_vec<unsigned> calls;
  /* Variables that are entered somewhere in the function.  */
  hash_set<tree> entered;
};

/* ---- The function ---- */

static tree look_at (gimple_stmt_iterator *, bool *, struct walk_stmt_info *);

/* Memory by its variable: the variable itself, or a pointer to it.  */
static tree
note_use (tree *tp, int *subtrees, void *data)
{
  walk *w = (walk *) ((struct walk_stmt_info *) data)->info;
  tree var = *tp;
  /* An array descriptor is none of the array.  */
  if (TREE_CODE (*tp) == COMPONENT_REF
      && descriptor_type_p (TREE_TYPE (TREE_OPERAND (*tp, 0))))
    *subtrees = 0;
  if (TREE_CODE (*tp) == MEM_REF || INDIRECT_REF_P (*tp))
    {
      var = object_of_reference (*tp).var;
      *subtrees = 0;
    }
  if (var && (VAR_P (var) || TREE_CODE (var) == PARM_DECL))
    w->uses.safe_push ({ var, w->at });
  return NULL_TREE;
}

/* Does STMT compute a pointer for what follows, where what it leads to is
   looked at, if at all?  */
static bool
computes_pointer_p (gimple *stmt)
{
  if (!is_gimple_assign (stmt)
      || !POINTER_TYPE_P (TREE_TYPE (gimple_assign_lhs (stmt))))
    return false;
  tree to = gimple_assign_lhs (stmt), from = gimple_assign_rhs1 (stmt);
  return (TREE_CODE (to) == SSA_NAME || (VAR_P (to) && DECL_ARTIFICIAL (to)))
	 && (DECL_P (from) || TREE_CODE (from) == SSA_NAME);
}

/* The variable by which clause C names memory: what is sent, or a pointer to
   it.  */
static tree
variable_of (tree c)
{
  tree base = reference_base (OMP_CLAUSE_DECL (c));
  if (TREE_CODE (base) == MEM_REF || INDIRECT_REF_P (base))
    {
      object_name name = object_of_reference (base);
      base = name.var ? name.var : NULL_TREE;
    }
  return base && DECL_P (base) ? base : NULL_TREE;
}

static void
enter (walk *w, const gomp_target *stmt)
{
  for (tree c = gimple_omp_target_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	|| OMP_CLAUSE_CODE (c) == OMP_CLAUSE_TO
	|| OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FROM)
      if (tree var = variable_of (c))
	w->entered.add (var);
}

/* May STMT run code that looks at memory?  */
static bool
other_code_p (gimple *stmt)
{
  if (!is_gimple_call (stmt))
    return gimple_code (stmt) == GIMPLE_ASM;
  return !call_without_memory_p (as_a<gcall *> (stmt))
	 && !gimple_call_builtin_p (stmt, BUILT_IN_GOACC_DATA_END)
	 && !gimple_call_builtin_p (stmt, BUILT_IN_GOMP_TARGET_END_DATA);
}

static void
note_jump (walk *w, tree label)
{
  unsigned *at = label ? w->labels.get (label) : NULL;
  if (at)
    w->loops.safe_push ({ *at, w->at });
}

static void
look_within (walk *w, gimple_seq body)
{
  struct walk_stmt_info wi = {};
  wi.info = w;
  walk_gimple_seq (body, look_at, note_use, &wi);
}

static tree
look_at (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  walk *w = (walk *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  w->at++;
  if (glabel *label = dyn_cast<glabel *> (stmt))
    w->labels.put (gimple_label_label (label), w->at);
  else if (ggoto *jump = dyn_cast<ggoto *> (stmt))
    note_jump (w, gimple_goto_dest (jump));
  else if (gcond *cond = dyn_cast<gcond *> (stmt))
    {
      note_jump (w, gimple_cond_true_label (cond));
      note_jump (w, gimple_cond_false_label (cond));
    }
  else if (other_code_p (stmt))
    w->calls.safe_push (w->at);
  gomp_target *target = dyn_cast<gomp_target *> (stmt);
  if (!target)
    {
      *handled = computes_pointer_p (stmt);
      return NULL_TREE;
    }
  const construct *what = construct_of (target);
  unsigned begin = w->at;
  /* What the device does there is no look of the host's.  */
  *handled = true;
  if (what && !acr_kind_computes (what->kind))
    {
      if (what->body)
	look_within (w, gimple_omp_body (target));
      else
	enter (w, target);
    }
  w->at++;
  w->constructs.put (stmt, { begin, w->at });
  return NULL_TREE;
}

/* ---- What a construct moves ---- */

/* Bytes that are not worth a word.  */
static const unsigned scalar = 16;

/* The innermost loop around AT, or NULL.  */
static const place *
loop_around (const walk *w, place at)
{
  const place *found = NULL;
  for (unsigned i = 0; i < w->loops.length (); i++)
    {
      const place *l = &w->loops[i];
      if (l->begin < at.begin && at.end < l->end
	  && (!found || l->begin >= found->begin))
	found = l;
    }
  return found;
}

/* May the host look at VAR's memory in the loop L?  */
static bool
host_looks_p (const walk *w, const place *l, tree var)
{
  for (unsigned i = 0; i < w->uses.length (); i++)
    if (w->uses[i].var == var && w->uses[i].at > l->begin
	&& w->uses[i].at < l->end)
      return true;
  bool private_array = auto_var_p (var) && !TREE_ADDRESSABLE (var)
		       && !POINTER_TYPE_P (TREE_TYPE (var));
  for (unsigned i = 0; i < w->calls.length () && !private_array; i++)
    if (w->calls[i] > l->begin && w->calls[i] < l->end)
      return true;
  return false;
}

/* Is VAR mapped by one of REGIONS, a data construct around AT?  */
static bool
mapped_around_p (walk *w, const vec<region> &regions, place at, tree var)
{
  for (unsigned i = 0; i < regions.length (); i++)
    {
      const region *r = &regions[i];
      place *p = data_construct_p (r) && r->what->body
		   ? w->constructs.get (r->stmt)
		   : NULL;
      if (!p || p->begin >= at.begin || p->end <= at.end)
	continue;
      for (tree c = gimple_omp_target_clauses (r->stmt); c;
	   c = OMP_CLAUSE_CHAIN (c))
	if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP && variable_of (c) == var)
	  return true;
    }
  return false;
}

/* Is it known that the program has not mapped VAR elsewhere, or does clause C
   of R stand in the source?  (Of what GCC adds, the place is the directive's;
   so is gfortran's of all.)  */
static bool
sure_p (const region *r, tree c, tree var)
{
  if (auto_var_p (var) && TREE_CODE (var) != PARM_DECL
      && (!POINTER_TYPE_P (TREE_TYPE (var)) || object_allocation (var)))
    return true;
  return is_gimple_omp_oacc (r->stmt)
	   ? OMP_CLAUSE_LOCATION (c) != r->loc
	   : !OMP_CLAUSE_MAP_RUNTIME_IMPLICIT_P (c);
}

/* Does clause C say that more than a scalar is copied?  */
static bool
copies_p (tree c)
{
  if (OMP_CLAUSE_CODE (c) != OMP_CLAUSE_MAP)
    return false;
  tree size = OMP_CLAUSE_SIZE (c);
  if (size && tree_fits_uhwi_p (size) && tree_to_uhwi (size) <= scalar)
    return false;
  unsigned kind = OMP_CLAUSE_MAP_KIND (c) & ~GOMP_MAP_FLAG_FORCE;
  return kind == GOMP_MAP_TO || kind == GOMP_MAP_FROM
	 || kind == GOMP_MAP_TOFROM;
}

static void
look_at_region (walk *w, const vec<region> &regions, const region *r)
{
  place *at = w->constructs.get (r->stmt);
  const place *loop = at && r->what->body ? loop_around (w, *at) : NULL;
  if (!loop)
    return;
  name_list names;
  for (tree c = gimple_omp_target_clauses (r->stmt); c;
       c = OMP_CLAUSE_CHAIN (c))
    {
      tree var = copies_p (c) ? variable_of (c) : NULL_TREE;
      if (var && sure_p (r, c, var) && !w->entered.contains (var)
	  && !mapped_around_p (w, regions, *at, var)
	  && !host_looks_p (w, loop, var))
	names.add (name_of_reference (OMP_CLAUSE_DECL (c)));
    }
  if (!names.any ())
    return;
  char *text = names.text ();
  remark_missed (r->loc,
		 "%s region: in each iteration of the loop around it copies"
		 " %s, at which nothing else in the loop looks: put %s around"
		 " the loop\n",
		 construct_words (r->what), text,
		 is_gimple_omp_oacc (r->stmt) ? "acc data" : "omp target data");
  free (text);
}

void
advise_around (function *fun, const vec<region> &regions)
{
  walk w;
  look_within (&w, gimple_body (fun->decl));
  for (unsigned i = 0; i < regions.length (); i++)
    look_at_region (&w, regions, &regions[i]);
}
