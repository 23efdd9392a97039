/* Scalars by value.

   A region that only reads a scalar needs its value and no memory for it.  GCC
   maps one that a clause names, or that is declared in an OpenACC data region:
   it is allocated, copied there and back, and freed with every construct, and
   where it counts iterations the host does not know how many there are.
   Such a mapping becomes firstprivate, before omp-low, when nobody can tell: the
   device can have no other value of it.  So it is with a local variable whose
   address is taken nowhere in the function, but by clauses of compute regions,
   none of which writes to it: then no other function can have mapped it, and
   what is there while a queue works has the host's value.

   A firstprivate scalar is memory on the device, too: of OpenACC, GCC maps a
   temporary.  libgomp would take the value as well in place of the address in
   the argument block (GOMP_MAP_FIRSTPRIVATE_INT), as GCC does it for OpenMP's
   integers.  After omp-low, we do so for all that fit:

     t = x; data.x = &t;  ...  p = data->x; x' = *p;
   becomes
     data.x = 0; *(T *) &data.x = x;  ...  x' = *(T *) &data->x;

   with T for the type of x.  All of the 8 bytes are set, so that equal
   arguments are equal blocks.  Host and device have the same byte order.

   Needs: GIMPLE before omp-low; then omp-low's argument block.  Keeps:
   values, and the size of the block.  Breaks: map clauses that become
   firstprivate; addresses of scalars in the block.
   Source: lower_omp_target in GCC's omp-low.cc, gomp_map_vars_internal and
   gomp_map_val in libgomp's target.c.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "loop/loop.h"
#include "spmd/spmd.h"
#include "function.h"

/* ---- Mapped scalars ---- */

/* A variable that a compute region maps.  */
struct mapping
{
  gomp_target *stmt;
  tree clause;
};

struct search
{
  auto_vec<mapping> mappings;
  /* Variables that must stay what they are.  */
  hash_set<tree> fixed;
  /* Statements are a region's.  */
  bool device;
};

/* May clause C of a construct have a value instead?  */
static bool
scalar_map_p (tree c)
{
  if (OMP_CLAUSE_CODE (c) != OMP_CLAUSE_MAP
      || (OMP_CLAUSE_MAP_KIND (c) != GOMP_MAP_TO
	  && OMP_CLAUSE_MAP_KIND (c) != GOMP_MAP_TOFROM)
      || OMP_CLAUSE_MAP_IN_REDUCTION (c))
    return false;
  tree var = OMP_CLAUSE_DECL (c);
  if (!VAR_P (var) && TREE_CODE (var) != PARM_DECL)
    return false;
  tree type = TREE_TYPE (var);
  return auto_var_p (var) && !DECL_HAS_VALUE_EXPR_P (var)
	 && !TREE_THIS_VOLATILE (var) && !TYPE_ATOMIC (type)
	 && (INTEGRAL_TYPE_P (type) || SCALAR_FLOAT_TYPE_P (type)
	     || TREE_CODE (type) == COMPLEX_TYPE
	     /* The pointer to the outer procedure's variables.  */
	     || var
		  == DECL_STRUCT_FUNCTION (current_function_decl)
		       ->static_chain_decl);
}

/* Does the construct STMT take its scalars when it is met?  */
static bool
at_once_p (const gomp_target *stmt)
{
  tree clauses = gimple_omp_target_clauses (stmt);
  return !omp_find_clause (clauses, OMP_CLAUSE_DEPEND)
	 && !omp_find_clause (clauses, OMP_CLAUSE_NOWAIT);
}

static void
fix (search *s, tree ref)
{
  tree base = ref ? get_base_address (ref) : NULL_TREE;
  if (base && DECL_P (base))
    s->fixed.add (base);
}

/* Variables of clauses other than to map a scalar in a region, or to copy it,
   are fixed.  */
static void
search_clauses (search *s, gimple *stmt)
{
  gomp_target *target = dyn_cast<gomp_target *> (stmt);
  const construct *what = target ? construct_of (target) : NULL;
  bool region = what && !s->device
		&& (what->kind == ACR_KIND_ACC_PARALLEL
		    || what->kind == ACR_KIND_ACC_SERIAL
		    || what->kind == ACR_KIND_OMP_TARGET);
  for (tree c = stmt_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_FIRSTPRIVATE:
      case OMP_CLAUSE_PRIVATE:
      case OMP_CLAUSE_SHARED:
	break;
      default:
	if (region && scalar_map_p (c) && at_once_p (target))
	  s->mappings.safe_push ({ target, c });
	else if (omp_clause_num_ops[OMP_CLAUSE_CODE (c)])
	  fix (s, OMP_CLAUSE_OPERAND (c, 0));
	break;
      }
}

