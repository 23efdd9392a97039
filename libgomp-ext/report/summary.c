/* The report's summary: what was issued to the driver, of what libgomp asked
   for, as stock would have issued it.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "interpose/image.h"
#include "report/report-int.h"

#include <inttypes.h>
#include <string.h>

#define C acr_counters

static void
print_constructs (FILE *to, const char *device)
{
  fprintf (to,
           "accrete: device layer: %s; %" PRIu64 " constructs, %" PRIu64
           " kernel launches\n",
           device, C.constructs, C.launches);
}

/* A line on COPIES and BYTES, which stock would have made more of.  */
static void
print_copies (FILE *to, const char *way, uint64_t copies, uint64_t bytes,
              uint64_t stock_copies, uint64_t stock_bytes)
{
  char now[ACR_WORD], stock[ACR_WORD];
  if (copies || stock_copies)
    fprintf (to,
             "accrete: copies %s the GPU: %" PRIu64 ", %s"
             " (stock would: %" PRIu64 ", %s)\n",
             way, copies, acr_word_bytes (now, bytes), stock_copies,
             acr_word_bytes (stock, stock_bytes));
}

static void
print_number (FILE *to, const char *what, uint64_t n, uint64_t stock)
{
  if (n || stock)
    fprintf (to, "accrete: %s: %" PRIu64 " (stock would: %" PRIu64 ")\n", what,
             n, stock);
}

/* A program that was built without offloading finds nothing for the GPU.  */
static void
print_no_code (FILE *to)
{
  if (C.constructs && !acr_image_seen () && acr_libgomp.num_devices
      && acr_libgomp.num_devices () > 0)
    fputs ("accrete: hint: there is a GPU, but the program has no device code"
           " for it (was it linked with -fopenacc or -fopenmp, and"
           " -foffload=nvptx-none?)\n",
           to);
}

void
acr_summary_print (FILE *to, const char *device)
{
  print_constructs (to, device);
  print_number (to, "device allocations", C.allocs, C.stock_allocs);
  print_number (to, "device frees", C.frees, C.stock_frees);
  print_copies (to, "to", C.h2d_copies, C.h2d_bytes, C.stock_h2d_copies,
                C.stock_h2d_bytes);
  print_copies (to, "from", C.d2h_copies, C.d2h_bytes, C.stock_d2h_copies,
                C.stock_d2h_bytes);
  print_number (to, "waits of the host", C.syncs + C.blocking,
                C.stock_syncs + C.stock_blocking);
  print_no_code (to);
}

/* ---- Optimisations that are off ---------------------------------------- */

static bool
same_reason (unsigned o, const char *why)
{
  const char *other = acr_opt_off (o);
  return other && !strcmp (other, why);
}

/* Print those from FIRST on that are off as FIRST is, or nothing where one
   before it has been.  */
static void
print_off (FILE *to, unsigned first)
{
  const char *why = acr_opt_off (first);
  for (unsigned o = 0; o < first; o++)
    if (same_reason (o, why))
      return;
  unsigned n = 0;
  for (unsigned o = first; o < ACR_OPT_COUNT; o++)
    n += same_reason (o, why);
  fprintf (to, "accrete: off (%s):", why);
  for (unsigned o = first; o < ACR_OPT_COUNT && n < ACR_OPT_COUNT; o++)
    if (same_reason (o, why))
      fprintf (to, " %s", acr_opt_name (o));
  fputs (n < ACR_OPT_COUNT ? "\n" : " all of the runtime's optimisations\n",
         to);
}

void
acr_summary_off (FILE *to)
{
  for (unsigned o = 0; o < ACR_OPT_COUNT; o++)
    if (acr_opt_off (o))
      print_off (to, o);
}
