/* What the files of the report share; see report.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_REPORT_INT_H
#define ACCRETE_REPORT_INT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report/report.h"

/* ---- counters.c -------------------------------------------------------- */

bool acr_counters_any (void);
void acr_counters_clear (void);
void acr_counters_text (FILE *to, const char *device);
void acr_counters_json (FILE *to, const char *device);

/* ---- summary.c, table.c ------------------------------------------------ */

void acr_summary_print (FILE *to, const char *device);
/* Which optimisations are off, and why.  */
void acr_summary_off (FILE *to);
/* ACTIVE: launches are counted.  */
void acr_table_print (FILE *to, bool active);

/* ---- words.c ----------------------------------------------------------- */

enum
{
  ACR_WORD = 32
};
/* BYTES exactly below 100000, else in kB, MB, ... of 1000; microseconds; both
   "-" for 0.  Return TO.  */
const char *acr_word_bytes (char to[ACR_WORD], uint64_t bytes);
const char *acr_word_time (char to[ACR_WORD], double us);
/* "once", or "N times".  */
const char *acr_word_times (char to[ACR_WORD], uint64_t n);

#endif /* ACCRETE_REPORT_INT_H */
