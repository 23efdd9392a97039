/* What a call in a loop's body may lead to.

   In an SPMD kernel GCC's device runtime does not run, so a function that is
   called there must not need it: no construct, no question about the thread's
   place, and nothing that is unknown, such as an indirect call or a function
   whose body is in another translation unit.  Known is what GCC has built in,
   and the libraries' part of that.

   In OpenMP, frames are on stacks whose size pass "entry" of the
   post-processor takes from the call graph (ptx-post/pass/entry.c), so that
   must have no cycle, and frames no variable size.  OpenACC has the device's
   own stacks; there it is only the questions that matter.  In a cycle of
   functions with regions inside, threads of a block take turns with a stack of
   libgomp's; so it is for those whose calls are rare, as children are launched
   instead.

   OpenACC wants a routine directive for what is called.  The compiler takes a
   call without one where it inlines the function before device code goes its
   own way, as it does with what C++'s library and templates are made of, and
   small functions.  A kernel is a copy of such code, in the same function, so
   the same is inlined there.  Functions that are declared inline or made of
   templates go to the device besides, so that no build depends on it: that
   needs all of them here, with no variables but their own.  Where another one
   is not inlined GCC's error about it stays.

   On the way we learn whether a call may load or store anything besides its own
   variables, which is also a fact about the data of a region.

   Bodies are looked at in whatever form they have: as trees until the
   gimplifier gets to them, statements until a control flow graph is made.

   Needs: GIMPLE, or the front end's trees where a callee is not gimplified
   yet.  Keeps: all code.
   Source: OpenMP 5.0, 2.12.7; OpenACC 3.2, 2.15.1.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "base/base.h"
#include "calls.h"
#include "internal-fn.h"

bool
call_named_p (const gimple *stmt, const char *name)
{
  tree fn = is_gimple_call (stmt) ? gimple_call_fndecl (stmt) : NULL_TREE;
  return fn && DECL_NAME (fn) && id_equal (DECL_NAME (fn), name);
}

/* The search's state.  */
struct call_search
{
  /* In OpenACC.  */
  bool acc;
  /* Functions that were looked at, those with bodies among them, those whose
     bodies are being, and the innermost of these.  */
  hash_set<tree> seen, here, open;
  tree fn;
  const char *why;
  /* Not NULL: functions that have a body by this have constructs that run in
     place, and may call themselves.  IN_PLACE: the innermost one is such.  */
  call_body_of body_of;
  bool in_place, recurs;
  /* Something looks at what other threads may set meanwhile.  */
  bool looks;
  /* It may load from, and store to, memory that is not a function's own.  */
  bool loads, stores;
  /* An address may become a number, or part of one.  */
  bool numbers;
  /* One may be stored to memory that is not a function's own; and one that is not
     of memory allocated there, nor null.  */
  bool stores_any, keeps;
  /* Temporaries that have such an address, and those that may have another.  */
  hash_set<tree> fresh, other;
  /* Functions with simd constructs, which a thread may execute alone.  */
  hash_set<tree> simd;
  /* A function cannot be moved: it names a variable of the file or of the
     function around it.  */
  bool bound;
  /* One is neither declared inline nor a template's.  */
  bool plain;
  /* It may reach memory by other ways than an address that it is given: by the
     name of a variable, or an address that it loads or makes of a number.  */
  bool far;
};

/* Begin the search S.  */
static void
begin (call_search *s, bool acc)
{
  s->acc = acc;
  s->fn = NULL_TREE;
  s->why = NULL;
  s->body_of = NULL;
  s->in_place = s->recurs = false;
  s->looks = s->loads = s->stores = s->numbers = false;
  s->stores_any = s->keeps = false;
  s->bound = s->plain = s->far = false;
}

/* ---- Functions without a body ---- */

static bool
name_starts_p (tree fn, const char *prefix)
{
  return DECL_NAME (fn)
	 && startswith (IDENTIFIER_POINTER (DECL_NAME (fn)), prefix);
}

bool
call_atomic_p (tree fn)
{
  return fndecl_built_in_p (fn, BUILT_IN_NORMAL)
	 && (name_starts_p (fn, "__atomic_") || name_starts_p (fn, "__sync_"));
}

