/* Looking into and disturbing the emulated driver, for tests.

     ACCRETE_EMU_STATS=1   at exit, one line on stderr: the number of calls of
			   each entry point that was called,
			     accrete-emu: cuInit=1 cuMemAlloc=3 ...
			   and what device code did: blocks, instructions and
			   fences of warps, mallocs of threads
     ACCRETE_EMU_TRACE=1   one line on stderr for each call, when it returns:
			     accrete-emu: cuMemAlloc (0x7ffe10, 64) = CUDA_SUCCESS
     ACCRETE_EMU_FAIL=ENTRY:N[+][=ERROR],...
			   the N-th call of ENTRY (from 1) fails, with + all
			   later ones too, without doing anything.  ERROR is a
			   name (CUDA_ERROR_...) or number; by default
			   CUDA_ERROR_OUT_OF_MEMORY for entries that allocate
			   or create something, else CUDA_ERROR_UNKNOWN.
			     ACCRETE_EMU_FAIL=cuMemAlloc:3,cuLaunchKernel:1=719
   Entries are named without _v2.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/driver.h"

/* The entries in the order of driver.def, which driver.c numbers alike.  */
static const char *const entry_names[] = {
#define CU_ENTRY(name, needs, params, args, format) #name,
#include "driver/driver.def"
};
enum { N_ENTRIES = sizeof entry_names / sizeof *entry_names };

/* Per entry; guarded by the driver's lock, faults read-only after start.  */
struct probe
{
  unsigned long calls, fail_at;	/* 0: never */
  bool fail_on;
  CUresult error;
};

static struct probe *probes;
static bool stats;
bool emu_tracing;

static const struct { CUresult value; const char *name, *text; } results[] = {
#define X(name, value, text) { name, #name, text },
  CUDA_RESULTS (X)
#undef X
};
#define N_RESULTS (sizeof results / sizeof *results)

const char *
emu_result_name (CUresult r)
{
  for (unsigned i = 0; i < N_RESULTS; i++)
    if (results[i].value == r)
      return results[i].name;
  return NULL;
}

const char *
emu_result_text (CUresult r)
{
  for (unsigned i = 0; i < N_RESULTS; i++)
    if (results[i].value == r)
      return results[i].text;
  return NULL;
}

/* ---- ACCRETE_EMU_FAIL -------------------------------------------------- */

static bool
parse_error (const char *text, CUresult *error)
{
  char *end;
  long n = strtol (text, &end, 10);
  for (unsigned i = 0; i < N_RESULTS; i++)
    if ((end != text && !*end) ? results[i].value == n
			       : !strcmp (results[i].name, text))
      {
	*error = results[i].value;
	return true;
      }
  return false;
}

/* One "ENTRY:N[+][=ERROR]".  */
static bool
parse_fault (char *text)
{
  char *colon = strchr (text, ':'), *equals = strchr (text, '='), *end;
  if (!colon)
    return false;
  *colon = '\0';
  if (equals)
    *equals++ = '\0';
  unsigned entry = 0;
  while (entry < N_ENTRIES && strcmp (entry_names[entry], text))
    entry++;
  if (entry == N_ENTRIES)
    return false;

  struct probe *p = &probes[entry];
  unsigned long fail_at = strtoul (colon + 1, &end, 10);
  bool fail_on = *end == '+';
  CUresult error = strstr (text, "Alloc") || strstr (text, "Create")
		   ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_UNKNOWN;
  if (!fail_at || end[fail_on] || (equals && !parse_error (equals, &error)))
    return false;
  p->fail_at = fail_at;
  p->fail_on = fail_on;
  p->error = error;
  return true;
}

static void
parse_faults (const char *list)
{
  char *copy = list ? strdup (list) : NULL, *save;
  for (char *t = copy ? strtok_r (copy, ",", &save) : NULL; t;
       t = strtok_r (NULL, ",", &save))
    if (!parse_fault (t))
      fprintf (stderr, "accrete: ACCRETE_EMU_FAIL: no such fault: %s\n", t);
  free (copy);
}

/* ---- At start, at each call, at exit ----------------------------------- */

__attribute__ ((constructor)) static void
probe_start (void)
{
  probes = calloc (N_ENTRIES, sizeof *probes);
  if (!probes)
    abort ();
  stats = emu_env_number (EMU_ENV_STATS, 1, 0);
  emu_tracing = emu_env_number (EMU_ENV_TRACE, 1, 0);
  parse_faults (emu_env (EMU_ENV_FAIL));
}

CUresult
emu_probe_enter (unsigned entry)
{
  struct probe *p = &probes[entry];
  p->calls++;
  emu_check_caller (entry_names[entry], p->calls);
  if (p->fail_at && (p->calls == p->fail_at
		     || (p->fail_on && p->calls > p->fail_at)))
    return p->error;
  return CUDA_SUCCESS;
}

void
emu_trace (unsigned entry, CUresult r, const char *format, ...)
{
  char args[256];
  va_list ap;
  va_start (ap, format);
  vsnprintf (args, sizeof args, format, ap);
  va_end (ap);
  const char *name = emu_result_name (r);
  fprintf (stderr, "accrete-emu: %s (%s = %s\n", entry_names[entry], args,
	   name ? name : "?");
}

__attribute__ ((destructor)) static void
probe_end (void)
{
  if (!stats)
    return;
  char *line;
  size_t len;
  FILE *f = open_memstream (&line, &len);
  if (!f)
    return;
  fputs ("accrete-emu:", f);
  for (unsigned i = 0; i < N_ENTRIES; i++)
    if (probes[i].calls)
      fprintf (f, " %s=%lu", entry_names[i], probes[i].calls);
  fprintf (f, " blocks=%" PRIu64 " instructions=%" PRIu64 " fences=%" PRIu64
	   " mallocs=%" PRIu64 "\n", emu_work.blocks, emu_work.instructions,
	   emu_work.fences, emu_work.mallocs);
  if (!fclose (f))
    fputs (line, stderr);
  free (line);
}
