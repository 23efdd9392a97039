/* Loads and stores.  Compiled once for every instruction set, like alu.c.

   The common case is a warp that touches consecutive addresses of device
   memory: one check of both ends and a copy.  Other patterns go lane by lane;
   what is not mapped device memory (windows, host memory, faults) is sorted
   out by memory.c.  Lanes that load from one address get one value, whatever
   other blocks do meanwhile, and those that store to one address store once, as
   on the hardware: GCC's uniform-SIMT code relies on it (libgomp's locks are
   released by all lanes).

   Operand a is the address row (64 bits), imm the offset.  The data rows are
   d, b, c, e; insn.mode says how many (vector forms).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>

#include "machine/mem.h"
#include "machine/table.h"
#include "ops/lanes.h"

typedef u32 row_u8, row_s8, row_u16, row_s16, row_u32;
typedef u64 row_u64;

/* The region's bounds in registers: stores to rows might change globals as
   far as the compiler can tell.  */
struct view
{
  uint64_t base, size;
  const uint16_t *page;
};

static inline struct view
view (void)
{
  return (struct view){ emu_space.base, emu_space.end - emu_space.base,
			emu_space.page };
}

static inline bool
seen (const struct view *v, uint64_t p, unsigned bytes)
{
  uint64_t off = p - v->base;
  return off < v->size && v->page[off / EMU_PAGE] && !(p & (bytes - 1));
}

/* If the lanes' addresses A + OFFSET are consecutive elements of BYTES in
   mapped device memory, the first one, else 0.  */
static inline uint64_t
consecutive (const u64 *a, int64_t offset, unsigned bytes)
{
  uint64_t first = a[0], diff = 0;
  for (unsigned l = 0; l < LANES; l++)
    diff |= a[l] - first - l * bytes;
  first += (uint64_t) offset;
  if (diff || !emu_mapped (first) || !emu_mapped (first + 31 * bytes)
      || (first & (bytes - 1)))
    return 0;
  return first;
}

/* Whether the lanes of MASK have one address.  */
static inline bool
uniform (const u64 *a, uint32_t mask)
{
  uint64_t first = a[__builtin_ctz (mask)], diff = 0;
  for (unsigned l = 0; l < LANES; l++)
    diff |= mask >> l & 1 ? a[l] - first : 0;
  return !diff;
}

static inline opref
data_ref (const struct insn *i, unsigned k)
{
  return k == 0 ? i->d : k == 1 ? i->b : k == 2 ? i->c : i->e;
}

/* Resolvers: pointer for BYTES at P of lane L, or NULL after a fault.  */

static inline void *
at_generic (struct warp *w, const struct insn *i, const struct view *v,
	    unsigned l, uint64_t p, unsigned bytes)
{
  return seen (v, p, bytes) ? (void *) (uintptr_t) p
			    : emu_generic (w, i, l, p, bytes);
}

static inline void *
at_shared (struct warp *w, const struct insn *i, const struct view *v,
	   unsigned l, uint64_t p, unsigned bytes)
{
  const struct cta *cta = w->cta;
  (void) v;
  return p < cta->shared_bytes && bytes <= cta->shared_bytes - p
	     && !(p & (bytes - 1))
	   ? cta->shared + p
	   : emu_shared (w, i, l, p, bytes);
}

static inline void *
at_local (struct warp *w, const struct insn *i, const struct view *v,
	  unsigned l, uint64_t p, unsigned bytes)
{
  (void) v;
  return p < w->local_stride && bytes <= w->local_stride - p
	     && !(p & (bytes - 1))
	   ? w->local + (size_t) l * w->local_stride + p
	   : emu_local (w, i, l, p, bytes);
}

