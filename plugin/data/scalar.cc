/* Firstprivate scalars that are in memory.

   A region that takes the value of a variable in memory gets it through memory.
   For a global or static variable, for one whose address was taken, for one of an
   outer procedure's frame and for what a reference leads to, GCC passes the
   variable's own address: OpenACC's libgomp allocates device memory there and sends
   the value, for each construct anew; OpenMP's keeps integers in the argument
   block, and sends others behind it.  Before omp-low, such a region takes a local
   copy:

     parallel firstprivate (x)  { ... x ... }
   becomes
     t = x;  parallel firstprivate (t)  { ... t ... }

   and value_pass has the copy in the argument block.  With OpenMP the value is the
   same, as the host's is always taken.  OpenACC's is what the device has of the
   variable, when it is mapped there (GOMP_MAP_TO of what is present): then the host
   fetches it, behind all that the queues may still do to it.

     t = x;
     if (acc_is_present (&x, sizeof x))
       { acc_wait_all ();
	 acc_memcpy_from_device (&u, acc_deviceptr (&x), sizeof x);
	 t = u; }

   On a device that shares the host's memory everything is present, and x is copied
   to u.  Under an if clause that is false the region takes the host's.

   Nobody need be asked about a variable of this file alone whose address C and C++
   have never taken: they would have for a clause that maps it, so that it is on the
   device only while a construct runs that mentions it without one, which no other
   construct of the thread meets.

   To fetch the value takes longer than what is saved.  So variables stay that a
   data construct or directive of this file names; what other files map is rare.

   Needs: GIMPLE before omp-low, behind all that looks for neighbours, loops over
   constructs and equal values.  Keeps: values.  Breaks: firstprivate clauses of
   variables in memory, and regions' uses of these.
   Source: lower_omp_target in GCC's omp-low.cc, gomp_map_vars_internal in
   libgomp's target.c.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "base/code.h"
#include "loop/loop.h"
#include "langhooks.h"

/* A variable of a region and its copy.  */
struct scalar
{
  tree var, clause, copy;
  /* Its address is what VAR is worth.  */
  bool reference;
  /* Something in the region cannot do with the copy.  */
  bool fixed;
  bool named;
};

struct scalars
{
  auto_vec<scalar> all;
  /* Temporaries that get the value of a reference among these, as one of an outer
     procedure is loaded before it is followed.  */
  hash_map<tree, tree> ways;
};

/* Variables that data constructs and directives of this file map.  */
static hash_set<tree> *mapped;

/* ---- The file ---- */

/* CLAUSES are those of a data construct or directive.  */
static void
note_mapped (tree clauses)
{
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP)
      {
	tree base = OMP_CLAUSE_DECL (c);
	while (handled_component_p (base) || TREE_CODE (base) == MEM_REF
	       || TREE_CODE (base) == INDIRECT_REF)
	  base = TREE_OPERAND (base, 0);
	if (DECL_P (base))
	  mapped->add (base);
      }
}

static tree
find_mapped (tree *tp, int *walk_subtrees, void *)
{
  switch (TREE_CODE (*tp))
    {
    case OACC_DATA:
      note_mapped (OACC_DATA_CLAUSES (*tp));
      break;
    case OACC_DECLARE:
    case OACC_ENTER_DATA:
    case OACC_EXIT_DATA:
    case OACC_UPDATE:
      note_mapped (OMP_STANDALONE_CLAUSES (*tp));
      break;
    default:
      if (TYPE_P (*tp))
	*walk_subtrees = 0;
      break;
    }
  return NULL_TREE;
}

static tree
find_mapped_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *)
{
  gimple *stmt = gsi_stmt (*gsi);
  if (gimple_code (stmt) == GIMPLE_OMP_TARGET && !construct_computes_p (stmt))
    note_mapped (gimple_omp_target_clauses (stmt));
  return NULL_TREE;
}

