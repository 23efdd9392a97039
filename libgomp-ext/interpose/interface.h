/* What the runtime knows of libgomp's nvptx plugin: the row of interface.def.

   Set before libgomp gets to see its plugin, constant from then on.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_INTERFACE_H
#define ACCRETE_INTERFACE_H

#include <stdbool.h>

struct acr_interface
{
  unsigned number;
  const char *gcc;
  bool asks, reverse, fetches, allocates;
  unsigned lowlat; /* bytes */
};

/* Find out about PLUGIN, which dlopen gave.  */
void acr_interface_find (void *plugin);

/* The plugin's interface, or NULL when it is none that is known.  */
const struct acr_interface *acr_interface (void);

/* Bytes of dynamic shared memory that the plugin gives to OpenMP kernels.  */
unsigned acr_interface_lowlat (void);

#endif /* ACCRETE_INTERFACE_H */
