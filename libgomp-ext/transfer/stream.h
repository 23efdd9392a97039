/* The NULL stream, executed lazily: commands that the driver was not given yet
   (docs/commands.md).

   Commands stand in ranks, of which each is executed behind those before it.
   A new one goes to the end of its own rank and so passes the later ones;
   commands that it must not pass are handed over first (acr_stream_pass):
   neither may write what the other accesses, on the device and on the host.
   Who could see that a command has not been executed drains.

   All commands belong to one thread, the only one that uses devices, and to
   one context.  One lock guards all ranks, and is held where a rank is called.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_STREAM_H
#define ACCRETE_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "interpose/construct.h"

/* Sets of ranks.  */
enum acr_ranks
{
  ACR_SENDS = 1 << 0,    /* to the device (gather.c) */
  ACR_KERNELS = 1 << 1,  /* (hold.c) */
  ACR_FETCHES = 1 << 2,  /* to pinned memory, and behind them blocks that go
                            back to  the pool (late.c) */
  ACR_ARRIVALS = 1 << 3, /* a wait for what was fetched, and its copies to the
                            host's memory (late.c) */
  ACR_COPIES = 1 << 4,   /* the same of what has arrived (readback.c) */
  ACR_TAILS = 1 << 5,    /* of the end of a large copy (bulk.c) */
  ACR_SUBMITS = ACR_SENDS | ACR_KERNELS,
  ACR_ARRIVED = ACR_COPIES | ACR_TAILS,
  ACR_ALL = (1 << 6) - 1
};

/* What a command that would pass others accesses.  */
struct acr_effects
{
  CUdeviceptr device; /* it writes N bytes of device memory here */
  size_t n;
  const void *host; /* it accesses M bytes of host memory here */
  size_t m;
  const struct acr_call *region; /* it is the kernel of this call's */
  const struct acr_call *maps;   /* libgomp maps this call's operands */
  bool unknown; /* it is a kernel that may write anything on the device */
};

/* A rank, and what is done with its commands.  */
struct acr_rank
{
  unsigned is;     /* of acr_ranks */
  unsigned behind; /* its commands must be behind those of these ranks */
  /* Its commands, of the thread of C, are handed over, and RANKS with them. */
  void (*hand_over) (struct acr_construct *c, unsigned ranks);
  /* Whether what has the effects E must not pass them; NULL: it may.  */
  bool (*conflicts) (const struct acr_effects *e);
  /* They are no more.  */
  void (*forget) (void);
};

/* Whether some of RANKS may be here.  Who reads no finds what they did, too.
 */
bool acr_stream_has (unsigned ranks);

/* What has the effects E comes: hand over those of RANKS that it must not
 * pass.  */
void acr_stream_pass (const struct acr_effects *e, unsigned ranks);

/* Hand over the commands of RANKS, where there are any, and all that these
   must be behind.  */
void acr_stream_drain (unsigned ranks);

/* The calling thread, of which C is the construct, may add commands until it
   closes the stream, and says of which ranks; it may let others pass, and
   drain, meanwhile. Commands in another context are handed over first.  False,
   and the stream is not open, when C's thread is not the only one that uses
   devices.  */
bool acr_stream_open (struct acr_construct *c);
void acr_stream_add (const struct acr_rank *r);
void acr_stream_close (void);

/* The calling thread is new to devices: it must not find anything undone.  */
void acr_stream_other_thread (void);

/* The program has device addresses, which it may use on streams of its own. */
void acr_stream_exposed (void);

/* The process is a forked child, which has no device.  */
void acr_stream_forked (void);

#endif /* ACCRETE_STREAM_H */
