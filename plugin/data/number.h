/* Value numbers of straight-line code: what is computed in the same way from
   the same has the same number.

   Source: P. Briggs, K. D. Cooper, L. T. Simpson, "Value Numbering", Software:
   Practice and Experience 27(6), 1997.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_NUMBER_H
#define ACCRETE_NUMBER_H

#include "accrete.h"

/* A value: an operation on others, of which LEAF is none but a constant, or
   what a variable had at the beginning.  Loads are of memory after so many
   changes.  */
struct computed
{
  tree_code code;
  tree type, leaf;
  unsigned a, b;
};

struct history
{
  unsigned sets;
  /* The variable's value after the last of them.  */
  unsigned number;
};

struct numbering
{
  auto_vec<computed> values;
  hash_map<tree, history> variables;
  /* So often may memory have changed.  */
  unsigned changes = 0;
};

/* The number of what EXPR, an operand, is worth behind the statements that were
   numbered.  */
unsigned number_of_operand (numbering *n, tree expr);

/* Number the value that the assignment or call STMT sets.  */
void number_statement (numbering *n, gimple *stmt);

/* The same for all of SEQ; false when control parts before its end.  */
bool number_statements (numbering *n, gimple_seq seq);

/* What VAR is worth is not known any more.  */
void number_forget (numbering *n, tree var);

#endif /* ACCRETE_NUMBER_H */
