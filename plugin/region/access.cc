/* What the body of a region does to its objects.

   The walk does not follow the order of statements.  First it collects, for
   every pointer variable that the body sets, all objects that it may point
   into: a subset-based points-to analysis over the region alone, in which
   every pointer that comes out of memory, a call or an integer may point to
   anything (Andersen 1994, section 4, without fields and heap).  Then it
   enters each access at all objects that its address may point into.

   Whatever is accessed and belongs to no operand (globals on the device,
   memory behind pointers that were passed as values) may overlap operands, so
   at the end it counts for those, as do accesses to anything.

   The body of a data construct is the host's, but for the compute regions in
   it.  What those do is what we ask for; whatever the host itself touches is
   unknown at the end.

   Needs: operand_find or data_find.  Keeps: all code.
   Source: L. O. Andersen, "Program Analysis and Specialization for the C
   Programming Language", 1994, section 4.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"

/* One more bit of object.access, for accesses by the host.  Only
   access_spread makes it ACR_ACCESS_UNKNOWN: a host that reads an array
   descriptor has not changed it.  */
static const unsigned by_host = 8;

/* The walk's state.  */
struct walk
{
  struct region *r;
  /* by_host while statements are the host's, else 0.  */
  unsigned side;
  /* Variables declared in the region.  */
  hash_set<tree> locals;
  /* Objects that a pointer set in the body may point into, besides its value
     at the start.  */
  hash_map<tree, bitmap> targets;
  bitmap_obstack memory;
  bool changed;
};

static void
note (region *r, unsigned index, unsigned access, const char *why)
{
  object *o = &r->objects[index];
  o->access |= access;
  if (access == ACR_ACCESS_UNKNOWN && !o->why)
    o->why = why;
}

void
access_give_up (region *r, const char *why)
{
  for (unsigned i = 0; i < r->objects.length (); i++)
    note (r, i, ACR_ACCESS_UNKNOWN, why);
}

/* The variable VAR existed before the region, so that a pointer in it has a
   value at the start.  */
static bool
outer_variable_p (walk *w, tree var)
{
  return TREE_CODE (var) == SSA_NAME || is_global_var (var)
	 || !w->locals.contains (var);
}

static void add_targets (walk *w, tree expr, bitmap to);

/* Add to TO what the pointer variable VAR may point into.  */
static void
add_variable_targets (walk *w, tree var, bitmap to)
{
  if (object_address_taken (var))
    bitmap_set_bit (to, anything);
  if (outer_variable_p (w, var))
    bitmap_set_bit (to, object_index (w->r, object_of_pointer (var)));
  if (bitmap *set = w->targets.get (var))
    bitmap_ior_into (to, *set);
}

/* Add to TO the objects that the reference REF lies in.  */
static void
add_referred (walk *w, tree ref, bitmap to)
{
  tree base = reference_base (ref);
  if (TREE_CODE (base) == MEM_REF || TREE_CODE (base) == TARGET_MEM_REF
      || INDIRECT_REF_P (base))
    add_targets (w, TREE_OPERAND (base, 0), to);
  else if (VAR_P (base) || TREE_CODE (base) == PARM_DECL
	   || TREE_CODE (base) == RESULT_DECL)
    {
      /* All others are the region's own; but the body of a data construct
	 may use all of the function's.  */
      object_name name = { base, 0 };
      if (is_global_var (base) || object_known_p (w->r, name)
	  || (data_construct_p (w->r) && !w->locals.contains (base)))
	bitmap_set_bit (to, object_index (w->r, name));
    }
  else if (!CONSTANT_CLASS_P (base) && TREE_CODE (base) != CONST_DECL
	   && TREE_CODE (base) != FUNCTION_DECL
	   && TREE_CODE (base) != LABEL_DECL)
    bitmap_set_bit (to, anything);
}

/* Add to TO what a pointer loaded from REF may point into: known for array
   descriptors, which nothing in the region may change (see
   spoil_descriptors).  */
