/* Resident loops: what the files resident*.cc share.

   A loop's way: resident-find.cc finds host loops with regions in them, in which
   resident-static.cc puts numbers of the function for those of the file;
   resident-host.cc judges the host's code: resident-number.cc its operations,
   resident-result.cc what regions reduce to, resident-flag.cc what else they set,
   resident-idle.cc its tests;
   resident-enter.cc judges how the loop begins, resident-operand.cc what
   regions are given; resident-region.cc makes one construct of the regions and
   that code: resident-clause.cc its clauses, resident-copy.cc its body;
   resident.cc leads through all that and puts the construct beside the loop;
   resident-kernel.cc makes its kernel, of parts that kernel-part.cc makes, or
   chain-kernel.cc, where chain.cc finds a chain.  docs/resident.md and
   docs/chain.md have the rules and their proofs.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_RESIDENT_H
#define ACCRETE_RESIDENT_H

#include "base/code.h"
#include "data/number.h"
#include "loop/loop.h"
#include "spmd/spmd.h"

/* ---- Host loops: resident-find.cc ---- */

/* A loop of the host: statements FIRST to LAST of the sequence SEQ, which
   control enters at the top and leaves at the end.  */
struct host_loop
{
  gimple_seq *seq;
  unsigned first, last;
  /* The data constructs that it is in, the outermost first.  */
  const vec<gomp_target *> *around;
  /* All its statements, those of scopes behind the scope.  */
  auto_vec<gimple *> code;
  /* Where its regions stand in that.  */
  auto_vec<unsigned> regions;

  /* From host_loop_bar:  */
  /* Variables that the host's code sets, and what scopes declare.  */
  hash_set<tree> sets, locals;
  /* Of what is set: what the regions and tests depend on.  */
  hash_set<tree> needed;
  /* Tests that make no difference to threads.  */
  hash_set<gimple *> idle;
  /* What others may see behind the loop: numbers, and pointers.  */
  auto_vec<tree> out, out_pointers;
  /* Pointers of which threads have those to the device, that they copy, in the
     order of their numbers.  */
  auto_vec<tree> pointers;
  /* Numbers of the host's code that regions have in memory, and store to.  */
  hash_set<tree> flags;
  /* Numbers that regions map, and whose address nobody else has.  */
  hash_set<tree> mapped;
};

static inline gomp_target *
host_loop_region (const host_loop *l, unsigned i)
{
  return as_a<gomp_target *> (l->code[l->regions[i]]);
}

/* Call VISIT (LOOP, DATA) for loops of FUN's host code that have regions, from
   outside to inside, until it returns the statement that is now in the loop's
   place.  */
typedef gimple *(*host_loop_visit) (host_loop *, void *);
void host_loop_each (function *fun, host_loop_visit visit, void *data);

/* The statements of SEQ, as in host_loop.  */
void host_loop_flatten (gimple_seq seq, vec<gimple *> *code);

/* Put the statements of L at the end of TO, and INSTEAD in their place:
   resident-copy.cc.  */
void host_loop_take (host_loop *l, gimple_seq *to, gimple *instead);

/* resident-static.cc: let loops of FUN over regions have numbers of the function in
   place of those of the file that their host code sets, as far as nobody can tell.  */
void host_loops_own_numbers (function *fun);

/* ---- What threads compute with: resident-number.cc ---- */

/* Is T a variable, or an SSA name?  */
bool host_name_p (const_tree t);

/* Is VAR a number that nobody but visible code of the function sets, and that
   is the same on the device to the last bit?  */
bool host_number_p (tree var);

/* Is VAR a pointer of the function's own?  */
bool host_pointer_p (tree var);

/* Does STMT copy a pointer?  */
bool host_copy_p (gimple *stmt);

/* Can a thread execute STMT, an assignment or a test?  */
bool host_thread_stmt_p (gimple *stmt);

/* ---- The host's code: resident-host.cc ---- */

/* Why threads cannot execute the code of L, NULL if they can.  */
const char *host_loop_bar (host_loop *l);

/* resident-idle.cc: must threads execute statement I of L?  */
bool host_loop_needs_p (const host_loop *l, unsigned i);

/* The tests of L that threads cannot make must be of no use
   to them: then L->idle has them.  Why not, or NULL.  */
const char *host_loop_tests_bar (host_loop *l);

/* ---- Results of regions: resident-result.cc ---- */

/* Find what regions of L reduce to.  */
void host_loop_find_results (host_loop *l);

/* These, and L's flags, become threads' variables.  Why they cannot, or NULL.  */
const char *host_loop_results_bar (host_loop *l);

/* The clauses, one a variable, about scalars that the region STMT reduces to
   and copies back, for the host to look at.  */
void region_results (const gomp_target *stmt, vec<tree> *clauses);

