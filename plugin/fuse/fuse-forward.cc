/* Between two bodies that became one, values stay in registers.

   What the first body has stored or loaded, and the second loads at the same
   place, is handed over in a variable; a store that nobody reads any more is
   dropped:

       w[i] = D;			K = D;
     border:			->   border:
       A = w[i];			V = K; A = V;

   The value read is the same: legality says that no other iteration of either
   body writes there, and the walk below that this iteration does not, from the
   one access to the other.  GCC and ptxas do that only where they see it, and
   neither sees that two arrays are apart.

   A store of the first body is dead when each thread overwrites the place in
   the same iteration, and nothing in between may read it but what is handed
   over; or when nobody else ever reads the object (fuse-unread.cc).

   Rounding: a product that is handed over must not be contracted with a sum of
   the second body.  V is opaque to GCC, and neither GCC nor ptxas contracts a
   product that is stored as well.  Without the store they would, with sums of
   the first body, too.  Then -0 is added to the product, which changes no
   value; with that it is contracted, and not with what follows.  Where the body
   has more products, one of them may be the same under another name, and the
   store stays.  And two loads of one place are two values to GCC where a store between
   them may lead there, as far as it knows: of each there may be a product, which it
   contracts by itself.  Where the second body has products, such loads stay.

   Needs: fuse_legal_bar's facts; breaks them.  Keeps: values.
   Source: R. Allen and K. Kennedy, "Optimizing Compilers for Modern
   Architectures", chapter 8 (scalar replacement); PTX ISA, "mul" (contraction
   of instructions without a rounding modifier).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuse/fuse.h"

enum
{
  /* Registers of 32 bits that values may take between two bodies.  With all
     of them ptxas 13.0 takes 94 for 34 arrays and 126 for 52, and spills
     none.  */
  MOST_WORDS = 64
};

/* A value that is handed over.  */
struct handed
{
  /* The access of the first body.  */
  unsigned from;
  tree kept, seen;
};

struct forwarding
{
  const fusion *f;
  /* Facts about the construct; the number of the second body's first access, and
     its place on the line.  */
  const line *l;
  unsigned border_access;
  int border;
  /* The loop of both, and where it is one inside of rows, that on the line.  */
  gomp_for *loop;
  const line_loop *inside;
  auto_vec<handed> values;
  /* By access: the number of the value that is loaded, or -1.  */
  auto_vec<int> loads;
  /* Stores that go.  */
  auto_vec<bool> dead;
  /* Statements that several threads execute, which have no registers in
     common.  */
  hash_set<gimple *> *shared;
  /* Variables with products that were stored.  */
  hash_set<tree> products;
  /* New ones.  */
  tree vars;
  unsigned words;
};

static const line_access *
access (const forwarding *w, unsigned i)
{
  return &w->l->accesses[i];
}

/* Is A an access of the two bodies?  */
static bool
of_bodies_p (const forwarding *w, const line_access *a)
{
  return a->in && (!w->inside || a->in == w->inside);
}

/* ---- Products ---- */

/* What the result of an assignment may be to a sum that follows.  */
enum product_kind
{
  PRODUCT_NOT,
  PRODUCT_DIRECT,
  /* It may be, or be a copy of one.  */
  PRODUCT_PERHAPS
};

static product_kind
product_kind_of (gimple *stmt)
{
  if (!is_gimple_assign (stmt))
    return PRODUCT_PERHAPS;
  switch (gimple_assign_rhs_code (stmt))
    {
    case MULT_EXPR:
    /* By a reciprocal.  */
    case RDIV_EXPR:
      return PRODUCT_DIRECT;
    case PLUS_EXPR:
    case MINUS_EXPR:
    case FLOAT_EXPR:
      return PRODUCT_NOT;
    default:
      return gimple_assign_single_p (stmt)
		 && !(DECL_P (gimple_assign_rhs1 (stmt))
		      && register_p (gimple_assign_rhs1 (stmt)))
	       ? PRODUCT_NOT
	       : PRODUCT_PERHAPS;
    }
}

static bool
float_product_p (gimple *stmt)
{
  return product_kind_of (stmt) == PRODUCT_DIRECT
	 && FLOAT_TYPE_P (TREE_TYPE (gimple_assign_lhs (stmt)));
}

/* ---- Which loads ---- */

/* Is TYPE a number of 32 or 64 bits?  */
static bool
number_p (const_tree type)
{
  machine_mode mode = TYPE_MODE (type);
  return mode == SFmode || mode == DFmode
	 || (INTEGRAL_TYPE_P (type) && (mode == SImode || mode == DImode));
}

