/* The report's rows; see row.h.

   Rows are never freed, so that who keeps a tally needs no lock.  LOCK guards
   what is not in a tally.  Nothing is called with it held, as it may be taken
   with any other lock held: the dynamic linker's by constructors of a library,
   and those of whoever launches.  So no fork waits for it either; a child has
   whole lists, and a lock of its own.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/hash.h"
#include "base/path.h"
#include "ext.h"
#include "interpose/construct.h"
#include "launch/form.h"
#include "launch/kernel.h"
#include "launch/launch.h"
#include "report/directive.h"
#include "report/row.h"
#include "transfer/address.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  SLOTS = 256,
  OPEN = 16, /* data constructs of a thread, one in another */
  PLACE = 512,
  LARGE = 4096, /* bytes; reductions send and fetch less than that */
};

bool acr_row_on;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct acr_row *rows[SLOTS];
static pthread_key_t key;

/* Operands that are copied both ways.  */
struct trip
{
  uint64_t key;
  size_t bytes;
};

/* A data construct that has begun.  */
struct open
{
  struct acr_row *row;
  struct trip trip; /* what was sent; 0 bytes: not all */
  /* In one block with what they point to, or NULL.  */
  struct acr_operands *operands;
};

struct thread
{
  struct acr_tally tally;
  const struct acr_call *call; /* NULL outside of constructs */
  struct acr_row *row;
  struct trip trip;
  struct acr_operands operands;
  double begin;
  unsigned why;   /* a set of bits 1 << acr_why */
  bool settled;   /* this is not its first construct */
  unsigned nopen; /* may exceed OPEN */
  struct open open[OPEN];
};

static __thread struct thread *self
    __attribute__ ((tls_model ("initial-exec")));

static void
thread_ends (void *arg)
{
  struct thread *t = arg;
  acr_tally = NULL;
  self = NULL;
  for (unsigned i = 0; i < OPEN; i++)
    free (t->open[i].operands);
  free (t);
}

void
acr_row_start (void)
{
  acr_counts_off = acr_env.report == REPORT_NONE;
  acr_row_on = acr_env.report == REPORT_TEXT
               && !pthread_key_create (&key, thread_ends);
}

static struct thread *
thread (void)
{
  if (self)
    return self;
  struct thread *t = calloc (1, sizeof *t);
  if (t && pthread_setspecific (key, t))
    {
      free (t);
      t = NULL;
    }
  return self = t;
}

/* ---- Rows -------------------------------------------------------------- */

/* Do R's threads share no work?  Of OpenMP's regions in generic mode not all
   parallel regions are known.  */
static bool
shares_nothing (const struct acr_region *r)
{
  for (unsigned i = 0; i < r->nloops; i++)
    if (strpbrk (r->loops[i].par, "gwva"))
      return false;
  return r->kind != ACR_KIND_OMP_TARGET
         || (r->spmd != ACR_SPMD_NO && r->dims[0] == 1);
}