/* Is VAR such a scalar?  */
bool region_sets_p (const gomp_target *stmt, tree var);

/* Is what the clause C of the region STMT maps a number of threads in L: a
   result, a flag, or a scalar that the region only reads?  */
bool host_loop_number_p (host_loop *l, const gomp_target *stmt, tree c);

/* ---- Flags: resident-flag.cc ---- */

/* Find L's flags.  */
void host_loop_find_flags (host_loop *l);

/* Those that the region STMT of L stores to, as SAME, a copy of STMT or that, has
   them: variables of the loop's own have copies.  */
void region_flags (const host_loop *l, const gomp_target *stmt,
		   const gomp_target *same, vec<tree> *vars);

/* ---- Operands: resident-operand.cc ---- */

/* What L's code computes for an operand, once in front of the loop.  */
struct host_values
{
  host_loop *l;
  gimple_seq seq = NULL;
  hash_map<gimple *, tree> known;
  /* Variables in memory, and references, that were looked at.  */
  hash_set<tree> looked;
};

/* What the assignment AT of V's loop gives, computed in front of the loop, or
   NULL where that may vary.  */
tree host_values_of (host_values *v, unsigned at);

/* Let the clause C of the statement AT of V's loop have operands that are
   computed in front of the loop.  False when they may vary.  */
bool host_values_hoist (host_values *v, unsigned at, tree c);

/* Number what clauses of L's regions are given, as far as it is the same in each round,
   with N: the numbers of the operands to NUMBERS.  */
void host_values_number (const host_loop *l, numbering *n,
			 hash_map<tree, unsigned> *numbers);

/* ---- The first round: resident-enter.cc ---- */

/* What is known of a loop's beginning: regions that are executed when TEST is
   true; where it is not, none of them may be.  NULL_TREE: they are in any
   case.  */
struct host_entry
{
  hash_set<gimple *> regions;
  tree test = NULL_TREE;
  gimple_seq seq = NULL;
};

/* Look at the beginning of L, after host_loop_bar; E->seq computes the test,
   in a gimplify context.  */
void host_loop_enter (const host_loop *l, host_entry *e);

/* ---- The construct: resident-region.cc ---- */

struct resident_result
{
  /* The reduction clause; the first of SLOTS elements of the state.  */
  tree clause;
  unsigned slot;
};

/* A flag that a part stores to, what that is in front of the loop, or 0 where it is a
   variable of the loop's own, and the first of its SLOTS elements.  */
struct resident_flag
{
  tree var, first;
  unsigned slot;
};

enum
{
  /* A round's result or flag, the next one's, and the one's before.  */
  RESIDENT_SLOTS = 3
};

/* One region of the loop in the construct.  */
struct resident_part
{
  /* The region, a copy, with clauses; and what stands for it.  */
  gomp_target *target;
  gimple *place;
  auto_vec<resident_result> results;
  auto_vec<resident_flag> flags;
};

struct chain;

/* A construct that stands for a loop.  */
struct resident
{
  resident () = default;
  resident (const resident &) = delete;
  ~resident ();

  gomp_target *stmt;
  /* What the loop is as a chain (chain.h), NULL where it is none.  */
  chain *promoted = NULL;
  /* Copies of the loop's statements, in its order; NULL for what has none.  */
  auto_vec<gimple *> code;
  auto_delete_vec<resident_part> parts;
  /* The element of the state from which on the numbers of pointers are.  */
  unsigned turned;
  /* What acr_resident has (abi.h), and how many elements.  Of a chain those from OWN on
     are another variable, which nobody but its kernel looks at: that is not copied
     back.  */
  tree state, board = NULL_TREE;
  unsigned size, own;
  /* Objects that no region may write.  */
  auto_vec<object_name> constant;
  /* The code behind the loop that says what came of it.  */
  gimple *epilogue;
};

/* The element I of the state of X, as a variable of TYPE.  */
tree resident_state (const resident *x, unsigned i,
		     tree type = uint64_type_node);

/* Let X be the construct for L, which begins with E, in a gimplify context; V
   computes its operands.  NULL, or why not.  */
const char *resident_build (resident *x, host_loop *l, host_entry *e,
			    host_values *v);

/* ---- The kernel: resident-kernel.cc ---- */

/* Why no kernel can execute the parts of X, which is R, or NULL.  */
const char *resident_kernel_bar (const resident *x, region *r);

/* Add to C, in front of the construct of X, which is R, that the state says how many
   threads the largest part of L has work for, where the host can tell.  */
void resident_pass_trips (const resident *x, region *r, const host_loop *l, code c);

/* That kernel.  */
gimple *resident_kernel (resident *x, region *r);

#endif /* ACCRETE_RESIDENT_H */
