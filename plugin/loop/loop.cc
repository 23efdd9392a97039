/* The body of a compute construct as one line of statements, and its loops.

   Before omp-low there is no control-flow graph; what the gimplifier leaves of
   a loop is labels and jumps in one of a few shapes.  A loop that counts has
   one jump back, one test and one step, at known places; any other shape,
   and every jump that leaves a loop or enters it elsewhere, makes it a loop
   that is not rewritten.

   Needs: GIMPLE before omp-low.  Keeps: all code.
   Source: genericize_c_loop in GCC's c-gimplify.cc; gfc_trans_simple_do in
   fortran/trans-stmt.cc, gfc_trans_scalarized_loop_end in trans-array.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "loop/loop.h"

int
line_label (const line *l, tree label)
{
  for (unsigned i = 0; i < l->code.length (); i++)
    if (l->code[i] && gimple_code (l->code[i]) == GIMPLE_LABEL
	&& gimple_label_label (as_a<glabel *> (l->code[i])) == label)
      return i;
  return -1;
}

unsigned
line_place (const line *l, const gimple *stmt)
{
  unsigned at = 0;
  while (l->code[at] != stmt)
    at++;
  return at;
}

bool
line_declares_p (const line *l, tree var)
{
  for (unsigned i = 0; i < l->decls.length (); i++)
    if (l->decls[i].var == var)
      return true;
  return false;
}

bool
line_sets_p (const line *l, tree var)
{
  for (unsigned i = 0; i < l->code.length (); i++)
    if (l->code[i]
	&& (gimple_code (l->code[i]) == GIMPLE_OMP_ATOMIC_LOAD
	      ? gimple_omp_atomic_load_lhs (
		  as_a<gomp_atomic_load *> (l->code[i]))
	      : gimple_get_lhs (l->code[i]))
	     == var)
      return true;
  for (unsigned i = 0; i < l->loops.length (); i++)
    if (l->loops[i]->index == var)
      return true;
  return false;
}

/* Where the N-th target of the jump STMT is, as line_jump_target says.  */
static int
jump_target (const line *l, gimple *stmt, unsigned n)
{
  tree label = stmt ? stmt_jump_target (stmt, n) : NULL_TREE;
  if (!label)
    return -1;
  int at = TREE_CODE (label) == LABEL_DECL ? line_label (l, label) : -1;
  return at < 0 ? -2 : at;
}

int
line_jump_target (const line *l, unsigned at, unsigned n)
{
  return jump_target (l, l->code[at], n);
}

bool
line_jumped_over_p (const line *l, const line_loop *in, unsigned begin,
		    unsigned end)
{
  for (unsigned from = in ? in->body_begin : 0; from < begin; from++)
    {
      int to;
      for (unsigned n = 0; (to = jump_target (l, l->code[from], n)) != -1; n++)
	if (to == -2 || to >= (int) end)
	  return true;
    }
  return false;
}

bool
line_always_p (const line *l, const line_access *a)
{
  unsigned at = a->in->body_begin;
  while (at < a->in->body_end && l->code[at] != a->stmt)
    at++;
  return at < a->in->body_end && !line_jumped_over_p (l, a->in, at, at + 1);
}

line_loop *
line_loop_at (const line *l, const line_loop *outer, unsigned at)
{
  for (unsigned i = 0; i < l->loops.length (); i++)
    if (l->loops[i]->begin == at && l->loops[i]->outer == outer)
      return l->loops[i];
  return NULL;
}

static bool
only_clobbers_p (gimple_seq seq)
{
  for (gimple_stmt_iterator gsi = gsi_start (seq); !gsi_end_p (gsi);
       gsi_next (&gsi))
    if (!gimple_clobber_p (gsi_stmt (gsi)))
      return false;
  return true;
}

static void append (line *l, gimple_seq seq);

/* Note what the clauses of a construct, the directive LOOP if that is not NULL, do
   to variables.  The loop's own is set by the loop.  */
