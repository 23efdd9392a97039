/* The gangs of OpenACC's launches, which come with as many as the iterations need, or as
   the program says.

   Thread-safe: launches are their thread's own.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_GEOMETRY_GANGS_H
#define ACCRETE_GEOMETRY_GANGS_H

#include "launch/geometry/geometry-model.h"

/* L is OpenACC's, of R: say for it what an OpenMP launch would.  False when nothing of
   it is open.  */
bool acr_gangs_read (struct acr_launch *l, const struct acr_region *r);

/* L, of R, has the gangs that the program says, of a size that it says or not.  Put in
   S[0] what it takes, and behind that what may be faster, where no result of R shows how
   many threads there are.  How many are to be measured; 0: none.  */
unsigned acr_gangs_given (struct acr_launch *l, const struct acr_region *r,
                          struct acr_shape s[ACR_TUNE_MOST]);

#endif /* ACCRETE_GEOMETRY_GANGS_H */