/* Does FN ask about the place of its thread, or tell it?  */
static bool
asks_p (tree fn)
{
  return fndecl_built_in_p (fn, BUILT_IN_GOACC_PARLEVEL_ID)
	 || fndecl_built_in_p (fn, BUILT_IN_GOACC_PARLEVEL_SIZE)
	 || call_query_p (fn);
}

/* Is FN one of the system's math functions, which GCC would have built in if the
   language had GNU extensions?  A function of the program's own has its declaration
   in no system header.  */
static bool
plain_math_p (tree fn)
{
  static const char *const names[] = {
#define SPMD_MATH(name) #name,
#include "base/call.def"
  };
  if (!DECL_EXTERNAL (fn) || !TREE_PUBLIC (fn) || !DECL_NAME (fn)
      || !in_system_header_at (DECL_SOURCE_LOCATION (fn)))
    return false;
  for (unsigned i = 0; i < ARRAY_SIZE (names); i++)
    if (id_equal (DECL_NAME (fn), names[i]))
      return DECL_ASSEMBLER_NAME (fn) == DECL_NAME (fn);
  return false;
}

/* Is FN, which GCC has not built in, one of a library that needs no runtime?  */
static bool
library_p (tree fn, int flags)
{
  static const char *const names[] = {
#define SPMD_LIBRARY(name) #name,
#include "base/call.def"
  };
  if (plain_math_p (fn))
    return true;
  /* Fortran's powers of integers.  */
  if (flags & ECF_CONST)
    return name_starts_p (fn, "_gfortran_pow_");
  for (unsigned i = 0; i < ARRAY_SIZE (names); i++)
    if (DECL_NAME (fn) && id_equal (DECL_NAME (fn), names[i]))
      return (flags & ECF_NORETURN) && DECL_EXTERNAL (fn);
  return false;
}

/* Is FN known to need no runtime?  FLAGS are those of the call.  */
static bool
harmless_p (tree fn, int flags)
{
  if (fndecl_built_in_p (fn, BUILT_IN_MD))
    return true;
  if (!fndecl_built_in_p (fn, BUILT_IN_NORMAL))
    return library_p (fn, flags);
  switch (DECL_FUNCTION_CODE (fn))
    {
#define SPMD_BUILT_IN(name) case BUILT_IN_##name:
#include "base/call.def"
      return true;
    default:
      return (flags & ECF_CONST) || call_atomic_p (fn)
	     || mathfn_built_in_type (
		  as_combined_fn (DECL_FUNCTION_CODE (fn)));
    }
}

bool
call_math_p (tree fn)
{
  if (!fndecl_built_in_p (fn, BUILT_IN_NORMAL)
      || !mathfn_built_in_type (as_combined_fn (DECL_FUNCTION_CODE (fn))))
    return false;
  for (tree arg = TYPE_ARG_TYPES (TREE_TYPE (fn)); arg; arg = TREE_CHAIN (arg))
    if (POINTER_TYPE_P (TREE_VALUE (arg)))
      return false;
  return true;
}

/* ---- Bodies ---- */

static void look_at (call_search *s, tree fn, int flags);

static void
refuse (call_search *s, const char *why)
{
  if (!s->why)
    s->why = why;
}

/* Look at a directive or at assembler.  */
static void
look_at_other (call_search *s, bool assembler)
{
  if (assembler)
    refuse (s, "a function that asks where it runs");
  else if (!s->acc)
    refuse (s, "a function with a construct");
}

/* Is T a variable that stands for something else, as those that a lambda has
   captured do for members of its closure?  */
static bool
stands_for_other_p (tree t)
{
  return (VAR_P (t) || TREE_CODE (t) == PARM_DECL) && DECL_HAS_VALUE_EXPR_P (t);
}

/* Is the memory at BASE, of a reference, the function's that refers to it?
   (That may be in another.)  */
static bool
own_p (const call_search *s, tree base)
{
  return base && DECL_P (base) && !stands_for_other_p (base)
	 && auto_var_in_fn_p (base, s->fn);
}

