/* Statements that the plugin writes.

   Code is written in the order in which it stands there, by functions that add
   statements to a sequence.  It is to read like what it makes:

     code c = seq;
     val rest = c.let ("rest", all - each * n);
     c.if_ (rank == 0, [&] { c.set (left, rest); });
     c.while_ (i < n, [&] {
       c.set (sum, sum + element (i, c));
       c.set (i, i + 1);
     });

   An operand of a test must be a variable or a constant: what c.var and c.let
   give.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_CODE_H
#define ACCRETE_CODE_H

#include "base/base.h"
#include "gimplify.h"
#include "tree-inline.h"
#include "omp-low.h"

/* ---- Values ---- */

/* An expression, with the operators of C.  The result of one has the type of its
   left operand, to which the right one is converted; a number takes the type of
   the other operand.  A shift leaves its distance as it is.  */
struct val
{
  tree t;
  val (tree expr = NULL_TREE) : t (expr) {}
  operator tree () const { return t; }

  /* The value converted to TYPE.  */
  val
  as (tree type) const
  {
    return fold_convert (type, t);
  }
};

/* A comparison: to branch by, or a value of boolean type.  */
struct test
{
  enum tree_code code;
  tree a, b;
  operator val () const { return fold_build2 (code, boolean_type_node, a, b); }
};

/* EXPR, or the number N, as an operand of TYPE.  */
static inline tree
operand_of (tree type, tree expr)
{
  return fold_convert (type, expr);
}

static inline tree
operand_of (tree type, HOST_WIDE_INT n)
{
  return build_int_cst (type, n);
}

/* The type of the operands A and B, of which one is an expression.  */
static inline tree
type_of (tree a, tree)
{
  return TREE_TYPE (a);
}

static inline tree
type_of (tree a, HOST_WIDE_INT)
{
  return TREE_TYPE (a);
}

static inline tree
type_of (HOST_WIDE_INT, tree b)
{
  return TREE_TYPE (b);
}

/* RESULT where A or B is a val: the operators are not for bare trees.  */
template <typename a, typename b, typename result> struct if_val {};
template <typename b, typename result> struct if_val<val, b, result>
{
  typedef result type;
};
template <typename a, typename result> struct if_val<a, val, result>
{
  typedef result type;
};
template <typename result> struct if_val<val, val, result>
{
  typedef result type;
};

#define VAL_OPERATOR(op, code)						      \
  template <typename A, typename B>					      \
  static inline typename if_val<A, B, val>::type			      \
  operator op (A a, B b)						      \
  {									      \
    tree type = type_of (a, b);						      \
    return fold_build2 (code, type, operand_of (type, a),		      \
			operand_of (type, b));				      \
  }
VAL_OPERATOR (+, PLUS_EXPR)
VAL_OPERATOR (-, MINUS_EXPR)
VAL_OPERATOR (*, MULT_EXPR)
VAL_OPERATOR (/, TRUNC_DIV_EXPR)
VAL_OPERATOR (%, TRUNC_MOD_EXPR)
VAL_OPERATOR (&, BIT_AND_EXPR)
VAL_OPERATOR (|, BIT_IOR_EXPR)
VAL_OPERATOR (^, BIT_XOR_EXPR)
#undef VAL_OPERATOR

static inline val
operator<< (val a, val by)
{
  return fold_build2 (LSHIFT_EXPR, TREE_TYPE (a.t), a, by);
}

static inline val
operator>> (val a, val by)
{
  return fold_build2 (RSHIFT_EXPR, TREE_TYPE (a.t), a, by);
}

static inline val
operator<< (val a, int by)
{
  return a << val (build_int_cst (unsigned_type_node, by));
}

static inline val
operator>> (val a, int by)
{
  return a >> val (build_int_cst (unsigned_type_node, by));
}

#define VAL_TEST(op, code)						      \
  template <typename A, typename B>					      \
  static inline typename if_val<A, B, test>::type			      \
  operator op (A a, B b)						      \
  {									      \
    tree type = type_of (a, b);						      \
    return { code, operand_of (type, a), operand_of (type, b) };	      \
  }
VAL_TEST (==, EQ_EXPR)
VAL_TEST (!=, NE_EXPR)
VAL_TEST (<, LT_EXPR)
VAL_TEST (<=, LE_EXPR)
VAL_TEST (>, GT_EXPR)
VAL_TEST (>=, GE_EXPR)
#undef VAL_TEST

/* The lesser, or the greater, of A and B, of A's type.  */
template <typename B>
static inline val
min_of (val a, B b)
{
  tree type = TREE_TYPE (a.t);
  return fold_build2 (MIN_EXPR, type, a, operand_of (type, b));
}

template <typename B>
static inline val
max_of (val a, B b)
{
  tree type = TREE_TYPE (a.t);
  return fold_build2 (MAX_EXPR, type, a, operand_of (type, b));
}

