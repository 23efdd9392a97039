/* Effects: what a call of libgomp, and the region that it launches, may read and
   write on the host and on the device.

   All that is done at another time than the program said rests on the answers
   here, and on nothing else that is known of a region.  They come from what the
   entry was called with and from the region's tag (abi.h).  Where nothing is
   known, the answer is the one that forbids.

   A region's accesses are told by host addresses: libgomp maps an operand whole or
   as a part of what is there, so that two operands share memory on the device
   when they do on the host.

   Thread-safe: no state.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_EFFECTS_H
#define ACCRETE_EFFECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/abi.h"
#include "transfer/kind.h"

/* Ways of an operand.  */
enum acr_way
{
  ACR_TO = 1,
  ACR_FROM = 2
};

/* Bytes of the host from BEGIN up to END.  */
struct acr_bytes
{
  uintptr_t begin, end;
};

/* What a public entry was called with, as far as it matters here.  */
struct acr_call
{
  const char *name;
  const void *from;   /* return address */
  const void *region; /* host function of the kernel it launches, or NULL */
  size_t n;           /* operands */
  void *const *hostaddrs;
  const size_t *sizes;
  const unsigned short *kinds; /* NULL: of another type */
  bool tasks;                  /* may run other tasks of the program first */
  bool unseen;                 /* the host looks at nothing behind it (abi.h) */
  const void *site;            /* of its record, while somebody wants it */
  bool ends;   /* it closes a construct; what it copies is that one's */
  bool unmaps; /* what it copies back is most often freed then */
  bool timed;       /* nowait: how long it takes decides */
  bool leaves;      /* nowait, and yet no task */
  bool lasts;       /* and not since it is short (interpose/leave.h) */
  unsigned refused; /* why it does not run in the background (why.def), from 1 on */
  unsigned facts;   /* of its operands (kind.h); 0: not known yet */
};

/* ---- libgomp ----------------------------------------------------------- */

/* How CALL, whose kinds are known, maps operand I (map-kind.h).  */
static inline unsigned
acr_call_kind (const struct acr_call *call, size_t i)
{
  return call->kinds[i] & 0xff;
}

/* Whether operand I of CALL, whose kinds are known, has FACT.  */
static inline bool
acr_call_has (const struct acr_call *call, size_t i, enum acr_kind_facts fact)
{
  return acr_kind_facts[acr_call_kind (call, i)] & fact;
}

/* What is true of one of CALL's operands or more, as far as their kinds are known.  */
unsigned acr_call_find_facts (const struct acr_call *call);
static inline unsigned
acr_call_facts (const struct acr_call *call)
{
  return call->facts ? call->facts : acr_call_find_facts (call);
}

/* Whether operand I of CALL is copied all of these ways (acr_way) when it is
   not present, or whatever it is.  */
bool acr_call_copies (const struct acr_call *call, size_t i, unsigned ways);

/* Whether operand I of CALL, where libgomp maps it anew, is one object of no more
   bytes of the host's than OBJECT; of all other kinds anything may be mapped.  */
bool acr_call_object (const struct acr_call *call, size_t i,
                      struct acr_bytes *object);

/* Whether libgomp may access the N bytes of host memory at P when it maps CALL's
   operands.  Copies back are not counted: they come when the construct ends.  */
bool acr_call_maps (const struct acr_call *call, const void *p, size_t n);

/* Whether libgomp reads or writes, for CALL's operands, host memory of which the
   program does not say that it maps it, and that may not outlive the construct:

   - pointers and array descriptors, which GCC may keep in frames and temporaries;
   - variables that GCC maps by itself, such as the loop variables of a simd
     construct, which it copies back, and bounds.

   True of kinds that are not known.  */
bool acr_call_needs_frame (const struct acr_call *call);

/* ---- Regions ----------------------------------------------------------- */

/* The tag of CALL's region, or NULL.  */
const struct acr_region *acr_call_tag (const struct acr_call *call);

/* The same where the region accesses, of what is mapped, its operands' data
   alone, as far as the host knows it (abi.h, closed), else NULL.  A region with
   children in the runtime's queue is not closed: they are launched again from
   there, with addresses in it.  Children that leave no queue behind (launches=1)
   access what is their parent's.  */
const struct acr_region *acr_call_closed (const struct acr_call *call);

/* The same where it may also access memory at addresses that the program has given
   for operands (deviceptr).  */
const struct acr_region *acr_call_bounded (const struct acr_call *call);

/* Whether CALL's region, with the tag R, may write to what the host has in BYTES,
   as far as its operands lead there; true without a tag.  */
bool acr_region_may_write (const struct acr_region *r,
                           const struct acr_call *call, struct acr_bytes bytes);

/* Whether the region may read what it has in the data of operand I, other than
   what it has stored there.  Where slots are in different groups, what is stored
   through one is not accessed through the other.  */
bool acr_call_may_read (const struct acr_call *call, size_t i);

#endif /* ACCRETE_EFFECTS_H */
