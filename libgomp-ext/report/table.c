/* The report's table of constructs: the one that took longest first.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "report/report-int.h"
#include "report/row.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MANY = 10, /* times in a row that are worth a word */
  EXTENT = 40
};

/* ---- Times ------------------------------------------------------------- */

/* Not every launch is timed.  */
static double
gpu_us (const struct acr_row *r)
{
  const struct acr_tally *t = &r->tally;
  return t->timed ? t->gpu_ns * 1e-3 * t->counts.launches / t->timed : 0;
}

static int
compare (const void *a, const void *b)
{
  const struct acr_row *x = *(const struct acr_row *const *)a;
  const struct acr_row *y = *(const struct acr_row *const *)b;
  double s = gpu_us (x), t = gpu_us (y);
  if (s == t)
    {
      s = x->host_us;
      t = y->host_us;
    }
  return (s < t) - (s > t);
}

/* ---- A construct ------------------------------------------------------- */

/* V without ones behind the last other number.  */
static const char *
extent (char to[EXTENT], const unsigned v[3])
{
  int n = snprintf (to, EXTENT, "%u", v[0]);
  for (unsigned i = 1; i < 3 && (v[1] > 1 || v[2] > 1); i++)
    if (i == 1 || v[2] > 1)
      n += snprintf (to + n, EXTENT - n, "x%u", v[i]);
  return to;
}

static void
print_cells (FILE *to, const struct acr_row *r)
{
  const struct acr_counters *c = &r->tally.counts;
  char gpu[ACR_WORD], host[ACR_WORD], sent[ACR_WORD], fetched[ACR_WORD];
  char geometry[2 * EXTENT] = "-";
  if (r->grid[0])
    {
      char grid[EXTENT], block[EXTENT];
      snprintf (geometry, sizeof geometry, "%s x %s", extent (grid, r->grid),
                extent (block, r->block));
    }
  fputs ("accrete: ", to);
  if (acr_env.times)
    fprintf (to, "%9s ", acr_word_time (gpu, gpu_us (r)));
  fprintf (to, "%9s %6" PRIu64 " %9s %9s  %-17s %s\n",
           acr_word_time (host, r->host_us), r->times,
           acr_word_bytes (sent, c->h2d_bytes),
           acr_word_bytes (fetched, c->d2h_bytes), geometry, r->place);
}

/* Bytes of a variable at AT, an offset in struct acr_variable.  */
static uint64_t
bytes_of (const struct acr_variable *v, size_t at)
{
  return *(const uint64_t *)((const char *)v + at);
}

/* Are there variables of R's with bytes at AT?  */
static bool
any_variable (const struct acr_row *r, size_t at)
{
  for (unsigned i = 0; r->variables && i < r->variables->n; i++)
    if (bytes_of (&r->variables->v[i], at))
      return true;
  return false;
}

/* Behind MARK, of the BYTES what each variable has, and the rest.  */
static void
print_variables (FILE *to, const char *mark, const struct acr_row *r,
                 size_t at, uint64_t bytes)
{
  char word[ACR_WORD];
  for (unsigned i = 0; r->variables && i < r->variables->n; i++)
    {
      const struct acr_variable *v = &r->variables->v[i];
      uint64_t n = bytes_of (v, at);
      if (!n)
        continue;
      fprintf (to, "%s%s %s", mark, v->name, acr_word_bytes (word, n));
      mark = ", ";
      bytes = bytes > n ? bytes - n : 0;
    }
  if (bytes)
    fprintf (to, "%sthe rest %s", mark, acr_word_bytes (word, bytes));
}

/* What libgomp asked for, where that reads otherwise than what was done or is
   of variables with names.  */
static void
print_asked (FILE *to, const char *would, const char *did,
             const struct acr_row *r, size_t at, uint64_t bytes,
             uint64_t stock)
{
  char a[ACR_WORD], b[ACR_WORD];
  bool same = !strcmp (acr_word_bytes (a, bytes), acr_word_bytes (b, stock));
  bool named = any_variable (r, at);
  if (same && !named)
    return;
  if (same)
    fprintf (to, "accrete:   %s", did);
  else
    fprintf (to, "accrete:   stock would %s %s", would, stock ? b : "nothing");
  if (named)
    print_variables (to, ": ", r, at, same ? bytes : stock);
  fputs ("\n", to);
}

static void
print_stock (FILE *to, const struct acr_row *r)
{
  const struct acr_counters *c = &r->tally.counts;
  print_asked (to, "send", "sent", r, offsetof (struct acr_variable, sent),
               c->h2d_bytes, c->stock_h2d_bytes);
  print_asked (to, "fetch", "fetched", r,
               offsetof (struct acr_variable, fetched), c->d2h_bytes,
               c->stock_d2h_bytes);
}

/* How the region of R is compiled.  */
static const char *
mode_of (const struct acr_row *r)
{
  if (!r->directive)
    return "not compiled with accrete.specs";
  if (r->directive->spmd != ACR_SPMD_NO)
    return "SPMD kernel";
  return r->directive->kind == ACR_KIND_OMP_TARGET
             ? "generic mode, as stock GCC's"
             : "GCC's partitioned mode, as stock";
}

