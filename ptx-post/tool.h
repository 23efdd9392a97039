/* Programs that a build runs where they are at hand, several at a time.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_TOOL_H
#define ACCRETE_TOOL_H

#include <stdbool.h>

/* The path of CUDA's program NAME: on PATH, in $CUDA_HOME/bin, $CUDA_PATH/bin or
   /usr/local/cuda/bin; for the caller to free.  NULL when there is none.  */
char *tool_find (const char *name);

/* A run of a program.  */
struct tool_run
{
  char **argv;			/* that NULL ends */
  bool ok;			/* it has ended with status 0 */
};

/* Run the N of RUNS, as many at a time as there are CPUs, in silence unless
   SPEAKS.  */
void tool_run_all (struct tool_run *runs, unsigned n, bool speaks);

#endif /* ACCRETE_TOOL_H */
