/* Device directives met on the device: what the files nested*.cc share.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_NESTED_H
#define ACCRETE_NESTED_H

#include "accrete.h"
#include "base/code.h"

/* A place of a function.  */
struct nested_place
{
  /* The variables that the executing thread has for itself: nobody else
     combines a reduction into them.  */
  auto_vec<tree, 32> own;
  /* The block's other threads wait for it to meet a parallel construct.  */
  bool alone;
  /* The other lanes of its warp wait for it to meet a vector loop.  */
  bool lanes_wait;
  /* What a construct has that cannot be done here, or NULL.  */
  const char *why;
};

/* Is STMT a construct that runs its body on the device?  */
static inline bool
nested_region_p (const gimple *stmt)
{
  return gimple_code (stmt) == GIMPLE_OMP_TARGET
	 && is_gimple_omp_offloaded (stmt);
}

/* nested-inplace.cc: constructs as sequential code.  */

/* Is the loop construct STMT one of OpenACC that says nothing else about its
   iterations than that they are independent?  */
bool nested_independent_p (const gimple *stmt);

/* Enter in PLACE the variables that clauses of STMT make private.  */
void nested_note_private (const gimple *stmt, nested_place *place);

/* Enter in PLACE the variables that BIND declares.  */
void nested_note_locals (const gbind *bind, nested_place *place);

/* Why the construct STMT cannot be executed by one thread, or NULL.  */
const char *nested_inplace_why_not (gimple *stmt);

/* What the thread that meets STMT at PLACE executes instead of it.  Takes
   STMT's body.  Where PLACE is alone, parallel constructs in STMT stay, and
   where lanes wait, loops that may be theirs; there are no regions in those
   that stay.  */
gbind *nested_inplace (gimple *stmt, nested_place *place);

/* nested-site.cc */

/* How a child may be executed: by the launching thread only, by its warp or block
   as well, or also after its parent.  */
enum nested_how
{
  NESTED_INPLACE,
  NESTED_GROUP,
  NESTED_ANY
};

/* Take what TEXT, a plugin argument, says about children.  False when it is no
   list of [FILE:]LINE:HOW.  */
bool nested_set_sites (const char *text);

/* What it says about the one at LOC.  */
enum nested_how nested_how_at (location_t loc);

/* nested-host.cc */

/* Does STMT call a function through an object's table?  */
bool nested_virtual_call_p (const gimple *stmt);

/* Does STMT, a construct in the region AROUND of FUN, provably reach for what is
   on the host only?  Then says so.  */
bool nested_reaches_host_p (function *fun, const gomp_target *around,
			    const gomp_target *stmt);

/* nested-splice.cc: functions that launch children.  */

/* FN, in work, is about to be rewritten: keep its body when it has children.  */
void nested_keep_body (tree fn);

/* For GCC's garbage collector: what was kept is in use.  */
void nested_mark_bodies (void *gcc_data, void *user_data);

/* The body of FN, a function with children that run in place, or NULL.  */
gimple_seq nested_body_in_place (tree fn);

/* Let calls in REGION of functions with children be their bodies.  */
void nested_splice (gomp_target *region);

/* A function's body in place of a call: variables for the parameters, set in
   ARGUMENTS, and the rest.  */
struct nested_body
{
  tree fn;
  gbind *bind, *arguments;
  vec<tree> parameters;
};

/* The innermost one of a call without a result that has STMT in it, in the
   function in work; or NULL.  */
const nested_body *nested_body_around (const gimple *stmt);

/* Could CALL, of the same function, be BODY?  */
bool nested_fits_p (const nested_body *body, const gcall *call);

/* The innermost body around CALL, when it is one of the function that is
   called; or NULL.  */
const nested_body *nested_body_of_call (const gcall *call);

/* A copy of BODY for CALL.  */
gbind *nested_copy_body (const nested_body *body, const gcall *call);

/* Forget all bodies.  */
void nested_forget_bodies (void);

/* nested-loop.cc: loops of constructs as sequential ones.  */

/* Why LOOP cannot be one, or NULL.  */
const char *nested_loop_why_not (const gomp_for *loop);

/* Add to SEQ the loops of LOOP around its body.  Takes the body.  */
void nested_add_loops (const gomp_for *loop, gimple_seq *seq);

/* nested-parent.cc: children, and those that have them.  */

struct spmd_nest;
struct spmd_sharing;

/* CHILD, a copy of a construct, has been rewritten as INPLACE.  */
void nested_note_child (gimple *inplace, gomp_target *child);

/* Has the region STMT, as it was written, such children?  */
bool nested_parent_p (const gomp_target *stmt);

/* A parent waits for children that are asynchronous.  */
void nested_note_wait (void);

/* Forget all children.  */
void nested_forget_children (void);

/* nested-launch.cc: children that several threads may execute together.  */

/* One value that a launch passes on.  */
struct nested_field
{
  /* What it is to the launching thread, and what names it in the child.  */
  tree value, var;
  /* The child's threads share it, and the launching thread has it back; then
     the clause, when they reduce into it.  */
  bool cell;
  tree reduction;
};

/* One that it does not, as who executes the child computes it: VAR is VALUE,
   which is the same to all threads.  */
struct nested_uniform
{
  tree var, value;
};

