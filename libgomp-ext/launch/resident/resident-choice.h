/* Whether a host loop over regions is executed by its kernel or by the host.

   Thread-safe; a loop is begun and ended by one thread.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_RESIDENT_CHOICE_H
#define ACCRETE_RESIDENT_CHOICE_H

#include "launch/resident/grid-walk.h"

#include <stdbool.h>

struct acr_launch;

/* Who executes a loop: its kernel, with the grid that is taken before anything is known,
   the host, or the kernel with a grid of a walk's, whose number is more by
   ACR_LOOP_GRIDS.  */
enum acr_loop_way
{
  ACR_LOOP_KERNEL,
  ACR_LOOP_HOST,
  ACR_LOOP_GRIDS,
  ACR_LOOP_WAYS = ACR_LOOP_GRIDS + ACR_WALK_GRIDS
};

/* The calling thread has come to the loop of SITE, an address in the program's
   code, which has STATE: whether it is worth to begin the construct of its kernel.  */
bool acr_resident_asks (const void *state, const void *site);

/* Who executes the loop that the thread has come to, or would if its kernel were THERE;
   L launches the kernel, for which there are OTHERS, grids that give the same
   results.  */
enum acr_loop_way acr_resident_picks (const struct acr_launch *l, bool there,
                                      bool others);

/* There is no grid of the kernel that was picked: who executes the loop then.  */
enum acr_loop_way acr_resident_picks_again (void);

/* The driver has refused the launch that was picked, for want of room.  */
void acr_resident_is_refused (void);

/* How many threads the largest region of that loop has work for; 0: not known.  */
unsigned acr_resident_work (void);

/* May regions of L, a loop that the kernel executes, have so many iterations, by the size
   of their data, that the kernel itself does something else than what it began as
   (lazy.h)?  */
bool acr_resident_has_many (const struct acr_launch *l);

/* The host, or another kernel, executes the loop of STATE now: whether the end of it is
   to be told.  */
bool acr_resident_left (const void *state);

/* The loop of STATE has ended, after so many regions; 0: as many as were counted.  */
void acr_resident_ended (const void *state, unsigned long long regions);

/* The calling thread launches kernels, or one that has executed as many regions
   more.  */
void acr_resident_counts (unsigned long long regions);

#endif /* ACCRETE_RESIDENT_CHOICE_H */
