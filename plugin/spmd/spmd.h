/* Regions as SPMD kernels: what the files spmd*.cc share.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_SPMD_H
#define ACCRETE_SPMD_H

#include "accrete.h"
#include "base/code.h"

/* spmd-nest.cc: the constructs of a region.  */

/* One variable declared between the target and the loop.  */
struct spmd_local
{
  tree var;
  /* Its scope is within this many constructs.  */
  unsigned depth;
};

/* A region of the form that can become a kernel: constructs one inside the
   other, of which the last is the loop, and on the way only statements that
   every thread may execute for itself.  Or a part of a region that is like
   that: a parallel construct in a loop over teams.  */
struct spmd_nest
{
  gomp_target *target;
  /* The loop over teams that it is in, or NULL.  */
  const spmd_nest *outer;
  /* Constructs inside the target, the outermost first; the last is LOOP.  */
  auto_vec<gimple *, 8> levels;
  gomp_for *loop;
  /* What is executed before the loop.  */
  auto_vec<gimple *, 16> before;
  auto_vec<spmd_local, 16> locals;
  /* What every iteration starts with, in front of LOOP's body.  */
  auto_vec<gimple *, 16> prefix;
  /* Variables declared within fewer constructs than this belong to several
     threads.  */
  unsigned thread_depth;
  /* An OpenACC region.  */
  bool acc;
  /* The loop is one over teams, with parallel constructs in its body.  */
  bool split;
  /* Of that, a team takes several iterations at a time (spmd-columns.cc).  */
  bool columns = false;
  /* Iterations that a thread may begin together, 0: one (spmd-coarsen.cc).  */
  int coarse = 0;
  /* Loads of a column that a thread begins together, 0: one after the other;
     known when the kernel is built.  */
  mutable int loads = 0;
  /* Words of 32 bits that these are, or those of a row of a warp; and whether loops
     inside have some one after the other; known then as well.  */
  mutable int words = 0;
  mutable bool one_by_one = false;
  /* Of that, threads keep sums (spmd-sums.cc).  */
  bool sums = false;
  /* The loop is one of several in the target, of which SKIPPED come before it;
     MORE follows.  The outermost COMMON levels are around others as well.  */
  bool several = false, more = false;
  unsigned skipped = 0, common = 0;
  /* The loop is one in a team, or a parallel construct, of the block form: it has
     variables without clauses as the code around it does.  */
  bool in_block = false;
  /* The loop is the body of a target without constructs, for one thread.  */
  bool once = false;
  /* Each block executes all of it, as if there were no other.  */
  bool alone = false;
  /* In the search: loops that were met.  */
  unsigned passed = 0;
  /* Regions in the loop that several threads may execute, or NULL.  */
  struct nested_launches *launches = NULL;

  /* From spmd_find_sharing:  */
  /* The loop asks where its thread is.  */
  bool asks;
  /* It sets a variable of the thread that comes with a value.  */
  bool carries;
  /* The program can tell which iterations a thread executes.  */
  bool tells;
  /* A variable's value goes in and another out.  */
  bool in_and_out;
  /* When SPLIT: those parallel constructs, the variables that belong to a
     team, and whether the statements between the loops touch memory, and
     branch.  */
  auto_vec<gimple *, 4> inner;
  hash_set<tree> team_variables;
  bool touches_memory, branches;
  /* Its warps take the same branches (spmd-agree.cc).  */
  bool agrees;
};

/* Bring the region of TARGET into NEST, or where it is several loops one after
   the other, the one that SKIPPED come before.  The result is NULL, or why it
   is not of that form.  */
const char *spmd_find_nest (gomp_target *target, unsigned skipped,
			    spmd_nest *nest);

/* Has TARGET no constructs?  If so, bring it into NEST, a loop of one
   iteration.  */
bool spmd_serial_p (const gomp_target *target);
const char *spmd_find_serial (gomp_target *target, spmd_nest *nest);

/* The same for the construct PARALLEL in the loop of NEST.  */
const char *spmd_find_inner (const spmd_nest *nest, gimple *parallel,
			     spmd_nest *inner);

/* Take STMT, which is executed before the loop, when it does no more than set
   a local variable; else the result is why not.  */
const char *spmd_add_before (spmd_nest *nest, gimple *stmt);

/* Why the clauses and bounds of the loop of NEST bar the form, or NULL.  */
const char *spmd_loop_why_not (const spmd_nest *nest);

/* spmd-level.cc: what the constructs of a nest say.  */

/* The construct of NEST with code CODE, or NULL.  */
gimple *spmd_level (const spmd_nest *nest, enum gimple_code code);

/* Its loop construct of kind KIND (GF_OMP_FOR_KIND_*), or NULL.  */
gomp_for *spmd_loop_level (const spmd_nest *nest, int kind);

