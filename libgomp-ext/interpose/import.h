/* What a loaded library imports: found, or replaced for it alone.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_IMPORT_H
#define ACCRETE_IMPORT_H

#include <link.h>
#include <stdbool.h>

/* Whether the library or program of INFO uses a function or variable of another
   whose name IS is true for, other than by start.c; true as well when that is not
   known.  */
bool acr_import_any (const struct dl_phdr_info *info,
                     bool (*is) (const char *name));

/* Let the library that has INSIDE, the address of a function of its own, call
   WRAPPER where it calls the function NAME of another library.  Calls that
   other threads make meanwhile reach one or the other.  False when it does not
   import NAME, or the machine's relocations are not known here.  The library
   stays loaded.  */
bool acr_import_replace (const void *inside, const char *name, void *wrapper);

#endif /* ACCRETE_IMPORT_H */