/* A child of an SPMD kernel that a group of threads may execute.  */
struct nested_launch
{
  gbind *inplace;
  location_t loc;
  const char *kind;
  /* The constructs of the child, and the variables of a thread that executes
     some of its iterations.  */
  spmd_nest *nest;
  spmd_sharing *sharing;
  auto_vec<nested_field, 8> fields;
  auto_vec<nested_uniform, 4> uniforms;
  /* An iteration ends with an atomic update (nested-update.cc).  */
  bool updates;
  /* Nobody needs what it does before the parent's end.  */
  bool defers;
  /* CALL, in the child's loop, is of the function of BODY, which has the launch
     in it; or NULL.  */
  const nested_body *body;
  gcall *call;
  /* In front of INPLACE while the parent's code is copied, it asks for the
     launch.  */
  gbind *request;
};

struct nested_launches
{
  auto_vec<nested_launch *, 4> all;
  /* May any be deferred?  Does one of these launch itself?  */
  bool defers, levels;
  /* For nested_begin and nested_collect.  */
  struct nested_collection *collection;
};

/* The children in the loop of NEST, of R, whose variables SHARING tells, that a
   group of threads may execute; NULL when there are none.  Says so, and why
   others are not among them.  */
nested_launches *nested_find_launches (region *r, const spmd_nest *nest,
				       const spmd_sharing *sharing);

/* Why what LAUNCHES, or NULL, leave in the loop of NEST bars an SPMD kernel of
   OpenMP's, or NULL: threads take turns with functions that call themselves,
   unless each level of them is executed at once.  */
const char *nested_recursion_why_not (const spmd_nest *nest,
				      const nested_launches *launches);

/* For the tag: how often the kernel is started behind its parent, and 1 more; 0
   without LAUNCHES.  */
int nested_levels (const nested_launches *launches);

void nested_free_launches (nested_launches *launches);

/* nested-request.cc */

/* Put requests into BODY, the parent's, or take them out again.  */
void nested_mark (nested_launches *launches, gimple_seq *body);
void nested_unmark (nested_launches *launches, gimple_seq *body);

/* nested-order.cc */

/* Has every thread that comes to LAST in BODY executed FIRST?  */
bool nested_always_before_p (gimple_seq body, const gimple *first,
			     const gimple *last);

/* nested-uniform.cc: what is the same to all threads of a kernel.  */

/* How often the body of a region sets a variable, and where it does once.  */
struct nested_setting
{
  unsigned times;
  gimple *stmt;
};

typedef hash_map<tree, nested_setting> nested_settings;

/* Enter in SETTINGS what STMT, a region, and the calls by which functions in
   it launch themselves set.  */
void nested_find_settings (const gimple *stmt, nested_settings *settings);

/* What is in VAR wherever a thread of R reads it, by names that are the same to
   all, where SETTINGS are R's; NULL when that is not known.  Only who executes
   what CHILD has launched may compute it: it may trap where CHILD has not been
   met.  */
tree nested_uniform_value (region *r, nested_settings *settings,
			   tree var, const gimple *child);

/* nested-escape.cc: addresses of a thread's own variables.  */

typedef bool (*nested_own_p) (tree var, void *data);

/* Add to HOLDERS the variables of BODY that may have the address of one that OWN
   says is the thread's own, but for what SKIP_P says of statements; both get
   DATA.  False when such an address may be elsewhere as well.  */
bool nested_find_holders (gimple_seq body, nested_own_p own,
			  bool (*skip_p) (const gimple *, void *), void *data,
			  hash_set<tree> *holders);

/* nested-member.cc: structures of the launching thread's, of which a child reads
   members.  */

/* Let variables stand for members that the child in NEST only reads of what OWN,
   with DATA, says is a structure of the launching thread's; SET and ADDRESSED are
   the variables that the child sets, and takes the address of.  Adds to FIELDS
   what they are.  */
void nested_split_members (spmd_nest *nest, nested_own_p own, void *data,
			   hash_set<tree> *set,
			   hash_set<tree> *addressed,
			   vec<nested_field> *fields);

/* nested-layout.cc */

/* The 64-bit words of shared memory that so many LAUNCHES with FIELDS each, at
   most, take.  */
unsigned nested_queue_words (unsigned launches, unsigned fields);

/* nested-collect.cc: their execution.  */

struct spmd_place;

/* A request of launch I with so many iterations, TOTAL, and FIELDS; DONE becomes
   true when they have been executed.  */
gcall *nested_build_request (unsigned i, tree total,
			     const vec<nested_field> &fields, tree done);

/* Behind that, TO becomes what is in field J, a cell.  */
gcall *nested_build_answer (unsigned j, tree to);

/* While requests are in the parent's body, add to SEQ what a kernel behind the
   parent does.  */
void nested_add_drain (nested_launches *launches, const spmd_place *place,
		       gimple_seq *seq);

/* Add to SEQ, which all threads of the block execute, that they get ready for
   launches.  PLACE is theirs; those that do not WORK go to IDLE after that.  */
void nested_begin (nested_launches *launches, const spmd_place *place,
		   tree works, tree idle, gimple_seq *seq);

/* nested-spread.cc: add to C: K becomes the first of TOTAL parents that the
   thread at PLACE executes, TOTAL when there is none.  The result is the way
   from one to the next.  */
val nested_spread (const spmd_place *place, val total, val k, code c);

/* Let the requests in SEQ be obeyed, and add to SEQ what threads without work
   do: they execute, together with those that have launched them, children.  */
void nested_collect (nested_launches *launches, const spmd_place *place,
		     gimple_seq *seq);

#endif /* ACCRETE_NESTED_H */