/* May only one block of NEST's kernel work?  */
bool spmd_one_block_p (const spmd_nest *nest);

/* Does memory at BASE, of a reference in the loop of NEST, belong to all
   threads?  */
bool spmd_shared_p (const spmd_nest *nest, tree base);

/* Is REF what a reference of the language, private to the region, refers to?  */
bool spmd_private_reference_p (const spmd_nest *nest, tree ref);

/* Does VAR in the target region of NEST stand for memory that all threads
   see?  */
bool spmd_shared_on_target_p (const spmd_nest *nest, tree var);

/* Is VAR, or a part of it, set before the loop, on the way to it?  */
bool spmd_set_before_p (const spmd_nest *nest, tree var);

/* spmd-exact.cc: are the results of NEST's kernel the same to the last bit at
   every grid, and if BLOCKS at every block?  To be asked before its atomic updates
   are hidden.  */
bool spmd_exact_p (const spmd_nest *nest, bool blocks);

/* Does no more than the order of atomic accesses to integers, which no grid fixes, tell
   one grid from another?  To be asked at the same time.  */
bool spmd_free_p (const spmd_nest *nest);

/* spmd-accept.cc: what the body of the loop may hold.  */

/* How to find the bodies of called functions that have regions, which stands on
   this; set once, by who knows (plugin.cc).  */
extern call_body_of spmd_body_in_place;

/* Why the statement STMT, or an inner part of it that is not a statement, bars
   the form, or NULL.  */
const char *spmd_body_why_not (gimple *stmt);

/* Is there a parallel construct in BODY?  */
bool spmd_parallel_within_p (gimple_seq body);

/* Is STMT a call that may do more than compute, so that a team makes it
   once?  */
bool spmd_effects_p (const gimple *stmt);

/* Why the statement STMT, between a loop over teams and one over threads, bars
   the form, or NULL.  */
const char *spmd_team_why_not (gimple *stmt);

/* spmd-inactive.cc: parallel constructs in parallel constructs.  */

/* What stands in a region in place of which construct.  */
typedef hash_map<gimple *, gimple *> spmd_inactive;

/* Let the threads of R's parallel constructs execute constructs of that kind themselves,
   each as a team of one, as far as possible: REPLACED says where.  */
void spmd_replace_inactive (region *r, spmd_inactive *replaced);

/* Let R have those constructs again.  */
void spmd_restore_inactive (region *r, spmd_inactive *replaced);

/* spmd-body.cc: how a thread executes it.  */

struct spmd_place;

/* The construct LOOP as an ordinary loop.  */
gimple *spmd_serial_loop (gomp_for *loop);

/* Let BODY, a copy, be what a thread at PLACE executes.  */
void spmd_execute (const spmd_nest *nest, const spmd_place *place,
		   gimple_seq *body);

/* If the statement at GSI asks for the place of the thread, which is at PLACE in
   NEST, let it be the answer.  */
void spmd_answer_call (const spmd_nest *nest, const spmd_place *place,
		       gimple_stmt_iterator *gsi);

/* spmd-share.cc: what a thread's variables are.  */

/* A variable that every thread has for itself.  */
struct spmd_private
{
  tree var;
  /* The kernel's variable instead.  */
  tree own;
  /* It starts with VAR's value.  */
  bool copy_in;
  /* Both are pointers to the variable proper.  */
  bool by_reference;
  /* The variable proper of the thread.  */
  tree value;
  /* The clause, when it is a partial result; else NULL.  */
  tree reduction;
  /* When the language constructs and destroys it, a list of the clauses by which it
     does, each with what it makes: of copies of copies the outermost first, and VALUE
     last.  */
  tree made;
  /* The functions that do so may keep its address, or look at what other threads set
     meanwhile.  */
  bool kept, looks;
  /* That is of an array section; of what is no register in any case.  */
  bool section, object;
  /* It goes to VAR after the last iteration; it is the loop's variable.  */
  bool copy_out, iterator;
  /* What is to be done to OWN before.  */
  gimple_seq finish;
  /* When not NULL, it starts an iteration with FIRST plus so much for each
     before that.  */
  tree linear, first;
};

struct spmd_sharing
{
  auto_vec<spmd_private, 16> privates;
};

/* What SHARING has for VAR, or NULL.  */
static inline const spmd_private *
spmd_private_of (const spmd_sharing *sharing, tree var)
{
  for (unsigned i = 0; i < sharing->privates.length (); i++)
    if (sharing->privates[i].var == var)
      return &sharing->privates[i];
  return NULL;
}

/* Decide about all variables of NEST.  The result is NULL, or why the kernel
   cannot have them.  */