void
scalar_scan (function *fun)
{
  if (!mapped)
    {
      /* The other functions are still as they were parsed.  */
      mapped = new hash_set<tree>;
      cgraph_node *node;
      FOR_EACH_FUNCTION (node)
	if (DECL_SAVED_TREE (node->decl))
	  walk_tree_without_duplicates (&DECL_SAVED_TREE (node->decl),
					find_mapped, NULL);
    }
  struct walk_stmt_info wi = {};
  walk_gimple_seq (gimple_body (fun->decl), find_mapped_stmt, NULL, &wi);
}

/* ---- Which variables ---- */

/* Do the values of TYPE fit into the argument block?  */
static bool
fits_p (const_tree type)
{
  return (INTEGRAL_TYPE_P (type) || POINTER_TYPE_P (type)
	  || SCALAR_FLOAT_TYPE_P (type))
	 && !TYPE_VOLATILE (type) && !TYPE_ATOMIC (type)
	 && tree_fits_uhwi_p (TYPE_SIZE_UNIT (type))
	 && tree_to_uhwi (TYPE_SIZE_UNIT (type)) <= POINTER_SIZE_UNITS;
}

/* Does GCC pass the firstprivate variable of C by address in a region of OpenACC,
   or of OpenMP?  INSIDE: the region is in a construct with outlined code, where a
   procedure's frame is not at hand.  */
static bool
in_memory_p (tree c, bool acc, bool inside, scalar *s)
{
  tree var = OMP_CLAUSE_DECL (c);
  if ((!VAR_P (var) && TREE_CODE (var) != PARM_DECL)
      || TREE_THIS_VOLATILE (var) || (VAR_P (var) && DECL_HARD_REGISTER (var))
      || (VAR_P (var) && DECL_THREAD_LOCAL_P (var))
      || (inside && DECL_HAS_VALUE_EXPR_P (var)))
    return false;
  bool reference = decl_by_reference_p (var);
  /* It may be absent.  */
  if (reference
      && (TREE_CODE (TREE_TYPE (var)) != REFERENCE_TYPE
	  || lang_hooks.decls.omp_check_optional_argument (var, false)))
    return false;
  if (!reference && register_p (var))
    return false;
  tree type = decl_value_type (var);
  if (!fits_p (type) || (!acc && !SCALAR_FLOAT_TYPE_P (type)))
    return false;
  *s = { var, c, NULL_TREE, reference, false, false };
  return true;
}

/* May the device have a value of S?  */
static bool
may_be_present_p (const scalar *s)
{
  return s->reference || lang_GNU_Fortran () || TREE_PUBLIC (s->var)
	 || DECL_EXTERNAL (s->var) || TREE_ADDRESSABLE (s->var)
	 || DECL_HAS_VALUE_EXPR_P (s->var);
}

/* ---- What the region does with them ---- */

static scalar *
scalar_of (scalars *ss, const_tree var)
{
  for (unsigned i = 0; i < ss->all.length (); i++)
    if (ss->all[i].var == var)
      return &ss->all[i];
  return NULL;
}

/* The scalar that REF, a variable or what a reference leads to, is; or NULL.  */
static scalar *
scalar_at (scalars *ss, const_tree ref)
{
  if (DECL_P (ref))
    {
      scalar *s = scalar_of (ss, ref);
      return s && !s->reference ? s : NULL;
    }
  if (TREE_CODE (ref) != MEM_REF || !integer_zerop (TREE_OPERAND (ref, 1)))
    return NULL;
  tree pointer = TREE_OPERAND (ref, 0);
  tree *from = ss->ways.get (pointer);
  scalar *s = scalar_of (ss, from ? *from : pointer);
  return s && s->reference && !TREE_THIS_VOLATILE (ref)
	     && useless_type_conversion_p (decl_value_type (s->var),
					   TREE_TYPE (ref))
	     && useless_type_conversion_p (TREE_TYPE (ref),
					   decl_value_type (s->var))
	   ? s
	   : NULL;
}