/* How it is compiled and launched; C is what is counted.  */
static void
print_kernel (FILE *to, const struct acr_row *r, const struct acr_counters *c)
{
  if (!r->compute || !c->launches)
    return;
  fprintf (to, "accrete:   %s", mode_of (r));
  if (r->form)
    fprintf (to, ", variant %u of %u", r->form, r->nforms);
  if (c->launches && c->launches != r->times)
    fprintf (to, ", %" PRIu64 " launches", c->launches);
  fputs ("\n", to);
  if (r->children)
    fprintf (to, "accrete:   its child regions run %s, %s\n", r->children,
             r->why_children);
}

static void
print_applied (FILE *to, const struct acr_counters *c)
{
  static const struct
  {
    size_t at;
    enum acr_opt opt;
  } applied[] = {
#define APPLIED(name, opt)                                                    \
  { offsetof (struct acr_counters, name), ACR_OPT_##opt },
#include "report/applied.def"
  };
  const char *before = "accrete:   applied: ";
  for (size_t i = 0; i < sizeof applied / sizeof *applied; i++)
    {
      uint64_t n
          = *(const _Atomic uint64_t *)((const char *)c + applied[i].at);
      if (!n)
        continue;
      fprintf (to, "%s%s %" PRIu64, before, acr_opt_name (applied[i].opt), n);
      before = ", ";
    }
  if (*before == ',')
    fputs ("\n", to);
}

static void
print_why (FILE *to, const struct acr_row *r)
{
  static const struct
  {
    enum acr_opt opt;
    const char *text;
  } why[] = {
#define WHY(id, opt, text) { ACR_OPT_##opt, text },
#include "report/why.def"
  };
  char times[ACR_WORD];
  for (unsigned i = 0; r->directive && i < r->directive->nalso; i++)
    fprintf (to, "accrete:   fused with: %s\n", r->directive->also[i]);
  for (unsigned i = 0; r->directive && i < r->directive->nrefused; i++)
    fprintf (to, "accrete:   refused when compiled: %s: %s\n",
             r->directive->refused[i].name, r->directive->refused[i].why);
  for (unsigned i = 0; i < ACR_WHY_COUNT; i++)
    if (r->why[i])
      fprintf (to, "accrete:   refused: %s %s, as %s\n",
               acr_opt_name (why[i].opt), acr_word_times (times, r->why[i]),
               why[i].text);
  if (r->tally.counts.refused)
    fprintf (to,
             "accrete:   refused: %" PRIu64 " launches by the device, whose"
             " children ran in place\n",
             r->tally.counts.refused);
}

/* What is probably not as the program wants it.  */
static void
print_hints (FILE *to, const struct acr_row *r, bool active)
{
  char bytes[ACR_WORD], times[ACR_WORD];
  uint64_t launches = r->tally.counts.launches;
  if (active && r->compute && launches < r->times)
    fprintf (to, "accrete:   hint: it ran on the host %s\n",
             acr_word_times (times, r->times - launches));
  if (r->shares_nothing && launches)
    fputs ("accrete:   hint: it shares no loop among the GPU's threads\n", to);
  if (r->most_trips >= MANY)
    fprintf (to,
             "accrete:   hint: the same %s went to the GPU and came back"
             " %" PRIu64 " times in a row; a data construct around the loop"
             " keeps them there\n",
             acr_word_bytes (bytes, r->trip_bytes), r->most_trips);
}

static void
print_row (FILE *to, const struct acr_row *r, bool active)
{
  print_cells (to, r);
  print_stock (to, r);
  print_kernel (to, r, &r->tally.counts);
  print_applied (to, &r->tally.counts);
  print_why (to, r);
  print_hints (to, r, active);
}

/* ---- All --------------------------------------------------------------- */

struct list
{
  const struct acr_row **v;
  size_t n;
};

static void
collect (const struct acr_row *r, void *data)
{
  struct list *l = data;
  bool late = r->tally.counts.launches || r->tally.counts.d2h_copies;
  if (!r->times && !late)
    return;
  const struct acr_row **v = realloc (l->v, (l->n + 1) * sizeof *v);
  if (!v)
    return;
  l->v = v;
  v[l->n++] = r;
}

/* What no construct was counted for: the process's, less all rows'.  */
static void
print_rest (FILE *to, const struct list *l)
{
  uint64_t sent = acr_counters.h2d_bytes, fetched = acr_counters.d2h_bytes;
  char a[ACR_WORD], b[ACR_WORD];
  for (size_t i = 0; i < l->n; i++)
    {
      sent -= l->v[i]->tally.counts.h2d_bytes;
      fetched -= l->v[i]->tally.counts.d2h_bytes;
    }
  if (sent || fetched)
    fprintf (to,
             "accrete: %s%9s %6s %9s %9s  %-17s outside of constructs, or by "
             "tasks\n",
             acr_env.times ? "        - " : "", "-", "-",
             acr_word_bytes (a, sent), acr_word_bytes (b, fetched), "-");
}

void
acr_table_print (FILE *to, bool active)
{
  struct list l = { NULL, 0 };
  acr_row_all (collect, &l);
  if (l.n)
    {
      qsort (l.v, l.n, sizeof *l.v, compare);
      fprintf (to, "accrete: %s%9s %6s %9s %9s  %-17s %s\n",
               acr_env.times ? "      GPU " : "", "host", "times", "to GPU",
               "from GPU", "grid x block", "construct");
    }
  for (size_t i = 0; i < l.n; i++)
    print_row (to, l.v[i], active);
  print_rest (to, &l);
  free (l.v);
}