const char *spmd_find_sharing (spmd_nest *nest, spmd_sharing *sharing);

/* Does the language do more for a private VAR, by its clause C, than to make and to
   assign it?  */
bool spmd_constructed_p (tree c, tree var);

/* Has a thread objects that are constructed and destroyed?  What uses them is to be
   done by then.  */
bool spmd_constructs_p (const spmd_sharing *sharing);

/* spmd-mention.cc: how often SEQ speaks of the variables OF, and whether of what
   ALL speaks of VAR only PART does.  That a clause calls it shared is nothing.  */
unsigned spmd_mentions (hash_set<tree> *of, gimple_seq seq);
bool spmd_only_here_p (tree var, gimple_seq part, gimple_seq all);

/* Does SEQ see the value of VAR, other than by constructs that have a variable of their
   own for it, which begins without that value?  */
bool spmd_value_seen_p (tree var, gimple_seq seq);

/* Is VAR, declared on the way to the loop of NEST, the compiler's, for a value
   that no statement of another iteration sees?  In C++ it may be an
   object.  */
bool spmd_temporary_p (const spmd_nest *nest, tree var);

/* Does the region of NEST take the address of VAR?  The code around it may, of
   another variable then.  */
bool spmd_address_taken_p (const spmd_nest *nest, tree var);

/* spmd-private.cc: questions about those variables, and code with them.  */

/* Has every thread EXPR, a variable, for itself?  */
bool spmd_private_p (const spmd_sharing *sharing, tree expr);

/* Does any variable go out after the last iteration?  */
bool spmd_copies_out_p (const spmd_sharing *sharing);

/* May the thread that executes an iteration not know its number?  */
bool spmd_any_number_p (const spmd_sharing *sharing);

/* A copy of SEQ with a thread's own variables and labels.  */
gimple_seq spmd_copy (const spmd_sharing *sharing, gimple_seq seq);

/* Let SEQ have a thread's own variables.  */
void spmd_replace (const spmd_sharing *sharing, gimple_seq *seq);

/* A copy of EXPR with a thread's own variables.  */
tree spmd_copy_expr (const spmd_sharing *sharing, tree expr);

/* Add to SEQ what is executed before the loop of NEST, and what every iteration
   starts with.  */
void spmd_copy_before (const spmd_nest *nest, const spmd_sharing *sharing,
		       gimple_seq *seq);
void spmd_copy_prefix (const spmd_nest *nest, const spmd_sharing *sharing,
		       gimple_seq *seq);

/* Add to SEQ copies of STMTS with a thread's own variables.  */
void spmd_add_copies (const vec<gimple *> &stmts, const spmd_sharing *sharing,
		      gimple_seq *seq);

/* spmd-own.cc: making those variables.  */

/* Let the kernel of NEST have copies of the pointers through which Fortran's arrays are
   mapped and which its region does not set.  They are in memory on the device, from
   which what follows a clobber of memory, as between constructs that were fused, would
   load them again in each iteration, one after the other.  */
void spmd_keep_pointers (const spmd_nest *nest, spmd_sharing *sharing);

/* Give every private variable its OWN, declared in the bind BIND and set up in
   SEQ.  */
void spmd_make_own (spmd_sharing *sharing, gbind *bind, gimple_seq *seq);

/* Add to SEQ what the language does for those with constructors, before their first use
   and behind the last.  */
void spmd_construct (const spmd_sharing *sharing, gimple_seq *seq);
void spmd_destroy (const spmd_sharing *sharing, gimple_seq *seq);

/* Add to SEQ what sets the linear variables for iteration K.  */
void spmd_set_linear (const spmd_sharing *sharing, tree k, gimple_seq *seq);

/* Add to SEQ, for the thread with the last iteration, after that, that they
   do.  */
void spmd_copy_out (const spmd_sharing *sharing, gimple_seq *seq);

/* spmd-space.cc: the iterations of a loop nest, numbered.  */

/* Why the iterations of LOOP cannot be numbered, or NULL.  */
const char *spmd_space_why_not (const gomp_for *loop);

/* Do bounds in LOOP depend on a variable of its own?  */
bool spmd_space_varies_p (const gomp_for *loop);

/* BOUND, of a loop variable of TYPE, in terms of the variables of the loops
   around it.  */
tree spmd_space_bound (tree bound, tree type);

/* One loop of a nest.  FIRST and LAST may be a TREE_VEC: the variable of a
   loop around it, a factor, and what is added.  */
struct spmd_range
{
  tree var, first, last, step;
  bool down;
  /* LAST is in the range.  */
  bool inclusive;
};

/* How a thread comes from the number of an iteration to the loop variables.
   Numbers are unsigned 64-bit; variables and bounds are SHARING's.  */