/* Is VALUE, of a tree or an operand, null, or the address of memory that is allocated
   in the function?  */
static bool
fresh_p (call_search *s, tree value)
{
  STRIP_NOPS (value);
  return integer_zerop (value)
	 || (s->fresh.contains (value) && !s->other.contains (value))
	 || (TREE_CODE (value) == CALL_EXPR
	     && (call_expr_flags (value) & ECF_MALLOC));
}

/* Is what STMT assigns?  */
static bool
assigns_fresh_p (call_search *s, gimple *stmt)
{
  return is_gimple_call (stmt)
	   ? (gimple_call_flags (stmt) & ECF_MALLOC) != 0
	   : (gimple_assign_single_p (stmt) || gimple_assign_cast_p (stmt))
	       && fresh_p (s, gimple_assign_rhs1 (stmt));
}

/* Note that REF, at BASE, which may be NULL, is stored to; a FRESH address or
   not.  */
static void
note_set (call_search *s, tree base, tree ref, bool fresh)
{
  tree type = TREE_TYPE (ref);
  bool others = !own_p (s, base), pointer = POINTER_TYPE_P (type);
  s->stores |= others;
  if (!others || !(pointer || RECORD_OR_UNION_TYPE_P (type)))
    return;
  s->stores_any = true;
  s->keeps |= !(pointer && fresh);
}

/* Note what T, in a tree, does to memory.  */
static void
note_memory (call_search *s, tree t)
{
  switch (TREE_CODE (t))
    {
    case MODIFY_EXPR:
    case INIT_EXPR:
      /* The end of a lifetime is nothing.  */
      if (TREE_CLOBBER_P (TREE_OPERAND (t, 1)))
	break;
      /* FALLTHRU */
    case PREINCREMENT_EXPR:
    case PREDECREMENT_EXPR:
    case POSTINCREMENT_EXPR:
    case POSTDECREMENT_EXPR:
      note_set (s, get_base_address (TREE_OPERAND (t, 0)),
		TREE_OPERAND (t, 0),
		(TREE_CODE (t) == MODIFY_EXPR || TREE_CODE (t) == INIT_EXPR)
		  && fresh_p (s, TREE_OPERAND (t, 1)));
      break;
    case INDIRECT_REF:
    case MEM_REF:
    case VA_ARG_EXPR:
      s->loads = true;
      break;
    case VAR_DECL:
    case PARM_DECL:
      s->loads |= !own_p (s, t);
      break;
    default:
      break;
    }
}

/* Note whether T, in a tree or an operand, looks at an address by other means
   than through it: converts it, or reads the bytes of a pointer.  */
static void
note_number (call_search *s, tree t)
{
  tree in = EXPR_P (t) && TREE_OPERAND_LENGTH (t) ? TREE_OPERAND (t, 0)
						  : NULL_TREE;
  switch (TREE_CODE (t))
    {
    CASE_CONVERT:
      s->numbers |= POINTER_TYPE_P (TREE_TYPE (in))
		    && INTEGRAL_TYPE_P (TREE_TYPE (t));
      break;
    case VIEW_CONVERT_EXPR:
      s->numbers = true;
      break;
    case COMPONENT_REF:
      s->numbers |= TREE_CODE (TREE_TYPE (in)) == UNION_TYPE;
      break;
    case ADDR_EXPR:
      s->numbers |= own_p (s, get_base_address (in))
		    && POINTER_TYPE_P (TREE_TYPE (in));
      break;
    default:
      break;
    }
}

/* Note whether T, in a tree or an operand, names memory or an address that
   comes from somewhere else than the arguments.  */
static void
note_far (call_search *s, tree t)
{
  tree in = EXPR_P (t) && TREE_OPERAND_LENGTH (t) ? TREE_OPERAND (t, 0)
						  : NULL_TREE;
  switch (TREE_CODE (t))
    {
    case VAR_DECL:
      if (is_global_var (t))
	s->bound = s->far = true;
      break;
    CASE_CONVERT:
      s->far |= POINTER_TYPE_P (TREE_TYPE (t))
		&& INTEGRAL_TYPE_P (TREE_TYPE (in));
      break;
    case ARRAY_REF:
    case COMPONENT_REF:
    case INDIRECT_REF:
    case MEM_REF:
    case TARGET_MEM_REF:
      s->far |= POINTER_TYPE_P (TREE_TYPE (t));
      break;
    /* Bytes may be copied into it.  */
    case ADDR_EXPR:
      s->far |= POINTER_TYPE_P (TREE_TYPE (in));
      break;
    case VIEW_CONVERT_EXPR:
    case VA_ARG_EXPR:
      s->far = true;
      break;
    default:
      break;
    }
}

