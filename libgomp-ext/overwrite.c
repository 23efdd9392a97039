/* Copies to the device of what the region there overwrites.

   The program says before a construct which bytes its region stores in any case
   (abi.h, acr_overwrite; the plugin's overwrite.cc has proved it).  An operand
   that is mapped to or tofrom is then mapped alloc or from instead, when

   - it lies wholly in such bytes: what would be copied back without having been
   stored was never the device's;
   - the tag says that the region does not read it: not through its own slot, and
   not through another that shares a byte with it on the host, or leads
   anywhere.  Where slots are in different groups, what is stored through one
   is not accessed through the other.

   To libgomp the two kinds are the same but for that copy: what is present stays as
   it is, and what is copied back is.  A construct that runs on the host copies
   nothing either way.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "overwrite.h"

#include <stdarg.h>
#include <string.h>

enum
{
  SPANS = 16, /* the plugin's max_covers */
  LOOPS = 8,
  OPERANDS = 128,
  /* gomp-constants.h: copied even when it is present; has no kind without TO.  */
  ALWAYS = 16
};

/* Bytes from BEGIN up to END.  */
struct span
{
  uintptr_t begin, end;
};

/* What the thread has been told for its next construct, and kinds for the
   current one.  */
struct own
{
  unsigned nspans;
  struct span spans[SPANS];
  unsigned short kinds[OPERANDS];
};

static __thread struct own own __attribute__ ((tls_model ("initial-exec")));

/* ---- What is said ------------------------------------------------------ */

/* COUNT further places, each STRIDE behind the one before.  */
struct row
{
  uint64_t stride, count;
};

/* A loop from FIRST to before BOUND: false when it has no iteration, else *N is
   the number of the others.  */
static bool
iterations (long first, long bound, long step, uint64_t *n)
{
  if (step > 0 ? first >= bound : first <= bound)
    return false;
  uint64_t distance = step > 0 ? (uint64_t)bound - first
                               : (uint64_t)first - bound;
  *n = (distance - 1) / (step > 0 ? (uint64_t)step : -(uint64_t)step);
  return true;
}

/* Take the next loop from AP, as a row upwards from *AT.  False when nothing is
   stored, or too much.  */
static bool
take_loop (va_list *ap, uintptr_t *at, struct row *row)
{
  long stride = va_arg (*ap, long), first = va_arg (*ap, long);
  long bound = va_arg (*ap, long), step = va_arg (*ap, long), by;
  if (!iterations (first, bound, step, &row->count)
      || __builtin_mul_overflow (stride, step, &by))
    return false;
  *at += (uint64_t)stride * first;
  row->stride = by < 0 ? -(uint64_t)by : (uint64_t)by;
  uint64_t extent;
  if (__builtin_mul_overflow (row->stride, row->count, &extent))
    return false;
  if (by < 0)
    *at -= extent;
  return true;
}

/* Put ROW in its place among the N at ROWS, the one with the least stride
   first.  */
static void
insert (struct row *rows, unsigned n, struct row row)
{
  while (n && rows[n - 1].stride > row.stride)
    {
      rows[n] = rows[n - 1];
      n--;
    }
  rows[n] = row;
}

__attribute__ ((visibility ("default"))) void
acr_overwrite (const void *p, size_t n, unsigned loops, ...)
{
  struct row rows[LOOPS];
  uintptr_t at = (uintptr_t)p;
  uint64_t bytes = n;
  if (loops > LOOPS || own.nspans == SPANS)
    return;
  va_list ap;
  va_start (ap, loops);
  bool any = true;
  for (unsigned i = 0; i < loops && any; i++)
    {
      struct row row;
      any = take_loop (&ap, &at, &row);
      if (any)
        insert (rows, i, row);
    }
  va_end (ap);
  /* Each row repeats what those before it fill, and fills the gaps.  */
  for (unsigned i = 0; i < loops && any; i++)
    any = rows[i].stride <= bytes
          && !__builtin_add_overflow (bytes, rows[i].stride * rows[i].count,
                                      &bytes);
  uintptr_t end;
  if (any && !__builtin_add_overflow (at, bytes, &end))
    own.spans[own.nspans++] = (struct span){ at, end };
}

/* ---- Operands ---------------------------------------------------------- */

/* Whether the first N spans hold all of S.  */
static bool
overwritten (struct span s, unsigned n)
{
  for (unsigned i = 0; i < n && s.begin < s.end; i++)
    if (own.spans[i].begin <= s.begin && s.begin < own.spans[i].end)
      {
        s.begin = own.spans[i].end;
        i = -1;
      }
  return s.begin >= s.end;
}

static struct span
operand (const struct acr_call *call, size_t i)
{
  uintptr_t begin = (uintptr_t)call->hostaddrs[i];
  return (struct span){ begin, begin + call->sizes[i] };
}

/* Whether region R of CALL may read what it has in the data of operand I, whose
   bytes it stores.  */
static bool
may_read (const struct acr_call *call, const struct acr_region *r, size_t i)
{
  const struct acr_operand *to = acr_region_slot (r, i);
  struct span s = operand (call, i);
  if (!to)
    return true;
  for (size_t k = 0; k < call->n; k++)
    {
      const struct acr_operand *op = acr_region_slot (r, k);
      if (!op)
        return true;
      if (!(op->access & ACR_ACCESS_READ)
          || (op->group != ACR_ALIAS_ANY && to->group != ACR_ALIAS_ANY
              && op->group != to->group))
        continue;
      struct span other = operand (call, k);
      if (op->map == ACR_MAP_PTR || op->map == ACR_MAP_PTR2
          || (other.begin < s.end && s.begin < other.end))
        return true;
    }
  return false;
}

void
acr_overwrite_begin (struct acr_call *call)
{
  unsigned n = own.nspans;
  own.nspans = 0;
  if (!n || !call->region || !call->kinds || call->n > OPERANDS
      || acr_opt_off (ACR_OPT_overwrite))
    return;
  const struct acr_region *r = acr_region_find (call->region);
  if (!r || r->nops != call->n)
    return;
  for (size_t i = 0; i < call->n; i++)
    {
      if (!call->sizes[i] || !acr_call_copies (call, i, ACR_TO) || call->kinds[i] & ALWAYS
          || !overwritten (operand (call, i), n) || may_read (call, r, i))
        continue;
      if (call->kinds != own.kinds)
        call->kinds
            = memcpy (own.kinds, call->kinds, call->n * sizeof *own.kinds);
      own.kinds[i] &= ~ACR_TO;
      acr_debug (3, "overwrite: %zu bytes need no copy", call->sizes[i]);
      acr_count (h2d_dead, 1);
    }
}