static void
add_loaded (walk *w, tree ref, bitmap to)
{
  tree inner
    = TREE_CODE (ref) == COMPONENT_REF ? TREE_OPERAND (ref, 0) : NULL_TREE;
  if (!inner || handled_component_p (inner)
      || !descriptor_type_p (TREE_TYPE (inner))
      || TREE_OPERAND (ref, 1) != TYPE_FIELDS (TREE_TYPE (inner)))
    {
      bitmap_set_bit (to, anything);
      return;
    }
  auto_bitmap descriptors;
  add_referred (w, inner, descriptors);
  /* The region's own descriptors are not followed.  */
  if (bitmap_empty_p (descriptors))
    bitmap_set_bit (to, anything);
  unsigned i;
  bitmap_iterator bi;
  EXECUTE_IF_SET_IN_BITMAP (descriptors, 0, i, bi)
    {
      object_name name = w->r->objects[i].name;
      if (i != anything)
	name.depth++;
      bitmap_set_bit (to, object_index (w->r, name));
    }
}

/* Add to TO what the address EXPR may point into.  */
static void
add_targets (walk *w, tree expr, bitmap to)
{
  while ((CONVERT_EXPR_P (expr) || TREE_CODE (expr) == NON_LVALUE_EXPR
	  || TREE_CODE (expr) == POINTER_PLUS_EXPR)
	 && POINTER_TYPE_P (TREE_TYPE (expr)))
    expr = TREE_OPERAND (expr, 0);
  if (TREE_CODE (expr) == INTEGER_CST && integer_zerop (expr))
    return;
  if (!POINTER_TYPE_P (TREE_TYPE (expr)))
    bitmap_set_bit (to, anything);
  else if (TREE_CODE (expr) == ADDR_EXPR)
    {
      auto_bitmap referred;
      add_referred (w, TREE_OPERAND (expr, 0), referred);
      /* Nor is a pointer to one.  */
      if (bitmap_empty_p (referred)
	  && descriptor_type_p (TREE_TYPE (TREE_OPERAND (expr, 0))))
	bitmap_set_bit (to, anything);
      bitmap_ior_into (to, referred);
    }
  else if ((VAR_P (expr) && !DECL_HAS_VALUE_EXPR_P (expr))
	   || TREE_CODE (expr) == PARM_DECL || TREE_CODE (expr) == SSA_NAME)
    add_variable_targets (w, expr, to);
  else
    add_loaded (w, expr, to);
}

/* The pointer variable TO is set to FROM, or to something invisible when that
   is NULL.  */
static void
flow (walk *w, tree to, tree from)
{
  if (!to || !POINTER_TYPE_P (TREE_TYPE (to))
      || (!DECL_P (to) && TREE_CODE (to) != SSA_NAME))
    return;
  auto_bitmap add;
  if (from)
    add_targets (w, from, add);
  else
    bitmap_set_bit (add, anything);
  bool existed;
  bitmap &set = w->targets.get_or_insert (to, &existed);
  if (!existed)
    set = BITMAP_ALLOC (&w->memory);
  w->changed |= bitmap_ior_into (set, add);
}

/* What the call returns, when that is a pointer, comes from its arguments, or
   from something invisible.  */
static void
flow_result (walk *w, gcall *call)
{
  tree to = gimple_call_lhs (call);
  unsigned access;
  bool near = to && POINTER_TYPE_P (TREE_TYPE (to))
	      && call_near_p (call, &access);
  if (!near)
    flow (w, to, NULL_TREE);
  for (unsigned i = 0; near && i < gimple_call_num_args (call); i++)
    if (POINTER_TYPE_P (TREE_TYPE (gimple_call_arg (call, i))))
      flow (w, to, gimple_call_arg (call, i));
}