/* A / B, rounded up; of A's type.  */
template <typename B>
static inline val
ceiling_of (val a, B b)
{
  tree type = TREE_TYPE (a.t);
  return fold_build2 (CEIL_DIV_EXPR, type, a, operand_of (type, b));
}

/* A where T is true, else B; of A's type.  */
template <typename B>
static inline val
select (test t, val a, B b)
{
  tree type = TREE_TYPE (a.t);
  return fold_build3 (COND_EXPR, type, val (t), a, operand_of (type, b));
}

/* Numbers of 32 and 64 bits, unsigned.  */
static inline val
u32 (HOST_WIDE_INT n)
{
  return build_int_cst (unsigned_type_node, n);
}

static inline val
u64 (HOST_WIDE_INT n)
{
  return build_int_cst (uint64_type_node, n);
}

/* ---- Statements ---- */

/* What writes the statements inside others: a lambda, which lives as long as the
   call that it is an argument of.  */
template <typename... arguments> struct writer
{
  const void *lambda;
  void (*call) (const void *, arguments...);
  template <typename F>
  writer (const F &f)
    : lambda (&f), call ([] (const void *l, arguments... a) {
	(*(const F *) l) (a...);
      })
  {}
  void operator() (arguments... a) const { call (lambda, a...); }
};

/* A sequence that is being written.  */
struct code
{
  gimple_seq *seq;
  code (gimple_seq *to) : seq (to) {}
  operator gimple_seq * () const { return seq; }

  /* A new variable of TYPE called after NAME; it begins as FROM.  */
  val var (tree type, const char *name) const;
  template <typename T>
  val
  var (tree type, const char *name, T from) const
  {
    val v = var (type, name);
    set (v, from);
    return v;
  }

  /* The value that EXPR has here, in a new variable unless it is constant.  */
  val let (const char *name, val expr) const;

  /* TO = EXPR.  */
  void set (tree to, tree expr) const;
  void set (tree to, val expr) const { set (to, expr.t); }
  void set (tree to, test t) const { set (to, val (t).t); }
  template <typename N>
  void
  set (tree to, N n) const
  {
    set (to, build_int_cst (TREE_TYPE (to), n));
  }

  /* A call of the built-in function FN with a result of TYPE, called NAME.  */
  val call (enum built_in_function fn, tree type, const char *name,
	    val a) const;
  /* N is added to the 64-bit word at ADDRESS, atomically; OLD, unless it is NULL,
     becomes what that was before.  */
  void fetch_add (val old, val address, val n) const;

  /* Jumps.  A label is made by code_label, and stands in one place.  A condition
     is an expression, shared with nothing; so are those of if_.  */
  void go (tree label) const;
  void at (tree label) const;
  /* Go on when T, else to ELSEWHERE.  */
  void need (test t, tree elsewhere) const;
  void branch (test t, tree yes, tree no) const;
  void branch (tree condition, tree yes, tree no) const;

  /* Structures.  */
  void if_ (test t, writer<> then) const;
  void if_ (tree condition, writer<> then) const;
  void if_ (test t, writer<> then, writer<> otherwise) const;
  void if_ (tree condition, writer<> then, writer<> otherwise) const;
  void unless_ (test t, writer<> otherwise) const;
  void while_ (test t, writer<> body) const;
  void do_ (writer<> body, test again) const;
  /* For ever, but for jumps to the label behind it that BODY gets.  */
  void loop_ (writer<tree> body) const;
  /* N times, a variable of its type, with the number of the time.  */
  void times_ (val n, writer<val> body) const;
};

/* ---- Parts ---- */

tree code_label (void);

/* A new variable of TYPE called after NAME, for the gimplify context.  */
tree code_temp (tree type, const char *name);

/* EXPR, of any integer or pointer type, modulo the width of TYPE.  */
tree code_unsigned (tree type, tree expr);

/* Add TO = EXPR to SEQ.  */
void code_set (tree to, tree expr, gimple_seq *seq);

/* Add a new variable with the value EXPR to SEQ.  */
tree code_value (tree expr, const char *name, gimple_seq *seq);

/* A statement that is DEVICE in the compiler for the device and HOST in the
   host's, once .GOMP_USE_SIMT has been resolved: the function must not have
   PROP_gimple_lomp_dev after omp-low.  */
gimple *code_two_forms (gimple *device, gimple_seq host);

/* An instruction that GCC does not see through, and TEXT a comment at most: TO
   becomes FROM.  */
gasm *code_opaque_copy (tree to, tree from, const char *text = "");

/* Put SEQ, made in the gimplify context that this ends, before the construct
   TARGET.  */
void code_put_before (gimple *target, gimple_seq seq);

#endif /* ACCRETE_CODE_H */
