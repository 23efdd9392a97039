/* Statements that the plugin writes.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_CODE_H
#define ACCRETE_CODE_H

#include "base/base.h"
#include "gimplify.h"
#include "tree-inline.h"
#include "omp-low.h"

tree code_label (void);
void code_add_label (tree label, gimple_seq *seq);
void code_add_goto (tree label, gimple_seq *seq);

/* Add to SEQ: go to YES when A CODE B, else to NO.  */
void code_add_branch (enum tree_code code, tree a, tree b, tree yes, tree no,
		      gimple_seq *seq);

/* A new variable of TYPE called after NAME, for the gimplify context.  */
tree code_temp (tree type, const char *name);

/* A CODE B, of A's type.  */
static inline tree
binary (enum tree_code code, tree a, tree b)
{
  return fold_build2 (code, TREE_TYPE (a), a, fold_convert (TREE_TYPE (a), b));
}

/* Add TO = EXPR to SEQ.  */
void code_set (tree to, tree expr, gimple_seq *seq);

/* Add a new variable with the value EXPR to SEQ.  */
tree code_value (tree expr, const char *name, gimple_seq *seq);

/* A statement that is DEVICE in the compiler for the device and HOST in the
   host's, once .GOMP_USE_SIMT has been resolved: the function must not have
   PROP_gimple_lomp_dev after omp-low.  */
gimple *code_two_forms (gimple *device, gimple_seq host);

/* Put SEQ, made in the gimplify context that this ends, before the construct
   TARGET.  */
void code_put_before (gimple *target, gimple_seq seq);

#endif /* ACCRETE_CODE_H */