/* First walk: how pointers flow.  */
static tree
flow_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  walk *w = (walk *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  switch (gimple_code (stmt))
    {
    case GIMPLE_BIND:
      for (tree var = gimple_bind_vars (as_a<gbind *> (stmt)); var;
	   var = DECL_CHAIN (var))
	w->locals.add (var);
      break;
    case GIMPLE_ASSIGN:
      {
	tree_code code = gimple_assign_rhs_code (stmt);
	if (gimple_clobber_p (stmt))
	  break;
	bool followed = gimple_assign_single_p (stmt)
			|| CONVERT_EXPR_CODE_P (code)
			|| code == POINTER_PLUS_EXPR;
	flow (w, gimple_assign_lhs (stmt),
	      followed ? gimple_assign_rhs1 (stmt) : NULL_TREE);
	break;
      }
    case GIMPLE_CALL:
      flow_result (w, as_a<gcall *> (stmt));
      break;
    case GIMPLE_OMP_FOR:
      for (size_t i = 0; i < gimple_omp_for_collapse (stmt); i++)
	flow (w, gimple_omp_for_index (stmt, i),
	      gimple_omp_for_initial (stmt, i));
      break;
    case GIMPLE_OMP_ATOMIC_LOAD:
      flow (w,
	    gimple_omp_atomic_load_lhs (as_a<gomp_atomic_load *> (stmt)),
	    NULL_TREE);
      break;
    default:
      break;
    }
  return NULL_TREE;
}

/* Second walk: accesses.  */

static void note_read (walk *w, tree expr);

/* REF is accessed, by whoever runs the statement unless ACCESS is empty.  */
static void
note_reference (walk *w, tree ref, unsigned access, const char *why)
{
  if (TREE_CODE (ref) == SSA_NAME)
    return;
  auto_bitmap objects;
  add_referred (w, ref, objects);
  if (access && access != ACR_ACCESS_UNKNOWN)
    access |= w->side;
  if (TREE_THIS_VOLATILE (ref))
    {
      access = ACR_ACCESS_UNKNOWN;
      why = "volatile access";
    }
  unsigned i;
  bitmap_iterator bi;
  EXECUTE_IF_SET_IN_BITMAP (objects, 0, i, bi)
    note (w->r, i, access, why);

  /* Indices and the address itself are read.  */
  for (; handled_component_p (ref); ref = TREE_OPERAND (ref, 0))
    {
      if (TREE_THIS_VOLATILE (ref))
	EXECUTE_IF_SET_IN_BITMAP (objects, 0, i, bi)
	  note (w->r, i, ACR_ACCESS_UNKNOWN, "volatile access");
      if (TREE_CODE (ref) == ARRAY_REF || TREE_CODE (ref) == ARRAY_RANGE_REF)
	note_read (w, TREE_OPERAND (ref, 1));
    }
  if (VAR_P (ref) && DECL_HAS_VALUE_EXPR_P (ref))
    ref = reference_base (ref);
  if (TREE_CODE (ref) == MEM_REF || INDIRECT_REF_P (ref))
    note_read (w, TREE_OPERAND (ref, 0));
}

/* The value of EXPR is used.  */
static void
note_read (walk *w, tree expr)
{
  if (!expr || CONSTANT_CLASS_P (expr) || TREE_CODE (expr) == SSA_NAME)
    return;
  if (TREE_CODE (expr) == ADDR_EXPR)
    {
      /* No access, but for the indices.  */
      for (tree ref = TREE_OPERAND (expr, 0); handled_component_p (ref);
	   ref = TREE_OPERAND (ref, 0))
	if (TREE_CODE (ref) == ARRAY_REF)
	  note_read (w, TREE_OPERAND (ref, 1));
    }
  else if (DECL_P (expr) || handled_component_p (expr)
	   || TREE_CODE (expr) == MEM_REF || INDIRECT_REF_P (expr))
    note_reference (w, expr, ACR_ACCESS_READ, NULL);
  else if (EXPR_P (expr))
    for (int i = 0; i < TREE_OPERAND_LENGTH (expr); i++)
      note_read (w, TREE_OPERAND (expr, i));
  else if (TREE_CODE (expr) == TREE_VEC)
    for (int i = 0; i < TREE_VEC_LENGTH (expr); i++)
      note_read (w, TREE_VEC_ELT (expr, i));
  else if (TREE_CODE (expr) == CONSTRUCTOR)
    {
      unsigned i;
      tree value;
      FOR_EACH_CONSTRUCTOR_VALUE (CONSTRUCTOR_ELTS (expr), i, value)
	note_read (w, value);
    }
}