static tree
body_tree (tree *tp, int *, void *data)
{
  call_search *s = (call_search *) data;
  tree t = *tp;
  enum tree_code code = TREE_CODE (t);
  const char *name = get_tree_code_name (code);
  if (stands_for_other_p (t))
    {
      tree other = DECL_VALUE_EXPR (t);
      return walk_tree_without_duplicates (&other, body_tree, s);
    }
  note_memory (s, t);
  note_number (s, t);
  note_far (s, t);
  /* In a function that bit says that it does not return.  */
  s->looks |= startswith (name, "omp_atomic")
	      || ((DECL_P (t) || EXPR_P (t)) && code != FUNCTION_DECL
		  && TREE_THIS_VOLATILE (t));
  /* The front ends have codes of their own for calls.  */
  if (TREE_CODE_CLASS (code) == tcc_vl_exp)
    {
      tree fn = TREE_OPERAND (t, 1);
      if (fn && TREE_CODE (fn) == ADDR_EXPR)
	fn = TREE_OPERAND (fn, 0);
      if (fn || code != CALL_EXPR)
	look_at (s, fn && TREE_CODE (fn) == FUNCTION_DECL ? fn : NULL_TREE,
		 code == CALL_EXPR ? call_expr_flags (t) : 0);
    }
  else if (code == ASM_EXPR)
    look_at_other (s, true);
  else if (code == OMP_SIMD)
    s->simd.add (s->fn);
  else if ((startswith (name, "omp_") && !startswith (name, "omp_atomic")
	    && code != OMP_CLAUSE)
	   || startswith (name, "oacc_"))
    look_at_other (s, false);
  else if (code == DECL_EXPR && VAR_P (DECL_EXPR_DECL (t)) && !s->acc
	   && DECL_SIZE (DECL_EXPR_DECL (t))
	   && TREE_CODE (DECL_SIZE (DECL_EXPR_DECL (t))) != INTEGER_CST)
    refuse (s, "a variable of variable size");
  return s->why ? t : NULL_TREE;
}

static bool
note_load (gimple *, tree base, tree, void *data)
{
  call_search *s = (call_search *) data;
  s->loads |= !own_p (s, base);
  return false;
}

static bool
note_store (gimple *stmt, tree base, tree ref, void *data)
{
  call_search *s = (call_search *) data;
  if (!gimple_clobber_p (stmt))
    note_set (s, base, ref, assigns_fresh_p (s, stmt));
  return false;
}

static tree
operand (tree *tp, int *, void *data)
{
  call_search *s = (call_search *) ((struct walk_stmt_info *) data)->info;
  note_number (s, *tp);
  note_far (s, *tp);
  return NULL_TREE;
}

/* Is STMT a simd construct, or, where these are lowered, part of one?  */
static bool
simd_p (const gimple *stmt)
{
  if (is_gimple_call (stmt) && gimple_call_internal_p (stmt))
    {
      const char *name = internal_fn_name (gimple_call_internal_fn (stmt));
      /* One of ours has an argument (code_two_forms).  */
      return startswith (name, "GOMP_SIM")
	     || (!strcmp (name, "GOMP_USE_SIMT")
		 && gimple_call_num_args (stmt) == 0);
    }
  return gimple_code (stmt) == GIMPLE_OMP_FOR
	 && gimple_omp_for_kind (stmt) == GF_OMP_FOR_KIND_SIMD
	 && !gimple_omp_for_combined_into_p (stmt);
}

/* Is STMT a construct of which nothing is left in place but loops and
   variables?  */
