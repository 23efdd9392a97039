/* Which bytes of its operands a region may access.

   Two regions that access the rows and the columns at the ends of one array have
   nothing to do with each other, but access one object.  So the tag says where each
   access may be, as a regular section (abi.h): so many bytes at the operand's address
   and a sum of the loops' variables, whose strides, first values and bounds are sums of
   products of values that the region is launched with:

     for (k = y0; k < y1; k++)
       for (j = 0; j < depth; j++)
	 a[1 - j + k * pitch] = a[2 + j + k * pitch];

     section=0,w,8,8,8*pitch,y0,y1,1,-8,0,depth,1
     section=0,r,8,16,8*pitch,y0,y1,1,8,0,depth,1

   Conditions are no matter: a section is what may be accessed.  A slot has sections where
   all accesses to its data have one:

   - on the line stand all accesses of the region, as there are no calls that touch memory;
     atomic ones and what clauses do make the object's access unknown, or concern
     a variable that a clause of a construct in the region names;
   - each is at an address with one pointer in it, an operand's, or in a variable of the
     region's own; else nothing is said of any slot;
   - the loops that its address follows count, and none of them can be entered or left
     otherwise, so that their variables are from their first values to their bounds.  A
     loop's test is executed once more than its body;
   - a value is that of a firstprivate variable that the region does not set.  The line
     takes the copies that a construct in the region has for the variable; so nothing may
     come behind one that sets them.

   Needs: access_spread.  Keeps: the region.  Breaks: nothing.
   Source: P. Havlak and K. Kennedy, "An Implementation of Interprocedural Bounded
   Regular Section Analysis", IEEE TPDS 2(3), 1991.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "loop/loop.h"

/* No more are told of a region: each costs time when it is launched.  */
static const unsigned most_sections = 8;

/* Accesses of one kind to an operand that leave no gap.  */
struct reach
{
  unsigned operand;
  bool write;
  /* The address in the region is the slot's, less this.  */
  HOST_WIDE_INT bias;
  int pointer;			/* symbol */
  cover c;
};

struct reaches
{
  reaches (line *on, region *of) : l (on), r (of), broken (false) {}
  line *l;
  region *r;
  /* Variables that clauses in the region are about.  */
  auto_vec<tree> named;
  auto_vec<reach> found;
  /* Operands of which not all accesses are known.  */
  auto_vec<unsigned> whole;
  bool broken;
};

/* ---- Clauses ---- */

/* Is there code of L's behind a construct that sets its copy of a variable?  */
static bool
copies_return_p (const line *l)
{
  for (unsigned i = 0; i < l->copies.length (); i++)
    for (unsigned at = l->copies[i].at; at < l->code.length (); at++)
      if (l->code[at] && line_sets_p (l, l->copies[i].var))
	return true;
  return false;
}

/* Note what clauses in the region are about.  */
static tree
note_clauses (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  reaches *s = (reaches *) wi->info;
  for (tree c = stmt_clauses (gsi_stmt (*gsi)); c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_PRIVATE:
      case OMP_CLAUSE_FIRSTPRIVATE:
	s->named.safe_push (OMP_CLAUSE_DECL (c));
	break;
      case OMP_CLAUSE_SHARED:
	break;
      default:
	if (omp_clause_num_ops[OMP_CLAUSE_CODE (c)] && OMP_CLAUSE_OPERAND (c, 0))
	  if (tree base = get_base_address (OMP_CLAUSE_OPERAND (c, 0)))
	    s->named.safe_push (base);
	break;
      }
  return NULL_TREE;
}

/* ---- Operands ---- */

/* Does the clause C, with the one behind it, map what VAR leads to, or where VARIABLE VAR
   itself, with VAR's address *BIAS bytes before?  */
static bool
leads_p (tree c, tree var, bool variable, HOST_WIDE_INT *bias)
{
  tree next = OMP_CLAUSE_CHAIN (c);
  *bias = 0;
  if (variable && OMP_CLAUSE_DECL (c) == var)
    return true;
  bool leads = next && OMP_CLAUSE_CODE (next) == OMP_CLAUSE_MAP
	       && OMP_CLAUSE_MAP_KIND (next) == GOMP_MAP_FIRSTPRIVATE_POINTER
	       && OMP_CLAUSE_DECL (next) == var
	       && tree_fits_shwi_p (OMP_CLAUSE_SIZE (next));
  if (leads)
    *bias = tree_to_shwi (OMP_CLAUSE_SIZE (next));
  return leads;
}

/* The only operand of S's region that BASE, a pointer variable or the address of a
   variable, has the address of, *BIAS bytes further on; or -1.  */