static void
note_clauses (line *l, tree clauses, gomp_for *loop)
{
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_LINEAR:
	if (loop && OMP_CLAUSE_DECL (c) == gimple_omp_for_index (loop, 0))
	  break;
	/* FALLTHRU */
      case OMP_CLAUSE_REDUCTION:
      case OMP_CLAUSE_IN_REDUCTION:
      case OMP_CLAUSE_TASK_REDUCTION:
	l->changed.safe_push (OMP_CLAUSE_DECL (c));
	break;
      case OMP_CLAUSE_PRIVATE:
      case OMP_CLAUSE_LASTPRIVATE:
	l->privates.safe_push (OMP_CLAUSE_DECL (c));
	break;
      default:
	break;
      }
}

/* A loop of the directive for each loop that it collapses.  Its body begins
   with PREFIX.  */
static void
append_directive (line *l, gomp_for *directive, const vec<gimple *> &prefix)
{
  append (l, gimple_omp_for_pre_body (directive));
  unsigned begin = l->code.length (), first = l->loops.length ();
  l->code.safe_push (directive);
  for (unsigned dim = 0; dim < gimple_omp_for_collapse (directive); dim++)
    {
      line_loop *made = new line_loop ();
      made->form = LOOP_DIRECTIVE;
      made->directive = directive;
      made->dim = dim;
      made->loc = gimple_location (directive);
      made->begin = begin;
      made->body_begin = made->test_begin = made->test_end = begin + 1;
      l->loops.safe_push (made);
    }
  l->code.safe_splice (prefix);
  append (l, gimple_omp_body (directive));
  for (unsigned dim = 0; dim < gimple_omp_for_collapse (directive); dim++)
    {
      l->loops[first + dim]->body_end = l->code.length ();
      l->loops[first + dim]->end = l->code.length () + 1;
    }
  l->code.safe_push (NULL);
}

/* The construct STMT, which all of its threads execute.  */
static void
append_threads (line *l, gimple *stmt, tree clauses)
{
  if (!l->threads)
    l->broken = gimple_code_name[gimple_code (stmt)];
  note_clauses (l, clauses, NULL);
  append (l, gimple_omp_body (stmt));
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_PRIVATE
	|| OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE)
      l->copies.safe_push ({ OMP_CLAUSE_DECL (c), l->code.length () });
}

static void
append_loop (line *l, gomp_for *loop)
{
  note_clauses (l, gimple_omp_for_clauses (loop), loop);
  if (gimple_omp_for_kind (loop) == GF_OMP_FOR_KIND_TASKLOOP)
    l->broken = "tasks";
  /* The loop that it is combined with counts the same.  */
  if (l->threads && gimple_omp_for_combined_p (loop))
    {
      append (l, gimple_omp_for_pre_body (loop));
      append (l, gimple_omp_body (loop));
    }
  else
    append_directive (l, loop, vNULL);
}

