/* The form in which the children of a kernel are executed, by measurement.

   A kernel's launches differ: a search has few vertices on one level and most of
   them on the next.  So what is compared is the time for a unit of work, which
   the kernel counts (the iterations of its children, and something for each),
   of launches with about the same work.  Forms take turns, and the least time of
   each counts.  One that takes far longer than another (8 times at once, twice
   from its second turn on) where there is most to do is out; when each of the
   others has had its turns with every amount of work that matters, the one that
   takes least time for all is taken from then on.  It is kept on
   disk (choice.h), for the next time that a program of the same code runs on
   such a GPU.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_NEST_AUTO_H
#define ACCRETE_NEST_AUTO_H

#include <stdbool.h>
#include <stdint.h>

enum
{
  ACR_NEST_AUTO_MOST = 8, /* forms */
  ACR_NEST_AUTO_TURNS = 5, /* with an amount of work */
  ACR_NEST_AUTO_ALL = 32   /* a form gets no more, whatever is known */
};

/* The launches that are alike.  */
struct acr_nest_site
{
  uint64_t code;    /* hash of the kernel, all code and the GPU; not 0 */
  unsigned threads; /* of the grid: its logarithm */
  unsigned forms;   /* set of those that are possible */
};

/* The form that a launch at SITE is to have.  *LEARNS: acr_nest_auto_note wants
   to know how it went.  */
unsigned acr_nest_auto_pick (const struct acr_nest_site *site, bool *learns);

/* A launch at SITE in FORM, for so much WORK, took so many MICROSECONDS.  */
void acr_nest_auto_note (const struct acr_nest_site *site, unsigned form,
                         float microseconds, uint64_t work);

#endif /* ACCRETE_NEST_AUTO_H */
