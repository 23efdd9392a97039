/* Loops of a compute construct whose directives do not say everything: what
   they count, what they do to scalars and memory, and which of them may run
   their iterations in any order.

   A construct's way: loop.cc writes its body as one line of statements and
   finds the loops in it, goto loops as well as loop directives; flow.cc walks
   the line once, as the program would, and notes the values of subscripts
   and the accesses; depend.cc compares the accesses; kernels.cc rewrites.

   All of this lives as long as the struct line.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_LOOP_H
#define ACCRETE_LOOP_H

#include "accrete.h"

/* affine.cc: sums of products of symbols, exact in the integers (or modulo
   2^64 where the source computes in that width).  */

enum
{
  AFFINE_TERMS = 10,
  AFFINE_DEGREE = 4
};

struct affine_term
{
  HOST_WIDE_INT factor;
  /* Symbols, ascending, the unused ones first and -1.  */
  int symbol[AFFINE_DEGREE];
};

struct affine
{
  /* -1 when the value is not known.  Terms are sorted by their symbols, the
     constant first, and no factor is 0.  */
  int n;
  affine_term term[AFFINE_TERMS];
};

struct line_loop;

/* What a symbol stands for.  */
struct symbol
{
  /* An expression with one value in the whole construct; the index of
     COUNTED, a variable of its own, where that is set; or where LOADED is, what an
     iteration loads there, which nothing in the construct stores.  */
  tree expr;
  line_loop *counted;
  affine *loaded;
};

/* Forget all symbols.  */
void affine_reset (void);

/* The number of the symbol for EXPR, the same for equal expressions.  */
int affine_symbol (tree expr, line_loop *counted);

/* The number of the symbol for what is loaded from the address AT, by REF.  */
int affine_loaded_symbol (tree ref, const affine *at);

const symbol *affine_symbol_of (int number);

affine affine_unknown (void);
affine affine_constant (HOST_WIDE_INT value);
affine affine_of_symbol (int number);
/* A + SCALE * B.  */
affine affine_add (affine a, HOST_WIDE_INT scale, affine b);
affine affine_multiply (affine a, affine b);

/* Are both known, and the same?  */
bool affine_equal_p (const affine *a, const affine *b);

/* Is A known and no symbol in it?  */
bool affine_constant_p (const affine *a, HOST_WIDE_INT *value);

/* The number of the symbol of LOOP's index.  */
int affine_index_symbol (const line_loop *l);

/* Split A into *COEFFICIENT * SYMBOL + *REST.  False when SYMBOL occurs in
   another power.  */
bool affine_split (const affine *a, int symbol, affine *coefficient,
		   affine *rest);

/* Does the symbol occur in A?  */
bool affine_mentions_p (const affine *a, int symbol);

/* Does A depend on the index of any loop, or on what is loaded?  */
bool affine_varies_p (const affine *a);

/* An expression of TYPE for the known A without loop indices.  */
tree affine_tree (const affine *a, tree type);

/* The least, or with UPPER the greatest, value of A over the iterations of all
   loops, as an expression of type ssizetype; NULL when not known.  */
tree affine_extreme (const affine *a, bool upper);

/* loop.cc */

enum
{
  /* Subscripts of an array that are looked at one by one.  */
  ACCESS_DIMS = 7
};

/* One access to memory.  */
struct line_access
{
  gimple *stmt;
  /* As in the source.  */
  tree ref;
  bool write;
  /* The innermost loop around, or NULL.  */
  line_loop *in;
  /* Address, in bytes, and the object it lies in: an index into
     region.objects.  */
  affine address;
  unsigned object;
  /* Bytes, 0 when not constant.  */
  HOST_WIDE_INT size;
  /* The value read is the symbol of REF: nothing may write there.  */
  bool symbolic;
  /* Where REF is a subscripted array, ROOT the array's address and the
     subscripts, outermost dimension first; else DIMS is 0.  */
  affine root;
  int dims;
  affine subscript[ACCESS_DIMS];
};