static bool
runs_in_place_p (const gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_OMP_TARGET:
    case GIMPLE_OMP_TEAMS:
    case GIMPLE_OMP_PARALLEL:
    case GIMPLE_OMP_FOR:
      return true;
    default:
      return false;
    }
}

static void
body_stmt (call_search *s, gimple *stmt)
{
  struct walk_stmt_info wi = {};
  wi.info = s;
  walk_gimple_op (stmt, operand, &wi);
  s->numbers |= is_gimple_assign (stmt)
		&& CONVERT_EXPR_CODE_P (gimple_assign_rhs_code (stmt))
		&& POINTER_TYPE_P (TREE_TYPE (gimple_assign_rhs1 (stmt)))
		&& INTEGRAL_TYPE_P (TREE_TYPE (gimple_assign_lhs (stmt)));
  s->far |= is_gimple_assign (stmt)
	    && CONVERT_EXPR_CODE_P (gimple_assign_rhs_code (stmt))
	    && INTEGRAL_TYPE_P (TREE_TYPE (gimple_assign_rhs1 (stmt)))
	    && POINTER_TYPE_P (TREE_TYPE (gimple_assign_lhs (stmt)));
  tree lhs = gimple_get_lhs (stmt);
  /* Such a variable is set in front of its uses, in the order of statements.  */
  if (lhs && (TREE_CODE (lhs) == SSA_NAME
	      || (DECL_P (lhs) && decl_temporary_p (lhs))))
    (assigns_fresh_p (s, stmt) ? s->fresh : s->other).add (lhs);
  walk_stmt_load_store_addr_ops (stmt, s, note_load, note_store, NULL);
  s->looks |= stmt_volatile_p (stmt)
	      || gimple_code (stmt) == GIMPLE_OMP_ATOMIC_LOAD;
  if (simd_p (stmt))
    s->simd.add (s->fn);
  else if (is_gimple_call (stmt) && gimple_call_internal_p (stmt))
    {
      const char *name = internal_fn_name (gimple_call_internal_fn (stmt));
      if (startswith (name, "GOMP_"))
	look_at_other (s, false);
    }
  else if (is_gimple_call (stmt))
    look_at (s, gimple_call_fndecl (stmt), gimple_call_flags (stmt));
  else if (gimple_code (stmt) == GIMPLE_ASM)
    look_at_other (s, true);
  else if (is_gimple_omp (stmt)
	   && gimple_code (stmt) != GIMPLE_OMP_ATOMIC_LOAD
	   && gimple_code (stmt) != GIMPLE_OMP_ATOMIC_STORE
	   && !(s->in_place && runs_in_place_p (stmt)))
    look_at_other (s, false);
}

static tree
walk_stmt (gimple_stmt_iterator *gsi, bool *handled,
	   struct walk_stmt_info *wi)
{
  call_search *s = (call_search *) wi->info;
  body_stmt (s, gsi_stmt (*gsi));
  *handled = s->why != NULL;
  return s->why ? integer_one_node : NULL_TREE;
}

/* Look at the body of FN.  False when it is not here.  */
static bool
look_into (call_search *s, tree fn)
{
  function *fun = DECL_STRUCT_FUNCTION (fn);
  basic_block bb;
  struct walk_stmt_info wi = {};
  wi.info = s;
  gimple_seq with_regions = s->body_of ? s->body_of (fn) : NULL;
  s->in_place = with_regions != NULL;
  if (with_regions)
    walk_gimple_seq (with_regions, walk_stmt, NULL, &wi);
  else if (fun && fun->cfg)
    FOR_EACH_BB_FN (bb, fun)
      for (gimple_stmt_iterator i = gsi_start_bb (bb); !gsi_end_p (i);
	   gsi_next (&i))
	body_stmt (s, gsi_stmt (i));
  else if (gimple_seq body = gimple_body (fn))
    walk_gimple_seq (body, walk_stmt, NULL, &wi);
  else if (DECL_SAVED_TREE (fn))
    walk_tree_without_duplicates (&DECL_SAVED_TREE (fn), body_tree, s);
  else
    return false;
  return true;
}

tree
call_target (tree fn)
{
  cgraph_node *node = cgraph_node::get (fn);
  return node && node->alias && node->analyzed
	   ? node->ultimate_alias_target ()->decl
	   : fn;
}