/* Calls of libgomp that touch nothing of the program's.  */
static bool
runtime_call_p (const gcall *call)
{
  static const built_in_function calls[] = {
    BUILT_IN_GOMP_BARRIER,
    BUILT_IN_GOACC_WAIT,
    /* The end of the body of a data construct.  */
    BUILT_IN_GOACC_DATA_END,
    BUILT_IN_GOMP_TARGET_END_DATA,
  };
  for (unsigned i = 0; i < ARRAY_SIZE (calls); i++)
    if (gimple_call_builtin_p (call, calls[i]))
      return true;
  return gimple_call_fndecl (call)
	 && call_query_p (gimple_call_fndecl (call));
}

/* Where CALL touches only what its arguments point into: note that.  */
static bool
note_near (walk *w, gcall *call)
{
  unsigned access;
  if (!call_near_p (call, &access))
    return false;
  for (unsigned i = 0; access && i < gimple_call_num_args (call); i++)
    {
      tree arg = gimple_call_arg (call, i);
      if (!POINTER_TYPE_P (TREE_TYPE (arg)))
	continue;
      auto_bitmap objects;
      add_targets (w, arg, objects);
      unsigned at;
      bitmap_iterator bi;
      EXECUTE_IF_SET_IN_BITMAP (objects, 0, at, bi)
	note (w->r, at, access | w->side, NULL);
    }
  return true;
}

static void
note_call (walk *w, gcall *call)
{
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    note_read (w, gimple_call_arg (call, i));
  if (tree lhs = gimple_call_lhs (call))
    note_reference (w, lhs, ACR_ACCESS_WRITE, NULL);
  int flags = gimple_call_flags (call);
  if (call_without_memory_p (call) || runtime_call_p (call))
    return;
  if (note_near (w, call))
    return;
  unsigned access = flags & ECF_PURE ? (unsigned) ACR_ACCESS_READ
				     : call_access (call);
  if (access == ACR_ACCESS_UNKNOWN)
    note (w->r, anything, access, "calls a function");
  else if (access != ACR_ACCESS_NONE)
    note (w->r, anything, access | w->side, NULL);
}

/* DECL of a clause that reads and writes behind the scenes.  */
static void
note_combined (walk *w, tree decl, const char *why)
{
  note_reference (w, decl, ACR_ACCESS_UNKNOWN, why);
  /* An array section is a reduction over what a pointer leads to, and so is
     a reference.  */
  tree base = reference_base (decl);
  if (DECL_P (base) && POINTER_TYPE_P (TREE_TYPE (base)))
    {
      auto_bitmap objects;
      add_targets (w, base, objects);
      unsigned i;
      bitmap_iterator bi;
      EXECUTE_IF_SET_IN_BITMAP (objects, 0, i, bi)
	note (w->r, i, ACR_ACCESS_UNKNOWN, why);
    }
}

/* Does privatising for clause C, which has a variable, run code that we do not
   see: constructors, user-defined reductions?  */
static bool
runs_code_p (tree c)
{
  tree type = TREE_TYPE (OMP_CLAUSE_DECL (c));
  if (POINTER_TYPE_P (type))
    type = TREE_TYPE (type);
  type = strip_array_types (type);
  if (TREE_ADDRESSABLE (type) || TYPE_NEEDS_CONSTRUCTING (type))
    return true;
  switch (OMP_CLAUSE_CODE (c))
    {
    case OMP_CLAUSE_REDUCTION:
    case OMP_CLAUSE_IN_REDUCTION:
    case OMP_CLAUSE_TASK_REDUCTION:
      return OMP_CLAUSE_REDUCTION_PLACEHOLDER (c) != NULL_TREE;
    case OMP_CLAUSE_LASTPRIVATE:
      return OMP_CLAUSE_LASTPRIVATE_GIMPLE_SEQ (c) != NULL;
    case OMP_CLAUSE_LINEAR:
      return OMP_CLAUSE_LINEAR_GIMPLE_SEQ (c) != NULL;
    default:
      return false;
    }
}

