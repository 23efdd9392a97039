/* The construct that a thread is in, as the transfers see it.

   A construct is one outermost call of a public entry (entry.c).  Everything
   here belongs to one thread; hooks do nothing outside of constructs.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_CONSTRUCT_H
#define ACCRETE_CONSTRUCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda-types.h"
#include "site.h"

struct acr_staging;

enum
{
  ACR_ALLOCS = 16 /* a construct has one or two; a directive may have more */
};

/* Some device memory that was fetched to the host ahead of its copy.  */
struct acr_piece
{
  CUdeviceptr addr;
  size_t bytes;
  size_t at;  /* in the staging buffer */
  bool first; /* of those that one copy brings */
  bool asked; /* the copy came */
};

struct acr_construct
{
  struct acr_sites sites;
  struct acr_site *site; /* NULL outside of constructs, and in those about
                            which nothing can be foretold */
  bool quiet;            /* from here to its end, libgomp runs no code of the
                            program's */
  unsigned nallocs;
  struct
  {
    CUdeviceptr addr;
    size_t bytes;
  } allocs[ACR_ALLOCS];

  /* readback.c */
  struct acr_staging *staging; /* NULL: nothing is fetched */
  bool early;                  /* fetched before the first copy */
  struct acr_piece *pieces;
  unsigned npieces, room, next;
};

/* Follow constructs from now on; called once, when the calling thread is about
   to start the first device.  */
void acr_construct_follow (void);

/* The thread uses devices, or is about to.  Called again and again.  */
void acr_construct_thread (void);

/* Whether the calling thread, which does, is the only one.  */
bool acr_construct_alone (void);

/* A construct begins that maps N operands of SIZES, called from RA.  REGION:
   it runs a kernel, or instead of that the program's code on the host; TASKS:
   it may run others of the program's tasks first.  */
void acr_construct_begin (const void *ra, size_t n, const size_t *sizes,
                          bool region, bool tasks);

/* One within another begins or ends: the program's code is running.  */
void acr_construct_nested (void);

void acr_construct_end (void);

/* The current construct, or NULL.  */
struct acr_construct *acr_construct_current (void);

/* It has allocated BYTES at P.  */
void acr_construct_alloc (CUdeviceptr p, size_t bytes);

/* The memory at P from this construct's or earlier allocations, and back:
   false when it is not, or no more, in a block in use.  */
struct acr_place acr_construct_place (const struct acr_construct *,
                                      CUdeviceptr p, size_t bytes);
bool acr_construct_resolve (const struct acr_construct *, struct acr_place,
                            CUdeviceptr *p);

#endif /* ACCRETE_CONSTRUCT_H */