/* Look at a call of FN, NULL when that is not known, with these FLAGS.  */
static void
look_at (call_search *s, tree fn, int flags)
{
  if (!fn)
    {
      s->looks = s->stores = true;
      if (!s->acc)
	refuse (s, "an indirect call");
      return;
    }
  s->looks |= name_starts_p (fn, "__atomic_") || name_starts_p (fn, "__sync_");
  fn = call_target (fn);
  if (asks_p (fn))
    refuse (s, "a function that asks where it runs");
  else if (fndecl_built_in_p (fn, BUILT_IN_NORMAL)
	   && ALLOCA_FUNCTION_CODE_P (DECL_FUNCTION_CODE (fn)))
    {
      if (!s->acc)
	refuse (s, "a variable of variable size");
    }
  else if (s->open.contains (fn))
    {
      s->recurs = true;
      if (!s->acc && !(s->body_of && s->body_of (fn)))
	refuse (s, "a recursive function");
    }
  else if (lookup_attribute ("omp declare variant base",
			     DECL_ATTRIBUTES (fn)))
    {
      s->looks = s->stores = true;
      if (!s->acc)
	refuse (s, "a function with variants");
    }
  else if (s->seen.add (fn))
    return;
  else if (harmless_p (fn, flags))
    {
      if (!(flags & ECF_CONST) && !call_math_p (fn))
	s->loads = true;
      /* What does not return stores nothing that the program sees.  */
      if (!(flags & (ECF_CONST | ECF_PURE | ECF_NORETURN)) && !call_math_p (fn))
	s->stores = true;
    }
  else
    {
      tree caller = s->fn;
      bool in_place = s->in_place;
      s->fn = fn;
      s->open.add (fn);
      bool here = look_into (s, fn);
      s->fn = caller;
      s->in_place = in_place;
      if (here)
	s->here.add (fn);
      s->looks |= !here;
      /* What a weak function does another may do in its place.  */
      s->stores |= !here || (DECL_WEAK (fn) && !DECL_COMDAT (fn));
      s->bound |= DECL_STATIC_CHAIN (fn);
      s->plain |= !DECL_DECLARED_INLINE_P (fn) && !DECL_COMDAT (fn);
      s->far |= DECL_STATIC_CHAIN (fn) || (DECL_WEAK (fn) && !DECL_COMDAT (fn));
      if (!here && !s->acc)
	refuse (s, name_starts_p (fn, "__builtin_GOMP_")
		     ? "a function with a construct"
		     : "a function that is not in this file");
      s->open.remove (fn);
    }
}

/* In OpenACC, has FN, called with FLAGS, to be declared for the device?  */
static bool
routine_needed_p (tree fn, int flags)
{
  if (!flag_openacc || harmless_p (fn, flags))
    return false;
  tree routine = oacc_get_fn_attrib (fn);
  return !routine || oacc_fn_attrib_level (routine) != GOMP_DIM_MAX;
}

/* Can FN, called with FLAGS, go to the device though it is not declared for
   that?  S gets the functions that it leads to.  */
static bool
portable_p (call_search *s, tree fn, int flags)
{
  begin (s, false);
  look_at (s, fn, flags);
  /* Where nothing is inlined GCC says that the function is missing.  */
  return optimize && !oacc_get_fn_attrib (fn) && !s->why && !s->bound;
}

/* Functions with simd constructs that kernels lead to, by number.  */
static hash_set<int_hash<unsigned, 0> > lone;

bool
call_lone_p (const_tree fn)
{
  return lone.contains (DECL_UID (fn) + 1);
}

/* Have the simd constructs of what the call STMT leads to executed as loops.  All of
   that is looked at, as is where nothing is refused.  */
static void
leave_lone (gimple *stmt)
{
  call_search s;
  begin (&s, true);
  look_at (&s, gimple_call_fndecl (stmt), gimple_call_flags (stmt));
  for (hash_set<tree>::iterator i = s.simd.begin (); i != s.simd.end (); ++i)
    lone.add (DECL_UID (*i) + 1);
}

