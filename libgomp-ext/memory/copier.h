/* memcpy by several threads; see copier.c.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_COPIER_H
#define ACCRETE_COPIER_H

#include <stddef.h>

struct acr_span
{
  void *dst;
  const void *src;
  size_t n;
};

/* Copy all COUNT spans, none of which overlaps another.  Thread-safe; one call
   at a time gets help.  */
void acr_copy_all (const struct acr_span *, size_t count);

/* The same for one.  */
void acr_copy (void *dst, const void *src, size_t n);

/* Threads that may help, ACCRETE_COPIERS or what suits the machine, started or
   not.  */
unsigned acr_copiers (void);

/* Something to copy may come soon.  Costs a system call when they sleep, and
   less and less often when nothing came.  */
void acr_copiers_call (void);

#endif /* ACCRETE_COPIER_H */
