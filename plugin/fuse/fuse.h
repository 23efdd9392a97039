/* Vertical fusion: what the files fuse*.cc share.

   A pair's way: fuse-run.cc finds neighbouring constructs and the host code
   between them, which fuse-host.cc judges; fuse-shape.cc takes copies of both
   apart, fuse-rows.cc gives both the same levels, fuse-bounds.cc compares their
   ranges, fuse-own.cc gives iterations scalars of their own, fuse-merge.cc makes one
   construct of them; fuse-clause.cc and
   fuse-map.cc merge their clauses;
   fuse-legal.cc asks whether the order of memory accesses is kept; fuse-pay.cc
   whether it can be worth it; fuse-exact.cc keeps the rounding of both;
   fuse-forward.cc keeps in registers what goes from one body to the other, and
   drops stores that nobody reads, as fuse-unread.cc knows; fuse-jam.cc makes one
   loop of two inside of rows; fuse-turn.cc lets sums of columns go along rows;
   fuse.cc leads through all that and puts the result in place.  docs/fusion.md has the rule and its proof.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_FUSE_H
#define ACCRETE_FUSE_H

#include "loop/loop.h"
#include "data/number.h"

enum
{
  /* Constructs that become one, at the most.  */
  FUSE_CHAIN = 8
};

/* ---- Runs of neighbours: fuse-run.cc ---- */

/* Host code in which control does not leave scopes of the compiler's own.
   AROUND are the data constructs that the code is in, the outermost first.  */
struct host_run
{
  /* Its statements, where they stand.  */
  auto_vec<gimple_stmt_iterator> places;
  /* The compiler's scopes in it.  */
  auto_vec<gbind *> scopes;
  auto_vec<gomp_target *> around;
  /* The scope of the run.  */
  gbind *scope;
};

/* Call VISIT (RUN, DATA) for each run of FUN's host code that may hold
   neighbouring constructs.  It may change what is in the run.  */
void fuse_each_run (function *fun, void (*visit) (host_run *, void *),
		    void *data);

/* ---- One construct: fuse-shape.cc ---- */

/* A variable, or a statement, between the target and its loop: in so many
   constructs.  */
struct fuse_local
{
  tree var;
  unsigned depth;
};

struct fuse_before
{
  gimple_stmt_iterator at;
  unsigned depth;
};

/* Constructs one inside the other, the last of which is the loop.  */
struct fuse_shape
{
  gomp_target *stmt;
  auto_vec<gimple_stmt_iterator, 8> levels;
  gomp_for *loop;
  auto_vec<fuse_local, 16> locals;
  auto_vec<fuse_before, 8> before;
  /* The loop's body has constructs: each iteration is a row, which several
     threads share.  */
  bool rows;
};

/* Take STMT apart, again when it has changed.  False when it is not of that
   form.  */
bool fuse_take (gomp_target *stmt, fuse_shape *shape);

static inline gimple *
fuse_level (const fuse_shape *shape, unsigned i)
{
  return gsi_stmt (shape->levels[i]);
}

/* A variable that each iteration of the loop IN, of a construct, may have for itself.  */
struct fuse_own
{
  tree var;
  gomp_for *in;
};

/* Are A and B constructs of the same kinds, with as many loops, and both with rows or
   both without?  */
bool fuse_alike_p (const fuse_shape *a, const fuse_shape *b);

/* Is STMT a loop of several threads, or a construct around one?  */
bool fuse_level_p (const gimple *stmt);

/* Is VAR the index of a loop of SHAPE, of whatever level?  */
bool fuse_index_p (const fuse_shape *shape, tree var);

/* A copy of the construct STMT, in no sequence.  */
gomp_target *fuse_copy (const gomp_target *stmt);

/* ---- Rows: fuse-rows.cc ---- */

/* Can B, behind A, have A's constructs, because A has rows and B none?  */
bool fuse_rows_alike_p (const fuse_shape *a, const fuse_shape *b);

/* ---- Two constructs that become one ---- */

/* Which of two ranges begins, or ends, further outside.  */
enum fuse_edge
{
  EDGE_SAME,
  EDGE_FIRST,
  EDGE_SECOND
};

/* What must be true of the objects that a clause is about.  */
struct fuse_need
{
  /* The clause of the merged construct.  */
  tree clause;
  /* The first, or the second, body must not write there.  */
  bool first_writes_not, second_writes_not;
};

/* Sums of columns as three constructs, of which ROWS goes along the rows.  */
struct fuse_turned
{
  gomp_target *source, *before, *rows, *after;
};