static int
operand_of (const reaches *s, tree base, HOST_WIDE_INT *bias)
{
  bool variable = TREE_CODE (base) == ADDR_EXPR;
  tree var = variable ? TREE_OPERAND (base, 0) : base;
  int found = -1;
  HOST_WIDE_INT by;
  for (unsigned i = 0; i < s->r->operands.length (); i++)
    {
      const operand *op = &s->r->operands[i];
      if (op->map != ACR_MAP_DATA || !leads_p (op->clause, var, variable, &by))
	continue;
      if (found >= 0)
	return -1;
      found = i;
      *bias = by;
    }
  return found;
}

/* Is VAR, accessed by its name or where BY_REFERENCE through it, the region's own?  */
static bool
own_p (const reaches *s, tree var, bool by_reference)
{
  if (!by_reference
      && (line_declares_p (s->l, var) || s->l->privates.contains (var)))
    return true;
  for (tree c = gimple_omp_target_clauses (s->r->stmt); c;
       c = OMP_CLAUSE_CHAIN (c))
    if ((OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
	 || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_PRIVATE)
	&& OMP_CLAUSE_DECL (c) == var)
      return by_reference == lang_hooks.decls.omp_privatize_by_reference (var);
  return false;
}

/* May sections be told of operand I, at BASE?  Not where accesses are none on the
   line: to scalars that are in no memory, and by clauses.  */
static bool
told_p (const reaches *s, unsigned i, tree base)
{
  const operand *op = &s->r->operands[i];
  bool variable = TREE_CODE (base) == ADDR_EXPR;
  tree var = variable ? TREE_OPERAND (base, 0) : base;
  unsigned access = op->about < 0 ? (unsigned) ACR_ACCESS_UNKNOWN
				  : s->r->objects[op->about].access;
  if (access & ~ACR_ACCESS_READ_WRITE)
    return false;
  if (variable)
    return !is_gimple_reg_type (TREE_TYPE (var)) && !s->named.contains (var);
  if (lang_hooks.decls.omp_privatize_by_reference (var))
    return TREE_CODE (TREE_TYPE (TREE_TYPE (var))) == ARRAY_TYPE
	   && !s->named.contains (var);
  return true;
}

/* The symbol of the only pointer in A, once; or -1.  */
static int
pointer_in (const affine *a)
{
  int found = -1;
  for (int i = 0; i < a->n; i++)
    for (int k = 0; k < AFFINE_DEGREE; k++)
      {
	int symbol = a->term[i].symbol[k];
	if (symbol < 0
	    || !POINTER_TYPE_P (TREE_TYPE (affine_symbol_of (symbol)->expr)))
	  continue;
	if (found >= 0 || a->term[i].factor != 1
	    || (k && a->term[i].symbol[k - 1] >= 0))
	  return -1;
	found = symbol;
      }
  return found;
}

/* ---- Sums of values ---- */

/* The operand that has the value of EXPR, times 2, and 1 more where it has no sign;
   or -1.  */
static int
value_of (const reaches *s, tree expr)
{
  bool by_reference = TREE_CODE (expr) == MEM_REF;
  tree var = by_reference ? TREE_OPERAND (expr, 0) : expr;
  tree type = TREE_TYPE (expr);
  if (!DECL_P (var) || !INTEGRAL_TYPE_P (type)
      || !known_eq (GET_MODE_PRECISION (TYPE_MODE (type)), TYPE_PRECISION (type))
      || (by_reference && !integer_zerop (TREE_OPERAND (expr, 1)))
      || by_reference != lang_hooks.decls.omp_privatize_by_reference (var)
      || s->l->privates.contains (var))
    return -1;
  object_name name = { var, 0 };
  if (by_reference)
    name = object_of_pointer (var);
  unsigned object = object_index (s->r, name);
  if (s->r->objects[object].access & ACR_ACCESS_WRITE)
    return -1;
  for (unsigned i = 0; i < s->r->operands.length (); i++)
    {
      const operand *op = &s->r->operands[i];
      if ((op->map == ACR_MAP_VALUE || op->map == ACR_MAP_COPY)
	  && OMP_CLAUSE_CODE (op->clause) == OMP_CLAUSE_FIRSTPRIVATE
	  && OMP_CLAUSE_DECL (op->clause) == var)
	return 2 * i + TYPE_UNSIGNED (type);
    }
  return -1;
}