/* The scalar whose reference STMT loads into a temporary, or NULL.  */
static scalar *
way_to (scalars *ss, const gimple *stmt)
{
  if (!gimple_assign_single_p (stmt) || !DECL_P (gimple_assign_rhs1 (stmt))
      || !VAR_P (gimple_assign_lhs (stmt))
      || !decl_temporary_p (gimple_assign_lhs (stmt)))
    return NULL;
  scalar *s = scalar_of (ss, gimple_assign_rhs1 (stmt));
  return s && s->reference ? s : NULL;
}

static tree
find_way (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  scalars *ss = (scalars *) wi->info;
  if (scalar *s = way_to (ss, gsi_stmt (*gsi)))
    {
      tree &from = ss->ways.get_or_insert (gimple_assign_lhs (gsi_stmt (*gsi)));
      if (from && from != s->var)
	s->fixed = scalar_of (ss, from)->fixed = true;
      from = s->var;
    }
  return NULL_TREE;
}

static tree
fix_operand (tree *tp, int *walk_subtrees, void *data)
{
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  else if (DECL_P (*tp))
    {
      scalars *ss = (scalars *) data;
      tree *from = ss->ways.get (*tp);
      if (scalar *s = scalar_of (ss, from ? *from : *tp))
	s->fixed = true;
    }
  return NULL_TREE;
}

/* All that EXPR names stays.  */
static void
fix (scalars *ss, tree expr)
{
  walk_tree (&expr, fix_operand, ss, NULL);
}

static tree
look_operand (tree *tp, int *walk_subtrees, void *data)
{
  scalars *ss = (scalars *) ((struct walk_stmt_info *) data)->info;
  /* look_stmt has the clauses.  */
  if (TYPE_P (*tp) || TREE_CODE (*tp) == OMP_CLAUSE)
    *walk_subtrees = 0;
  else if (scalar *s = scalar_at (ss, *tp))
    {
      s->named = true;
      *walk_subtrees = 0;
    }
  else if (DECL_P (*tp))
    fix (ss, *tp);
  else if (TREE_CODE (*tp) == ADDR_EXPR)
    {
      tree base = get_base_address (TREE_OPERAND (*tp, 0));
      if (base && DECL_P (base))
	fix (ss, base);
    }
  else if (handled_component_p (*tp) && scalar_at (ss, TREE_OPERAND (*tp, 0)))
    fix (ss, TREE_OPERAND (*tp, 0));
  return NULL_TREE;
}

/* Does the clause C only let the code inside have its variable?  */
static bool
hands_on_p (const_tree c)
{
  return OMP_CLAUSE_CODE (c) == OMP_CLAUSE_SHARED
	 || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE;
}

static tree
look_stmt (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  scalars *ss = (scalars *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  *handled = way_to (ss, stmt);
  for (tree c = stmt_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if (!hands_on_p (c))
      for (unsigned i = 0; i < omp_clause_num_ops[OMP_CLAUSE_CODE (c)]; i++)
	if (OMP_CLAUSE_OPERAND (c, i))
	  fix (ss, OMP_CLAUSE_OPERAND (c, i));
  if (gimple_code (stmt) == GIMPLE_ASM)
    for (unsigned i = 0; i < gimple_num_ops (stmt); i++)
      if (gimple_op (stmt, i))
	fix (ss, TREE_VALUE (gimple_op (stmt, i)));
  return NULL_TREE;
}

static tree
use_copy (tree *tp, int *walk_subtrees, void *data)
{
  scalars *ss = (scalars *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp) || TREE_CODE (*tp) == OMP_CLAUSE)
    *walk_subtrees = 0;
  else if (scalar *s = scalar_at (ss, *tp))
    {
      *tp = s->copy;
      *walk_subtrees = 0;
    }
  return NULL_TREE;
}

static tree
use_copy_in_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  scalars *ss = (scalars *) wi->info;
  if (way_to (ss, gsi_stmt (*gsi)))
    {
      tree type = TREE_TYPE (gimple_assign_lhs (gsi_stmt (*gsi)));
      gimple_assign_set_rhs1 (gsi_stmt (*gsi), build_zero_cst (type));
    }
  for (tree c = stmt_clauses (gsi_stmt (*gsi)); c; c = OMP_CLAUSE_CHAIN (c))
    if (hands_on_p (c))
      if (scalar *s = scalar_of (ss, OMP_CLAUSE_DECL (c)))
	OMP_CLAUSE_DECL (c) = s->copy;
  return NULL_TREE;
}