struct fusion
{
  /* As they are in the source, and the places of the host between them.  */
  gomp_target *first = NULL, *second = NULL;
  const host_run *run = NULL;
  unsigned from = 0, to = 0;
  /* From this place on up to the first construct all is executed in line.  */
  unsigned begin = 0;
  /* Copies; what is in B goes into A.  */
  fuse_shape a, b;
  gomp_target *merged = NULL;
  /* It begins the second body.  */
  tree border = NULL_TREE;
  /* What is to be in front of the loop, for the second body.  */
  gimple_seq prologue = NULL;
  tree prologue_vars = NULL_TREE;
  /* The bodies have loops.  */
  bool loops_inside = false;
  /* What iterations of A, and of B, may have for themselves.  */
  auto_vec<fuse_own> a_own, b_own;
  /* Of each loop's range.  */
  auto_vec<fuse_edge, 4> begins, ends;
  /* Values of the host where the two stand.  */
  numbering numbers;
  hash_map<tree, unsigned> first_numbers;
  auto_vec<fuse_need> needs;
  /* Variables that the code between sets again, and what they were.  */
  auto_vec<tree> renamed, saved;
  /* Facts about the merged construct.  */
  region r = {};
  line l = {};
  unsigned border_access = 0;
  /* What must be true when the program runs: of values; and of data that are to be on
     the device, or NULL.  */
  tree guard = NULL_TREE;
  tree present = NULL_TREE;
  /* Loads that became registers, and stores that went.  */
  unsigned forwarded = 0, dropped = 0;
  /* Two loops inside became one.  */
  bool jammed = false;
  /* One of the two is this one's sums, or NULL.  */
  const fuse_turned *turned = NULL;
};

/* fuse-rows.cc: let both copies have the constructs of that with rows.  NULL,
   or why not.  */
const char *fuse_level_rows (fusion *f);

/* Is VAR, in the constructs of the merged bodies alone, their threads' own?  */
bool fuse_row_private_p (const fusion *f, tree var);

/* Why the merged rows cannot become an SPMD kernel, or NULL.  After alias_find
   of the merged construct.  */
const char *fuse_rows_kernel_bar (fusion *f);

/* Enter the statements of BODY that several threads execute.  */
void fuse_list_shared (gimple_seq body, hash_set<gimple *> *stmts);

/* Enter those inside of CONSTRUCT.  */
void fuse_list_within (gimple *construct, hash_set<gimple *> *stmts);

/* fuse-jam.cc: add the statements of SEQ to STMTS, without the scopes, whose
   variables go to *VARS unless that is NULL.  */
void fuse_flatten (gimple_seq seq, vec<gimple *> *stmts, tree *vars);

/* Let two loops inside of F's rows be one where that is legal.
   When all else is decided.  */
void fuse_jam (fusion *f);

/* Are the rows of STMT nothing but one loop each, as far as that matters for
   who executes what?  */
bool fuse_perfect_p (gomp_target *stmt);

/* fuse-own.cc: enter in OWN the copied scalars that each iteration of the construct of
   SHAPE, which L is about, sets first.  After flow_find.  */
void fuse_find_own (const line *l, const fuse_shape *shape, vec<fuse_own> *own);

/* Let the iterations of SHAPE's construct, a copy, have those.  */
void fuse_make_own (fuse_shape *shape, const vec<fuse_own> &own);

/* fuse-merge.cc: merge B's constructs, clauses and body into A.  NULL, or why
   not: then the copies are of no use.  */
const char *fuse_merge (fusion *f);

/* fuse-variable.cc: add to SET the variables that STMT, alone, sets, indices of loops
   among them.  */
void fuse_add_sets (gimple *stmt, hash_set<tree> *set);

/* fuse-clause.cc: where the clauses of the construct STMT are.  */
tree *fuse_clauses_of (gimple *stmt);

/* Merge the clauses of the constructs at level I.  */
const char *fuse_merge_level (fusion *f, unsigned i);

/* The same for the targets.  */
const char *fuse_merge_target (fusion *f);

/* fuse-map.cc: the map clauses among CLAUSES, in their order.  */
void fuse_list_maps (tree clauses, vec<tree> *maps);

/* Merge MAPS, those of the second target, into the first's clauses.  */
const char *fuse_merge_maps (fusion *f, const vec<tree> &maps);

/* Is the map C about the way to the data of the clause before?  */
bool fuse_pointer_map_p (const_tree c);

/* Do the clauses of a data construct that is around both map KEY, the variable
   or pointer that a mapping is about?  */
bool fuse_present_p (const fusion *f, tree key);

/* Is an object that the clause C is about written by an access to memory, from
   number FROM up to TO, of F's merged construct?  */
bool fuse_written_p (const fusion *f, tree c, unsigned from, unsigned to);

