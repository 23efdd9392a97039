/* Pinned memory for the operands that libgomp merges.

   For operands of up to 32 KiB that a construct allocates next to each other,
   libgomp takes a buffer from malloc, copies them there, hands the whole to
   its plugin and frees the buffer.  The driver, or gather.c, then copies that
   once more to pinned memory.  Here the buffer is pinned memory at once, from
   which the device fetches it while the program goes on to the launch.

   Which malloc that is: the first of the construct's thread after the block on
   the device was allocated, of a size that such a buffer can have.  Should it
   be another one, that is as well: whoever frees it in libgomp comes here.

   One buffer is out at a time; a second thread gets what malloc gives.  The
   buffer stays with its thread, and is lent again when the device has read it,
   which the wait for the kernel says (acr_gather_synced), else another one is.

   Source: libgomp/target.c, gomp_map_vars_internal, gomp_coalesce_buf_add.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "interpose/import.h"
#include "memory/staging.h"
#include "transfer/gather.h"
#include "transfer/lend.h"
#include "transfer/policy/limit.h"

#include <stdlib.h>

/* What libgomp merges, and the gap to the next that it takes along.  */
#define OPERAND_MAX ((size_t)32 << 10)
#define GAP_MAX ((size_t)4 << 10)

/* What libgomp has not freed yet, or NULL.  */
static void *_Atomic out;

/* Whether libgomp may want N bytes to merge operands of C in.  Of the operands of a
   directive without a region, gather.c may let some wait, to send them with what
   comes.  */
static bool
is_for_copies (const struct acr_construct *c, size_t n)
{
  const struct acr_call *call = c->call;
  return c->lendable && n >= (call->region ? (size_t)ACR_SIZE_lend_least : (size_t)ACR_SIZE_wait + 1)
         && n <= ACR_SIZE_lend_most && n / (OPERAND_MAX + GAP_MAX) <= call->n
         && !acr_opt_off (ACR_OPT_lend) && !acr_opt_off (ACR_OPT_gather);
}

/* Have a buffer of N bytes that nobody reads.  */
static bool
reserve (struct acr_construct *c, size_t n)
{
  if (c->lent && c->lent->sent)
    acr_staging_part (&c->lent);
  return acr_staging_keep (&c->lent, n);
}

void *
acr_lend_malloc (size_t n)
{
  /* While NONE is there, nobody else lends.  */
  static char none;
  void *nothing = NULL;
  struct acr_construct *c = acr_construct_current ();
  if (c && is_for_copies (c, n)
      && atomic_compare_exchange_strong (&out, &nothing, &none))
    {
      void *p = reserve (c, n) ? c->lent->mem : NULL;
      atomic_store (&out, p);
      if (p)
        {
          c->lendable = false;
          return p;
        }
    }
  if (c)
    c->lendable = false;
  return malloc (n);
}

void
acr_lend_free (void *p)
{
  if (p && p == atomic_load_explicit (&out, memory_order_relaxed))
    atomic_store (&out, NULL);
  else
    free (p);
}

bool
acr_lend_holds (const struct acr_construct *c, const void *p)
{
  return c->lent && (size_t)((const char *)p - c->lent->mem) < c->lent->bytes
         && atomic_load_explicit (&out, memory_order_relaxed) == c->lent->mem;
}

void
acr_lend_follow (void)
{
  const void *libgomp = (const void *)acr_libgomp.fatal;
  if (acr_opt_off (ACR_OPT_lend))
    return;
  if (!acr_import_replace (libgomp, "free", (void *)acr_lend_free)
      || !acr_import_replace (libgomp, "malloc", (void *)acr_lend_malloc))
    acr_opt_disable (ACR_OPT_lend, "libgomp's imports are out of reach");
}

void
acr_lend_part (struct acr_construct *c)
{
  if (c->lent && atomic_load (&out) != c->lent->mem)
    acr_staging_part (&c->lent);
}