static bool
value_p (tree expr)
{
  return CONSTANT_CLASS_P (expr) || (DECL_P (expr) && register_p (expr));
}

/* The value that A, an assignment, loads or stores; NULL when it is something
   else.  */
static tree
value_of (const line_access *a)
{
  if (!gimple_assign_single_p (a->stmt) || !number_p (TREE_TYPE (a->ref)))
    return NULL_TREE;
  tree lhs = gimple_assign_lhs (a->stmt), rhs = gimple_assign_rhs1 (a->stmt);
  if (a->write)
    return lhs == a->ref && value_p (rhs) ? rhs : NULL_TREE;
  return rhs == a->ref && value_p (lhs) ? lhs : NULL_TREE;
}

static bool
same_place_p (const line_access *a, const line_access *b)
{
  return a->size && a->size == b->size
	 && affine_equal_p (&a->address, &b->address);
}

/* Are the accesses A and B of an iteration to different bytes?  */
static bool
apart_p (const forwarding *w, const line_access *a, const line_access *b)
{
  if (depend_objects_apart_if_p (w->l, a, b))
    return true;
  affine between = affine_add (a->address, -1, b->address);
  HOST_WIDE_INT bytes;
  return affine_constant_p (&between, &bytes) && a->size && b->size
	 && (bytes >= b->size || -bytes >= a->size);
}

/* The access of the first body that has the value which the load K gets, or
   -1.  In a loop inside only a store counts: what was loaded a moment ago is in the
   cache, and the copy that GCC does not see through keeps loads of several
   iterations from being under way together (GESUMMV of 16384^2 took 1.56 ms on an
   H200 instead of .63).  */
static int
source_of (const forwarding *w, unsigned k)
{
  const line_access *load = access (w, k);
  if (load->write || load->symbolic || !of_bodies_p (w, load) || !value_of (load)
      || w->shared->contains (load->stmt))
    return -1;
  for (unsigned i = k; i-- > 0;)
    {
      const line_access *a = access (w, i);
      if (i < w->border_access && a->in == load->in
	  && (a->write || !w->inside) && same_place_p (a, load) && value_of (a)
	  && !w->shared->contains (a->stmt)
	  && types_compatible_p (TREE_TYPE (a->ref), TREE_TYPE (load->ref))
	  && line_always_p (w->l, a))
	return i;
      if (a->write && !apart_p (w, a, load))
	return -1;
    }
  return -1;
}

/* The number of the value that the access FROM has, a new one when there are
   registers left, or -1.  */
static int
hand_over (forwarding *w, unsigned from)
{
  for (unsigned i = 0; i < w->values.length (); i++)
    if (w->values[i].from == from)
      return i;
  w->words += access (w, from)->size / 4;
  if (w->words > MOST_WORDS)
    return -1;
  w->values.safe_push ({ from, NULL_TREE, NULL_TREE });
  return w->values.length () - 1;
}

/* Can GCC tell the store A from the load B, between pointers of which nobody knows that
   they lead elsewhere?  By their types, or as places of one array.  */
static bool
told_apart_p (const forwarding *w, const line_access *a, const line_access *b)
{
  return !alias_sets_conflict_p (get_alias_set (a->ref), get_alias_set (b->ref))
	 || (a->object == b->object && apart_p (w, a, b));
}

/* Do all loads of the second body that FROM gives the access I load one value to GCC, as
   long as each loads from memory?  */
static bool
one_value_p (const forwarding *w, const vec<int> &from, int i)
{
  const line_access *load = NULL;
  bool stored = false;
  for (unsigned k = w->border_access; k < from.length (); k++)
    {
      if (from[k] == i && stored)
	return false;
      if (from[k] == i)
	load = access (w, k);
      stored |= load && access (w, k)->write
		&& !told_apart_p (w, access (w, k), load);
    }
  return true;
}

/* Has the second body products of floating-point numbers?  */
static bool
multiplies_p (const forwarding *w)
{
  for (unsigned at = w->border; at < w->l->code.length (); at++)
    if (w->l->code[at] && is_gimple_assign (w->l->code[at])
	&& float_product_p (w->l->code[at]))
      return true;
  return false;
}

static void
find_loads (forwarding *w)
{
  auto_vec<int> from;
  bool products = multiplies_p (w);
  for (unsigned k = 0; k < w->l->accesses.length (); k++)
    from.safe_push (k < w->border_access ? -1 : source_of (w, k));
  for (unsigned k = 0; k < from.length (); k++)
    w->loads.safe_push (from[k] < 0 || (products && !one_value_p (w, from, from[k]))
			  ? -1 : hand_over (w, from[k]));
}

