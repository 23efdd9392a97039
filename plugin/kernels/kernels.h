/* Kernels constructs: what the files kernels*.cc share.

   A construct's way: kernels-scalar.cc gives its scalars variables that are
   registers; kernels-nest.cc decides about each loop nest, kernels-parts.cc
   cuts the construct into parts; kernels-code.cc writes the code of a part,
   kernels-region.cc the clauses around it, kernels-host.cc the host code
   between parts.  kernels.cc leads through all that.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_KERNELS_H
#define ACCRETE_KERNELS_H

#include "kernels/parts.h"
#include "gimplify-me.h"
#include "tree-inline.h"
#include "gimple-expr.h"

/* The rewriting of one construct.  */
struct rewrite
{
  line l;
  gomp_target *stmt;
  /* What must be true for the line to be what is executed.  */
  tree assumed;
  /* In the order of the source; owned.  */
  auto_vec<part *> parts;
  /* For each place on the line.  */
  auto_vec<place> places;
  /* The part in work.  */
  part *now;
  /* Variables declared on the line that several parts, or a part and the host,
     mention; in the code, their replacements on the host.  */
  hash_map<tree, tree> *hosted;
  /* Replacements of variables and labels in the code being written.  */
  hash_map<tree, tree> *map;
  /* Variables of the host code around it, and those of the region.  */
  tree host_vars, region_vars;
  /* In the region, the bound of its nest, where the code computes it.  */
  tree bound;
  /* Operands of the construct's clauses, as they were when it was met.  */
  tree condition, queue;
};

/* STMT, when it is a kernels construct; else NULL.  */
static inline gomp_target *
kernels_construct (gimple *stmt)
{
  gomp_target *target = dyn_cast<gomp_target *> (stmt);
  return target
	     && gimple_omp_target_kind (target)
		  == GF_OMP_TARGET_KIND_OACC_KERNELS
	   ? target
	   : NULL;
}

/* kernels-scalar.cc: before anything else is known about FUN's kernels
   constructs, let them have registers for their scalars.  */
void kernels_own_scalars (function *fun);

/* kernels-clause.cc: clauses and values.  */

/* Is VAR in a clause CODE of the directive of L?  */
bool kernels_in_clause_p (const line_loop *l, omp_clause_code code, tree var);

/* The pointer variable that REF is just what it points to, or NULL.  */
tree kernels_dereferenced (tree ref);

/* The clause of the construct STMT that maps WHAT, or NULL.  */
tree kernels_map_of (const gomp_target *stmt, tree what);

/* Is the mapping of WHAT by STMT always a new one?  */
bool kernels_fresh_p (const gomp_target *stmt, tree what);

/* Is REF a field of a Fortran array's descriptor that STMT maps, so that
   both sides have it?  The address alone is another one on the device.  */
bool kernels_host_field_p (const gomp_target *stmt, tree ref);

/* Can the host compute the value that EXPR has at the start of the region?  */
bool kernels_host_value_p (rewrite *w, tree expr);

/* Can it compute the one that EXPR has where it stands, in front of a part or
   behind it?  */
bool kernels_host_operand_p (rewrite *w, tree expr);

/* May anything in the region write the memory of REF, which is the scalar's
   own?  */
bool kernels_written_p (const rewrite *w, tree ref);

/* parts.cc: questions about parts.  */

/* The part that place AT belongs to, or NULL: the host's.  */
part *kernels_part_at (const rewrite *w, unsigned at);

/* Is there more than one part, or host code behind it?  */
bool kernels_several_p (const rewrite *w);

/* Is that so, or may the only part be left out?  */
bool kernels_host_decides_p (const rewrite *w);

/* kernels-bar.cc: why the construct cannot be cut, or NULL.  */
const char *kernels_parts_bar (const rewrite *w);

/* kernels-contract.cc: might the device's compiler join the assignment
   STMT, outside of loops, with another one to one operation?  */
bool kernels_contracted_p (const rewrite *w, gimple *stmt);

/* kernels-nest.cc: the decisions about one nest.  */

/* Why the nest of W->now cannot run in parallel, or NULL; then which of its
   loops do, and on what condition, is entered.  */
const char *kernels_nest_bar (rewrite *w);

/* Does the directive of L name a level that one around it names?  GCC refuses
   that.  */
bool kernels_named_twice_p (const line_loop *l);

/* May anything write what a symbol stands for?  */
bool kernels_symbols_change_p (const line *l);

/* kernels-cold.cc: what must be true for statements of the construct STMT,
   which allocate an array anew, not to be executed, with the tests in front
   of them.  They are added to *LEFT_OUT.  */
tree kernels_leave_out_cold (const line *l, const gomp_target *stmt,
			     hash_set<gimple *> *left_out);

/* kernels-parts.cc: cut the construct into parts.  Why it cannot be, or
   NULL.  */
const char *kernels_find_parts (rewrite *w);

/* kernels-last.cc: values after a part.  */

/* May the value of VAR that the part before place AT leaves be looked at?  */
bool kernels_live_p (const rewrite *w, unsigned at, tree var);

/* The VALUE that the host gives the index VAR behind a part, if its loop was
   REACHED.  */
struct last_value
{
  const part *after;
  tree var, value, reached;
};

/* The last values of indices, computed at the start of the construct.  */
void kernels_compute_last_values (rewrite *w, auto_vec<last_value> *values,
				  gimple_seq *seq);

/* Does the nest in work reduce VAR?  */
bool kernels_reduced_p (const rewrite *w, tree var);

/* Does the region in work need a variable of its own for VAR, which was there
   before it and is set in the nest?  */
bool kernels_privatized_p (const rewrite *w, tree var);

/* The loop whose every iteration sets VAR, which is set nowhere else in the
   nest, and which is reached in the last iterations of the loops around it,
   if it is ever; else NULL.  */
const line_loop *kernels_storing_loop (const rewrite *w, tree var);

/* What keeps the last value of VAR, which the nest in work sets, from being
   known after it?  Those that the last iteration is to store are entered in
   the part.  */
const char *kernels_last_value_bar (rewrite *w, tree var);

/* kernels-code.cc: the code of a part.  */

/* EXPR with the variables of the code being written, shared with nothing.  */
tree kernels_replaced (rewrite *w, tree expr);

/* What VAR is outside of the regions.  */
tree kernels_outside (const rewrite *w, tree var);

/* A new variable like VAR, in the list *VARS.  */
tree kernels_new_variable (tree var, tree *vars);

/* A copy of the statement at place AT.  */
void kernels_emit_statement (rewrite *w, unsigned at, gimple_seq *seq);

/* The region of the part in work.  */
gomp_target *kernels_make_region (rewrite *w);

/* The construct's own statements, which run in order.  */
void kernels_emit_sequential (rewrite *w, gimple_seq *seq);

/* kernels-region.cc: clauses of regions.  */

tree kernels_add_clause (tree clauses, location_t loc, omp_clause_code code,
			 tree decl);

/* Clauses for the region of the part in work.  USED are the variables in its
   body.  */
tree kernels_region_clauses (rewrite *w, hash_set<tree> *used);

/* Why the data clauses of the construct cannot be those of a data
   construct, or NULL.  */
const char *kernels_data_bar (const gomp_target *stmt);

/* The clauses of a data construct around all parts, or NULL when none is
   needed.  */
tree kernels_data_clauses (rewrite *w);

/* May the parts be left to a queue that the host does not wait for?  */
bool kernels_queued_p (rewrite *w);

/* kernels-host.cc: all that takes the place of the construct.  */
gbind *kernels_make_code (rewrite *w);

#endif /* ACCRETE_KERNELS_H */
