/* columns.cc: which rows of a split nest are columns.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_COLUMNS_H
#define ACCRETE_COLUMNS_H

#include "spmd/spmd.h"

/* Lies what the loops inside of R's outer loop access side by side along that, and
   not along them?  */
bool columns_lie_across_p (region *r);

/* Are the rows of NEST, which is of R, columns?  */
bool columns_p (region *r, const spmd_nest *nest, const spmd_sharing *sharing);

#endif /* ACCRETE_COLUMNS_H */
