/* Is there Fortran in the program?

   gfortran 12 leaves out the depend clauses of combined constructs that begin with
   target (gfc_split_omp_clauses in GCC's fortran/trans-openmp.cc has no place for
   them).  Stock GCC executes target constructs one after the other, nowait or not,
   so that nobody has missed them.  So nowait without depend says nothing about
   order in a program with Fortran.

   Its run-time library is one of the process, or, linked statically, a part of the
   program, which then has the library's messages.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "interpose/fortran.h"

#include <link.h>
#include <pthread.h>
#include <string.h>

static bool present;

static int
has_fortran (struct dl_phdr_info *info, size_t size, void *data)
{
  static const char message[] = "Fortran runtime error";
  (void)size, (void)data;
  if (*info->dlpi_name)
    return strstr (info->dlpi_name, "/libgfortran.so") != NULL;
  for (unsigned i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *ph = &info->dlpi_phdr[i];
      if (ph->p_type == PT_LOAD && (ph->p_flags & PF_R)
          && !(ph->p_flags & PF_W)
          && memmem ((const void *)(info->dlpi_addr + ph->p_vaddr),
                     ph->p_filesz, message, sizeof message - 1))
        return 1;
    }
  return 0;
}

static void
look (void)
{
  present = dl_iterate_phdr (has_fortran, NULL);
}

bool
acr_fortran_present (void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once (&once, look);
  return present;
}
