/* What kernels took on the GPU, for the report (ACCRETE_TIMES).

   By the name that a kernel has in PTX; they outlive its module.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_TIMES_H
#define ACCRETE_TIMES_H

#include <stdbool.h>
#include <stdio.h>

struct acr_times;

/* The times of the kernel NAME, which stay where they are; NULL when memory is
   out.  */
struct acr_times *acr_times_of (const char *name);

/* A launch of T's kernel took so many MICROSECONDS.  */
void acr_times_note (struct acr_times *t, float microseconds);

/* Print them all, as the member "kernels" of a JSON object or as lines.  The
   median is that of the last launches.  */
void acr_times_print (FILE *to, bool json);

/* This process is a forked child.  */
void acr_times_fork (void);

#endif /* ACCRETE_TIMES_H */
