/* The form in which the children of a kernel are executed, by measurement.

   Form 0 is "in place", what stock GCC's way of executing them comes to.  A
   kernel has it until another one is known to be better, and the others are
   tried out of what they may lose: a 32nd (ACR_NEST_AUTO_SHARE) of the time
   that the kernel's launches would have taken in place so far.

   Bound.  Let M be what a launch takes in place on average, N the launches
   behind the first so far, L what was lost: the sum of what tries have taken
   longer than in place, and of ACR_NEST_AUTO_COST for each measurement, less
   what faster launches have gained.  A measurement begins only when
   L + C <= N M / 32, where C is what it loses at the most: its cost, and in a
   form that was never tried (RISK - 1) M and ACR_NEST_AUTO_LAUNCH.  Then
   L <= N M / 32 behind it, and launches without measurements let N M grow and
   do not let L: so L <= N M / 32 at any time, as long as no form takes more
   than RISK allows.  (One that was tried is assumed to lose what it has lost
   on average, and the queue's memory is allocated once.)  M itself has to be
   known first: that takes two events in the second launch, without the copy
   that a measurement has.  The first launch has nothing: a kernel that is
   launched once pays for nothing.

   RISK is a static rule of the caller, who knows the grid.  Of several that
   were never tried, the first in order of number comes first: the caller puts
   first what is best most often.  What the faster ones gain pays for the
   others.

   A kernel's launches differ: a search has few vertices on one level and most
   of them on the next.  So what is compared is the time for a unit of work,
   which the kernel counts (the iterations of its children, and something for
   each), of launches with about the same work: amounts that differ by a 32nd are told
   apart, as a search may have two rounds with nearly the same work, of which
   what is fastest in one is slow in the other; the more amounts there are, the
   coarser.  Forms take turns, of even and odd launches alike: a search of six levels
   is seen on each.  One that takes far longer for a part than another for all (8
   times at once, twice from its second turn on) is out, and so is one whose fastest
   turns are slower than the best form's usual ones, the less so the more turns it has
   had; when each of the others has had its turns with every amount of work
   that matters, the one that takes least time for all is taken from then on.
   It is kept on disk (choice.h), for the next time that a program of the same
   code runs on such a GPU.  So is the best one of a process that ends before:
   the next one begins with it, and goes on learning.

   Thread-safe.

   Source of the thresholds: Olabi et al., A Compiler Framework for Optimizing
   Dynamic Parallelism on GPUs (CGO 2022), which has them measured offline.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_NEST_AUTO_H
#define ACCRETE_NEST_AUTO_H

#include <stdbool.h>
#include <stdint.h>

enum
{
  ACR_NEST_AUTO_INPLACE = 0, /* the form by which losses are measured */
  ACR_NEST_AUTO_MOST = 10,   /* forms */
  ACR_NEST_AUTO_TURNS = 5,   /* with an amount of work */
  ACR_NEST_AUTO_ALL = 32,    /* a form gets no more, whatever is known */
  ACR_NEST_AUTO_SHARE = 32,  /* of this many microseconds one may be lost */
  ACR_NEST_AUTO_COST = 16,   /* microseconds of any measurement: two events, a
                                count and its copy (15 on an H200, by
                                benchmarks/runtime/launches.c) */
  ACR_NEST_AUTO_LAUNCH = 8   /* more, which another kernel may take */
};

/* The launches that are alike.  */
struct acr_nest_site
{
  uint64_t code;    /* hash of the kernel, all code and the GPU; not 0 */
  unsigned threads; /* of the grid: its logarithm */
  unsigned forms;   /* set of those that are possible, with form 0 */
};

/* Launches are to come.  The first ones would pay for pages of memory that nobody
   has touched, tens of microseconds each.  */
void acr_nest_auto_prepare (void);

/* The form that a launch at SITE is to have.  RISK is how many times as long
   as in place it may take in a form that was never tried.  *LEARNS:
   acr_nest_auto_note wants to know how it went; only where it MAY.  */
unsigned acr_nest_auto_pick (const struct acr_nest_site *site, bool may,
                             float risk, bool *learns);

/* A launch at SITE in FORM took so many MICROSECONDS.  Is it worth a copy to
   know how much work that was?  */
bool acr_nest_auto_wants (const struct acr_nest_site *site, unsigned form,
                          float microseconds);

/* A launch at SITE in FORM, for so much WORK, took so many MICROSECONDS.  */
void acr_nest_auto_note (const struct acr_nest_site *site, unsigned form,
                         float microseconds, uint64_t work);

/* A try at SITE has cost so many MICROSECONDS of the host's.  */
void acr_nest_auto_lose (const struct acr_nest_site *site, float microseconds);

/* Is SITE settled, by what it has MEASURED itself or else by what was
   known?  */
bool acr_nest_auto_settled (const struct acr_nest_site *site, bool *measured);

#endif /* ACCRETE_NEST_AUTO_H */