/* Keep those of SS that STMT lets be copies.  */
static void
keep_copyable (scalars *ss, gomp_target *stmt)
{
  for (tree c = gimple_omp_target_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) != OMP_CLAUSE_FIRSTPRIVATE
	&& omp_clause_num_ops[OMP_CLAUSE_CODE (c)] && OMP_CLAUSE_OPERAND (c, 0)
	&& DECL_P (OMP_CLAUSE_OPERAND (c, 0)))
      fix (ss, OMP_CLAUSE_OPERAND (c, 0));
  struct walk_stmt_info wi = {};
  wi.info = ss;
  walk_gimple_seq (gimple_omp_body (stmt), find_way, NULL, &wi);
  walk_gimple_seq (gimple_omp_body (stmt), look_stmt, look_operand, &wi);
  for (unsigned i = 0; i < ss->all.length ();)
    if (ss->all[i].fixed || !ss->all[i].named)
      ss->all.ordered_remove (i);
    else
      i++;
}

/* ---- In front of the region ---- */

/* The variable of S on the host.  */
static tree
place_of (const scalar *s)
{
  return DECL_HAS_VALUE_EXPR_P (s->var) ? unshare_expr (DECL_VALUE_EXPR (s->var))
					: s->var;
}

/* A call of libgomp's function NAME, of TYPE, with up to three arguments.  */
static tree
call_libgomp (const char *name, tree type, tree a = NULL_TREE,
	      tree b = NULL_TREE, tree c = NULL_TREE)
{
  tree args[] = { a, b, c }, types[3];
  unsigned n = 0;
  for (; n < 3 && args[n]; n++)
    types[n] = TREE_TYPE (args[n]);
  tree fn = runtime_function (name, build_function_type_array (type, n, types));
  return build_call_expr_loc_array (UNKNOWN_LOCATION, fn, n, args);
}

/* Let the copy of S have what the device has of it, if anything, unless CONDITION
   is false.  */
static void
add_question (const scalar *s, tree address, tree condition, code c)
{
  tree type = TREE_TYPE (s->copy), size = TYPE_SIZE_UNIT (type);
  tree there = build2 (NE_EXPR, boolean_type_node,
		       call_libgomp ("acc_is_present", integer_type_node,
				     address, size),
		       integer_zero_node);
  if (condition)
    there = build2 (TRUTH_ANDIF_EXPR, boolean_type_node,
		    build2 (NE_EXPR, boolean_type_node, condition,
			    build_zero_cst (TREE_TYPE (condition))),
		    there);
  c.if_ (there, [&] {
    tree value = code_temp (type, "value");
    TREE_ADDRESSABLE (value) = true;
    gimplify_and_add (call_libgomp ("acc_wait_all", void_type_node), c);
    val device
      = c.let ("device", call_libgomp ("acc_deviceptr", ptr_type_node, address));
    gimplify_and_add (call_libgomp ("acc_memcpy_from_device", void_type_node,
				    build_fold_addr_expr (value), device, size),
		      c);
    c.set (s->copy, value);
  });
}

