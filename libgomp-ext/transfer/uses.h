/* Device memory that a launch may access.

   Of a region that is closed (abi.h), what is mapped as one object with an
   operand, which may be a part of it; where somebody asks for sections, and the tag has
   some of all accesses to an operand, those (section.h); the blocks of pointers that
   libgomp maps besides; the block of its arguments where those are not parameters
   (args.h).
   Static variables of the device, which no operand tells, are not counted.

   Thread-safe: no state.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_USES_H
#define ACCRETE_USES_H

#include <stdbool.h>
#include <stddef.h>

#include "transfer/section.h"

struct acr_construct;
struct acr_launch;

/* Bytes of which some may be WRITTEN.  */
struct acr_use
{
  struct acr_pieces at;
  bool written;
};

struct acr_uses
{
  struct acr_use *use;
  unsigned n, room;
  bool sections; /* are asked for */
};

/* Add to USES what L, which C launches, may access.  False when that is not
   known, or there is no room; USES is as it was then.  */
bool acr_uses_add (struct acr_uses *uses, struct acr_construct *c,
                   const struct acr_launch *l);

/* Can nobody tell when a launch of C's runs, but by what it accesses?  Not where its
   kernel prints or may not return, where there are static variables of the device, or
   where the program has addresses to look at memory with on streams of its own.  */
bool acr_uses_tell_all (const struct acr_construct *c);

/* Does one of the N uses A and the M uses B write what the other one accesses?
 */
bool acr_uses_conflict (const struct acr_use *a, unsigned n,
                        const struct acr_use *b, unsigned m);

#endif /* ACCRETE_USES_H */
