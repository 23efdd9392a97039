/* Geometry and form by measurement.

   A kernel that is launched again and again with the same number of iterations
   is tried with a few geometries and in all its forms (form.h), its candidates,
   of which the first is what the model (geometry.c) takes.  In each of
   ACR_TUNE_ROUNDS rounds a candidate has to be faster than the first was in that
   round, by more than noise, or it is out; the best of those that remain is
   taken from then on, else the first.  Where others, or the first, are nearly as fast as
   the best, these have ACR_TUNE_FINAL rounds more, of which the mean counts.  What was
   found is kept on disk (choice.h) for the next time that a program of the same device
   code runs on such a GPU.

   A candidate may not be there yet: forms are compiled when they are wanted
   (lazy.h).  They are, when a kernel has taken so long that they may pay, or was
   found to be fastest in one of them before.  Rounds begin when all are there.  That
   may be so of the first as well: launches take for it what there is in its place.

   Candidates that may take several times as long as the first are for kernels that are
   launched many times: one such launch in ACR_TUNE_LATE is no loss that could be
   measured.

   Only candidates whose results are the same, to the last bit, come here.  A
   launch that is timed is not waited for (timer.h).

   Thread-safe.  One launch is timed at a time; others take what is known.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_TUNE_H
#define ACCRETE_TUNE_H

#include <stdbool.h>
#include <stdint.h>

enum
{
  ACR_TUNE_MOST = 20,    /* candidates */
  ACR_TUNE_ROUNDS = 3,
  ACR_TUNE_FINAL = 9, /* of those that are nearly as fast as the best */
  ACR_TUNE_REPEATED = 8, /* launches until it is worth while to try */
  ACR_TUNE_SHORT = 10,   /* microseconds that nothing can be gained of */
  ACR_TUNE_WORTH = 20000, /* of all launches, until candidates are made for them */
  ACR_TUNE_LATE = 256 /* launches until those are tried that may take much longer */
};

#define ACR_TUNE_ALL (~0u) /* candidates are there */
#define ACR_TUNE_DEAR (~0u >> 1) /* they are, but are tried after ACR_TUNE_LATE */

/* One launch's candidate.  */
struct acr_trial
{
  unsigned candidate;
  bool timed;   /* acr_tune_note is to be called */
  bool settled; /* launches will take no other */
  bool later;   /* others are tried, but after many more launches */
  unsigned wants; /* set of candidates that are to be made */
  double spent;   /* microseconds that all launches took, where there are some */
  uint64_t code;
  unsigned trips;
};

/* The candidate among N >= 1 that a launch is to take of the kernel CODE (a hash
   of all that its speed depends on, not 0) with TRIPS iterations.  HAVE is the set
   of those that are there, or ACR_TUNE_DEAR.  It is timed only when it MAY be.  */
struct acr_trial acr_tune_pick (uint64_t code, unsigned trips, unsigned n,
                                unsigned have, bool may);

/* The launch of T, which was to be timed, took so many MICROSECONDS; less than 0
   when that is not known.  */
void acr_tune_note (const struct acr_trial *t, float microseconds);

#endif /* ACCRETE_TUNE_H */