#define LOAD(space, T)							      \
  HANDLER (ld_##space##_##T)						      \
  {									      \
    const u64 *a = OPERAND (u64, i->a);					      \
    if (i->mode == 1)							      \
      {									      \
	row_##T *d = OPERAND (row_##T, i->d);				      \
	uint64_t first = FAST_##space && mask == (uint32_t) ALL		      \
			   ? consecutive (a, i->imm, sizeof (T)) : 0;	      \
	if (first)							      \
	  {								      \
	    const T *p = (const T *) (uintptr_t) first;			      \
	    for (unsigned l = 0; l < LANES; l++)			      \
	      d[l] = (row_##T) p[l];					      \
	    return;							      \
	  }								      \
	if (ONE_##space (a, i->imm) && uniform (a, mask))		      \
	  {								      \
	    struct view v = view ();					      \
	    unsigned l0 = (unsigned) __builtin_ctz (mask);		      \
	    const T *p = at_##space (w, i, &v, l0, a[l0] + (uint64_t) i->imm, \
				     sizeof (T));			      \
	    row_##T one = p ? (row_##T) *(const volatile T *) p : 0;	      \
	    FOR_LANES (d, one);						      \
	    return;							      \
	  }								      \
      }									      \
    struct view v = view ();						      \
    unsigned n = i->mode;						      \
    const T *last = NULL;						      \
    T value[4] = { 0 };							      \
    EACH_LANE (l)							      \
      {									      \
	const T *p = at_##space (w, i, &v, l, a[l] + (uint64_t) i->imm,	      \
				 n * sizeof (T));			      \
	if (!p)								      \
	  return;							      \
	for (unsigned k = 0; p != last && k < n; k++)			      \
	  value[k] = *(const volatile T *) &p[k];			      \
	last = p;							      \
	for (unsigned k = 0; k < n; k++)				      \
	  OPERAND (row_##T, data_ref (i, k))[l] = (row_##T) value[k];	      \
      }									      \
  }

#define STORE(space, T)							      \
  HANDLER (st_##space##_##T)						      \
  {									      \
    const u64 *a = OPERAND (u64, i->a);					      \
    if (i->mode == 1)							      \
      {									      \
	const row_##T *s = OPERAND (row_##T, i->d);			      \
	uint64_t first = FAST_##space && mask == (uint32_t) ALL		      \
			   ? consecutive (a, i->imm, sizeof (T)) : 0;	      \
	if (first)							      \
	  {								      \
	    T *p = (T *) (uintptr_t) first;				      \
	    _Pragma ("GCC ivdep")					      \
	    for (unsigned l = 0; l < LANES; l++)			      \
	      p[l] = (T) s[l];						      \
	    return;							      \
	  }								      \
      }									      \
    struct view v = view ();						      \
    unsigned n = i->mode;						      \
    if (ONE_##space (a, i->imm) && uniform (a, mask))			      \
      mask = 1u << (31 - __builtin_clz (mask));				      \
    EACH_LANE (l)							      \
      {									      \
	T *p = at_##space (w, i, &v, l, a[l] + (uint64_t) i->imm,	      \
			   n * sizeof (T));				      \
	if (!p)								      \
	  return;							      \
	for (unsigned k = 0; k < n; k++)				      \
	  p[k] = (T) OPERAND (row_##T, data_ref (i, k))[l];		      \
      }									      \
  }

enum { FAST_generic = 1, FAST_shared = 0, FAST_local = 0 };

/* Whether one address is one place for all lanes: not in local memory.  */
#define ONE_generic(a, offset)						      \
  ((a)[__builtin_ctz (mask)] + (uint64_t) (offset) - EMU_LOCAL_WINDOW	      \
   >= EMU_WINDOW_BYTES)
#define ONE_shared(a, offset) true
#define ONE_local(a, offset) false

#define TYPES(X, space)							      \
  X (space, u8) X (space, s8) X (space, u16) X (space, s16) X (space, u32)    \
  X (space, u64)
#define SPACES(X) TYPES (X, generic) TYPES (X, shared) TYPES (X, local)

SPACES (LOAD)
SPACES (STORE)

/* An entry's parameters are the same for all threads.  */
#define PARAM(T)							      \
  HANDLER (ld_kparam_##T)						      \
  {									      \
    const T *p = (const T *) (uintptr_t) (w->cta->launch->params	      \
					  + (uint64_t) i->imm);		      \
    for (unsigned k = 0; k < i->mode; k++)				      \
      {									      \
	row_##T *d = OPERAND (row_##T, data_ref (i, k));		      \
	row_##T value = (row_##T) p[k];					      \
	FOR_LANES (d, value);						      \
      }									      \
  }
PARAM (u8)
PARAM (s8)
PARAM (u16)
PARAM (s16)
PARAM (u32)
PARAM (u64)

/* Parameters of device functions lie in chunks of 4 bytes a lane (machine.h);
   imm is the byte offset from operand a.  */
#define CHUNK(k) OPERAND (u32, i->a + (opref) ((i->imm + (k)) / 4) * ROW)

#define FPARAM_LOAD(T, ROW_T)						      \
  HANDLER (ld_fparam_##T)						      \
  {									      \
    for (unsigned k = 0; k < i->mode; k++)				      \
      {									      \
	unsigned shift = 8 * ((i->imm + k * sizeof (T)) & 3);		      \
	const u32 *s = CHUNK (k * sizeof (T));				      \
	ROW_T *d = OPERAND (ROW_T, data_ref (i, k));			      \
	FOR_LANES (d, (ROW_T) (T) (s[l] >> shift));			      \
      }									      \
  }
FPARAM_LOAD (u8, u32)
FPARAM_LOAD (s8, s32)
FPARAM_LOAD (u16, u32)
FPARAM_LOAD (s16, s32)
FPARAM_LOAD (u32, u32)

#define FPARAM_STORE(T)							      \
  HANDLER (st_fparam_##T)						      \
  {									      \
    for (unsigned k = 0; k < i->mode; k++)				      \
      {									      \
	unsigned shift = 8 * ((i->imm + k * sizeof (T)) & 3);		      \
	u32 keep = ~((u32) (T) -1 << shift);				      \
	u32 *d = CHUNK (k * sizeof (T));				      \
	const u32 *s = OPERAND (u32, data_ref (i, k));			      \
	FOR_LANES (d, (d[l] & keep) | (u32) (T) s[l] << shift);		      \
      }									      \
  }
FPARAM_STORE (u8)
FPARAM_STORE (u16)
FPARAM_STORE (u32)

HANDLER (ld_fparam_u64)
{
  for (unsigned k = 0; k < i->mode; k++)
    {
      const u32 *lo = CHUNK (8 * k), *hi = CHUNK (8 * k + 4);
      u64 *d = OPERAND (u64, data_ref (i, k));
      FOR_LANES (d, (u64) hi[l] << 32 | lo[l]);
    }
}

HANDLER (st_fparam_u64)
{
  for (unsigned k = 0; k < i->mode; k++)
    {
      u32 *lo = CHUNK (8 * k), *hi = CHUNK (8 * k + 4);
      const u64 *s = OPERAND (u64, data_ref (i, k));
      FOR_LANES (lo, (u32) s[l]);
      FOR_LANES (hi, (u32) (s[l] >> 32));
    }
}

#define LOAD_ENTRY(space, T) { "ld_" #space "." #T, ld_##space##_##T },
#define STORE_ENTRY(space, T) { "st_" #space "." #T, st_##space##_##T },

const struct emu_row ISA_NAME (emu_ldst_rows)[] = {
  SPACES (LOAD_ENTRY)
  SPACES (STORE_ENTRY)
  TYPES (LOAD_ENTRY, kparam)
  TYPES (LOAD_ENTRY, fparam)
  { "st_fparam.u8", st_fparam_u8 }, { "st_fparam.s8", st_fparam_u8 },
  { "st_fparam.u16", st_fparam_u16 }, { "st_fparam.s16", st_fparam_u16 },
  { "st_fparam.u32", st_fparam_u32 }, { "st_fparam.u64", st_fparam_u64 },
  { NULL, NULL }
};