/* Let SUM be A.  False: not all of it is values.  */
static bool
make_sum (const reaches *s, const affine *a, acr_sum *sum)
{
  if (a->n < 0)
    return false;
  acr_term *terms = XCNEWVEC (acr_term, MAX (a->n, 1));
  sum->term = terms;
  sum->n = MAX (a->n, 1);
  memset (terms[0].value, -1, sizeof terms[0].value);
  for (int i = 0; i < a->n; i++)
    {
      unsigned n = 0;
      terms[i].factor = a->term[i].factor;
      memset (terms[i].value, -1, sizeof terms[i].value);
      for (int k = 0; k < AFFINE_DEGREE; k++)
	if (a->term[i].symbol[k] >= 0)
	  {
	    const symbol *of = affine_symbol_of (a->term[i].symbol[k]);
	    int value = of->counted ? -1 : value_of (s, of->expr);
	    if (value < 0 || value > SHRT_MAX)
	      return false;
	    terms[i].value[n++] = value;
	  }
    }
  return true;
}

static void
release (acr_section *s)
{
  free (CONST_CAST (acr_term *, s->at.term));
  for (unsigned i = 0; i < s->nloops; i++)
    {
      free (CONST_CAST (acr_term *, s->loop[i].stride.term));
      free (CONST_CAST (acr_term *, s->loop[i].first.term));
      free (CONST_CAST (acr_term *, s->loop[i].bound.term));
    }
}

/* ---- Sections ---- */

/* Add to TO the numbers of LOOP, each STRIDE bytes.  False: they are not known.  */
static bool
add_loop (const reaches *s, const line_loop *loop, const affine *stride,
	  acr_section *to)
{
  if (loop->broken || !loop->index || to->nloops == ACR_SECTION_LOOPS)
    return false;
  bool less = loop->cond == LE_EXPR, more = loop->cond == GE_EXPR;
  affine bound = affine_add (loop->bound, 1, affine_constant (less - more));
  tree type = TREE_TYPE (loop->index);
  acr_section_loop *as = &to->loop[to->nloops++];
  as->step = loop->step;
  as->natural = TYPE_UNSIGNED (type) && TYPE_PRECISION (type) >= 64;
  return make_sum (s, stride, &as->stride)
	 && make_sum (s, &loop->first, &as->first)
	 && make_sum (s, &bound, &as->bound);
}

/* Let TO be the section of REACH.  False: it is not known.  */
static bool
make_section (const reaches *s, const reach *from, acr_section *to)
{
  affine rest = from->c.at, factor;
  to->slot = from->operand;
  to->write = from->write;
  to->bytes = from->c.bytes;
  for (const line_loop *loop = from->c.in; loop; loop = loop->outer)
    {
      affine whole = rest;
      if (!affine_split (&whole, affine_index_symbol (loop), &factor, &rest)
	  || (factor.n && !add_loop (s, loop, &factor, to)))
	return false;
    }
  affine whole = rest;
  if (!affine_split (&whole, from->pointer, &factor, &rest))
    return false;
  rest = affine_add (rest, 1, affine_constant (-from->bias));
  return make_sum (s, &rest, &to->at);
}

/* Is STMT in the test of LOOP or one around?  */
static bool
tested_p (const line *l, const line_loop *loop, const gimple *stmt)
{
  unsigned at = line_place (l, stmt);
  for (; loop; loop = loop->outer)
    if (at >= loop->test_begin && at < loop->test_end)
      return true;
  return false;
}

/* Note the access A.  */
static void
note_access (reaches *s, const line_access *a)
{
  int pointer = pointer_in (&a->address);
  HOST_WIDE_INT bias = 0;
  tree base = NULL_TREE;
  if (pointer >= 0)
    base = affine_symbol_of (pointer)->expr;
  else if (DECL_P (reference_base (a->ref)))
    base = build_fold_addr_expr (reference_base (a->ref));
  if (!base || (TREE_CODE (base) != ADDR_EXPR && !DECL_P (base)))
    {
      s->broken = true;
      return;
    }
  int i = operand_of (s, base, &bias);
  bool variable = TREE_CODE (base) == ADDR_EXPR;
  tree var = variable ? TREE_OPERAND (base, 0) : base;
  if (i < 0)
    s->broken |= !DECL_P (var) || !own_p (s, var, !variable);
  else if (pointer < 0 || a->size <= 0 || !a->stmt || !told_p (s, i, base)
	   || tested_p (s->l, a->in, a->stmt))
    s->whole.safe_push (i);
  else
    {
      reach found = { (unsigned) i, a->write, bias, pointer,
		      { a->in, 2 * (unsigned) i + a->write, a->address,
			a->size } };
      s->found.safe_push (found);
    }
}