/* ---- Which stores ---- */

/* Does the access K stay a load of memory?  A thread's copy of a variable is
   none.  */
static bool
loads_p (const forwarding *w, unsigned k)
{
  const line_access *a = access (w, k);
  return !a->write && w->loads[k] < 0 && (a->in || !DECL_P (a->ref));
}

/* Does each iteration overwrite what it has stored by I before it may read
   it?  */
static bool
overwritten_p (const forwarding *w, unsigned i)
{
  const line_access *store = access (w, i);
  for (unsigned k = i + 1; k < w->l->accesses.length (); k++)
    {
      const line_access *a = access (w, k);
      if (loads_p (w, k) && !apart_p (w, a, store))
	return false;
      if (a->write && a->in == store->in && same_place_p (a, store)
	  && line_always_p (w->l, a))
	return true;
    }
  return false;
}

/* Is what I stores read by nobody, in no iteration and nowhere else?  */
static bool
unread_p (const forwarding *w, unsigned i)
{
  for (unsigned k = 0; k < w->l->accesses.length (); k++)
    if (loads_p (w, k)
	&& !depend_objects_apart_if_p (w->l, access (w, k),
				       access (w, i)))
      return false;
  return !w->inside && fuse_unread_p (w->f, access (w, i)->object);
}

/* Can a store of VALUE go as far as rounding is concerned?  *PRODUCT says
   whether VALUE may be a product then.  */
static bool
rounds_alike_p (const forwarding *w, tree value, bool *product)
{
  *product = false;
  /* ptxas contracts whatever -ffp-contract says.  */
  if (!FLOAT_TYPE_P (TREE_TYPE (value)) || !DECL_P (value))
    return true;
  const line *l = w->l;
  unsigned products = 0;
  for (int at = 0; at < w->border; at++)
    {
      gimple *stmt = l->code[at];
      if (!stmt)
	continue;
      products += float_product_p (stmt);
      if (gimple_get_lhs (stmt) != value)
	continue;
      product_kind kind = product_kind_of (stmt);
      if (kind == PRODUCT_PERHAPS)
	return false;
      *product |= kind == PRODUCT_DIRECT;
    }
  /* The same product may be there under another name.  */
  return !*product || products == 1;
}

/* Stores of the first body, the last one first: what overwrites one may itself
   be dead only when it is overwritten, too.  */
static void
find_stores (forwarding *w)
{
  w->dead.safe_grow_cleared (w->l->accesses.length ());
  for (unsigned i = w->border_access; i-- > 0;)
    {
      const line_access *store = access (w, i);
      tree value = store->write && of_bodies_p (w, store) ? value_of (store)
							 : NULL_TREE;
      bool product;
      if (!value || w->shared->contains (store->stmt)
	  || !rounds_alike_p (w, value, &product)
	  || !(overwritten_p (w, i) || unread_p (w, i)))
	continue;
      w->dead[i] = true;
      if (product)
	w->products.add (value);
    }
}

/* ---- The code ---- */

struct rewriting
{
  forwarding *w;
  hash_map<gimple *, unsigned> *accesses;
};

/* Let the variable that the product at GSI sets be what cannot be contracted
   any more.  */
static void
contract (forwarding *w, gimple_stmt_iterator *gsi)
{
  tree var = gimple_assign_lhs (gsi_stmt (*gsi));
  tree product = fuse_variable (TREE_TYPE (var), &w->vars);
  gimple_seq seq = NULL;
  tree zero = fuse_minus_zero (TREE_TYPE (var), &w->vars, &seq);
  gimple_assign_set_lhs (gsi_stmt (*gsi), product);
  gimple_seq_add_stmt_without_update (
    &seq, gimple_build_assign (var, PLUS_EXPR, product, zero));
  gsi_insert_seq_after (gsi, seq, GSI_SAME_STMT);
}