struct spmd_space
{
  const gomp_for *loop;
  const spmd_sharing *sharing;
  /* The loops, with the values that their bounds had before the first
     iteration.  */
  auto_vec<spmd_range, 4> ranges;
  /* Iterations of all loops, and of each.  */
  tree total;
  auto_vec<tree, 4> trips;
  /* Per loop, the position of the iteration in hand, and how far to step.
     Empty for a single loop, where the iteration's number is the position.  */
  auto_vec<tree, 4> at, by;
  /* Whether the thread has constructed its objects; NULL: it has none.  */
  tree constructed = NULL_TREE;
};

/* Add to SEQ the computation of the trip counts of LOOP.  */
void spmd_space_count (spmd_space *space, const gomp_for *loop,
		       const spmd_sharing *sharing, gimple_seq *seq);

/* Add to SEQ a division of the unsigned 64-bit A by N, not 0, which may have fewer
   bits; GPUs take several times longer for one of 64 bits, so that is left to
   numbers that need it.  The quotient has 64.  */
val spmd_divide (val a, val n, code c);

/* Add to SEQ what goes to the iteration K, of which there is one, for a thread
   that will step by N.  */
void spmd_space_start (spmd_space *space, tree k, tree n, gimple_seq *seq);

/* Add to SEQ what sets the loop variables for iteration K.  */
void spmd_space_set (const spmd_space *space, tree k, gimple_seq *seq);

/* Add to SEQ: when there is no such iteration, to OUT.  */
void spmd_space_inside (const spmd_space *space, tree out, gimple_seq *seq);

/* Add to SEQ the step.  */
void spmd_space_step (const spmd_space *space, gimple_seq *seq);

/* Add to SEQ, after the last iteration, that the loop variables go one step
   further.  */
void spmd_space_leave (const spmd_space *space, gimple_seq *seq);

/* jam.cc: several rows a thread.  */

struct spmd_place;

/* NEST's loop, without its prefix, where an iteration takes on several rows; SEQ
   gets what it needs.  NULL when one row is best.  PLACE learns where tiles
   should begin.  */
gomp_for *jam_loop (const region *r, const spmd_nest *nest,
		    const spmd_sharing *sharing, spmd_place *place,
		    gimple_seq *seq);

/* Take on as many rows as TEXT says, at the most: a power of 2 up to 16.  False
   when it is none.  */
bool jam_set_rows (const char *text);

struct line;
struct line_loop;

/* align.cc: how many iterations before the first of X, the innermost loop of the
   nest on the line L, stores are aligned, an unsigned int that SEQ computes; NULL
   when that is not known.  */
tree align_tiles (const line *l, const line_loop *x,
		  const spmd_sharing *sharing, gimple_seq *seq);

/* spmd-index.cc: let constants in subscripts be the last that is added, in
   BODY.  */
void spmd_move_constants (gimple_seq *body);

/* Do the clauses of NEST say which thread has which iterations, or values that follow
   from their numbers?  Which do, or NULL.  */
const char *jam_barred_by_clauses (const spmd_nest *nest,
				   const spmd_sharing *sharing);

/* spmd-coarsen.cc: several iterations of a thread at a time.  */

struct spmd_space;
struct spmd_place;

/* How many iterations of NEST's loop may a thread begin together, where they
   store?  Or 0.  */
int spmd_coarsening (const spmd_nest *nest, const spmd_sharing *sharing);

/* Add to C the iterations of SPACE that come so many at a time, each of which BODY adds
   to a sequence, where the thread at PLACE has that many.  K and N, variables, are its
   first iteration and how many others are before its next one, and become those of
   what is left.  */
void spmd_add_coarse (const spmd_space *space, const spmd_place *place, val k, val n,
		      writer<gimple_seq *> body, code c);

/* spmd-columns.cc: rows that are columns.  */

struct spmd_place;

/* Add to SEQ, for a thread at PLACE in a team, which of the columns it has.  */
void spmd_find_column (spmd_place *place, gimple_seq *seq);

/* Add to C the iterations of SPACE that the team at PLACE executes, each by
   BODY.  */
void spmd_add_columns (const spmd_space *space, const spmd_place *place,
		       writer<> body, code c);

/* Add to SEQ, which all of the team at PLACE execute, that VALUE, a variable,
   becomes the result of its column by the clause C.  */
void spmd_reduce_columns (tree c, tree value, const spmd_place *place,
			  gimple_seq *seq);

/* spmd-warp.cc: what all lanes of a warp execute together.  */

enum
{
  SPMD_WARP = 32
};

/* Add to SEQ the instructions TEXT with these operands, of which all but TEXT
   may be NULL; memory changes when there is no OUTPUT.  */
