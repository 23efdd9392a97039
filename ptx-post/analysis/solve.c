/* Proofs about terms by Z3, of what their normal form does not show.

   The library is loaded when the first question comes, for most units have
   none and it is large.  Terms become bit vectors; what is not understood in
   them, and every product of values that are the same in all lanes, becomes an
   unknown, so that fewer facts hold but none that is wrong.

   Work is bounded by Z3's own count of it, not by the clock: the same unit gets
   the same code on a busy machine.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "analysis/analysis.h"

#include <dlfcn.h>
#include <string.h>
#include <z3.h>

enum
{
  WORK_PER_MS = 1000,		/* Z3's units; measured with 4.8.12 */
  MAX_DEPTH = 64,
  /* Of a question.  Of 387 that kernels of public programs led to, those with an
     answer that helps had at most 30; the arithmetic of a grid that is chosen as the
     kernel runs has 37 to 80, and takes Z3 a tenth of a second.  */
  MAX_ATOMS = 32
};

static struct
{
  bool tried;
  void *library;
#define SOLVE_Z3(name) __typeof__ (Z3_##name) *name;
#include "analysis/solve.def"
} z3;

static bool
load_library (void)
{
  static const char *const names[] = { "libz3.so.4", "libz3.so" };
  if (z3.tried)
    return z3.library;
  z3.tried = true;
  for (unsigned i = 0; i < 2 && !z3.library; i++)
    z3.library = dlopen (names[i], RTLD_NOW | RTLD_LOCAL);
  bool complete = z3.library;
#define SOLVE_Z3(name)                                                        \
  complete = complete                                                         \
	     && (z3.name = (__typeof__ (Z3_##name) *) dlsym (z3.library,      \
							     "Z3_" #name));
#include "analysis/solve.def"
  if (z3.library && !complete)
    {
      dlclose (z3.library);
      z3.library = NULL;
    }
  return complete;
}

/* An atom as it has been translated; in the lane itself, and in that which is
   DELTA lanes on.  */
enum side { HERE, THERE, SIDES };

struct translation { const struct atom *atom; enum side side; Z3_ast ast; };

struct solver
{
  bool is_off;			/* no question is asked */
  long budget;			/* units of work that are left */
  long guards, guard;		/* ... for guards, and for each of them */
  bool failed;			/* something went wrong in Z3 */
  Z3_context c;
  Z3_solver s;
  Z3_params params;
  long work;			/* that Z3 has counted so far */
  int delta;			/* of the current question */
  struct translation *done;
  unsigned n, room;
};

struct solver *
solver_new (unsigned milliseconds)
{
  struct solver *s = xcalloc (1, sizeof *s);
  s->is_off = milliseconds == 0;
  s->budget = (long) milliseconds * WORK_PER_MS;
  /* Z3 counts much for comparisons, which take it little time: a tenth of this on
     the whole.  */
  s->guards = 8 * s->budget;
  s->guard = s->budget / 2;
  return s;
}

void
solver_free (struct solver *s)
{
  if (s && s->c)
    z3.del_context (s->c);
  if (s)
    free (s->done);
  free (s);
}

bool
solver_is_spent (const struct solver *s)
{
  return !s->is_off && s->budget <= 0;
}

/* Z3's own handler ends the program.  */
static void
note_error (Z3_context c, Z3_error_code e)
{
  (void) c;
  (void) e;
}

static bool
start (struct solver *s)
{
  if (s->c || s->failed || !load_library ())
    return s->c && !s->failed;
  z3.global_param_set ("memory_max_size", "100");	/* MB */
  Z3_config config = z3.mk_config ();
  s->c = z3.mk_context (config);
  z3.del_config (config);
  z3.set_error_handler (s->c, note_error);
  s->s = z3.mk_solver_for_logic (s->c, z3.mk_string_symbol (s->c, "QF_BV"));
  z3.solver_inc_ref (s->c, s->s);
  s->params = z3.mk_params (s->c);
  z3.params_inc_ref (s->c, s->params);
  return true;
}

/* ---- Translation ---- */

static Z3_ast
number (struct solver *s, uint64_t value, unsigned width)
{
  if (width < 64)
    value &= ((uint64_t) 1 << width) - 1;
  return z3.mk_unsigned_int64 (s->c, value, z3.mk_bv_sort (s->c, width));
}

static Z3_ast
unknown (struct solver *s, unsigned width)
{
  return z3.mk_fresh_const (s->c, "u", z3.mk_bv_sort (s->c, width));
}

/* X in WIDTH bits.  */
static Z3_ast
resize (struct solver *s, Z3_ast x, unsigned from, unsigned width,
	bool is_signed)
{
  if (width < from)
    return z3.mk_extract (s->c, width - 1, 0, x);
  if (width == from)
    return x;
  return (is_signed ? z3.mk_sign_ext : z3.mk_zero_ext) (s->c, width - from, x);
}

static Z3_ast
bit (struct solver *s, Z3_ast condition)
{
  return z3.mk_ite (s->c, condition, number (s, 1, 1), number (s, 0, 1));
}

static Z3_ast term (struct solver *s, const struct term *t, enum side side,
		    int depth);

static Z3_ast
comparison (struct solver *s, const struct operation *o, Z3_ast a, Z3_ast b)
{
  Z3_ast (*less) (Z3_context, Z3_ast, Z3_ast)
    = o->is_signed ? z3.mk_bvslt : z3.mk_bvult;
  Z3_ast (*at_most) (Z3_context, Z3_ast, Z3_ast)
    = o->is_signed ? z3.mk_bvsle : z3.mk_bvule;
  switch (o->cmp)
    {
    case PTX_M_EQ:
      return z3.mk_eq (s->c, a, b);
    case PTX_M_NE:
      return z3.mk_not (s->c, z3.mk_eq (s->c, a, b));
    case PTX_M_LT:
      return less (s->c, a, b);
    case PTX_M_LE:
      return at_most (s->c, a, b);
    case PTX_M_GT:
      return less (s->c, b, a);
    default:
      return at_most (s->c, b, a);
    }
}

/* Operation O of atom A.  */
static Z3_ast
operation (struct solver *s, const struct operation *o, const struct atom *a,
	   enum side side, int depth)
{
  Z3_ast arg[3];
  for (unsigned i = 0; i < a->nargs; i++)
    {
      unsigned width = i == 2 ? 1 : o->width;
      Z3_ast x = term (s, a->arg[i], side, depth + 1);
      /* A shift by more bits than an operand of 16 bits can say.  */
      if ((o->op == PTX_OP_SHL || o->op == PTX_OP_SHR) && i == 1
	  && a->arg[i]->width > width)
	return unknown (s, a->width);
      arg[i] = resize (s, x, a->arg[i]->width, width, false);
    }
  Z3_ast r, less;
  switch (o->op)
    {
    case PTX_OP_AND:
      r = z3.mk_bvand (s->c, arg[0], arg[1]);
      break;
    case PTX_OP_OR:
      r = z3.mk_bvor (s->c, arg[0], arg[1]);
      break;
    case PTX_OP_XOR:
      r = z3.mk_bvxor (s->c, arg[0], arg[1]);
      break;
    case PTX_OP_MIN:
    case PTX_OP_MAX:
      less = (o->is_signed ? z3.mk_bvslt : z3.mk_bvult) (s->c, arg[0], arg[1]);
      r = z3.mk_ite (s->c, less, arg[o->op == PTX_OP_MAX],
		     arg[o->op == PTX_OP_MIN]);
      break;
    case PTX_OP_SHL:
      r = z3.mk_bvshl (s->c, arg[0], arg[1]);
      break;
    case PTX_OP_SHR:
      r = (o->is_signed ? z3.mk_bvashr : z3.mk_bvlshr) (s->c, arg[0], arg[1]);
      break;
    case PTX_OP_SETP:
      r = bit (s, comparison (s, o, arg[0], arg[1]));
      return resize (s, r, 1, a->width, false);
    default:			/* selp */
      r = z3.mk_ite (s->c, z3.mk_eq (s->c, arg[2], number (s, 1, 1)), arg[0],
		     arg[1]);
      break;
    }
  return resize (s, r, o->width, a->width, o->is_signed);
}

/* Special register A, which the hardware bounds.  */
static Z3_ast
special (struct solver *s, const struct atom *a)
{
  int64_t high;
  Z3_ast x = unknown (s, a->width);
  if (expr_sreg_range (a, &high))
    z3.solver_assert (s->c, s->s,
		      z3.mk_bvule (s->c, x, number (s, high, a->width)));
  return x;
}

static Z3_ast atom (struct solver *s, const struct atom *a, enum side side,
		    int depth);

static Z3_ast
translate (struct solver *s, const struct atom *a, enum side side, int depth)
{
  if (depth > MAX_DEPTH)
    return unknown (s, a->width);
  switch (a->kind)
    {
    case ATOM_SREG:
      if (side == THERE && expr_of_lane (a))
	{
	  /* The neighbour is a lane of the same row.  */
	  int64_t high;
	  Z3_ast there = z3.mk_bvadd (s->c, atom (s, a, HERE, depth),
				      number (s, s->delta, a->width));
	  if (expr_sreg_range (a, &high))
	    z3.solver_assert (s->c, s->s,
			      z3.mk_bvule (s->c, there,
					   number (s, high, a->width)));
	  return there;
	}
      return special (s, a);
    case ATOM_SIGN:
    case ATOM_ZERO:
      return resize (s, term (s, a->arg[0], side, depth + 1),
		     a->arg[0]->width, a->width, a->kind == ATOM_SIGN);
    case ATOM_PRODUCT:
      if (a->uniform)
	break;
      return z3.mk_bvmul (s->c, term (s, a->arg[0], side, depth + 1),
			  term (s, a->arg[1], side, depth + 1));
    case ATOM_OP:
      if (a->operation.width)
	return operation (s, &a->operation, a, side, depth);
      if (a->nargs == 1 && strcmp (a->mnemonic, EXPR_CUT) == 0)
	return resize (s, term (s, a->arg[0], side, depth + 1),
		       a->arg[0]->width, a->width, false);
      if (a->nargs == 1 && strcmp (a->mnemonic, EXPR_HIGH) == 0)
	return z3.mk_extract (s->c, 2 * a->width - 1, a->width,
			      term (s, a->arg[0], side, depth + 1));
      break;
    default:
      break;
    }
  return unknown (s, a->width);
}

static Z3_ast
atom (struct solver *s, const struct atom *a, enum side side, int depth)
{
  if (a->uniform)
    side = HERE;
  for (unsigned i = 0; i < s->n; i++)
    if (s->done[i].atom == a && s->done[i].side == side)
      return s->done[i].ast;
  Z3_ast x = translate (s, a, side, depth);
  if (s->n == s->room)
    {
      s->room = s->room ? 2 * s->room : 64;
      s->done = realloc (s->done, s->room * sizeof *s->done);
      if (!s->done)
	abort ();
    }
  s->done[s->n++] = (struct translation) { a, side, x };
  return x;
}

static Z3_ast
term (struct solver *s, const struct term *t, enum side side, int depth)
{
  Z3_ast sum = number (s, t->constant, t->width);
  for (unsigned i = 0; i < t->nparts; i++)
    sum = z3.mk_bvadd (
      s->c, sum,
      z3.mk_bvmul (s->c,
		   number (s, t->part[i].coefficient, t->width),
		   atom (s, t->part[i].atom, side, depth)));
  return sum;
}

/* ---- Questions ---- */

/* Each question has unknowns of its own.  */
static bool
begin (struct solver *s, int delta)
{
  if (s->is_off || solver_is_spent (s) || !start (s))
    return false;
  s->n = 0;
  s->delta = delta;
  z3.solver_push (s->c, s->s);
  return true;
}

/* What Z3 has counted up to now.  */
static long
work_done (struct solver *s)
{
  long r = s->work;
  Z3_stats all = z3.solver_get_statistics (s->c, s->s);
  z3.stats_inc_ref (s->c, all);
  for (unsigned i = 0; i < z3.stats_size (s->c, all); i++)
    if (strcmp (z3.stats_get_key (s->c, all, i), "rlimit count") == 0
	&& z3.stats_is_uint (s->c, all, i))
      r = z3.stats_get_uint_value (s->c, all, i);
  z3.stats_dec_ref (s->c, all);
  return r;
}

/* Whether what has been asserted cannot be.  */
static bool
end (struct solver *s)
{
  bool broken = z3.get_error_code (s->c) != Z3_OK;
  s->budget -= WORK_PER_MS;	/* for what Z3 does not count */
  Z3_lbool r = Z3_L_UNDEF;
  if (!broken && s->budget > 0 && s->n <= MAX_ATOMS)
    {
      z3.params_set_uint (s->c, s->params,
			  z3.mk_string_symbol (s->c, "rlimit"), s->budget);
      z3.solver_set_params (s->c, s->s, s->params);
      r = z3.solver_check (s->c, s->s);
      broken = z3.get_error_code (s->c) != Z3_OK;
      long work = work_done (s);
      s->budget = r == Z3_L_UNDEF ? 0 : s->budget - (work - s->work);
      s->work = work;
    }
  s->failed |= broken;
  z3.solver_pop (s->c, s->s, 1);
  return !broken && r == Z3_L_FALSE;
}

bool
solver_same (struct solver *s, const struct term *a, const struct term *b,
	     int delta)
{
  if (a->width != b->width || !begin (s, delta))
    return false;
  Z3_ast x = term (s, a, THERE, 0), y = term (s, b, HERE, 0);
  z3.solver_assert (s->c, s->s,
		    z3.mk_not (s->c, z3.mk_eq (s->c, x, y)));
  return end (s);
}

/* The predicate P is 1 on SIDE.  */
static void
assert_holds (struct solver *s, const struct term *p, enum side side)
{
  z3.solver_assert (s->c, s->s,
		    z3.mk_eq (s->c, term (s, p, side, 0), number (s, 1, 1)));
}

bool
solver_excludes_there (struct solver *s, const struct term *const *condition,
		       int n, const struct term *there, int delta)
{
  long left = s->budget;
  if (s->guards < s->guard || !begin (s, delta))
    return false;
  s->budget = s->guard;
  for (int i = 0; i < n; i++)
    for (enum side side = HERE; side <= THERE; side++)
      assert_holds (s, condition[i], side);
  assert_holds (s, there, THERE);
  bool never = end (s);
  s->guards -= s->guard - s->budget;
  s->budget = left;
  return never;
}

bool
solver_excludes (struct solver *s, const struct term *const *condition, int n)
{
  if (!begin (s, 0))
    return false;
  for (int i = 0; i < n; i++)
    assert_holds (s, condition[i], HERE);
  return end (s);
}
