/* Two OpenACC kernels with so many iterations each, said to be SPMD kernels,
   that are launched N times in two queues, the second one first if so asked (it runs
   on no GPU).
   usage: beside N ITERATIONS ITERATIONS [reversed]

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <openacc.h>
#include <stdlib.h>

#include "abi/abi.h"

#define REGION(n)                                                             \
  "ACCRETE-TAG 1 fn=main._omp_fn." #n " src=beside.c:1 kind=acc-parallel"     \
  " dims=?,?,? loop=gv,s spmd=open exact=1"

static const struct acr_host_entry table[]
    = { { table, REGION (0) }, { table + 1, REGION (1) } };

__attribute__ ((weak)) void acr_register_regions (const struct acr_host_entry *,
                                                  size_t);

int
main (int argc, char **argv)
{
  int n = atoi (argv[1]), first = atoi (argv[2]) / 256,
      second = argc > 3 ? atoi (argv[3]) / 256 : 1, turned = argc > 4;
  if (acr_register_regions)
    acr_register_regions (table, 2);
  for (int i = 0; i < 2 * n; i++)
    {
      if (i % 2 == turned)
#pragma acc parallel num_gangs(first) num_workers(8) vector_length(32) async(1)
        {
        }
      else
#pragma acc parallel num_gangs(second) num_workers(8) vector_length(32) async(2)
        {
        }
      if (i % 2)
        acc_wait_all ();
    }
  return 0;
}