void spmd_add_asm (const char *text, tree output, tree input0, tree input1,
		   gimple_seq *seq, tree input2 = NULL_TREE);

/* Add to SEQ a read of the special register REG, of 32 bits.  */
tree spmd_special_register (const char *reg, gimple_seq *seq);

/* Add to SEQ: the lanes of a warp go on together.  */
void spmd_meet_warp (gimple_seq *seq);

/* Add to SEQ: GCC makes no copy of the block that this is in, nor of a loop around it
   (-funswitch-loops and its kin, for each branch one).  Lanes of a warp are to come to
   one instruction; in two copies of it they would wait for each other.  Memory counts
   as written.  No code comes of it.  */
void spmd_stay_one (gimple_seq *seq);

/* Add to SEQ: the lanes where VALUE, unsigned and of 32 or 64 bits, is not 0; a
   bit for each.  */
tree spmd_ballot (tree value, gimple_seq *seq);

/* Add to SEQ: the value of VALUE, 32 or 64 bits, in another lane, that which MODE
   says with LANE, 32 bits: "idx", "up", "down" or "bfly", as PTX has them.  Where
   there is no such lane it is this one's.  */
tree spmd_shuffle (const char *mode, tree value, tree lane, gimple_seq *seq);

/* Add to SEQ: the sum of VALUE, 64 bits, over the lanes up to this one.  */
tree spmd_sum_up (tree value, gimple_seq *seq);

/* spmd-reduce.cc */

/* Can the clause C, for a variable of TYPE, be done in registers?  */
bool spmd_reduces_scalar_p (tree c, tree type);

/* A and B, registers, combined as the clause C says.  */
tree spmd_combine (tree c, tree a, tree b);

/* Threads of a block that bring results together: whole warps, or as many
   groups of SIZE 1.  All are of type unsigned int.  */
struct spmd_group
{
  /* A thread's number among SIZE.  */
  tree rank, size;
  /* The first one's warp in the block.  */
  tree first_warp;
  /* The barrier, a number that no other group of the block has; and whether it is
     known to be one of ACR_WIDE_ROWS from 1 on.  */
  tree barrier;
  bool few;
};

/* The slot of warp I, in shared memory, as a variable of TYPE.  */
tree spmd_slot (tree type, tree i, gimple_seq *seq);

/* Add to SEQ that no other thread is between these, nor are their accesses to
   memory.  One lane of a warp at a time may be there.  */
void spmd_lock (gimple_seq *seq);
void spmd_unlock (gimple_seq *seq);

/* Add to SEQ a barrier of G, after which all see what each has stored.  */
void spmd_meet (const spmd_group *g, gimple_seq *seq);

/* Is STMT one?  */
bool spmd_meet_p (const gimple *stmt);

/* Add to SEQ, which all of G execute, that VALUE, a variable, becomes the
   result of G by the clause C.  MEETS: G meets behind that, before it does so
   again.  */
void spmd_reduce (tree c, tree value, const spmd_group *g, gimple_seq *seq,
		  bool meets = false);

/* Add to SEQ the address of VAR, a variable of the target.  It may be a register
   as yet, to the gimplifier, but omp-low puts memory in its place.  */
tree spmd_address_of (tree var, gimple_seq *seq);

/* Add to SEQ: the variable at ADDRESS is combined with VALUE, atomically, as the
   clause C says.  */
void spmd_update (tree clause, tree address, tree value, gimple_seq *seq);

/* Add to SEQ, which all threads of BLOCK execute, that P's partial results go
   into the variable.  When LEADS is not NULL, only those count where it is
   true.  */
void spmd_reduce_grid (const spmd_private *p, tree leads,
		       const spmd_group *block, gimple_seq *seq);

/* spmd-object.cc: reductions in memory.  */

/* The variable that the clause C is about, NULL when it is no variable or no
   section of one.  */
tree spmd_reduction_variable (tree c);

/* The address for a thread's pointer, by the clause C about a section, that goes
   with a section at ADDRESS.  */
tree spmd_section_pointer (tree c, tree address);

/* Why the clause C cannot be done, for a variable or section of TYPE that is no
   register, or NULL; in a PLAIN kernel, or where GCC's runtime is.  */
const char *spmd_object_why_not (tree c, tree type, bool plain);

/* Add to SEQ: OBJECT, a variable of P's type, gets the neutral element.  */
void spmd_start_object (const spmd_private *p, tree object, gimple_seq *seq);

/* Add to SEQ that P's partial result goes into the variable, while nobody else
   changes that.  */
void spmd_merge_object (const spmd_private *p, gimple_seq *seq);

/* Add to SEQ, which all threads of BLOCK execute, that P's partial results go
   into the variable.  */
