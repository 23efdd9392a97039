/* Constants: rows with one value in every lane, each made once a module.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <sys/mman.h>

#include "decode/module.h"

enum
{
  POOL_BYTES = 64 << 20,	/* address space of the rows */
  POOL_FIRST = 2 * ROW		/* no operand is 0 */
};

struct const_slot
{
  uint64_t bits;
  opref ref;			/* 0: free */
};

bool
constants_init (struct constants *c)
{
  *c = (struct constants){ .end = POOL_FIRST, .max = 256 };
  c->slot = calloc (c->max, sizeof *c->slot);
  c->pool = mmap (NULL, POOL_BYTES, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (c->pool == MAP_FAILED)
    c->pool = NULL;
  return c->slot && c->pool;
}

void
constants_free (struct constants *c)
{
  if (c->pool)
    munmap (c->pool, POOL_BYTES);
  free (c->slot);
}

char *
emu_pool (const struct emu_module *m)
{
  return m->constants.pool;
}

static struct const_slot *
slot_of (const struct constants *c, uint64_t bits, bool wide)
{
  size_t h = (size_t) ((bits * 2 + wide) * 0x9e3779b97f4a7c15u >> 20);
  for (;; h++)
    {
      struct const_slot *s = &c->slot[h & (c->max - 1)];
      if (!s->ref || (s->bits == bits && !!(s->ref & ROW) == wide))
	return s;
    }
}

/* Room for twice as many; false: no memory.  */
static bool
grow (struct constants *c)
{
  struct constants big = *c;
  big.max *= 2;
  big.slot = calloc (big.max, sizeof *big.slot);
  if (!big.slot)
    return false;
  for (size_t k = 0; k < c->max; k++)
    if (c->slot[k].ref)
      *slot_of (&big, c->slot[k].bits, c->slot[k].ref & ROW) = c->slot[k];
  free (c->slot);
  *c = big;
  return true;
}

/* Rows start at multiples of two rows; a wide one's operand is told apart in
   the dictionary only.  */
opref
emu_constant (struct emu_module *m, uint64_t bits, bool wide)
{
  struct constants *c = &m->constants;
  if (!wide)
    bits = (uint32_t) bits;
  if (2 * c->n >= c->max && !grow (c))
    return 0;
  struct const_slot *s = slot_of (c, bits, wide);
  if (!s->ref)
    {
      if (c->end + 2 * ROW > POOL_BYTES)
	return 0;
      char *row = c->pool + c->end;
      for (unsigned l = 0; l < LANES; l++)
	if (wide)
	  ((uint64_t *) row)[l] = bits;
	else
	  ((uint32_t *) row)[l] = (uint32_t) bits;
      *s = (struct const_slot){ bits, c->end | (wide ? ROW : 0) };
      c->end += 2 * ROW;
      c->n++;
    }
  return (s->ref & ~(opref) ROW) | OB_POOL;
}