/* Let those that touch be one.  */
static void
join (auto_vec<reach> *found)
{
  auto_vec<cover> covers;
  auto_vec<reach> all;
  all.safe_splice (*found);
  for (unsigned i = 0; i < all.length (); i++)
    cover_add (&covers, all[i].c);
  found->truncate (0);
  for (unsigned i = 0; i < covers.length (); i++)
    for (unsigned k = 0; k < all.length (); k++)
      if (all[k].c.object == covers[i].object)
	{
	  all[k].c = covers[i];
	  found->safe_push (all[k]);
	  break;
	}
}

void
reach_release (region *r)
{
  for (unsigned i = 0; i < r->sections.length (); i++)
    release (&r->sections[i]);
  r->sections.release ();
}

/* Take the sections of operand I away from R.  */
static void
drop (region *r, int i)
{
  for (unsigned k = r->sections.length (); k-- > 0;)
    if (r->sections[k].slot == i)
      {
	release (&r->sections[k]);
	r->sections.ordered_remove (k);
      }
}

/* Let R have the sections of what S has found.  */
static void
take_sections (reaches *s)
{
  join (&s->found);
  for (unsigned i = 0; i < s->found.length (); i++)
    if (!s->whole.contains (s->found[i].operand))
      {
	acr_section section = {};
	if (!make_section (s, &s->found[i], &section))
	  s->whole.safe_push (s->found[i].operand);
	s->r->sections.safe_push (section);
      }
  for (unsigned i = 0; i < s->r->operands.length (); i++)
    if (s->whole.contains (i))
      drop (s->r, i);
  if (s->r->sections.length () > most_sections)
    reach_release (s->r);
}

void
reach_find (region *r)
{
  /* The walk enters objects that are none of the region's.  */
  unsigned n = r->objects.length ();
  if (!access_closed_p (r))
    return;
  affine_reset ();
  line l = {};
  line_make_serial (&l, r);
  reaches s (&l, r);
  struct walk_stmt_info wi = {};
  wi.info = &s;
  walk_gimple_seq (gimple_omp_body (r->stmt), note_clauses, NULL, &wi);
  s.broken = l.broken || copies_return_p (&l);
  for (unsigned i = 0; !s.broken && i < l.code.length (); i++)
    if (const gcall *call = safe_dyn_cast<const gcall *> (l.code[i]))
      s.broken = !call_without_memory_p (call);
  if (!s.broken)
    flow_find (&l);
  for (unsigned i = 0; !s.broken && i < l.accesses.length (); i++)
    note_access (&s, &l.accesses[i]);
  if (!s.broken)
    take_sections (&s);
  line_release (&l);
  r->objects.truncate (n);
}

/* ---- The tag ---- */

/* Let VALUE, an operand's as value_of has it, be a slot's of OPS.  */
static bool
place_value (const region *r, const vec<acr_operand> &ops, short *value)
{
  int slot = r->operands[*value / 2].slot;
  if (slot < 0 || (unsigned) slot >= ops.length ()
      || ops[slot].map != ACR_MAP_VALUE || !pow2p_hwi (ops[slot].size)
      || ops[slot].size > 8)
    return false;
  *value = 2 * slot + (*value & 1);
  return true;
}

static bool
place_sum (const region *r, const vec<acr_operand> &ops, const acr_sum *sum)
{
  for (unsigned i = 0; i < sum->n; i++)
    {
      acr_term *t = CONST_CAST (acr_term *, &sum->term[i]);
      for (int k = 0; k < ACR_SECTION_VALUES && t->value[k] >= 0; k++)
	if (!place_value (r, ops, &t->value[k]))
	  return false;
    }
  return true;
}

/* The same for all of S.  */
static bool
place (const region *r, const vec<acr_operand> &ops, acr_section *s)
{
  bool placed = place_sum (r, ops, &s->at);
  for (unsigned i = 0; placed && i < s->nloops; i++)
    placed = place_sum (r, ops, &s->loop[i].stride)
	     && place_sum (r, ops, &s->loop[i].first)
	     && place_sum (r, ops, &s->loop[i].bound);
  int slot = r->operands[s->slot].slot;
  return placed && slot >= 0 && (unsigned) slot < ops.length ()
	 && ops[slot].map == ACR_MAP_DATA;
}

void
reach_place (region *r, const vec<acr_operand> &ops)
{
  auto_vec<int> unknown;
  for (unsigned i = 0; i < r->sections.length (); i++)
    if (r->spmd == ACR_SPMD_NO || !place (r, ops, &r->sections[i]))
      unknown.safe_push (r->sections[i].slot);
  for (unsigned i = 0; i < unknown.length (); i++)
    drop (r, unknown[i]);
  for (unsigned i = 0; i < r->sections.length (); i++)
    r->sections[i].slot = r->operands[r->sections[i].slot].slot;
}