/* A scalar variable that is combined with another value; ERROR_MARK stands
   for several operators.  */
struct combination
{
  tree var;
  tree_code op;
};

/* Where the two jumps of a goto loop are.  */
enum loop_form
{
  /* A loop directive.  */
  LOOP_DIRECTIVE,
  /* goto TEST; BODY: ... i += step; TEST: if (...) goto BODY; (C, C++) */
  LOOP_TEST_LAST,
  /* BODY: if (...) goto EXIT; ... i += step; goto BODY; (Fortran) */
  LOOP_TEST_FIRST
};

struct line_loop
{
  loop_form form;
  /* The directive, or NULL.  */
  gomp_for *directive;
  location_t loc;
  line_loop *outer;
  auto_vec<line_loop *> inner;
  /* How many loops are around it.  */
  int depth;
  /* Which of the collapsed loops of DIRECTIVE this is; they share one
     body.  */
  unsigned dim;

  /* Places on the line: the loop is [begin, end), the statements that belong
     to its body [body_begin, body_end), and those that compute the bound
     [test_begin, test_end).  */
  unsigned begin, end, body_begin, body_end, test_begin, test_end;

  /* It counts INDEX from FIRST by STEP while INDEX COND BOUND.  */
  tree index;
  tree bound_expr;
  affine first, bound;
  HOST_WIDE_INT step;
  tree_code cond;
  /* Under a condition inside of OUTER.  */
  bool conditional;

  /* Why it cannot be rewritten at all, or cannot be proved independent;
     NULL: it can.  */
  const char *broken, *dependent;

  /* Register variables that the body sets other than by combining them; those
     whose value an iteration uses before it sets them; those that have been
     set at each iteration's end.  */
  auto_vec<tree> assigned, exposed, certain;
  /* Those that iterations hand on, by combining them.  */
  auto_vec<combination> combined;

  /* The decision: iterations run in parallel.  */
  bool parallel;
};

/* A variable declared on the line, or that means another one in front of a place.  */
struct line_decl
{
  tree var;
  unsigned at;
};

/* Two objects, by their numbers, and a loop in which accesses to the one are apart
   from those to the other.  */
struct object_pair
{
  unsigned a, b;
  const line_loop *in;
};

/* A construct's body.  */
struct line
{
  region *r;
  /* Binds are dissolved, a directive's body follows it, and NULL ends it.  */
  auto_vec<gimple *> code;
  auto_vec<line_decl> decls;
  /* In the order of the source, outer ones before inner ones; owned.  */
  auto_vec<line_loop *> loops;
  auto_vec<line_access> accesses;
  /* What conditions say that depend.cc has made.  */
  auto_vec<object_pair> apart;
  /* Teams, threads and combined loops are dissolved as well: each statement
     then stands for what at least one thread does.  */
  bool threads;
  /* Variables that have another value in constructs than in front of them,
     without a statement that says so.  */
  auto_vec<tree> changed;
  /* And those that are others in constructs, which begin without a value.  */
  auto_vec<tree> privates;
  /* Those of which constructs that are dissolved have copies, up to a place.  */
  auto_vec<line_decl> copies;
  /* What iterations load, to make subscripts of, has symbols too; line_forget_loaded
     is to be asked whether that is right.  */
  bool loads = false;
  /* Statements that are not on it, or NULL.  */
  hash_set<gimple *> *left_out = NULL;
  /* Why nothing can be done, or NULL.  */
  const char *broken;
};

/* Write the body of R as a line and find its loops.  */
void line_make (line *l, region *r);
void line_release (line *l);

/* The same for an OpenMP region as well, all of whose threads become one.  */
void line_make_serial (line *l, region *r);

/* Write a nest as a line: BEFORE, and LOOP, whose body begins with PREFIX.  */
void line_make_nest (line *l, region *r, const vec<gimple *> &before,
		     gomp_for *loop, const vec<gimple *> &prefix);

