/* Loops over the lanes of a warp, for the files of handlers.

   A handler reads its operands as rows of a type and writes a row.  D may be
   the same row as an operand but never overlaps one partly, which is what the
   ivdep pragma tells the compiler.  With some lanes off, the value is
   computed for all and blended: expressions must be defined for any operand.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_EMU_LANES_H
#define ACCRETE_EMU_LANES_H

#include <stdint.h>

#include "machine/machine.h"

/* The same bits are read under several types.  */
typedef uint8_t u8;
typedef int8_t s8;
typedef uint16_t u16;
typedef int16_t s16;
typedef uint32_t __attribute__ ((may_alias)) u32;
typedef int32_t __attribute__ ((may_alias)) s32;
typedef uint64_t __attribute__ ((may_alias)) u64;
typedef int64_t __attribute__ ((may_alias)) s64;
typedef float __attribute__ ((may_alias)) f32;
typedef double __attribute__ ((may_alias)) f64;

#define HANDLER(name)							      \
  static void name (struct warp *w, const struct insn *i, uint32_t mask)

#define OPERAND(T, ref)							      \
  ((T *) __builtin_assume_aligned (					      \
    w->base[(ref) & 3] + ((ref) & ~(opref) 3), 4 * LANES))

/* The word of a predicate.  */
#define PRED(ref) (*(u32 *) (w->base[(ref) & 3] + ((ref) & ~(opref) 3)))

#define SET_PRED(ref, value)						      \
  do									      \
    {									      \
      u32 *set_p = &PRED (ref);						      \
      *set_p = (*set_p & ~mask) | ((value) & mask);			      \
    }									      \
  while (0)

/* For all lanes L of MASK: ROW[L] = VALUE.  */
#define FOR_LANES(ROW_, VALUE)						      \
  do									      \
    {									      \
      if (mask == (uint32_t) ALL)					      \
	{								      \
	  _Pragma ("GCC ivdep")						      \
	  for (unsigned l = 0; l < LANES; l++)				      \
	    ROW_[l] = (VALUE);						      \
	}								      \
      else								      \
	{								      \
	  _Pragma ("GCC ivdep")						      \
	  for (unsigned l = 0; l < LANES; l++)				      \
	    {								      \
	      __typeof__ (ROW_[0]) lane_v = (VALUE);			      \
	      ROW_[l] = mask >> l & 1 ? lane_v : ROW_[l];		      \
	    }								      \
	}								      \
    }									      \
  while (0)

/* For each lane L of MASK, one after the other.  */
#define EACH_LANE(l)							      \
  for (uint32_t each_m = mask, l;					      \
       each_m && (l = __builtin_ctz (each_m), 1); each_m &= each_m - 1)

/* Names of the copies of a file compiled for different instruction sets. */
#ifndef EMU_ISA
#define EMU_ISA base
#endif
#define ISA_PASTE_(a, b) a##_##b
#define ISA_PASTE(a, b) ISA_PASTE_ (a, b)
#define ISA_NAME(name) ISA_PASTE (name, EMU_ISA)

#endif /* ACCRETE_EMU_LANES_H */
