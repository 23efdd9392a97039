/* An OpenACC kernel that is launched N times with so many gangs of 256 threads,
   said to be an SPMD kernel (it runs on no GPU).
   usage: gangs N GANGS

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

#include "abi/abi.h"

static const struct acr_host_entry table[] = {
  { table, "ACCRETE-TAG 1 fn=main._omp_fn.0 src=gangs.c:1 kind=acc-parallel"
           " dims=?,?,? loop=gv,s" TAG }
};

__attribute__ ((weak)) void acr_register_regions (const struct acr_host_entry *,
                                                  size_t);

int
main (int argc, char **argv)
{
  int n = atoi (argv[1]), gangs = argc > 2 ? atoi (argv[2]) : 1, workers = 8;
  if (acr_register_regions)
    acr_register_regions (table, 1);
  for (int i = 0; i < n; i++)
#pragma acc parallel num_gangs(gangs) num_workers(workers) vector_length(32)
    {
    }
  return 0;
}
