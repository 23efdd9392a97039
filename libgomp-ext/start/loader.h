/* The table through which start.c reaches the dynamic linker.

   foreign.c asks who can load the CUDA driver, by what is imported; what is
   imported into this table it passes over, and knows it by its marks.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_LOADER_H
#define ACCRETE_LOADER_H

#include <stdint.h>

#define ACR_LOADER_MAGIC UINT64_C (0x6163637265746521)

struct acr_loader
{
  uint64_t mark1; /* ACR_LOADER_MAGIC, as all */
  void *(*open) (const char *name, int mode);
  uint64_t mark2;
  void *(*sym) (void *handle, const char *name);
  uint64_t mark3;
  void *(*vsym) (void *handle, const char *name, const char *version);
};

#endif /* ACCRETE_LOADER_H */