/* What the clauses of a construct inside the region, or of the directive
   itself when it is OUTERMOST, do to variables.  */
static void
note_clauses (walk *w, tree clauses, bool outermost)
{
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    {
      switch (OMP_CLAUSE_CODE (c))
	{
	case OMP_CLAUSE_REDUCTION:
	case OMP_CLAUSE_IN_REDUCTION:
	case OMP_CLAUSE_TASK_REDUCTION:
	  note_combined (w, OMP_CLAUSE_DECL (c), "reduction");
	  break;
	case OMP_CLAUSE_LASTPRIVATE:
	case OMP_CLAUSE_LINEAR:
	case OMP_CLAUSE_COPYPRIVATE:
	case OMP_CLAUSE_COPYIN:
	  note_combined (w, OMP_CLAUSE_DECL (c), "copied out of a private");
	  break;
	case OMP_CLAUSE_FIRSTPRIVATE:
	  if (!outermost)
	    note_read (w, OMP_CLAUSE_DECL (c));
	  break;
	case OMP_CLAUSE_PRIVATE:
	  break;
	case OMP_CLAUSE_SHARED:
	case OMP_CLAUSE_MAP:
	case OMP_CLAUSE_TO:
	case OMP_CLAUSE_FROM:
	case OMP_CLAUSE_USE_DEVICE_PTR:
	case OMP_CLAUSE_USE_DEVICE_ADDR:
	  continue;
	default:
	  /* Operands of the directive are computed on the host.  */
	  for (int i = 0;
	       !outermost && i < omp_clause_num_ops[OMP_CLAUSE_CODE (c)]; i++)
	    note_read (w, OMP_CLAUSE_OPERAND (c, i));
	  continue;
	}
      if (runs_code_p (c))
	note (w->r, anything, ACR_ACCESS_UNKNOWN,
	      "privatization that runs code");
    }
}

static void
note_loop (walk *w, gomp_for *loop)
{
  note_clauses (w, gimple_omp_for_clauses (loop), false);
  for (size_t i = 0; i < gimple_omp_for_collapse (loop); i++)
    {
      note_reference (w, gimple_omp_for_index (loop, i),
		      ACR_ACCESS_READ_WRITE, NULL);
      note_read (w, gimple_omp_for_initial (loop, i));
      note_read (w, gimple_omp_for_final (loop, i));
      note_read (w, gimple_omp_for_incr (loop, i));
    }
}

static void
note_atomic (walk *w, tree address)
{
  auto_bitmap objects;
  add_targets (w, address, objects);
  unsigned i;
  bitmap_iterator bi;
  EXECUTE_IF_SET_IN_BITMAP (objects, 0, i, bi)
    note (w->r, i, ACR_ACCESS_UNKNOWN, "atomic access");
  note_read (w, address);
}

/* What the clauses of the construct STMT in a data construct do to the device's
   copies.  */
static void
note_transfers (walk *w, const gomp_target *stmt)
{
  for (tree c = gimple_omp_target_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	|| OMP_CLAUSE_CODE (c) == OMP_CLAUSE_TO
	|| OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FROM)
      {
	auto_bitmap objects;
	add_referred (w, OMP_CLAUSE_DECL (c), objects);
	unsigned i;
	bitmap_iterator bi;
	EXECUTE_IF_SET_IN_BITMAP (objects, 0, i, bi)
	  note (w->r, i, data_transfer (stmt, c), "mapped anew");
	/* The host computes the addresses and sizes.  */
	note_reference (w, OMP_CLAUSE_DECL (c), ACR_ACCESS_NONE, NULL);
	note_read (w, OMP_CLAUSE_SIZE (c));
      }
}

static tree access_stmt (gimple_stmt_iterator *, bool *,
			 struct walk_stmt_info *);

