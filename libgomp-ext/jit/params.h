/* Kernels that get their argument block as a parameter, in place of its
   address.

   ptx-post's pass params leaves kernels of which the runtime can make such
   ones: one register, ACR_ARGS_REG with the block's size in bytes behind it,
   has the address, and nothing but loads uses it.  Here the units are edited
   as a program starts, or ahead of time; who launches an edited kernel passes
   so many bytes of the block where the plugin passes its address.

   Source: PTX ISA 5.1.6.1, "Kernel Function Parameters".

   Not thread-safe: a list is one thread's.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_PARAMS_H
#define ACCRETE_PARAMS_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* The kernels that were edited, without their variants (ACR_FORM_SUFFIX in abi.h),
   which are edited alike; {} is an empty one.  */
struct acr_params
{
  struct acr_params_kernel
  {
    char *name;
    unsigned unit;
    size_t bytes; /* of the block */
  } *kernel;
  unsigned n, room;
};

/* Edit all such kernels of T, the unit of this number, and add them to LIST,
   unless NULL.  Where one looks otherwise, or for want of memory, none is
   edited.  */
void acr_params_edit (struct acr_text *t, unsigned unit,
                      struct acr_params *list);

/* The bytes of the block that the kernel NAME gets; 0: it gets an address.  */
size_t acr_params_of (const struct acr_params *list, const char *name);

/* The unit of this number is not edited after all.  */
void acr_params_drop (struct acr_params *list, unsigned unit);

void acr_params_free (struct acr_params *list);

#endif /* ACCRETE_PARAMS_H */
