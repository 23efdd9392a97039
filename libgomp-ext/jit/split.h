/* A unit of device code, and variants of its kernels taken out of it.

   The driver compiles all of a unit when a program starts, and most of it are
   variants of kernels (ACR_FORM_SUFFIX in abi.h), which few programs run long
   enough to measure.  So a unit is split: into what a program needs to start,
   and for each variant a unit of its own, to be compiled when it is wanted.

   A unit of its own has what the variant refers to, directly or not.  It can
   only be where all that is code, which is called and whose address nobody
   takes, or shared memory, which each launch has anew.  A variable in global
   memory is there once in a program, and what other units define the unit
   cannot have: the variants of a kernel of which one refers to either stay
   where they are.

   Of a kernel whose threads can compute several rows (ACR_ROWS_MAGIC in abi.h), the
   variant with the fewest rows is what the driver compiles soonest.  It can stand in
   the kernel's place, under its name: any variant computes the same.  Then the kernel
   itself has a unit of its own as well.

   A kernel that the host can do without for a while (a loop that it executes itself
   meanwhile) need not be there as a program starts at all: it has a unit of its own, and
   in its place stands one of its name that does nothing.

   Kernels of which that is true may be in units apart as well, some in each:
   they can be compiled at the same time.

   Source: write_fn_marker and write_var_marker in GCC's config/nvptx/nvptx.cc,
   for the lines that parts of a unit begin with.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_SPLIT_H
#define ACCRETE_SPLIT_H

#include "interpose/image.h"

#include <stdbool.h>

/* A variant.  CODE is freed with the others by acr_split_free.  */
struct acr_variant_code
{
  const char *kernel; /* its name, in the unit that was split, of N bytes */
  size_t n;
  unsigned form; /* NAME$formFORM; 0: the kernel itself */
  struct acr_unit unit;
  /* Of the kernel itself: the variant that is in its place, or may be, and how many
     rows a thread of it may compute; ABSENT: nothing is in its place.  */
  unsigned instead, rows;
  bool absent;
};

/* Whether the host can do without KERNEL, a name of N bytes.  */
typedef bool acr_split_missable (const char *kernel, size_t n);

struct acr_split
{
  struct acr_unit base; /* the unit without them */
  struct acr_variant_code *variants;
  unsigned nvariants; /* those of a kernel follow each other, in order */
};

/* Split U; with variants INSTEAD of kernels, where these can be, and without those that are
   MISSABLE (NULL: none).  False, and nothing to free, when nothing can be taken
   out.  */
bool acr_split (const struct acr_unit *u, bool instead, acr_split_missable *missable,
                struct acr_split *to);

/* Free the variants of S; its base is the caller's.  */
void acr_split_free (struct acr_split *s);

/* Kernels of a unit, in chunks.  */
struct acr_chunk_code
{
  struct acr_unit base; /* the unit without them */
  struct acr_unit *chunks;
  unsigned nchunks;
};

/* Take chunks of at LEAST so many bytes of kernels, or those in front of a kernel that
   is as large, out of U, in which as many stay. False, and nothing to free, where there would be none.  All is the
   caller's.  */
bool acr_split_chunks (const struct acr_unit *u, size_t least,
                       struct acr_chunk_code *to);

#endif /* ACCRETE_SPLIT_H */