static const char *
words_of (const char *entry)
{
#define WORDS(name, text)                                                     \
  if (!strcmp (entry, #name))                                                 \
    return text;
#include "report/entry-words.def"
  return entry;
}

/* Where CALL is in the source, when its directive is R, or in the program.  */
static void
place_of (char to[PLACE], const struct acr_call *call,
          const struct acr_region *r)
{
  char code[PLACE / 2];
  if (r)
    acr_region_place (to, PLACE, r);
  else
    snprintf (to, PLACE, "%s %s",
              acr_path_code (code, sizeof code, call->from),
              words_of (call->name));
}

static struct acr_row **
slot_of (const void *what)
{
  return &rows[acr_hash_word (0, (uintptr_t)what) % SLOTS];
}

/* What tells CALL, of directive R, from those of other rows.  */
static const void *
key_of (const struct acr_call *call, const struct acr_region *r)
{
  return call->region ? call->region
         : r          ? call->site
                      : call->from;
}

/* R, which goes with the library that it came from, in a block of its own;
   NULL when memory is out.  */
static struct acr_region *
copy_of (const struct acr_region *r)
{
  char *text = acr_tag_format (r);
  struct acr_region *copy = text ? acr_tag_parse (text, strlen (text)) : NULL;
  free (text);
  return copy;
}

static void
free_row (struct acr_row *row)
{
  acr_variables_free (row->variables);
  free (row->directive);
  free (row);
}

/* A row for CALL, of directive R, in no slot; NULL when memory is out.  */
static struct acr_row *
new_row (const struct acr_call *call, const struct acr_region *r)
{
  char place[PLACE];
  place_of (place, call, r);
  struct acr_row *row = calloc (1, sizeof *row + strlen (place) + 1);
  if (!row)
    return NULL;
  strcpy (row->place, place);
  row->key = key_of (call, r);
  row->tally.kept = &row->tally;
  row->compute = call->region;
  row->directive = r ? copy_of (r) : NULL;
  if (row->directive)
    row->variables = acr_variables_new (row->directive);
  row->shares_nothing = r && r->fn && shares_nothing (r);
  return row;
}

/* A row other than ROW at the same place, or NULL.  */
static struct acr_row *
same_place (const struct acr_row *row)
{
  for (unsigned i = 0; i < SLOTS; i++)
    for (struct acr_row *other = rows[i]; other; other = other->next)
      if (other != row && !other->is && !strcmp (other->place, row->place))
        return other;
  return NULL;
}

/* The row with the key WHAT, or NULL; NEW is entered where there is none.  The
   instances of a template, and the copies of an inline function in several
   units, are one data construct; their kernels are several.  */
static struct acr_row *
find (const void *what, struct acr_row *new)
{
  struct acr_row **slot = slot_of (what);
  pthread_mutex_lock (&lock);
  struct acr_row *row = *slot;
  while (row && row->key != what)
    row = row->next;
  if (!row && new)
    {
      row = new;
      row->is = row->compute ? NULL : same_place (row);
      row->next = *slot;
      *slot = row;
    }
  pthread_mutex_unlock (&lock);
  return row;
}

/* ROW, or the one that it stands for.  */
static struct acr_row *
itself (struct acr_row *row)
{
  return row && row->is ? row->is : row;
}

/* The row of CALL, or NULL.  */
static struct acr_row *
row_of (const struct acr_call *call)
{
  const struct acr_region *r = acr_call_directive (call);
  const void *what = key_of (call, r);
  struct acr_row *row = find (what, NULL);
  struct acr_row *new = row ? NULL : new_row (call, r);
  if (!new)
    return itself (row);
  row = find (what, new);
  if (row != new)
    free_row (new);
  return itself (row);
}

/* ---- Constructs -------------------------------------------------------- */

/* The operands of CALL that are copied both ways unless they are present.  */
static struct trip
trip_of (const struct acr_call *call)
{
  struct trip t = { 0, 0 };
  for (size_t i = 0; call->kinds && i < call->n; i++)
    if (acr_call_copies (call, i, ACR_TO | ACR_FROM))
      {
        t.key = acr_hash_word (t.key, (uintptr_t)call->hostaddrs[i]);
        t.key = acr_hash_word (t.key, call->sizes[i]);
        t.bytes += call->sizes[i];
      }
  return t;
}

/* OS in one block with its vectors; NULL when memory is out.  */
static struct acr_operands *
copy_operands (const struct acr_operands *os)
{
  size_t addrs = os->n * sizeof *os->hostaddrs;
  size_t sizes = os->n * sizeof *os->sizes;
  struct acr_operands *copy
      = os->n ? malloc (sizeof *copy + addrs + sizes) : NULL;
  if (!copy)
    return NULL;
  *copy = (struct acr_operands){ .n = os->n };
  copy->hostaddrs = memcpy (copy + 1, os->hostaddrs, addrs);
  copy->sizes = memcpy ((char *)(copy + 1) + addrs, os->sizes, sizes);
  return copy;
}

/* T's construct, which is about to begin, ends what OPEN has begun.  */
static void
close (struct thread *t, const struct open *open)
{
  t->row = open->row;
  t->trip = open->trip;
  if (open->operands)
    t->operands = *open->operands;
}

void
acr_row_construct (const struct acr_call *call)
{
  struct thread *t = thread ();
  if (!t)
    return;
  memset (&t->tally, 0, sizeof t->tally);
  t->call = call;
  t->why = 0;
  t->trip = trip_of (call);
  t->operands = (struct acr_operands){
    .n = call->kinds ? call->n : 0,
    .hostaddrs = (const void *const *)call->hostaddrs,
    .sizes = call->sizes,
  };
  if (!acr_call_ends_data (call) || !t->nopen || --t->nopen >= OPEN)
    t->row = row_of (call);
  else
    close (t, &t->open[t->nopen]);
  if (t->row)
    {
      t->tally.kept = &t->row->tally;
      acr_tally = &t->tally;
    }
  t->begin = acr_now_us ();
}

static void
add (struct acr_tally *to, const struct acr_tally *from)
{
#define COUNT(name, meaning)                                                  \
  if (from->counts.name)                                                      \
    acr_count_in (to->counts, name, from->counts.name);
#include "base/count.def"
}

/* Note in T's row whether all that it sent came back, and the next time the
   same.  */
static void
note_trip (const struct thread *t)
{
  struct acr_row *row = t->row;
  const struct trip *trip = &t->trip;
  bool round
      = trip->bytes >= LARGE && t->tally.counts.stock_d2h_bytes >= trip->bytes;
  row->trips = !round ? 0 : trip->key == row->trip ? row->trips + 1 : 1;
  row->trip = trip->key;
  if (row->trips > row->most_trips)
    {
      row->most_trips = row->trips;
      row->trip_bytes = trip->bytes;
    }
}

/* Why T's construct, which has waited or copied back, left none of that for
   later; ACR_WHY_COUNT: nobody knows, or some was left.  */
static enum acr_why
why (const struct thread *t)
{
  const struct acr_counters *c = &t->tally.counts;
  if ((!c->stock_d2h_copies && !c->stock_syncs) || c->d2h_late || c->unwaited
      || acr_opt_off (ACR_OPT_late))
    return ACR_WHY_COUNT;
  return !t->call->unseen                        ? ACR_WHY_WATCHED
         : acr_address_known ()                  ? ACR_WHY_ADDRESS
         : t->settled && !acr_construct_alone () ? ACR_WHY_THREADS
                                                 : ACR_WHY_COUNT;
}

void
acr_row_copy (const void *p, size_t n, enum acr_way way)
{
  if (!self || !self->call || !self->row)
    return;
  pthread_mutex_lock (&lock);
  acr_variables_copy (self->row->variables, &self->operands, p, n, way);
  pthread_mutex_unlock (&lock);
}

void
acr_row_why (enum acr_why reason)
{
  if (self && self->call && reason < ACR_WHY_COUNT)
    self->why |= 1u << reason;
}

void
acr_row_construct_end (void)
{
  struct thread *t = self;
  if (!t || !t->call)
    return;
  acr_tally = NULL;
  struct acr_row *row = t->row;
  bool sent = t->tally.counts.stock_h2d_bytes >= t->trip.bytes;
  bool starts = acr_call_starts_data (t->call);
  bool ends = acr_call_ends_data (t->call);
  acr_row_why (why (t));
  t->settled = true;
  if (!sent && !ends)
    t->trip.bytes = 0;
  const struct acr_call *call = t->call;
  if (starts && t->nopen++ < OPEN)
    t->open[t->nopen - 1]
        = (struct open){ row, t->trip, copy_operands (&t->operands) };
  if (ends && t->nopen < OPEN)
    {
      free (t->open[t->nopen].operands);
      t->open[t->nopen].operands = NULL;
    }
  t->call = NULL;
  if (!row)
    return;
  add (&row->tally, &t->tally);
  pthread_mutex_lock (&lock);
  row->times += !ends;
  row->host_us += acr_now_us () - t->begin;
  for (unsigned i = 0; i < ACR_WHY_COUNT; i++)
    row->why[i] += t->why >> i & 1;
  if (!ends)
    acr_variables_merged (row->variables, &t->operands, call,
                          t->tally.counts.stock_h2d_bytes);
  if (!starts)
    note_trip (t);
  pthread_mutex_unlock (&lock);
}

/* ---- Launches ---------------------------------------------------------- */

/* The tally of the row of the region R, or NULL.  */
static struct acr_tally *
tally_of_region (const struct acr_region *r)
{
  char place[PLACE];
  struct acr_row *row = NULL;
  place_of (place, NULL, r);
  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < SLOTS && !row; i++)
    for (row = rows[i]; row && strcmp (row->place, place);)
      row = row->next;
  pthread_mutex_unlock (&lock);
  return row ? &row->tally : NULL;
}

/* Tasks are launched by threads that are in no construct.  */
struct acr_tally *
acr_row_of_launch (const struct acr_launch *l)
{
  if (!acr_row_on || acr_tally)
    return acr_tally_kept ();
  const struct acr_region *r
      = l->kernel ? acr_kernel_region (l->kernel) : NULL;
  return r ? tally_of_region (r) : NULL;
}

static struct acr_row *
launch_row (const struct acr_launch *l)
{
  return (struct acr_row *)((char *)l->by - offsetof (struct acr_row, tally));
}

void
acr_row_why_launch (const struct acr_launch *l, enum acr_why reason)
{
  if (!l->by)
    return;
  pthread_mutex_lock (&lock);
  launch_row (l)->why[reason]++;
  pthread_mutex_unlock (&lock);
}

void
acr_row_launched (const struct acr_launch *l)
{
  if (!l->by)
    return;
  struct acr_row *row = launch_row (l);
  pthread_mutex_lock (&lock);
  memcpy (row->grid, l->grid, sizeof row->grid);
  memcpy (row->block, l->block, sizeof row->block);
  row->form = acr_form_number (l);
  row->children = l->children;
  row->why_children = l->why_children;
  row->nforms = l->kernel ? l->kernel->nforms : 0;
  pthread_mutex_unlock (&lock);
}

/* ---- All --------------------------------------------------------------- */

void
acr_row_all (void (*fn) (const struct acr_row *, void *data), void *data)
{
  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < SLOTS; i++)
    for (const struct acr_row *row = rows[i]; row; row = row->next)
      if (!row->is)
        fn (row, data);
  pthread_mutex_unlock (&lock);
}

static void
clear (struct acr_row *row)
{
  memset (&row->tally, 0, sizeof row->tally);
  row->tally.kept = &row->tally;
  row->times = row->trips = row->most_trips = 0;
  row->host_us = 0;
  row->grid[0] = 0;
  memset (row->why, 0, sizeof row->why);
  acr_variables_clear (row->variables);
}

void
acr_row_fork (void)
{
  pthread_mutex_init (&lock, NULL);
  for (unsigned i = 0; i < SLOTS; i++)
    for (struct acr_row *row = rows[i]; row; row = row->next)
      clear (row);
}