/* Whoever has the address of a variable may do anything.  */
static tree
search_operand (tree *tp, int *, void *data)
{
  search *s = (search *) ((struct walk_stmt_info *) data)->info;
  if (TREE_CODE (*tp) == ADDR_EXPR)
    fix (s, TREE_OPERAND (*tp, 0));
  else if (VAR_P (*tp) && DECL_HAS_VALUE_EXPR_P (*tp))
    fix (s, DECL_VALUE_EXPR (*tp));
  return NULL_TREE;
}

static tree
search_stmt (gimple_stmt_iterator *gsi, bool *handled,
	     struct walk_stmt_info *wi)
{
  search *s = (search *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  search_clauses (s, stmt);
  if (s->device)
    {
      if (!gimple_clobber_p (stmt))
	fix (s, gimple_get_lhs (stmt));
      if (gasm *code = dyn_cast<gasm *> (stmt))
	for (unsigned i = 0; i < gimple_asm_noutputs (code); i++)
	  fix (s, TREE_VALUE (gimple_asm_output_op (code, i)));
      if (gimple_code (stmt) == GIMPLE_OMP_FOR)
	for (unsigned i = 0; i < gimple_omp_for_collapse (stmt); i++)
	  fix (s, gimple_omp_for_index (stmt, i));
      if (gomp_atomic_load *load = dyn_cast<gomp_atomic_load *> (stmt))
	fix (s, gimple_omp_atomic_load_lhs (load));
    }
  if (construct_computes_p (stmt) && !s->device)
    {
      s->device = true;
      walk_gimple_seq (gimple_omp_body (stmt), search_stmt, search_operand, wi);
      s->device = false;
      *handled = true;
    }
  return NULL_TREE;
}

/* Let the mapping M be a firstprivate copy.  */
static void
copy_instead (const mapping &m)
{
  tree clauses = gimple_omp_target_clauses (m.stmt);
  for (tree *c = &clauses; *c; c = &OMP_CLAUSE_CHAIN (*c))
    if (*c == m.clause)
      {
	tree copy = build_omp_clause (OMP_CLAUSE_LOCATION (m.clause),
				      OMP_CLAUSE_FIRSTPRIVATE);
	OMP_CLAUSE_DECL (copy) = OMP_CLAUSE_DECL (m.clause);
	OMP_CLAUSE_CHAIN (copy) = OMP_CLAUSE_CHAIN (m.clause);
	*c = copy;
	break;
      }
  gimple_omp_target_set_clauses (m.stmt, clauses);
  remark_done (gimple_location (m.stmt),
	       "%s region: %T is only read, passed by value\n",
	       construct_words (construct_of (m.stmt)),
	       OMP_CLAUSE_DECL (m.clause));
}

void
value_of_read (function *fun)
{
  search s;
  s.device = false;
  struct walk_stmt_info wi = {};
  wi.info = &s;
  walk_gimple_seq (gimple_body (fun->decl), search_stmt, search_operand, &wi);
  for (unsigned i = 0; i < s.mappings.length (); i++)
    {
      tree var = OMP_CLAUSE_DECL (s.mappings[i].clause);
      if (s.fixed.contains (var))
	continue;
      copy_instead (s.mappings[i]);
      /* It was the clauses that took its address.  */
      if (TREE_CODE (TREE_TYPE (var)) != COMPLEX_TYPE)
	TREE_ADDRESSABLE (var) = false;
    }
}

/* ---- Values in the argument block ---- */

/* How a firstprivate scalar gets to the device.  */
struct passage
{
  acr_operand *op;
  tree field;
  /* On the host: the variable that is set to VALUE, whose address is put into
     the field; and where the kind is set, once, unless that is constant.  */
  tree temporary, value;
  gimple *store, *kind;
  unsigned kinds;
  /* On the device: what is loaded from the field, and where that leads.  */
  tree pointer;
  gimple *load, *use;
};

/* Those of a region.  */
struct passages
{
  auto_vec<passage> all;
  tree sender, kinds;
  /* As often do their fields, temporaries and pointers occur, from where they
     are first met.  */
  hash_map<tree, unsigned> seen;
};

/* The kind's bits that are not the alignment.  */
static const unsigned kind_mask = 0xff;

static passage *
passage_of_field (passages *ps, tree ref)
{
  if (TREE_CODE (ref) == COMPONENT_REF && ps->seen.get (TREE_OPERAND (ref, 1)))
    for (unsigned i = 0; i < ps->all.length (); i++)
      if (ps->all[i].field == TREE_OPERAND (ref, 1))
	return &ps->all[i];
  return NULL;
}

/* The passage through the pointer that REF follows.  */
static passage *
passage_of_pointer (passages *ps, tree ref)
{
  if (TREE_CODE (ref) == MEM_REF && integer_zerop (TREE_OPERAND (ref, 1))
      && ps->seen.get (TREE_OPERAND (ref, 0)))
    for (unsigned i = 0; i < ps->all.length (); i++)
      if (ps->all[i].pointer == TREE_OPERAND (ref, 0))
	return &ps->all[i];
  return NULL;
}

/* The passage whose kind REF is.  */
static passage *
passage_of_kind (passages *ps, tree ref)
{
  if (TREE_CODE (ref) == ARRAY_REF && TREE_OPERAND (ref, 0) == ps->kinds)
    for (unsigned i = 0; i < ps->all.length (); i++)
      if (compare_tree_int (TREE_OPERAND (ref, 1), ps->all[i].op->slot) == 0)
	return &ps->all[i];
  return NULL;
}

/* At GSI, the address of VAR is put into the field of P.  */
static void
note_store (passages *ps, passage *p, gimple_stmt_iterator gsi, tree var)
{
  gimple *stmt = gsi_stmt (gsi);
  gsi_prev (&gsi);
  gimple *set = gsi_end_p (gsi) ? NULL : gsi_stmt (gsi);
  if (!set || !DECL_ARTIFICIAL (var) || !gimple_assign_single_p (set)
      || gimple_assign_lhs (set) != var
      || !is_gimple_val (gimple_assign_rhs1 (set)))
    return;
  p->store = stmt;
  p->temporary = var;
  p->value = gimple_assign_rhs1 (set);
  ps->seen.put (var, 0);
}

/* Find the statements of all.  */
static tree
find_passages (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  passages *ps = (passages *) wi->info;
  gassign *stmt = dyn_cast<gassign *> (gsi_stmt (*gsi));
  if (!stmt || !gimple_assign_single_p (stmt))
    return NULL_TREE;
  tree lhs = gimple_assign_lhs (stmt), rhs = gimple_assign_rhs1 (stmt);
  if (passage *p = passage_of_field (ps, lhs))
    {
      if (TREE_OPERAND (lhs, 0) == ps->sender && TREE_CODE (rhs) == ADDR_EXPR
	  && VAR_P (TREE_OPERAND (rhs, 0)))
	note_store (ps, p, *gsi, TREE_OPERAND (rhs, 0));
    }
  else if (passage *p = passage_of_field (ps, rhs))
    {
      tree block = TREE_OPERAND (rhs, 0);
      if (TREE_CODE (block) == MEM_REF
	  && integer_zerop (TREE_OPERAND (block, 1)) && VAR_P (lhs))
	{
	  p->load = stmt;
	  p->pointer = lhs;
	  ps->seen.put (lhs, 0);
	}
    }
  else if (passage *p = passage_of_pointer (ps, rhs))
    p->use = stmt;
  else if (passage *p = passage_of_kind (ps, lhs))
    {
      p->kind = stmt;
      p->kinds++;
    }
  return NULL_TREE;
}

static tree
count_operand (tree *tp, int *, void *data)
{
  passages *ps = (passages *) ((struct walk_stmt_info *) data)->info;
  /* Fields are met as operands of their references.  */
  if (DECL_P (*tp))
    if (unsigned *n = ps->seen.get (*tp))
      ++*n;
  return NULL_TREE;
}

/* Where the kind of P is, or NULL.  */
static tree *
kind_place (const passages *ps, const passage *p)
{
  if (p->kind)
    return p->kinds == 1 ? gimple_assign_rhs1_ptr (p->kind) : NULL;
  tree all = TREE_STATIC (ps->kinds) ? DECL_INITIAL (ps->kinds) : NULL_TREE;
  unsigned i;
  constructor_elt *e;
  if (all && TREE_CODE (all) == CONSTRUCTOR)
    FOR_EACH_VEC_SAFE_ELT (CONSTRUCTOR_ELTS (all), i, e)
      if (e->index && compare_tree_int (e->index, p->op->slot) == 0)
	return &e->value;
  return NULL;
}

/* Is P just as lower_omp_target makes it, of kind KIND, and does the value
   fit?  */
static bool
passage_p (passages *ps, const passage *p, unsigned kind)
{
  if (!p->store || !p->load || !p->use || *ps->seen.get (p->field) != 2
      || *ps->seen.get (p->pointer) != 2 || *ps->seen.get (p->temporary) != 1)
    return false;
  tree type = TREE_TYPE (p->temporary), *place = kind_place (ps, p);
  tree to = gimple_assign_lhs (p->use);
  return is_gimple_reg_type (type) && tree_fits_uhwi_p (TYPE_SIZE_UNIT (type))
	 && tree_to_uhwi (TYPE_SIZE_UNIT (type)) <= POINTER_SIZE_UNITS
	 && useless_type_conversion_p (TREE_TYPE (to), type)
	 && is_gimple_reg_type (TREE_TYPE (to)) && place
	 && tree_fits_uhwi_p (*place)
	 && (tree_to_uhwi (*place) & kind_mask) == kind;
}

/* The first bytes of the field of P, where BASE points to the block, as an
   object of TYPE.  */
static tree
field_as (const passage *p, tree base, tree type)
{
  tree any = build_pointer_type_for_mode (type, VOIDmode, true);
  return build2 (MEM_REF, type, base,
		 build_int_cst (any, int_byte_position (p->field)));
}

/* Rewrite the statements of those that are left.  */
static tree
rewrite_passages (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  passages *ps = (passages *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  for (unsigned i = 0; i < ps->all.length (); i++)
    {
      const passage *p = &ps->all[i];
      if (stmt == p->store)
	{
	  gimple_assign_set_rhs1 (stmt, build_zero_cst (TREE_TYPE (p->field)));
	  tree block = build_fold_addr_expr (ps->sender);
	  tree to = field_as (p, block, TREE_TYPE (p->temporary));
	  gsi_insert_after (gsi, gimple_build_assign (to, p->value),
			    GSI_NEW_STMT);
	}
      else if (stmt == p->load)
	{
	  /* A value all the same, for nobody.  */
	  tree block = TREE_OPERAND (gimple_assign_rhs1 (stmt), 0);
	  tree type = TREE_TYPE (gimple_assign_lhs (p->use));
	  gimple_assign_set_rhs1 (p->use,
				  field_as (p, TREE_OPERAND (block, 0), type));
	  gimple_assign_set_rhs1 (stmt,
				  build_zero_cst (TREE_TYPE (p->pointer)));
	}
    }
  return NULL_TREE;
}

/* Let libgomp and the tag know that P is a value.  */
static void
declare_value (const passages *ps, const passage *p)
{
  tree *place = kind_place (ps, p);
  unsigned align = tree_to_uhwi (*place) & ~kind_mask;
  *place = build_int_cst (TREE_TYPE (*place),
			  align | GOMP_MAP_FIRSTPRIVATE_INT);
  TREE_ADDRESSABLE (p->temporary) = false;
  p->op->map = ACR_MAP_VALUE;
  p->op->access = ACR_ACCESS_NONE;
  p->op->group = ACR_ALIAS_ANY;
}

void
value_pass (const region *r, vec<acr_operand> *ops)
{
  if (BYTES_BIG_ENDIAN || ops->is_empty ())
    return;
  tree data = gimple_omp_target_data_arg (r->stmt);
  tree field = TYPE_FIELDS (TREE_TYPE (TREE_VEC_ELT (data, 0)));
  passages ps;
  ps.sender = TREE_VEC_ELT (data, 0);
  ps.kinds = TREE_VEC_ELT (data, 2);
  for (unsigned i = 0; i < ops->length (); i++, field = DECL_CHAIN (field))
    if ((*ops)[i].map == ACR_MAP_COPY)
      {
	passage p = {};
	p.op = &(*ops)[i];
	p.field = field;
	ps.all.safe_push (p);
	ps.seen.put (field, 0);
      }
  if (ps.all.is_empty ())
    return;
  gimple_seq body = gimple_body (current_function_decl);
  struct walk_stmt_info wi = {};
  wi.info = &ps;
  walk_gimple_seq (body, find_passages, count_operand, &wi);
  unsigned kind
    = is_gimple_omp_oacc (r->stmt) ? GOMP_MAP_TO : GOMP_MAP_FIRSTPRIVATE;
  for (unsigned i = 0; i < ps.all.length ();)
    if (passage_p (&ps, &ps.all[i], kind))
      declare_value (&ps, &ps.all[i++]);
    else
      ps.all.unordered_remove (i);
  if (ps.all.is_empty ())
    return;
  walk_gimple_seq_mod (&body, rewrite_passages, NULL, &wi);
  remark_done (r->loc, "%s region: %u scalar%s in the argument block\n",
	       construct_words (r->what), ps.all.length (),
	       plural (ps.all.length ()));
}