/* fuse-host.cc: is the second construct executed whenever the first one is, and
   only then?  */
bool fuse_in_line_p (const fusion *f);

/* Why the first construct cannot be executed behind the code
   that is between both, as far as that code says; NULL if it can.  Before
   anything is merged.  */
const char *fuse_host_bar (fusion *f);

/* The same, when the accesses of the merged construct are known.  */
const char *fuse_host_loads_bar (fusion *f);

/* Let STMT, or a copy of EXPR, have the copies of variables that the code between
   sets again.  */
void fuse_rename (const fusion *f, gomp_target *stmt);
tree fuse_renamed (const fusion *f, tree expr);

/* Before alias_find: enter what the code between loads.  */
void fuse_enter_host_loads (fusion *f);

/* Has EXPR where the first construct stands the value that OTHER has where the
   second does?  Both are operands: variables or constants.  */
bool fuse_same_value_p (fusion *f, tree expr, tree other);

/* Can the store STORE not change what LOAD, of REF, gives?  */
bool fuse_load_apart_p (const fusion *f, tree ref, const line_access *load,
			const line_access *store);

/* fuse-bounds.cc: NULL, or why the loops cannot be one, as far as their bounds
   say.  */
const char *fuse_bounds_bar (fusion *f);

/* Let A count over the range of both, and each body be executed in its own.  */
const char *fuse_take_hull (fusion *f);

/* fuse-legal.cc: NULL, or why the two bodies cannot be one.  F->guard gets what
   must be true.  */
const char *fuse_legal_bar (fusion *f);

/* Can the host evaluate GUARD in front of F's construct?  */
bool fuse_guard_known_p (fusion *f, tree guard);

/* fuse-turn.cc: sums of columns, added up row by row.  */

/* -fplugin-arg-accrete-turn: TEXT is its value, or NULL.  False when that is not
   understood.  */
bool fuse_turn_want (const char *text);

/* Bring sums of columns that STMT is into TO, if it is that.  */
bool fuse_turn (gomp_target *stmt, fuse_turned *to);

/* Why sums may not be kept in memory meanwhile, or NULL.  F->guard gets what must
   be true.  */
const char *fuse_sums_bar (fusion *f);

/* Why F does not pay, or NULL; the same for F->guard.  */
const char *fuse_sums_pay_bar (fusion *f);

/* The host's question whether the kernels of F's sums are compiled (abi.h,
   acr_ready).  */
tree fuse_sums_ready (const fusion *f);

/* Let sums in STMT be atomic updates, after all questions.  */
void fuse_sums_finish (gomp_target *stmt);

/* fuse-map.cc: let F's condition say that all that STMT maps is on the device.
   False when the host cannot know.  */
bool fuse_need_present (fusion *f, const gomp_target *stmt);

/* fuse-exact.cc: a variable of TYPE, in the list *VARS, between the load and the
   store of a sum.  Is VAR one?  loop.h.  */
tree fuse_sum_variable (tree type, tree *vars);

/* fuse-pay.cc: do A and B count the same?  */
bool fuse_count_alike_p (const line_loop *a, const line_loop *b);

/* Does one kernel take no longer than two?  */
bool fuse_pays_p (fusion *f);

/* fuse-forward.cc: let values go from the first body to the second in registers,
   and drop stores that nobody reads then.  When all else is decided.  */
void fuse_forward (fusion *f);

/* The same for the two bodies of LOOP, inside of rows, on the line L.  BORDER is the
   number of the second's first access.  */
void fuse_forward_inside (fusion *f, const line *l, const line_loop *loop,
			  unsigned border);

/* fuse-unread.cc: does nobody ever read the object O of F's merged construct
   but F's two constructs?  */
bool fuse_unread_p (const fusion *f, unsigned o);

/* fuse-exact.cc: a variable of TYPE, in the list *VARS.  */
tree fuse_variable (tree type, tree *vars);

/* A variable that SEQ sets to VALUE, and with which the second body may
   compute.  */
tree fuse_pass_on (tree value, tree *vars, gimple_seq *seq);

/* A mark, which sets one of *VARS: nothing behind it knows what memory
   holds.  */
gimple *fuse_mark (tree *vars);

bool fuse_mark_p (gimple *stmt);

/* A variable that SEQ sets to -0 of TYPE, which GCC does not know.  */
tree fuse_minus_zero (tree type, tree *vars, gimple_seq *seq);

/* Before the bodies are one: let no arithmetic of the second be
   shared with the first.  NULL, or why that cannot be.  */
const char *fuse_keep_apart (fusion *f);

#endif /* ACCRETE_FUSE_H */
