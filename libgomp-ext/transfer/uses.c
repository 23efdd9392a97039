/* Device memory that a launch may access; see uses.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "transfer/uses.h"

#include "ext.h"
#include "interpose/construct.h"
#include "interpose/image.h"
#include "launch/kernel.h"
#include "launch/launch.h"
#include "memory/pool.h"
#include "transfer/address.h"
#include "transfer/effects.h"
#include "transfer/object.h"

static bool
add_place (struct acr_uses *u, struct acr_pieces at, bool written)
{
  if (u->n == u->room)
    return false;
  u->use[u->n++] = (struct acr_use){ at, written };
  return true;
}

static bool
add (struct acr_uses *u, CUdeviceptr base, size_t n, bool written)
{
  return add_place (u, acr_pieces_whole (base, n), written);
}

static bool
add_block (struct acr_uses *u, CUdeviceptr p)
{
  CUdeviceptr base;
  size_t n;
  bool found;
  return acr_pool_range (&found, &base, &n, p) && found
         && add (u, base, n, true);
}

/* Add what may be reached from P, where the construct C has HOST.  */
static bool
add_object (struct acr_uses *u, struct acr_construct *c, CUdeviceptr p,
            const void *host, bool written)
{
  struct acr_memory m;
  if (!acr_pool_memory (p, 1, &m))
    return false;
  struct acr_bytes o = acr_object_around (c, host, p, &m);
  return add (u, p - ((uintptr_t)host - o.begin), o.end - o.begin, written);
}

/* Add the sections of R's slot I, where the tag has all and they are known, in L; else
   nothing.  What is not on the device is at no place that is known.  */
static bool
add_sections (struct acr_uses *u, const struct acr_launch *l,
              const struct acr_region *r, unsigned i)
{
  struct acr_memory m;
  unsigned before = u->n;
  bool any = false;
  if (!u->sections || !acr_pool_memory (l->words[i], 1, &m))
    return false;
  for (unsigned k = 0; k < r->nsections; k++)
    {
      const struct acr_section *s = &r->sections[k];
      struct acr_pieces at;
      if (s->slot != (int)i)
        continue;
      any = true;
      if (!acr_section_place (r, s, l->words, &at)
          || (at.n && !add_place (u, at, s->write)))
        {
          u->n = before;
          return false;
        }
    }
  return any;
}

/* Add what a word P of another kind may be the address of: a pointer that the
   construct has mapped with its operands (GOMP_MAP_POINTER), in a block that
   the next one may get.  */
static bool
add_other (struct acr_uses *u, CUdeviceptr p)
{
  struct acr_memory m;
  return !acr_pool_memory (p, 1, &m) || add_block (u, p);
}

/* Add L's argument block, if it has one.  */
static bool
add_args (struct acr_uses *u, const struct acr_launch *l)
{
  return l->kernel->args || add_block (u, *(const CUdeviceptr *)l->params[0]);
}

/* Whether nothing is done to OP's data: of what has no name nothing is known.  */
static bool
is_untouched (const struct acr_operand *op)
{
  return op->access == ACR_ACCESS_NONE && *op->name;
}

/* Add operand I of C's region R, which L passes.  */
static bool
add_operand (struct acr_uses *u, struct acr_construct *c,
             const struct acr_launch *l, const struct acr_region *r,
             unsigned i)
{
  const struct acr_operand *op = acr_region_slot (r, i);
  switch (op->map)
    {
    case ACR_MAP_DATA:
      if (is_untouched (op) || add_sections (u, l, r, i))
        return true;
      /* FALLTHRU */
    case ACR_MAP_COPY:
      return add_object (u, c, l->words[i], c->call->hostaddrs[i],
                         op->access & ACR_ACCESS_WRITE);
    case ACR_MAP_OTHER:
      return add_other (u, l->words[i]);
    case ACR_MAP_VALUE:
      return true;
    default:
      return false;
    }
}

/* Add what L, of C's region R, may access; as acr_uses_add.  */
static bool
add_all (struct acr_uses *u, struct acr_construct *c,
         const struct acr_launch *l, const struct acr_region *r)
{
  unsigned before = u->n;
  bool known = add_args (u, l);
  for (unsigned i = 0; known && i < l->nwords; i++)
    known = add_operand (u, c, l, r, i);
  if (!known)
    u->n = before;
  return known;
}

bool
acr_uses_add (struct acr_uses *u, struct acr_construct *c,
              const struct acr_launch *l)
{
  const struct acr_region *r = acr_call_closed (c->call);
  if (!r || !l->words || l->nwords != c->call->n)
    return false;
  if (add_all (u, c, l, r))
    return true;
  /* There may be room for objects, which are fewer.  */
  bool asked = u->sections && r->nsections;
  u->sections = false;
  bool known = asked && add_all (u, c, l, r);
  u->sections |= asked;
  return known;
}

static unsigned
facts_of (const struct acr_construct *c)
{
  if (!c->site->facts)
    c->site->facts = acr_image_facts (c->call->region);
  return c->site->facts;
}

bool
acr_uses_tell_all (const struct acr_construct *c)
{
  enum
  {
    ALL = ACR_REGION_KNOWN | ACR_REGION_RETURNS | ACR_REGION_SILENT
  };
  return c->site && c->call->region && c->call->kinds && !acr_address_known ()
         && !acr_call_passes_address (c->call) && !acr_image_variables ()
         && !(ALL & ~facts_of (c));
}

bool
acr_uses_conflict (const struct acr_use *a, unsigned n,
                   const struct acr_use *b, unsigned m)
{
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < m; k++)
      if ((a[i].written || b[k].written)
          && acr_pieces_overlap (&a[i].at, &b[k].at))
        return true;
  return false;
}