/* The device construct STMT in the host's part of a data construct.  */
static void
note_construct (walk *w, gomp_target *stmt)
{
  note_clauses (w, gimple_omp_target_clauses (stmt), false);
  note_transfers (w, stmt);
  if (construct_computes_p (stmt))
    w->side = 0;
  struct walk_stmt_info wi = {};
  wi.info = w;
  walk_gimple_seq (gimple_omp_body (stmt), access_stmt, NULL, &wi);
  w->side = by_host;
}

static tree
access_stmt (gimple_stmt_iterator *gsi, bool *handled,
	     struct walk_stmt_info *wi)
{
  walk *w = (walk *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  switch (gimple_code (stmt))
    {
    case GIMPLE_ASSIGN:
      if (gimple_clobber_p (stmt))
	break;
      note_reference (w, gimple_assign_lhs (stmt), ACR_ACCESS_WRITE, NULL);
      for (unsigned i = 1; i < gimple_num_ops (stmt); i++)
	note_read (w, gimple_op (stmt, i));
      break;
    case GIMPLE_CALL:
      note_call (w, as_a<gcall *> (stmt));
      break;
    case GIMPLE_COND:
    case GIMPLE_SWITCH:
    case GIMPLE_RETURN:
    case GIMPLE_GOTO:
      for (unsigned i = 0; i < gimple_num_ops (stmt); i++)
	note_read (w, gimple_op (stmt, i));
      break;

    case GIMPLE_OMP_FOR:
      note_loop (w, as_a<gomp_for *> (stmt));
      break;
    case GIMPLE_OMP_PARALLEL:
    case GIMPLE_OMP_TASK:
      note_clauses (w, gimple_omp_taskreg_clauses (stmt), false);
      break;
    case GIMPLE_OMP_TEAMS:
      note_clauses (w, gimple_omp_teams_clauses (as_a<gomp_teams *> (stmt)),
		    false);
      break;
    case GIMPLE_OMP_SECTIONS:
      note_clauses (w, gimple_omp_sections_clauses (stmt), false);
      break;
    case GIMPLE_OMP_SINGLE:
      note_clauses (w,
		    gimple_omp_single_clauses (as_a<gomp_single *> (stmt)),
		    false);
      break;
    case GIMPLE_OMP_ATOMIC_LOAD:
      note_atomic (w, gimple_omp_atomic_load_rhs (
			as_a<gomp_atomic_load *> (stmt)));
      break;
    case GIMPLE_OMP_ATOMIC_STORE:
      note_read (w, gimple_omp_atomic_store_val (
		      as_a<gomp_atomic_store *> (stmt)));
      break;

    /* Nothing of their own; their bodies are walked.  */
    case GIMPLE_BIND:
    case GIMPLE_TRY:
    case GIMPLE_CATCH:
    case GIMPLE_EH_FILTER:
    case GIMPLE_EH_ELSE:
    case GIMPLE_EH_MUST_NOT_THROW:
    case GIMPLE_OMP_SECTION:
    case GIMPLE_OMP_MASTER:
    case GIMPLE_OMP_CRITICAL:
    case GIMPLE_OMP_ORDERED:
    case GIMPLE_OMP_TASKGROUP:
    case GIMPLE_LABEL:
    case GIMPLE_NOP:
    case GIMPLE_PREDICT:
    case GIMPLE_DEBUG:
      break;

    case GIMPLE_ASM:
      note (w->r, anything, ACR_ACCESS_UNKNOWN, "inline asm");
      break;
    case GIMPLE_OMP_TARGET:
      if (w->side == by_host)
	{
	  note_construct (w, as_a<gomp_target *> (stmt));
	  *handled = true;
	}
      else
	note (w->r, anything, ACR_ACCESS_UNKNOWN, "another device construct");
      break;
    default:
      note (w->r, anything, ACR_ACCESS_UNKNOWN,
	    gimple_code_name[gimple_code (stmt)]);
      break;
    }
  return NULL_TREE;
}

/* A region that stores to an array descriptor may point it elsewhere.  */
static void
spoil_descriptors (region *r)
{
  for (unsigned i = 0; i < r->objects.length (); i++)
    {
      object_name outer = r->objects[i].name;
      if (!(r->objects[i].access & ACR_ACCESS_WRITE) || i == anything)
	continue;
      outer.depth++;
      for (unsigned j = 0; j < r->objects.length (); j++)
	if (r->objects[j].name.var == outer.var
	    && r->objects[j].name.depth == outer.depth
	    && descriptor_type_p (
	      outer.depth == 1 ? TREE_TYPE (outer.var)
			       : TREE_TYPE (TREE_TYPE (outer.var))))
	  note (r, anything, ACR_ACCESS_UNKNOWN, "changes a descriptor");
    }
}

/* A region that changes a mapped pointer works on something else than the
   operand.  */
static void
spoil_pointers (region *r)
{
  for (unsigned i = 0; i < r->operands.length (); i++)
    {
      tree var = r->operands[i].pointer;
      if (var
	  && (r->objects[object_index (r, { var, 0 })].access
	      & ACR_ACCESS_WRITE))
	note (r, anything, ACR_ACCESS_UNKNOWN, "changes a mapped pointer");
    }
}

/* The object STRAY belongs to no operand: accesses to it count for all that it
   may overlap.  A variable overlaps no other, nor what alias.cc has proved to
   be apart from all variables.  */
static void
spread_stray (region *r, const object *stray)
{
  bool write = stray->access & ACR_ACCESS_WRITE;
  unsigned access = write ? ACR_ACCESS_UNKNOWN : ACR_ACCESS_READ;
  const char *why = stray->why
		      ? stray->why
		      : "stores through a pointer that may lead anywhere";
  access |= stray->access & by_host;
  if (stray->name.depth > 0 && stray->group == ACR_ALIAS_ANY)
    note (r, anything, access, why);
  else
    for (unsigned i = 1; i < r->objects.length (); i++)
      {
	const object *o = &r->objects[i];
	if (stray->name.depth > 0
	      ? o->mapped
		  && (o->group == stray->group || o->group == ACR_ALIAS_ANY)
	      : alias_with_variable_p (o, stray->name.var))
	  note (r, i, access, why);
      }
}

void
access_spread (region *r)
{
  for (unsigned i = 1; i < r->objects.length (); i++)
    {
      object stray = r->objects[i];
      if (stray.access && !stray.mapped
	  && (stray.name.depth > 0 || is_global_var (stray.name.var)))
	spread_stray (r, &stray);
    }
  object any = r->objects[anything];
  if (any.access & ACR_ACCESS_WRITE)
    access_give_up (r, any.why ? any.why
			       : "writes through a pointer of unknown origin");
  else
    for (unsigned i = 1; i < r->objects.length (); i++)
      note (r, i, any.access, NULL);

  for (unsigned i = 0; i < r->objects.length (); i++)
    if (r->objects[i].access & by_host)
      {
	note (r, i, ACR_ACCESS_UNKNOWN, "accessed on the host");
	r->objects[i].access = ACR_ACCESS_UNKNOWN;
      }
}

void
access_find (region *r)
{
  walk w;
  w.r = r;
  w.side = data_construct_p (r) ? by_host : 0;
  bitmap_obstack_initialize (&w.memory);
  gimple_seq body = gimple_omp_body (r->stmt);
  do
    {
      w.changed = false;
      struct walk_stmt_info wi = {};
      wi.info = &w;
      walk_gimple_seq (body, flow_stmt, NULL, &wi);
    }
  while (w.changed);

  struct walk_stmt_info wi = {};
  wi.info = &w;
  walk_gimple_seq (body, access_stmt, NULL, &wi);
  note_clauses (&w, gimple_omp_target_clauses (r->stmt), true);
  spoil_descriptors (r);
  spoil_pointers (r);
  bitmap_obstack_release (&w.memory);
}

bool
access_closed_p (const region *r)
{
  if (r->objects.is_empty () || r->objects[anything].access || r->leaks)
    return false;
  for (unsigned i = 1; i < r->objects.length (); i++)
    {
      const object *o = &r->objects[i];
      if (o->access && !o->mapped && o->name.depth > 0)
	return false;
    }
  return true;
}
