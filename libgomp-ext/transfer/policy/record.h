/* What the constructs of a thread do while they come round in the same order,
   and what follows from that for the next time; see record.c.

   Everything here belongs to one thread, and concerns speed alone.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_RECORD_H
#define ACCRETE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "interpose/cuda-types.h"

enum
{
  ACR_STEPS = 256,   /* constructs in a sequence */
  ACR_BLOCKS = 256,  /* that they allocate */
  ACR_EVENTS = 2048, /* what else they do */
  ACR_NO_BLOCK = ACR_BLOCKS
};

enum acr_event_kind
{
  ACR_EVENT_SEND,  /* a copy to BLOCK */
  ACR_EVENT_FETCH, /* a copy back from it */
  ACR_EVENT_KERNEL,
  ACR_EVENT_LOOK /* the host waits */
};

struct acr_event
{
  unsigned short step;
  unsigned short block; /* or ACR_NO_BLOCK: memory that was there */
  unsigned char kind;
};

/* A construct: its call site and sizes, its allocations and what the plan says
   of its kernel.  */
struct acr_step
{
  uint64_t key;
  unsigned first; /* of its blocks */
  bool hold;
};

struct acr_logged_block
{
  CUdeviceptr addr;
  size_t bytes;
  CUdeviceptr place; /* where it is to be the next time, or 0 */
};

/* One time of the sequence.  */
struct acr_log
{
  unsigned nsteps, nblocks, nevents;
  struct acr_step steps[ACR_STEPS + 1]; /* one more ends the last */
  struct acr_logged_block blocks[ACR_BLOCKS];
  struct acr_event events[ACR_EVENTS];
};

/* layout.c: fill in PLACE and HOLD; and give up the memory for the places.  */
void acr_layout_make (struct acr_log *log);
void acr_layout_drop (struct acr_log *log);

struct acr_construct;
struct acr_record;
void acr_record_free (struct acr_record *r);

/* A construct with KEY (acr_site_key) begins; nothing is known of what comes
   now.  */
void acr_record_begin (struct acr_record **r, uint64_t key);
void acr_record_break (struct acr_record *r);

/* Where the plan wants the block of BYTES that this thread's construct allocates
   now, or 0; where it is.  */
CUdeviceptr acr_record_wants (size_t bytes);
void acr_record_alloc (struct acr_record *r, CUdeviceptr p, size_t bytes);

/* This thread's construct copies to the memory at P, or back from there, by KIND;
   launches, or waits, with P 0.  */
void acr_record_note (enum acr_event_kind kind, CUdeviceptr p);

/* Whether it pays to hold the construct's kernel (hold.h): 1 yes, 0 no, -1 not
   known.  */
int acr_record_holds (const struct acr_record *r);

#endif /* ACCRETE_RECORD_H */