void spmd_reduce_object (const spmd_private *p, const spmd_group *block,
			 gimple_seq *seq);

/* spmd-sums.cc: sums that threads keep while their team has rows.  */

enum
{
  /* Of one thread.  By ptxas for sm_90, BiCGK takes 128 registers with so many
     floats, which 512 threads may have.  */
  SPMD_SUM_BYTES = 128
};

struct spmd_sums
{
  auto_vec<tree, 32> kept;
  /* The thread's first iteration of the loop with the sums, how many there are, and
     what the index begins with.  */
  tree k, total, first;
};

struct spmd_space;

/* Does the split NEST have sums to keep?  */
bool spmd_keeps_sums_p (const spmd_nest *nest);

/* Has the loop LOOP, of a team's threads, such a sum?  */
bool spmd_has_sum_p (const gomp_for *loop);

/* Add to SEQ, in front of NEST's rows, SUMS that are 0.  */
void spmd_start_sums (const spmd_nest *nest, spmd_sums *sums, gimple_seq *seq);

/* Add to C the iterations of SPACE, that of the loop with the sums, of the thread
   at PLACE, each of which BODY adds to a sequence.  */
void spmd_add_sums (const spmd_space *space, const spmd_place *place,
		    writer<gimple_seq *> body, code c);

/* Add to SEQ, behind NEST's rows, that SUMS go to memory.  */
void spmd_end_sums (const spmd_nest *nest, const spmd_sharing *sharing,
		    const spmd_sums *sums, gimple_seq *seq);

/* The loop of NEST's with the sums.  */
const gomp_for *spmd_sum_loop (const spmd_nest *nest);

/* spmd-place.cc: where a thread is.  */

/* All are variables.  */
struct spmd_place
{
  /* In its block, and how many threads that has; unsigned int.  */
  tree id, block_size;
  /* The block, and how many blocks and threads of each take part.  */
  tree block, blocks, threads;
  /* Among those of the grid that take part, and their number; unsigned
     64-bit.  */
  tree global_id, all;
  /* The block's threads along x and along y, by which the launch chooses the shape
     of tiles (spmd-tile.cc); unsigned int.  */
  tree row, rows;
  /* Tiles should begin so many iterations before the innermost loop's first, an
     unsigned int less than a warp's lanes; or NULL.  */
  tree ahead;
  /* All threads of the block, and those of the team in a split nest.  */
  spmd_group group, team;
  /* Where that has columns: the thread's among LANES, its number among the PARTS
     of one, all unsigned int; whether there is one for it, and it is to store.  */
  tree lane, lanes, part, parts, inside, stores;
  /* The sums that it keeps, or NULL.  */
  const spmd_sums *sums;
};

/* Add to SEQ the computation of a thread's place in the kernel of NEST; to IDLE
   go those that do not take part, in OpenACC none.  */
spmd_place spmd_find_place (const spmd_nest *nest, const spmd_sharing *sharing,
			    tree idle, gimple_seq *seq);

/* The same for the kernel of a split nest, where GLOBAL_ID and ALL are the
   team's.  */
spmd_place spmd_find_row (const spmd_nest *nest, const spmd_sharing *sharing,
			  tree idle, gimple_seq *seq);

/* The same for a kernel whose blocks are teams, with the constructs of NEST: ALL is
   the number of teams, unsigned int, THREADS that of a team's threads.  */
spmd_place spmd_find_block (const spmd_nest *nest, const spmd_sharing *sharing,
			    gimple_seq *seq);

/* The place of a thread in the loop INNER of the team at PLACE.  */
spmd_place spmd_find_team_place (const spmd_nest *inner,
				 const spmd_sharing *sharing,
				 const spmd_place *place, tree idle,
				 gimple_seq *seq);

/* What it gives at PLACE.  */
tree spmd_answer (const spmd_nest *nest, const spmd_place *place, tree fn);

/* spmd-tile.cc: the same in tiles, for nests of several loops.  */

/* Add to C the iterations of SPACE that the thread at PLACE executes; BODY, which
   begins with spmd_space_set, is one.  All threads of the block come out
   behind.  */
void spmd_add_tiles (spmd_space *space, const spmd_place *place,
		     writer<> body, code c);

/* Have most threads of a block iterations of LOOP, as far as its bounds tell, when it
   goes through them in tiles?  */
bool spmd_fills_tiles_p (const gomp_for *loop);

/* spmd-ahead.cc: the next row of a team.  */

/* Add to C that the team at PLACE, which has the row K of SPACE, that of NEST, asks for
   what INNER_LOOP, the one with the sums, loads in the row K + N, if that is before
   END.  */
void spmd_ask_for_next (const spmd_nest *nest, const gomp_for *inner_loop,
			const spmd_place *place, const spmd_space *space,
			val k, val n, val end, code c);

