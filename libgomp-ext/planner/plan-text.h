/* The text form of a kernel-vector graph, for accrete-plan; one line each:

     vector NAME BYTES [ENTRY] [-> EXIT]
     kernel NAME (host | device) : [VECTOR...] [-> VECTOR...]

   ENTRY and EXIT are host, device or host+device: where the vector has a
   value before the program, and where it is wanted after it.  Kernels stand
   in program order; the vectors before the arrow are read, those after it
   written.  BYTES may end in K, M or G (powers of 1024).  Words are separated
   by blanks, and # begins a comment.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_PLAN_TEXT_H
#define ACCRETE_PLAN_TEXT_H

#include "planner/graph.h"

struct plan_text
{
  struct acr_graph *graph;
  char **vector; /* names, by index */
  char **kernel;
};

/* Read FILE ("-": standard input).  NULL on failure, after a message on
   standard error that shows the place.  The caller frees the result with
   plan_text_free.  */
struct plan_text *plan_text_read (const char *file);
void plan_text_free (struct plan_text *t);

/* A number of bytes: digits and perhaps K, M or G; the LEN bytes at TEXT as
   a whole.  */
bool plan_text_bytes (const char *text, size_t len, size_t *bytes);

/* plan-print.c: write the schedule, the placement and the counts.  */
void plan_text_print (FILE *out, const struct plan_text *t,
                      const struct acr_plan *p);

#endif /* ACCRETE_PLAN_TEXT_H */
