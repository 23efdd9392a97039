/* The construct that a thread is in, as the transfers see it.

   A construct is one outermost call of a public entry (entry.c).  Everything
   here belongs to one thread; hooks do nothing outside of constructs.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_CONSTRUCT_H
#define ACCRETE_CONSTRUCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "interpose/cuda-types.h"
#include "memory/copier.h"
#include "transfer/effects.h"
#include "transfer/fetch.h"
#include "transfer/policy/record.h"
#include "transfer/policy/site.h"

struct acr_staging;

enum
{
  ACR_ALLOCS = 64, /* a construct has one or two; a directive may have more */
  ACR_RUNS = 64,   /* DMAs that are held back */
  ACR_SPANS = 64,  /* operands in them */
  ACR_KINDS = 128, /* operands of a construct with such a region */
  ACR_OBJECTS = 48, /* operands of one whose objects are noted */
  ACR_WAVES = 16,
  ACR_RING = 12 /* buffers of large copies */
};

/* Memory that the construct allocated.  */
struct acr_fresh
{
  CUdeviceptr addr;
  size_t bytes;
  CUdeviceptr end;     /* where the next block begins; 0 when anybody may have
                          written anywhere */
  CUdeviceptr written; /* nothing was from here on */
};

/* Bytes at AT in a staging buffer, on their way to the device.  Its last block may be
   freed before they leave.  */
struct acr_run
{
  struct acr_dma dma; /* where they go */
  size_t at;
  CUdeviceptr begin, end; /* the bytes around it up to here belong to nobody */
  struct acr_tally *by; /* of the construct that sends it */
};

/* Pieces that are fetched together; a buffer of BYTES, or NULL before.  */
struct acr_wave
{
  struct acr_staging *staging;
  unsigned first, end;
  size_t bytes;
  unsigned behind; /* it comes after so many copies to the device */
};

struct acr_construct
{
  struct acr_sites sites;
  struct acr_record *record; /* or NULL */
  struct acr_site *site; /* NULL outside of constructs, and in those about
                            which nothing can be foretold */
  const struct acr_call *call;
  bool quiet; /* from here to its end, libgomp runs no code of the
                 program's */
  bool launched;
  bool waited;       /* for what was submitted before it (cuda.c) */
  bool drained;      /* and for all other work of the context */
  bool apart;        /* its kernel, from all that the host looks at (defer.c) */
  unsigned arrivals; /* of threads up to its begin */
  unsigned nlarge;   /* copies to the device that were large (gather.c) */
  size_t at;         /* the operand found last; copies come in order */
  unsigned nallocs;
  struct acr_fresh allocs[ACR_ALLOCS];

  /* overwrite.c: what the program says of its next construct, and the current
     one's kinds, if they are not the program's */
  unsigned nstores;
  struct acr_bytes stores[ACR_STORES];
  unsigned short kinds[ACR_KINDS];

  /* object.c: the operands of OBJECTS_OF, the construct at hand, or NULL */
  const struct acr_call *objects_of;
  unsigned nobjects;
  struct acr_bytes objects[ACR_OBJECTS];

  /* readback.c */
  bool early; /* the first wave was fetched before the first copy */
  unsigned nwaves;
  struct acr_wave waves[ACR_WAVES];
  unsigned npieces, room, next;
  struct acr_piece *pieces;

  /* gather.c */
  struct acr_staging *out; /* kept from construct to construct, or NULL */
  size_t out_at;      /* used up to here */
  unsigned nsent;     /* copies ever handed to the driver from it */
  unsigned nruns, nspans;
  struct acr_run runs[ACR_RUNS];
  struct acr_site *leader; /* of the first of them, when they are held back */
  struct acr_window window; /* that they have places for, from WINDOW_AT on */
  size_t window_at;
  struct acr_span spans[ACR_SPANS]; /* of them, to be copied to OUT */

  /* bulk.c */
  struct acr_staging *ring[ACR_RING]; /* kept, or NULL */
  unsigned ring_at;                   /* the next one */

  /* lend.c */
  bool lendable;            /* libgomp's next buffer is one for copies */
  struct acr_staging *lent; /* kept from construct to construct, or NULL */
};

/* Follow constructs from now on; called once, when the calling thread is about
   to start the first device.  */
void acr_construct_follow (void);

/* The thread uses devices, or is about to.  Called again and again.  */
void acr_construct_thread (void);

/* Whether the calling thread, which does, is the only one; and whether it has been
   since its construct began.  */
bool acr_construct_lone (void);
bool acr_construct_alone (void);

/* A construct begins; CALL lives until its end.  If it has a region, the
   program's code may run on the host in place of a kernel.  */
void acr_construct_begin (const struct acr_call *call);

/* One within another begins or ends: the program's code is running.  */
void acr_construct_nested (void);

void acr_construct_end (void);

/* The thread parts with its buffers: the device is about to be closed.  */
void acr_construct_part (void);

/* The program asks libgomp for profiling events; whether it has.  */
void acr_construct_watched (void);
bool acr_construct_is_watched (void);

/* The construct that the thread is in or was in last, NULL when it is new to devices;
   construct.c's.  */
extern __thread struct acr_construct *acr_construct_mine
    __attribute__ ((tls_model ("initial-exec"), visibility ("hidden")));

static inline struct acr_construct *
acr_construct_self (void)
{
  return acr_construct_mine;
}

/* The current one, or NULL.  Every step of a launch asks.  */
static inline struct acr_construct *
acr_construct_current (void)
{
  struct acr_construct *c = acr_construct_mine;
  return c && c->site ? c : NULL;
}

/* It has allocated BYTES at P; C is about to free P.  */
void acr_construct_alloc (CUdeviceptr p, size_t bytes);
void acr_construct_freed (struct acr_construct *c, CUdeviceptr p);

/* Whether the N bytes of host memory at P, that libgomp asks for, are an operand's of
   the construct that is copied WAY: memory of the program's, not of libgomp's, which
   nobody may change, or look at if the way is back, while the construct runs.  False
   when there may be handlers of profiling events, which do.  */
bool acr_construct_operand (struct acr_construct *, const void *p, size_t n,
                            enum acr_way way);

/* The memory at P from this construct's or earlier allocations, and back:
   false when it is not, or no more, in a block in use.  */
struct acr_place acr_construct_place (const struct acr_construct *,
                                      CUdeviceptr p, size_t bytes);
bool acr_construct_resolve (const struct acr_construct *, struct acr_place,
                            CUdeviceptr *p);

#endif /* ACCRETE_CONSTRUCT_H */
