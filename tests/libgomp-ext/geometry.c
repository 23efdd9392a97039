/* A kernel that is launched N times with the same number of iterations, said to
   be an SPMD kernel (it runs on no GPU).
   usage: geometry N [ITERATIONS]

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

#include "abi/abi.h"

static const struct acr_host_entry table[] = {
  { table, "ACCRETE-TAG 1 fn=main._omp_fn.0 src=geometry.c:1 kind=omp-target"
           " dims=?,?,? loop=gv,s spmd=trips" TAG }
};

__attribute__ ((weak)) void acr_register_regions (const struct acr_host_entry *,
                                                  size_t);

int
main (int argc, char **argv)
{
  int n = atoi (argv[1]), trips = argc > 2 ? atoi (argv[2]) : 1000000;
  if (acr_register_regions)
    acr_register_regions (table, 1);
  for (int i = 0; i < n; i++)
#pragma omp target teams num_teams(trips)
    {
    }
  return 0;
}