/* What becomes of a statement that has an access which changes.  */
static tree
rewrite_stmt (gimple_stmt_iterator *gsi, bool *handled,
	      struct walk_stmt_info *wi)
{
  rewriting *r = (rewriting *) wi->info;
  if (float_product_p (gsi_stmt (*gsi))
      && r->w->products.contains (gimple_assign_lhs (gsi_stmt (*gsi))))
    contract (r->w, gsi);
  unsigned *at = r->accesses->get (gsi_stmt (*gsi));
  if (!at)
    return NULL_TREE;
  *handled = true;
  forwarding *w = r->w;
  unsigned i = *at;
  if (w->loads[i] >= 0)
    gimple_assign_set_rhs1 (gsi_stmt (*gsi), w->values[w->loads[i]].seen);
  for (unsigned k = 0; k < w->values.length (); k++)
    if (w->values[k].from == i)
      {
	tree kept = w->values[k].kept;
	if (w->dead[i])
	  gimple_assign_set_lhs (gsi_stmt (*gsi), kept);
	else
	  gsi_insert_after (gsi,
			    gimple_build_assign (kept, value_of (access (w, i))),
			    GSI_SAME_STMT);
	return NULL_TREE;
      }
  if (w->dead[i])
    gsi_replace (gsi, gimple_build_nop (), false);
  return NULL_TREE;
}

/* Enter the statements that change.  */
static void
rewrite (forwarding *w)
{
  hash_map<gimple *, unsigned> accesses;
  for (unsigned i = 0; i < w->l->accesses.length (); i++)
    if (w->loads[i] >= 0 || w->dead[i])
      accesses.put (access (w, i)->stmt, i);
  for (unsigned k = 0; k < w->values.length (); k++)
    accesses.put (access (w, w->values[k].from)->stmt, w->values[k].from);
  rewriting r = { w, &accesses };
  struct walk_stmt_info wi = {};
  wi.info = &r;
  walk_gimple_seq_mod (gimple_omp_body_ptr (w->loop), rewrite_stmt, NULL,
		       &wi);
}

/* Let there be variables for the values, which the second body sees.  */
static void
pass_on (forwarding *w)
{
  gimple_seq pass = NULL;
  for (unsigned k = 0; k < w->values.length (); k++)
    {
      handed *v = &w->values[k];
      tree type = TYPE_MAIN_VARIANT (TREE_TYPE (access (w, v->from)->ref));
      v->kept = fuse_variable (type, &w->vars);
      v->seen = fuse_pass_on (v->kept, &w->vars, &pass);
    }
  /* The first body, the label or mark between, the second.  */
  gimple_seq *body = gimple_omp_body_ptr (w->loop);
  gbind *scope = dyn_cast<gbind *> (gimple_seq_first_stmt (*body));
  if (gimple_seq_singleton_p (*body) && scope)
    body = gimple_bind_body_ptr (scope);
  gimple_stmt_iterator gsi = gsi_start (*body);
  while (gimple_code (gsi_stmt (gsi)) != GIMPLE_LABEL
	 && !fuse_mark_p (gsi_stmt (gsi)))
    gsi_next (&gsi);
  gsi_insert_seq_after (&gsi, pass, GSI_SAME_STMT);
}

/* Let the loop's body declare them.  */
static void
declare (forwarding *w)
{
  gimple_seq all = NULL;
  gimple_seq_add_stmt_without_update (
    &all,
    gimple_build_bind (w->vars, gimple_omp_body (w->loop), NULL_TREE));
  gimple_omp_set_body (w->loop, all);
}

/* Let W's loads and stores become registers where they may; count them in *F.  */
static void
forward (forwarding *w, fusion *f)
{
  w->words = 0;
  w->vars = NULL_TREE;
  find_loads (w);
  find_stores (w);
  unsigned loads = 0, stores = 0;
  for (unsigned i = 0; i < w->loads.length (); i++)
    {
      loads += w->loads[i] >= 0;
      stores += w->dead[i];
    }
  f->forwarded += loads;
  f->dropped += stores;
  if (!loads && !stores)
    return;
  pass_on (w);
  rewrite (w);
  declare (w);
}

void
fuse_forward (fusion *f)
{
  forwarding w;
  hash_set<gimple *> shared;
  leak_find (&f->r);
  fuse_list_shared (gimple_omp_body (f->a.loop), &shared);
  w.f = f;
  w.l = &f->l;
  w.border_access = f->border_access;
  w.border = line_label (w.l, f->border);
  w.loop = f->a.loop;
  w.inside = NULL;
  w.shared = &shared;
  forward (&w, f);
}

void
fuse_forward_inside (fusion *f, const line *l, const line_loop *loop,
		     unsigned border)
{
  forwarding w;
  hash_set<gimple *> shared;
  w.f = f;
  w.l = l;
  w.border_access = border;
  w.border = 0;
  while (l->code[w.border] != l->accesses[border].stmt)
    w.border++;
  w.loop = loop->directive;
  w.inside = loop;
  w.shared = &shared;
  forward (&w, f);
}
