/* The device's libraries that GCC links: libm, libgcc and libc for OpenMP.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_LIBRARY_H
#define ACCRETE_LIBRARY_H

#include "ptx/ptx.h"

/* In the order in which they are looked into.  */
enum library
{
  LIBRARY_M,
  LIBRARY_GCC,
  LIBRARY_C,
  LIBRARY_COUNT
};

/* The object of a library that defines the global function, or variable, NAME,
   and in *FROM which library; NULL when none does, or no library is found.
   Objects live as long as the process.  */
const struct ptx_unit *library_function (const char *name,
					 enum library *from);
const struct ptx_unit *library_variable (const char *name,
					 enum library *from);

#endif /* ACCRETE_LIBRARY_H */
