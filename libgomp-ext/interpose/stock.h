/* OpenACC's launches as libgomp's plugin sees them: under stock GCC's names and
   numbers.

   The plugin prints what it launches (GOMP_DEBUG=1), tells it to profiling
   tools, and ends the program when the GPU has not the resources for it.  Those
   who read that know the numbers of their clauses, of GOMP_OPENACC_DIM and of
   stock GCC, and what stock GCC cannot run for want of threads should say so; but
   barriers are what SPMD kernels do without, so that more workers than there are
   barriers for, which clauses say, are launched.  So the plugin does
   not learn that a kernel's name ends in its region's tag, nor what a plain
   kernel is launched with; the launch behind it (launch.c) is ours, and says
   what it is after the plugin has.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_STOCK_H
#define ACCRETE_STOCK_H

#include <stdint.h>

struct acr_kernel;
struct acr_launch;

/* GCC 12's libgomp-plugin.h, struct addr_pair.  */
struct acr_pair
{
  uintptr_t start, end;
};

/* The plugin has loaded IMAGE (image.h) and gives libgomp TABLE, which starts with
   its functions; nothing is launched yet.  */
void acr_stock_loaded (const void *image, const struct acr_pair *table);

/* The plugin is about to launch FUNCTION, from such a table, of the kernel K, or NULL,
   with DIMS, which this changes; and has.  */
void acr_stock_begin (const void *function, const struct acr_kernel *k,
                      unsigned dims[3]);
void acr_stock_end (void);

/* A hook of acr_launch_adjust: take from L the dynamic shared memory that an SPMD
   kernel has no use for, and give it the gangs, workers and lanes that
   acr_stock_begin has taken away.  What the program has left to libgomp, that
   has chosen.  */
void acr_stock_restore (struct acr_launch *l);

#endif /* ACCRETE_STOCK_H */