/* spmd-early.cc: loads of a loop that one thread executes.  */

/* Statements that have been put into a body.  */
typedef auto_vec<gimple *, 4> spmd_added;

/* Let the body of NEST, which one thread executes, of the region R, begin the loads of
   several iterations of its loops together, by what is ADDED; how many at the most,
   or 0.  */
int spmd_add_early_loads (region *r, const spmd_nest *nest, spmd_added *added);

/* Take that out again.  */
void spmd_remove_early_loads (const spmd_nest *nest, const spmd_added *added);

/* spmd-deal.cc: iterations dealt out in chunks.  */

/* Must threads get iterations of NEST in chunks, of more than one or of one at its
   turn?  */
bool spmd_dealt_p (const spmd_nest *nest);

/* Iterations that are dealt out: K, K + STEP and so on before END, all of TOTAL's
   type.  */
struct spmd_deal
{
  val k, step, end, total;
};

/* Add to C what deals out TOTAL iterations of NEST, and BODY for those that the
   thread at PLACE gets.  */
void spmd_add_deal (const spmd_nest *nest, const spmd_sharing *sharing,
		    const spmd_place *place, val total,
		    writer<const spmd_deal *> body, code c);

/* spmd-test.cc: rows of a split nest that begin with a test.  */

/* Add to C the rows of SPACE, that of the split NEST, which the team at PLACE
   executes, each by BODY.  False when they do not begin with a test that can be
   made before.  */
bool spmd_add_rows (const spmd_nest *nest, spmd_space *space,
		    const spmd_place *place, writer<> body, code c);

/* spmd-atomic.cc: atomic updates.  */

/* Before omp-low: make those in SEQ calls, since GCC wants no directive beside
   a teams construct.  */
void spmd_atomic_hide (gimple_seq *seq);

/* After omp-low: make the calls in BODY what they stand for; those that are writes,
   stores of the GPU.  */
void spmd_atomic_finish (gimple_seq *body);
void spmd_atomic_store (gimple_seq *body);

/* The value that STMT, hidden so, is the end of a relaxed atomic update with, or
   NULL when it is none or its result is used.  */
tree spmd_atomic_stored (gimple *stmt);

/* The address that STMT is the beginning of one for, or NULL; OLD becomes what it
   sets.  */
tree spmd_atomic_loaded (gimple *stmt, tree *old);

/* spmd-kernel.cc */

/* What a thread does in the kernel form of NEST, which is of the region R.  */
gimple *spmd_build_thread (const region *r, const spmd_nest *nest,
			   spmd_sharing *sharing);

/* Do the threads go through the iterations of NEST in tiles?  */
bool spmd_tiles_p (const spmd_nest *nest, const spmd_sharing *sharing);

/* Add to SEQ the iterations of LOOP, which is that of NEST or stands for it,
   that the thread at PLACE executes.  */
void spmd_add_loop (const spmd_nest *nest, const gomp_for *loop,
		    const spmd_place *place, const spmd_sharing *sharing,
		    gimple_seq *seq);
typedef void (*spmd_loop_writer) (const spmd_nest *, const gomp_for *,
				  const spmd_place *, const spmd_sharing *,
				  gimple_seq *);

/* spmd-split.cc */

/* How many threads a team of the split NEST may have, for the tag.  */
int spmd_row_limit (const spmd_nest *nest);

/* Let BODY, a copy of that of the split NEST, be what all threads of the team
   at PLACE execute; ADD_LOOP writes the loops over the team's threads.  */
void spmd_execute_split (const spmd_nest *nest, const spmd_place *place,
			 spmd_loop_writer add_loop, gimple_seq *body);

/* Is STMT, hidden so, the beginning of an atomic access, or the end of one?  *VALUE
   becomes what it gives the code behind, or NULL.  */
bool spmd_atomic_begins_p (gimple *stmt, tree *value);
bool spmd_atomic_ends_p (gimple *stmt, tree *value);

/* spmd-agree.cc: the variables on which branches of SEQ depend, of teams of NEST, into
   DECIDE.  False when warps could not be told what they load into these.  */
bool spmd_find_agreed (const spmd_nest *nest, gimple_seq seq,
		       hash_set<tree> *decide);

/* Is STMT a load that the first thread tells the others, where DECIDE is that; NULL: all
   that it can tell.  */
bool spmd_agreed_p (const spmd_nest *nest, gimple *stmt, hash_set<tree> *decide);

/* Add to SEQ that VAR becomes what the first thread of TEAM has in it.  */
void spmd_tell (tree var, const spmd_group *team, gimple_seq *seq);