static tree
offload_callees (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *)
{
  gimple *stmt = gsi_stmt (*gsi);
  tree fn = is_gimple_call (stmt) ? gimple_call_fndecl (stmt) : NULL_TREE;
  call_search s;
  if (fn)
    leave_lone (stmt);
  if (!fn || !routine_needed_p (fn, gimple_call_flags (stmt))
      || !portable_p (&s, fn, gimple_call_flags (stmt)) || s.plain)
    return NULL_TREE;
  auto_vec<tree> here;
  decl_sorted (&s.here, &here);
  for (unsigned i = 0; i < here.length (); i++)
    if (!offloaded_p (here[i]))
      offload_function (here[i]);
  return NULL_TREE;
}

void
call_offload (gimple *kernel)
{
  gimple_seq seq = NULL;
  gimple_seq_add_stmt_without_update (&seq, kernel);
  struct walk_stmt_info wi = {};
  walk_gimple_seq (seq, offload_callees, NULL, &wi);
}

const char *
call_why_not (const gcall *call, call_body_of body_of, bool *recurs)
{
  call_search s;
  tree fn = gimple_call_fndecl (call);
  int flags = gimple_call_flags (call);
  if (gimple_call_internal_p (call))
    return NULL;
  if (!fn)
    return "an indirect call";
  if (!flag_openacc && call_query_p (fn))
    return NULL;
  if (routine_needed_p (fn, flags))
    return portable_p (&s, fn, flags) ? NULL : "a call";
  begin (&s, flag_openacc);
  s.body_of = body_of;
  look_at (&s, fn, flags);
  if (recurs)
    *recurs = s.recurs;
  return s.why;
}

/* Look at CALL for its effects alone.  */
static void
look_at_effects (call_search *s, const gcall *call)
{
  begin (s, flag_openacc);
  if (gimple_call_internal_p (call))
    s->stores = true;
  else
    look_at (s, gimple_call_fndecl (call), gimple_call_flags (call));
}

bool
call_looks_p (const gcall *call)
{
  call_search s;
  look_at_effects (&s, call);
  return !gimple_call_internal_p (call) && (s.looks || s.why);
}

bool
call_lends_p (const gcall *call)
{
  tree type = TREE_TYPE (gimple_call_fntype (call));
  call_search s;
  look_at_effects (&s, call);
  return !s.why && !s.looks && !s.stores && !s.numbers
	 && (VOID_TYPE_P (type) || INTEGRAL_TYPE_P (type)
	     || SCALAR_FLOAT_TYPE_P (type));
}

bool
call_keeps_p (const gcall *call)
{
  call_search s;
  look_at_effects (&s, call);
  return !gimple_call_internal_p (call) && (s.why || s.keeps || s.numbers);
}

bool
call_near_p (const gcall *call, unsigned *access)
{
  call_search s;
  begin (&s, false);
  if (gimple_call_internal_p (call) || gimple_call_chain (call))
    return false;
  look_at (&s, gimple_call_fndecl (call), gimple_call_flags (call));
  /* A body that is still a tree says the same of a store as of a load.  */
  *access = s.stores  ? ACR_ACCESS_READ_WRITE
	    : s.loads ? ACR_ACCESS_READ
		      : ACR_ACCESS_NONE;
  return !s.why && !s.looks && !s.far && !s.numbers && !s.stores_any;
}

unsigned
call_access (const gcall *call)
{
  call_search s;
  look_at_effects (&s, call);
  if (s.why || s.looks || s.stores)
    return ACR_ACCESS_UNKNOWN;
  return s.loads ? ACR_ACCESS_READ : ACR_ACCESS_NONE;
}

/* Math functions that only set errno besides their result.  */
static bool
math_call_p (const gcall *call)
{
  combined_fn fn = gimple_call_combined_fn (call);
  if (fn == CFN_LAST || !mathfn_built_in_type (fn))
    return false;
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    if (POINTER_TYPE_P (TREE_TYPE (gimple_call_arg (call, i))))
      return false;
  return true;
}

bool
call_without_memory_p (const gcall *call)
{
  return (gimple_call_flags (call) & ECF_CONST) || math_call_p (call);
}
