/* What libgomp does for an operand of a kind (abi/map-kind.h): one table for all that
   is asked about calls.

   Thread-safe: no state.

   Source: libgomp/target.c, gomp_map_vars_internal; oacc-mem.c.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_KIND_H
#define ACCRETE_KIND_H

enum acr_kind_facts
{
  /* Nothing to the host's memory when it maps the operand; nothing, from there to the
     construct's end, to host memory that the program does not name in a clause; if it
     maps anything, that is the operand's bytes, or a pointer's.  */
  ACR_LEAVES_HOST = 1 << 0,
  ACR_LEAVES_FRAMES = 1 << 1,
  ACR_MAPS_BYTES = 1 << 2,
  /* It gives the program a device address, takes one, or writes one next to mapped
     data, with which it can be copied back.  */
  ACR_EXPOSES = 1 << 3,
  ACR_TAKES = 1 << 4,
  ACR_ATTACHES = 1 << 5,
  /* The region gets its bytes; it is the number of members that follow.  */
  ACR_BY_VALUE = 1 << 6,
  ACR_MEMBERS = 1 << 7,

  /* Of a call alone: it has operands of ACR_SMALL_BYTES at most; its facts are
     known.  */
  ACR_SMALL = 1 << 8,
  ACR_FACTS = 1 << 9
};

enum
{
  ACR_SMALL_BYTES = 256
};

/* By the low byte of a kind.  */
extern const unsigned char acr_kind_facts[256];

#endif /* ACCRETE_KIND_H */