/* VALUE, which the first thread of a team of NEST has, if it can tell the others and they
   do not find it in memory; else NULL.  */
tree spmd_told (const spmd_nest *nest, tree value);

/* Why the first thread of a team of NEST cannot execute the statement at I for all, if that
   may happen once only, or NULL.  */
const char *spmd_once_why_not (const spmd_nest *nest, gimple_stmt_iterator i);

/* spmd-acc.cc: OpenACC regions.  */

/* As spmd_find_nest, for R.  */
const char *spmd_acc_find_nest (const region *r, spmd_nest *nest);

/* spmd-acc-rows.cc: let the parallel loops in a copy of the body of NEST's
   loop be a team's.  Why they cannot be, or NULL; LOOP_WHY_NOT tells of
   one.  */
const char *spmd_acc_make_rows (spmd_nest *nest,
				const char *(*loop_why_not) (const gimple *));

/* Take the directives off the loops of TARGET, for the host.  */
void spmd_acc_host_form (gomp_target *target);

/* After omp-low: nothing in TARGET is OpenACC's any more.  */
void spmd_acc_finish (gomp_target *target);

/* spmd-acc-launch.cc: set what the region of NEST, which has become a kernel,
   is launched with, and say what of it the program leaves open.  */
enum acr_spmd spmd_acc_launch (const spmd_nest *nest);

/* The same for TARGET of which the launch, all of it, is the runtime's.  */
void spmd_acc_launch_open (gomp_target *target);

/* spmd-acc-axes.cc: do the loops of NEST use gangs, workers and lanes in an order
   that GCC refuses?  */
bool spmd_acc_nested_wrong_p (const spmd_nest *nest);

/* What stock GCC would launch the region of NEST with, for the
   tag, before spmd_acc_launch.  */
void spmd_acc_stock (const spmd_nest *nest, int dims[GOMP_DIM_MAX]);

/* spmd-count.cc: the iterations, counted by the host.  */

/* Can the host count the iterations of NEST's loop in front of the target
   construct?  If so, is it SURE that the device finds as many?  */
bool spmd_countable_p (const spmd_nest *nest, bool *sure);

/* If so: add to SEQ, for there, that it does; an unsigned 64-bit number.  */
tree spmd_count_before (const spmd_nest *nest, gimple_seq *seq);

/* spmd-launch.cc: what an OpenMP region is launched with.  */

/* If the iterations of NEST's loop are countable: let the target construct pass
   their number as that of teams, in its clause TEAMS; unless SURE, none when it is
   0.  */
void spmd_pass_trips (const spmd_nest *nest, bool sure, tree teams);

/* Say what the launch of NEST's kernel is to pass as the number of teams.  */
enum acr_spmd spmd_set_teams (const spmd_nest *nest);

/* The same for a kernel whose blocks are the teams of TARGET: pass how many threads
   its parallel constructs ask for.  */
enum acr_spmd spmd_set_threads (gomp_target *target);

/* forkjoin.cc: let the construct of NEST, which keeps the fork-join form, pass
   the number of iterations as that of teams.  How many a team can work on at a
   time, or 0 when nothing is passed.  */
int fork_pass_trips (const spmd_nest *nest);

/* spmd.cc: the kernel as a form of its region.  */

/* One of the loops of a region.  */
struct spmd_loop
{
  spmd_nest nest;
  spmd_sharing sharing;
};

typedef auto_delete_vec<spmd_loop> spmd_loops;

/* Why there is no compiler for a kernel, or NULL.  */
const char *spmd_compiler_why_not (void);

/* Find all loops of R and what their threads share.  The result is NULL, or why
   they are not of the form; then *LONE is the nest when it is one loop whose
   variables are the reason.  */
const char *spmd_find_loops (const region *r, spmd_loops *loops,
			     const spmd_nest **lone);

/* Are the results of the kernel of LOOPS the same at every grid, and if BLOCKS at
   every block?  */
bool spmd_all_exact_p (const spmd_loops &loops, bool blocks);

/* block.cc: kernels whose blocks are teams.  */

/* Is R of the form with parallel constructs in teams?  If so, *WHY becomes NULL, or
   why it cannot be such a kernel.  */
bool spmd_block_p (const region *r, const char **why);

/* That kernel.  */
gimple *spmd_build_block (const region *r);

/* The kernel that executes LOOPS of R one after the other.  */
gimple *spmd_build_kernel (const region *r, const spmd_loops &loops);

/* Let the construct TARGET be KERNEL in the compiler for the device, and what it
   was in the host's.  */
void spmd_set_forms (gomp_target *target, gimple *kernel);

/* After omp-low of FUN, which R is in, when R->two_forms.  */
void spmd_finish (const region *r, function *fun);

#endif /* ACCRETE_SPMD_H */
