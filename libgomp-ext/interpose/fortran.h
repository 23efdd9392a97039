/* Fortran in the program; see fortran.c.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_FORTRAN_H
#define ACCRETE_FORTRAN_H

#include <stdbool.h>

/* Whether the program has code of gfortran's, as far as its run-time library shows
   when this is called for the first time.  Thread-safe.  */
bool acr_fortran_present (void);

#endif /* ACCRETE_FORTRAN_H */