/* Place of the label LABEL, or -1.  */
int line_label (const line *l, tree label);

/* Place of STMT, which is on the line.  */
unsigned line_place (const line *l, const gimple *stmt);

/* Where the N-th target of the jump at place AT is; -1 when there are no more,
   -2 when it is not on the line.  */
int line_jump_target (const line *l, unsigned at, unsigned n);

/* Is A's statement executed in every iteration of the loop that A is directly
   in?  */
bool line_always_p (const line *l, const line_access *a);

/* Does L store to VAR by its name?  */
bool line_written_by_name_p (const line *l, tree var);

/* Is the variable VAR declared on the line?  */
bool line_declares_p (const line *l, tree var);

/* Does a statement on the line set the variable VAR, or a loop count it?  */
bool line_sets_p (const line *l, tree var);

/* Can the statements of IN, or of the whole line, before BEGIN jump to END or
   further?  */
bool line_jumped_over_p (const line *l, const line_loop *in, unsigned begin,
			 unsigned end);

/* Decide that the iterations of LOOP, and of what its directive collapses with it,
   run in PARALLEL, or not.  */
void line_loop_set_parallel (line_loop *loop, bool parallel);

/* Decide that of L's loops LOOP alone runs in parallel.  */
void line_set_parallel (line *l, line_loop *loop);

/* The loop that BEGINs at AT directly in OUTER, or NULL.  */
line_loop *line_loop_at (const line *l, const line_loop *outer, unsigned at);

/* stride.cc */

/* How an access moves with a loop's index.  */
enum movement
{
  MOVE_NOT,
  /* To the next element.  */
  MOVE_NEXT,
  MOVE_FAR,
  MOVE_UNKNOWN
};

/* The bytes from A's place in an iteration of LOOP to that in the next; false
   when they depend on more than symbols.  Not constant: INT_MAX.  */
bool line_stride (const line_access *a, const line_loop *loop, HOST_WIDE_INT *bytes);

movement line_movement (const line_access *a, const line_loop *loop);

/* Has LOOP so few iterations that no warp has work in it?  */
bool line_short_p (const line_loop *loop);

/* flow.cc: the values and accesses of L's loops.  */
void flow_find (line *l);

/* cover.cc */

/* Accesses to OBJECT in one iteration of the loop IN, or in none, that leave no gap.  */
struct cover
{
  const line_loop *in;
  unsigned object;
  affine at;
  HOST_WIDE_INT bytes;
};

/* Add ADD to COVERS, with those that it touches.  */
void cover_add (vec<cover> *covers, cover add);

/* Of L, whose accesses are known: an address or subscript is unknown that is made of what
   a store for which APART is false may change.  */
void line_forget_loaded (line *l,
			 bool (*apart) (const line_access *load,
					const line_access *store, void *data),
			 void *data);

/* subscripts.cc */

/* Are A and B, of one shape and in one array, in different places in different
   iterations of WHAT, by all of their subscripts?  */
bool subscripts_apart_p (const line_loop *what, const line_access *a,
			 const line_access *b);

/* Can A, a store in each iteration, be taken to store in another place in each?  */
bool subscripts_once_p (const line *l, const line_access *a);

/* Does A store in each iteration of WHAT, whose BODY is the innermost loop that its
   directive collapses with it?  GIVEN gets the values by which the place is another one
   in each.  */
bool subscripts_stored_p (const line *l, const line_loop *what,
			  const line_loop *body, const line_access *a,
			  vec<affine> *given);

/* Are A and B, of one shape and in one array, in places that the N values GIVEN tell
   apart?  */
bool subscripts_given_p (const line_access *a, const line_access *b,
			 const affine *given, unsigned n);

/* depend.cc */

/* May the iterations of LOOP run in any order?  NULL if so, else why not.
   *GUARD gets a condition to be checked when the program runs, in addition to
   what it is already; it is true before the first call.  */
const char *depend_loop (line *l, const line_loop *what, tree *guard);

