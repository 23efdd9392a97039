/* Tags of the program's regions, by the address of the host function, and site
   records of its data constructs, by that of their kinds.

   Programs register tables of rows (address, line) from constructors; a line is
   parsed when it is first asked for.  The index is an open-addressed
   hash of rows, rebuilt when a table comes or goes, which is rare.

   Everything is guarded by LOCK, but for what a thread has found last.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/fork.h"
#include "ext.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PUBLIC __attribute__ ((visibility ("default")))

struct row
{
  const struct acr_host_entry *entry; /* NULL: free slot */
  struct acr_region *region;
  bool parsed;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct row *rows;
static size_t nslots, nrows; /* nslots is 0 or a power of two > nrows */

/* Tables that have come and gone: what is found is known until the next.  */
static _Atomic unsigned tables;

ACR_FORK_KEEPS (lock)

static struct row *
slot_of (struct row *slots, size_t n, const void *fn)
{
  size_t h = ((uintptr_t)fn >> 4) * 0x9e3779b97f4a7c15u >> 20;
  while (slots[h & (n - 1)].entry && slots[h & (n - 1)].entry->fn != fn)
    h++;
  return &slots[h & (n - 1)];
}

/* Move the rows that KEEP says to keep into a new index with room for MORE.
   On failure nothing changes.  */
static bool
rebuild (size_t more,
         bool (*keep) (const struct acr_host_entry *, const void *),
         const void *data)
{
  size_t n = 16;
  while (n < 2 * (nrows + more))
    n *= 2;
  struct row *to = calloc (n, sizeof *to);
  if (!to)
    return false;
  size_t kept = 0;
  for (size_t i = 0; i < nslots; i++)
    if (rows[i].entry)
      {
        if (keep (rows[i].entry, data))
          {
            *slot_of (to, n, rows[i].entry->fn) = rows[i];
            kept++;
          }
        else
          free (rows[i].region);
      }
  free (rows);
  rows = to;
  nslots = n;
  nrows = kept;
  return true;
}

static bool
keep_all (const struct acr_host_entry *e, const void *data)
{
  (void)e;
  (void)data;
  return true;
}

struct table
{
  const struct acr_host_entry *rows;
  size_t n;
};

static bool
keep_others (const struct acr_host_entry *e, const void *data)
{
  const struct table *t = data;
  return e < t->rows || e >= t->rows + t->n;
}

PUBLIC void
acr_register_regions (const struct acr_host_entry *table, size_t n)
{
  pthread_mutex_lock (&lock);
  /* Without memory the regions stay untagged, which is always allowed.  */
  if (2 * (nrows + n) <= nslots || rebuild (n, keep_all, NULL))
    for (size_t i = 0; i < n; i++)
      {
        struct row *r = slot_of (rows, nslots, table[i].fn);
        if (r->entry)
          continue;
        *r = (struct row){ .entry = &table[i] };
        nrows++;
      }
  atomic_fetch_add (&tables, 1);
  pthread_mutex_unlock (&lock);
}

PUBLIC void
acr_unregister_regions (const struct acr_host_entry *table, size_t n)
{
  struct table t = { table, n };
  pthread_mutex_lock (&lock);
  if (!rebuild (0, keep_others, &t))
    {
      /* Rows must not outlive their table: forget everything.  */
      for (size_t i = 0; i < nslots; i++)
        free (rows[i].region);
      free (rows);
      rows = NULL;
      nslots = nrows = 0;
    }
  atomic_fetch_add (&tables, 1);
  pthread_mutex_unlock (&lock);
}

static const struct acr_region *
row_region (struct row *r)
{
  if (r->entry && !r->parsed)
    {
      r->region = acr_tag_parse (r->entry->tag, strlen (r->entry->tag));
      r->parsed = true;
    }
  return r->region;
}

/* A construct asks for its region's tag several times.  */
const struct acr_region *
acr_region_find (const void *fn)
{
  static __thread struct
  {
    const void *fn;
    unsigned tables;
    const struct acr_region *region;
  } last __attribute__ ((tls_model ("initial-exec")));
  unsigned now = atomic_load_explicit (&tables, memory_order_acquire);
  if (last.fn == fn && last.tables == now)
    return last.region;
  last.fn = fn;
  last.tables = now;
  last.region = NULL;
  pthread_mutex_lock (&lock);
  if (nslots)
    last.region = row_region (slot_of (rows, nslots, fn));
  pthread_mutex_unlock (&lock);
  return last.region;
}

const char *
acr_region_place (char *to, size_t n, const struct acr_region *r)
{
  int len = snprintf (to, n, "%s:%u ", r->file, r->line);
  if (len < 0 || (size_t)len >= n)
    return to;
  snprintf (to + len, n - len, "%s", acr_kind_name (r->kind));
  for (char *c = to + len; *c; c++)
    if (*c == '-')
      *c = ' ';
  return to;
}

static __thread const void *said __attribute__ ((tls_model ("initial-exec")));

PUBLIC void
acr_site (const void *site)
{
  said = site;
}

const void *
acr_site_take (void)
{
  const void *site = said;
  said = NULL;
  return site;
}

/* Whether KERNEL is what PTX calls the host function FN.  */
static bool
is_kernel_of (const char *kernel, const char *fn)
{
  while (*fn && *kernel == (*fn == '.' ? '$' : *fn))
    {
      kernel++;
      fn++;
    }
  return !*fn && !*kernel;
}

struct acr_region *
acr_region_of_kernel (const char *kernel)
{
  const char *tag = NULL;
  struct acr_region *copy = NULL;
  pthread_mutex_lock (&lock);
  for (size_t i = 0; i < nslots && !tag; i++)
    {
      if (!rows[i].entry || acr_tag_site_p (rows[i].entry->tag))
        continue;
      const struct acr_region *region = row_region (&rows[i]);
      if (region && is_kernel_of (kernel, region->fn))
        tag = rows[i].entry->tag;
    }
  if (tag)
    copy = acr_tag_parse (tag, strlen (tag));
  pthread_mutex_unlock (&lock);
  return copy;
}
