/* memcpy by several threads; see copier.c.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_COPIER_H
#define ACCRETE_COPIER_H

#include <stddef.h>

/* Copy N bytes.  Thread-safe; one copy at a time gets help.  */
void acr_copy (void *dst, const void *src, size_t n);

/* Threads that may help, ACCRETE_COPIERS or what suits the machine.  */
unsigned acr_copiers (void);

#endif /* ACCRETE_COPIER_H */
