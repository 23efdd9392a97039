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

#include "abi/map-kind.h"
#include "ext.h"
#include "transfer/overwrite.h"

#include <stdarg.h>
#include <string.h>

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
  struct row rows[ACR_STORE_LOOPS];
  uintptr_t at = (uintptr_t)p;
  uint64_t bytes = n;
  acr_construct_thread ();
  struct acr_construct *c = acr_construct_self ();
  if (!c || loops > ACR_STORE_LOOPS || c->nstores == ACR_STORES)
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
    c->stores[c->nstores++] = (struct acr_bytes){ at, end };
}

/* ---- Operands ---------------------------------------------------------- */

/* Whether the first N stores of C make up all of S.  */
static bool
overwritten (const struct acr_construct *c, struct acr_bytes s, unsigned n)
{
  for (unsigned i = 0; i < n && s.begin < s.end; i++)
    if (c->stores[i].begin <= s.begin && s.begin < c->stores[i].end)
      {
        s.begin = c->stores[i].end;
        i = -1;
      }
  return s.begin >= s.end;
}

/* Bytes in the first N stores of C, or more: an operand of more bytes is not made up
   of them.  */
static size_t
stored (const struct acr_construct *c, unsigned n)
{
  size_t all = 0;
  for (unsigned i = 0; i < n; i++)
    if (__builtin_add_overflow (all, c->stores[i].end - c->stores[i].begin,
                                &all))
      return SIZE_MAX;
  return all;
}

void
acr_overwrite_begin (struct acr_call *call)
{
  struct acr_construct *c = acr_construct_self ();
  unsigned n = c ? c->nstores : 0;
  if (c)
    c->nstores = 0;
  if (!n || !call->region || !call->kinds || call->n > ACR_KINDS
      || acr_opt_off (ACR_OPT_overwrite))
    return;
  size_t most = stored (c, n);
  for (size_t i = 0; i < call->n; i++)
    {
      uintptr_t at = (uintptr_t)call->hostaddrs[i];
      struct acr_bytes bytes = { at, at + call->sizes[i] };
      if (!call->sizes[i] || call->sizes[i] > most
          || !acr_call_copies (call, i, ACR_TO)
          || call->kinds[i] & ACR_MAP_KIND_ALWAYS
          || !overwritten (c, bytes, n) || acr_call_may_read (call, i))
        continue;
      if (call->kinds != c->kinds)
        call->kinds = memcpy (c->kinds, call->kinds, call->n * sizeof *c->kinds);
      c->kinds[i] &= ~ACR_TO;
      acr_debug (3, "overwrite: %zu bytes need no copy", call->sizes[i]);
      acr_count (h2d_dead, 1);
    }
}
