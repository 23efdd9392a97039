/* The report's rows: one for each device construct of the program, by its call
   site.

   What a construct does is tallied (tally.h) while it runs, and added to its
   row when it ends; what is done for it later goes to the row at once.  The
   start and the end of a data construct have one row.

   Thread-safe.  Without ACCRETE_REPORT=text a construct costs two branches.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_REPORT_ROW_H
#define ACCRETE_REPORT_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tally.h"
#include "report/operand.h"

struct acr_launch;

/* What is refused, and why (why.def).  */
enum acr_why
{
#define WHY(id, opt, text) ACR_WHY_##id,
#include "report/why.def"
  ACR_WHY_COUNT
};

/* Guarded by row.c's lock, but for TALLY.  */
struct acr_row
{
  struct acr_row *next; /* that hashes alike */
  struct acr_row *is;   /* the row of the same data construct, or NULL */
  const void *key; /* the region, a data construct's kinds where those are
                      recorded, or the call's return address */
  struct acr_tally tally;
  uint64_t times;
  double host_us;
  uint64_t why[ACR_WHY_COUNT];
  /* The last launch; a grid of 0: none.  */
  unsigned grid[3], block[3], form, nforms;
  const char *children, *why_children; /* as in a launch */
  /* Of its region.  */
  bool compute, shares_nothing;
  /* Times in a row that the same operands, TRIP_BYTES in all, went to the
     device and came back; the most there were.  */
  uint64_t trip, trips, most_trips;
  size_t trip_bytes;
  struct acr_region *directive;    /* what the plugin recorded, or NULL */
  struct acr_variables *variables; /* or NULL */
  char place[];
};

extern bool acr_row_on;

/* The settings have been read.  */
void acr_row_start (void);

/* This process is a forked child.  */
void acr_row_fork (void);

/* CALL, an outermost one of this thread, begins or ends.  */
void acr_row_construct (const struct acr_call *call);
void acr_row_construct_end (void);

/* WHY holds of this thread's construct.  */
void acr_row_why (enum acr_why why);

/* For it, libgomp asks to copy N bytes of the host at P the one WAY.  */
void acr_row_copy (const void *p, size_t n, enum acr_way way);

/* WHY holds of the construct that L is launched for.  */
void acr_row_why_launch (const struct acr_launch *l, enum acr_why why);

#define acr_row_begin(call)                                                   \
  do                                                                          \
    if (__builtin_expect (acr_row_on, 0))                                     \
      acr_row_construct (call);                                               \
  while (0)
#define acr_row_end()                                                         \
  do                                                                          \
    if (__builtin_expect (acr_row_on, 0))                                     \
      acr_row_construct_end ();                                               \
  while (0)

#define acr_row_refuse(why)                                                   \
  (__builtin_expect (acr_row_on, 0) ? acr_row_why (why) : (void)0)

#define acr_row_asked(p, n, way)                                              \
  (__builtin_expect (acr_row_on, 0) ? acr_row_copy (p, n, way) : (void)0)

/* The tally of the construct that L is launched for: this thread's, or that of
   L's region; NULL when there is none.  */
struct acr_tally *acr_row_of_launch (const struct acr_launch *l);

/* L was handed to the driver.  */
void acr_row_launched (const struct acr_launch *l);

/* Tell FN about all rows, with DATA, in no order.  */
void acr_row_all (void (*fn) (const struct acr_row *, void *data), void *data);

#endif /* ACCRETE_REPORT_ROW_H */