/* The body of WHAT is two bodies, one behind the other, and the second's
   accesses are those from number BORDER on.  Is it the same to execute all
   iterations of the first before those of the second, and each of the first
   just before that of the second?  As depend_loop; PAIR gets two accesses that
   are in the way.  */
const char *depend_between (line *l, const line_loop *what, unsigned border,
			    tree *guard, const line_access **pair);

/* Are A and B accesses to objects that cannot overlap?  */
bool depend_objects_apart_p (const line *l, const line_access *a,
			     const line_access *b);

/* The same where the conditions hold that have been made.  */
bool depend_objects_apart_if_p (const line *l, const line_access *a,
				const line_access *b);

/* Are A and B, in the loop WHAT, accesses to different bytes in whatever
   iterations?  GUARD as for depend_loop.  */
bool depend_accesses_apart_p (line *l, const line_loop *what,
			      const line_access *a, const line_access *b,
			      tree *guard);

/* Do A and B, of which one is a write, access different bytes in different
   iterations of the loop WHAT?  GUARD as for depend_loop.  */
bool depend_iterations_apart_p (line *l, const line_loop *what,
				const line_access *a, const line_access *b,
				tree *guard);

/* Can the write B not change what the load A, of a pointer or number,
   gives?  */
bool depend_load_apart_p (const line *l, const line_access *a,
			  const line_access *b);

/* pointer.cc */

/* Can A, an address or a distance on the line L, be computed wherever it is
   used?  */
bool line_computable_p (const line *l, const affine *a);

/* A pointer that has been computed.  */
struct known_pointer
{
  affine address;
  tree pointer;
};

/* A distance of addresses that is a register's value.  */
struct known_distance
{
  affine is;
  tree number;
};

/* What one run of statements has of them.  */
struct pointers
{
  pointers (const line *of) : l (of), follow (0) {}
  const line *l;
  /* Accesses whose pointers are others and a distance.  */
  unsigned follow;
  auto_vec<known_pointer> known;
  auto_vec<known_distance> distances;
};

/* May A, on the line L, be given another address, and is that of use?  */
bool pointer_access_p (const line *l, const line_access *a);

/* Let *REF, the access A of a point whose statement is now the one at GSI, be to a
   pointer that follows from one that P has.  ADDRESS is A's, where the point is
   in another row than A's expressions say.  Statements go before GSI.  */
void pointer_share (pointers *p, gimple_stmt_iterator *gsi, tree *ref,
		    const line_access *a, const affine *address);

/* kernels.cc: run the loops of FUN's kernels constructs in parallel.  */
void kernels_rewrite (function *fun);

/* fuse/fuse.cc: let neighbouring constructs of FUN be one where that is legal
   and pays.  */
void fuse_constructs (function *fun);

/* The same for those that read a matrix along its rows and along its columns, behind
   fuse_constructs and resident_loops; and say which stayed apart.  */
void fuse_columns (function *fun);

/* fuse/fuse-exact.cc: let SEQ, the code of a kernel that was fused, round as
   the kernel's sources do.  */
void fuse_finish (gimple_seq *seq);

/* Is VAR between the load and the store of a sum that may be added in any order, and
   whose place nobody else accesses?  */
bool fuse_sum_p (tree var);

/* Is fuse_finish needed for the host's code, too?  */
bool fuse_host_contracts_p (void);

/* ---- Resident loops: resident.cc ---- */

/* Let loops of FUN's host code over regions have constructs beside them that stand
   for the loop.  */
void resident_loops (function *fun);

/* Is STMT such a construct; and would the host wait between its regions, for
   results?  Until resident_forget.  */
bool resident_p (const gomp_target *stmt);
bool resident_waits_p (const gomp_target *stmt);
void resident_forget (void);

/* Let *KERNEL be the kernel of R, which is of such a construct.  NULL, or why
   not.  */
const char *resident_make (region *r, gimple **kernel);

#endif /* ACCRETE_LOOP_H */
