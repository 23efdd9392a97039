/* Machine code that comes with a program: the last unit of its PTX, which
   holds nothing but comments.

   A line says what follows it, characters of pack.h in lines that begin with
   "// ":

     // ACCRETE-CODE 1 sm_90 HASH BYTES PACKED

   HASH, 16 hexadecimal digits, is that of the PTX which was compiled
   (acr_aot_hash): the units that a start links, without their variants and as
   adapt.h has them, or a variant (split.h).  So code of PTX that would be
   linked otherwise here, or by another version of us, is not found; nor is
   that for other GPUs.  Whoever does not know the unit links it, and it adds
   nothing.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_AOT_H
#define ACCRETE_AOT_H

#include "interpose/image.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A hash of N units.  */
uint64_t acr_aot_hash (const struct acr_unit *u, unsigned n);

/* Is U a unit of machine code?  */
bool acr_aot_is (const struct acr_unit *u);

/* U, which is that, without any, for the caller to free.  NULL for want of
 * memory.  */
struct acr_unit acr_aot_start (const struct acr_unit *u);

/* The machine code in U of what has HASH, for a GPU of compute capability
   MAJOR.MINOR, and its size; for the caller to free.  NULL when there is none.
 */
void *acr_aot_find (const struct acr_unit *u, int major, int minor,
                    uint64_t hash, size_t *bytes);

/* Write to OUT how a unit of machine code begins, beside the unit U; and N
   BYTES of code of ARCH ("sm_90") of what has HASH.  False for want of memory.
 */
void acr_aot_begin (FILE *out, const struct acr_unit *u);
bool acr_aot_add (FILE *out, const char *arch, uint64_t hash,
                  const void *bytes, size_t n);

#endif /* ACCRETE_AOT_H */