static void
append (line *l, gimple_seq seq)
{
  for (gimple_stmt_iterator gsi = gsi_start (seq); !gsi_end_p (gsi);
       gsi_next (&gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      if (l->left_out && l->left_out->contains (stmt))
	continue;
      switch (gimple_code (stmt))
	{
	case GIMPLE_BIND:
	  for (tree var = gimple_bind_vars (as_a<gbind *> (stmt)); var;
	       var = DECL_CHAIN (var))
	    l->decls.safe_push ({ var, l->code.length () });
	  append (l, gimple_bind_body (as_a<gbind *> (stmt)));
	  break;
	case GIMPLE_TRY:
	  if (gimple_try_kind (stmt) != GIMPLE_TRY_FINALLY
	      || !only_clobbers_p (gimple_try_cleanup (stmt)))
	    l->broken = "exception handling";
	  append (l, gimple_try_eval (stmt));
	  break;
	case GIMPLE_OMP_FOR:
	  append_loop (l, as_a<gomp_for *> (stmt));
	  break;
	case GIMPLE_OMP_TEAMS:
	  append_threads (l, stmt, gimple_omp_teams_clauses (stmt));
	  break;
	case GIMPLE_OMP_PARALLEL:
	  append_threads (l, stmt, gimple_omp_parallel_clauses (stmt));
	  break;

	/* No code.  */
	case GIMPLE_NOP:
	case GIMPLE_DEBUG:
	case GIMPLE_PREDICT:
	  break;

	case GIMPLE_ASSIGN:
	  if (gimple_clobber_p (stmt))
	    break;
	  /* FALLTHRU */
	case GIMPLE_CALL:
	case GIMPLE_COND:
	case GIMPLE_SWITCH:
	case GIMPLE_GOTO:
	case GIMPLE_LABEL:
	case GIMPLE_OMP_ATOMIC_LOAD:
	case GIMPLE_OMP_ATOMIC_STORE:
	  l->code.safe_push (stmt);
	  break;
	default:
	  l->broken = gimple_code_name[gimple_code (stmt)];
	  break;
	}
    }
}

static bool
label_p (const line *l, unsigned at)
{
  return at < l->code.length () && l->code[at]
	 && gimple_code (l->code[at]) == GIMPLE_LABEL;
}

/* Does a jump to TO arrive at AT, but for labels?  */
static bool
arrives_p (const line *l, int to, unsigned at)
{
  if (to < (int) at)
    return false;
  for (unsigned i = at; i < (unsigned) to; i++)
    if (!label_p (l, i))
      return false;
  return true;
}

/* Is the statement at AT one that sets a register from others?  */
static bool
plain_assignment_p (const line *l, unsigned at)
{
  return l->code[at] && is_gimple_assign (l->code[at])
	 && DECL_P (gimple_assign_lhs (l->code[at]))
	 && register_p (gimple_assign_lhs (l->code[at]));
}

/* Take the step of L from the statement at AT.  */
static bool
take_step (const line *l, line_loop *loop, unsigned at)
{
  gimple *stmt = l->code[at];
  if (!stmt || !is_gimple_assign (stmt)
      || gimple_assign_rhs_code (stmt) != PLUS_EXPR
      || gimple_assign_lhs (stmt) != gimple_assign_rhs1 (stmt)
      || TREE_CODE (gimple_assign_rhs2 (stmt)) != INTEGER_CST
      || !DECL_P (gimple_assign_lhs (stmt))
      || !register_p (gimple_assign_lhs (stmt))
      || TREE_CODE (TREE_TYPE (gimple_assign_lhs (stmt))) != INTEGER_TYPE
      || TYPE_PRECISION (TREE_TYPE (gimple_assign_lhs (stmt))) > 64)
    return false;
  loop->index = gimple_assign_lhs (stmt);
  loop->step = int_cst_value (gimple_assign_rhs2 (stmt));
  return loop->step != 0;
}

/* LOOP goes on while A CODE B: find out which one is the index, and whether
   it counts up to the bound without a wrap.  */
static bool
take_condition (line_loop *loop, tree_code code, tree a, tree b)
{
  if (b == loop->index)
    {
      std::swap (a, b);
      code = swap_tree_comparison (code);
    }
  if (a != loop->index)
    return false;
  tree type = TREE_TYPE (loop->index);
  bool one = loop->step == 1 || loop->step == -1;
  if (code == NE_EXPR && one && TYPE_OVERFLOW_UNDEFINED (type))
    code = loop->step > 0 ? LT_EXPR : GT_EXPR;
  if (!one && !TYPE_OVERFLOW_UNDEFINED (type))
    return false;
  if (loop->step > 0 ? code != LT_EXPR && code != LE_EXPR
		     : code != GT_EXPR && code != GE_EXPR)
    return false;
  loop->cond = code;
  loop->bound_expr = b;
  return true;
}

/* LOOP goes on at GO_ON, its test is TEST at the end of the test's
   statements.  */
static bool
take_test (const line *l, line_loop *loop, gcond *test, tree go_on)
{
  tree_code code = gimple_cond_code (test);
  tree a = gimple_cond_lhs (test), b = gimple_cond_rhs (test);
  if (code == NE_EXPR && integer_zerop (b) && a != loop->index)
    /* A comparison kept in a variable.  */
    for (unsigned i = loop->test_begin; i < loop->test_end; i++)
      {
	gimple *stmt = l->code[i];
	if (gimple_assign_lhs (stmt) == a
	    && TREE_CODE_CLASS (gimple_assign_rhs_code (stmt))
		 == tcc_comparison)
	  {
	    code = gimple_assign_rhs_code (stmt);
	    a = gimple_assign_rhs1 (stmt);
	    b = gimple_assign_rhs2 (stmt);
	    break;
	  }
      }
  if (!INTEGRAL_TYPE_P (TREE_TYPE (a)))
    return false;
  if (gimple_cond_true_label (test) != go_on)
    code = invert_tree_comparison (code, false);
  return take_condition (loop, code, a, b);
}

/* The loop whose jump back, at BACK, has its test.  */
static bool
test_last_p (const line *l, line_loop *loop, unsigned head, unsigned back)
{
  gcond *test = as_a<gcond *> (l->code[back]);
  bool to_head = jump_target (l, test, 0) == (int) head;
  if (!arrives_p (l, jump_target (l, test, to_head), back + 1) || head == 0
      || !l->code[head - 1]
      || gimple_code (l->code[head - 1]) != GIMPLE_GOTO)
    return false;
  int entry = jump_target (l, l->code[head - 1], 0);
  if (entry <= (int) head + 1 || entry >= (int) back)
    return false;
  for (unsigned i = entry + 1; i < back; i++)
    if (!plain_assignment_p (l, i))
      return false;
  loop->form = LOOP_TEST_LAST;
  loop->begin = head - 1;
  loop->body_begin = head + 1;
  loop->body_end = entry - 1;
  loop->test_begin = entry + 1;
  loop->test_end = back;
  return take_step (l, loop, loop->body_end)
	 && take_test (l, loop, test,
		       to_head ? gimple_cond_true_label (test)
			       : gimple_cond_false_label (test));
}

/* The loop whose test follows the label at HEAD.  */
static bool
test_first_p (const line *l, line_loop *loop, unsigned head, unsigned back)
{
  unsigned at = head + 1;
  while (at < back && plain_assignment_p (l, at))
    at++;
  gcond *test = l->code[at] ? dyn_cast<gcond *> (l->code[at]) : NULL;
  if (!test || at + 3 > back)
    return false;
  bool first_on = jump_target (l, test, 0) == (int) at + 1;
  if (!first_on && jump_target (l, test, 1) != (int) at + 1)
    return false;
  if (!arrives_p (l, jump_target (l, test, first_on), back + 1))
    return false;
  loop->form = LOOP_TEST_FIRST;
  loop->begin = head;
  loop->body_begin = at + 2;
  loop->body_end = back - 1;
  loop->test_begin = head + 1;
  loop->test_end = at;
  return take_step (l, loop, loop->body_end)
	 && take_test (l, loop, test,
		       first_on ? gimple_cond_true_label (test)
				: gimple_cond_false_label (test));
}

static void
take_goto_loop (line *l, unsigned head, unsigned back)
{
  line_loop *made = new line_loop ();
  made->loc = gimple_location (l->code[back]);
  bool counts = gimple_code (l->code[back]) == GIMPLE_COND
		  ? test_last_p (l, made, head, back)
		: gimple_code (l->code[back]) == GIMPLE_GOTO
		  ? test_first_p (l, made, head, back)
		  : false;
  if (!counts)
    {
      made->begin = head;
      made->broken = "not a counted loop";
    }
  made->end = back + 1;
  l->loops.safe_push (made);
}

static void
take_directive_loop (line *l, line_loop *loop)
{
  gomp_for *f = loop->directive;
  tree incr = gimple_omp_for_incr (f, loop->dim);
  loop->index = gimple_omp_for_index (f, loop->dim);
  loop->step = 0;
  if (DECL_P (loop->index)
      && TREE_CODE (TREE_TYPE (loop->index)) == INTEGER_TYPE
      && (TREE_CODE (incr) == PLUS_EXPR || TREE_CODE (incr) == MINUS_EXPR)
      && tree_fits_shwi_p (TREE_OPERAND (incr, 1)))
    loop->step = TREE_CODE (incr) == PLUS_EXPR
		   ? int_cst_value (TREE_OPERAND (incr, 1))
		   : -int_cst_value (TREE_OPERAND (incr, 1));
  if (loop->step == 0
      || !take_condition (loop, gimple_omp_for_cond (f, loop->dim),
			  loop->index, gimple_omp_for_final (f, loop->dim)))
    loop->dependent = "its counting is not understood";
}

static int
by_place (const void *a, const void *b)
{
  const line_loop *x = *(line_loop *const *) a, *y = *(line_loop *const *) b;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  if (x->end != y->end)
    return x->end > y->end ? -1 : 1;
  return x->dim < y->dim ? -1 : x->dim > y->dim;
}

/* Make the tree of loops.  */
static void
nest_loops (line *l)
{
  l->loops.qsort (by_place);
  line_loop *outer = NULL;
  for (unsigned i = 0; i < l->loops.length (); i++)
    {
      line_loop *it = l->loops[i];
      while (outer && outer->end <= it->begin)
	outer = outer->outer;
      if (outer
	  && (it->end > outer->end
	      || (it->begin == outer->begin && !it->directive)))
	{
	  l->broken = "irregular loops";
	  return;
	}
      it->outer = outer;
      it->depth = outer ? outer->depth + 1 : 0;
      if (outer)
	outer->inner.safe_push (it);
      outer = it;
    }
}

static bool
within_p (const line_loop *loop, int at)
{
  return at >= (int) loop->begin && at < (int) loop->end;
}

/* A jump other than its own makes LOOP impossible to rewrite when it crosses
   the loop's border or goes to its step or test.  */
static void
check_jump (line_loop *loop, unsigned from, int to)
{
  bool inside = within_p (loop, from);
  bool own = inside
	     && (from < loop->body_begin || from >= loop->body_end);
  if (own && loop->form != LOOP_DIRECTIVE)
    return;
  if (inside != within_p (loop, to))
    loop->broken = inside ? "it may end early" : "it is entered by a jump";
  else if (inside
	   && (to < (int) loop->body_begin || to >= (int) loop->body_end))
    loop->broken = "not a counted loop";
}

static void
check_jumps (line *l)
{
  for (unsigned from = 0; from < l->code.length (); from++)
    {
      int to;
      for (unsigned n = 0; (to = jump_target (l, l->code[from], n)) != -1; n++)
	{
	  if (to == -2)
	    {
	      l->broken = "jumps elsewhere";
	      return;
	    }
	  for (unsigned i = 0; i < l->loops.length (); i++)
	    if (!l->loops[i]->broken)
	      check_jump (l->loops[i], from, to);
	}
    }
}

/* Find the loops of L, which is written.  */
static void
find_loops (line *l)
{
  if (l->broken)
    return;
  for (unsigned i = 0; i < l->loops.length (); i++)
    take_directive_loop (l, l->loops[i]);
  for (unsigned at = 0; at < l->code.length (); at++)
    {
      int to;
      for (unsigned n = 0; (to = jump_target (l, l->code[at], n)) != -1; n++)
	if (to >= 0 && to <= (int) at)
	  take_goto_loop (l, to, at);
    }
  nest_loops (l);
  if (!l->broken)
    check_jumps (l);
}

void
line_make (line *l, region *r)
{
  l->r = r;
  append (l, gimple_omp_body (r->stmt));
  find_loops (l);
}

void
line_make_serial (line *l, region *r)
{
  l->threads = true;
  line_make (l, r);
}

void
line_make_nest (line *l, region *r, const vec<gimple *> &before,
		gomp_for *loop, const vec<gimple *> &prefix)
{
  l->r = r;
  l->code.safe_splice (before);
  append_directive (l, loop, prefix);
  find_loops (l);
}

void
line_release (line *l)
{
  for (unsigned i = 0; i < l->loops.length (); i++)
    delete l->loops[i];
  l->loops.truncate (0);
}

void
line_loop_set_parallel (line_loop *loop, bool parallel)
{
  loop->parallel = parallel;
  if (loop->directive
      && loop->dim + 1 < gimple_omp_for_collapse (loop->directive))
    line_loop_set_parallel (loop->inner[0], parallel);
}

void
line_set_parallel (line *l, line_loop *loop)
{
  for (unsigned i = 0; i < l->loops.length (); i++)
    l->loops[i]->parallel = false;
  line_loop_set_parallel (loop, true);
}

bool
line_written_by_name_p (const line *l, tree var)
{
  for (unsigned i = 0; i < l->accesses.length (); i++)
    if (l->accesses[i].write && reference_base (l->accesses[i].ref) == var)
      return true;
  return false;
}