/* Set the copy of S.  */
static void
add_copy (scalar *s, bool acc, tree condition, code c)
{
  bool asks = acc && may_be_present_p (s);
  tree place = place_of (s);
  if (s->reference)
    {
      val pointer = c.let ("place", place);
      place = build_simple_mem_ref (pointer);
    }
  c.set (s->copy, unshare_expr (place));
  if (asks)
    {
      tree address = fold_convert (ptr_type_node, build_fold_addr_expr (place));
      add_question (s, c.let ("address", address), condition, c);
    }
}

static void
make_copy (scalar *s)
{
  tree type = TYPE_MAIN_VARIANT (decl_value_type (s->var));
  s->copy = create_tmp_var_raw (type, get_name (s->var));
  /* The region may set it, as no temporary is.  */
  DECL_IGNORED_P (s->copy) = false;
  gimple_add_tmp_var (s->copy);
}

/* ---- All ---- */

static void
rewrite (gomp_target *stmt, bool acc, bool inside)
{
  tree clauses = gimple_omp_target_clauses (stmt);
  scalars ss;
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    {
      scalar s;
      if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
	  && in_memory_p (c, acc, inside, &s) && !(acc && mapped->contains (s.var)))
	ss.all.safe_push (s);
    }
  if (ss.all.is_empty ())
    return;
  keep_copyable (&ss, stmt);
  if (ss.all.is_empty ())
    return;
  tree c = omp_find_clause (clauses, OMP_CLAUSE_IF);
  tree condition = c ? OMP_CLAUSE_IF_EXPR (c) : NULL_TREE;
  gimple_seq before = NULL;
  push_gimplify_context ();
  for (unsigned i = 0; i < ss.all.length (); i++)
    {
      scalar *s = &ss.all[i];
      make_copy (s);
      add_copy (s, acc, condition, &before);
      OMP_CLAUSE_DECL (s->clause) = s->copy;
    }
  struct walk_stmt_info wi = {};
  wi.info = &ss;
  walk_gimple_seq_mod (gimple_omp_body_ptr (stmt), use_copy_in_stmt, use_copy, &wi);
  code_put_before (stmt, before);
  remark_done (gimple_location (stmt), "%s region: %u scalar%s in memory copied"
	       " before it\n", construct_words (construct_of (stmt)),
	       ss.all.length (), plural (ss.all.length ()));
}

struct found
{
  gomp_target *stmt;
  bool inside;
};

struct finding
{
  auto_vec<found> all;
  bool inside;
};

static tree
find_region (gimple_stmt_iterator *gsi, bool *handled,
	     struct walk_stmt_info *wi)
{
  finding *f = (finding *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  switch (gimple_code (stmt))
    {
    case GIMPLE_OMP_PARALLEL:
    case GIMPLE_OMP_TASK:
    case GIMPLE_OMP_TEAMS:
      {
	bool inside = f->inside;
	f->inside = *handled = true;
	walk_gimple_seq (gimple_omp_body (stmt), find_region, NULL, wi);
	f->inside = inside;
	break;
      }
    case GIMPLE_OMP_TARGET:
      if (construct_computes_p (stmt))
	{
	  *handled = true;
	  f->all.safe_push ({ as_a<gomp_target *> (stmt), f->inside });
	}
      break;
    default:
      break;
    }
  return NULL_TREE;
}

void
scalar_copies (function *fun)
{
  if (offloaded_p (fun->decl))
    return;
  finding f;
  f.inside = false;
  struct walk_stmt_info wi = {};
  wi.info = &f;
  walk_gimple_seq (gimple_body (fun->decl), find_region, NULL, &wi);
  for (unsigned i = 0; i < f.all.length (); i++)
    {
      gomp_target *stmt = f.all[i].stmt;
      enum acr_kind kind = construct_of (stmt)->kind;
      bool acc = kind == ACR_KIND_ACC_PARALLEL || kind == ACR_KIND_ACC_SERIAL;
      if ((acc || kind == ACR_KIND_OMP_TARGET) && !resident_p (stmt)
	  && !compat_self_p (gimple_omp_target_clauses (stmt)))
	rewrite (stmt, acc, f.all[i].inside);
    }
}
