/* A model of the grid and block that an SPMD kernel takes, for the form that it is
   launched in, by what it says of itself (abi.h), registers, the GPU and the number of
   iterations.

   Thread-safe: no state.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_GEOMETRY_MODEL_H
#define ACCRETE_GEOMETRY_MODEL_H

#include <stdbool.h>

#include "ext.h"
#include "launch/geometry/geometry-word.h"
#include "launch/tune.h"

struct acr_launch;
struct acr_region;

enum
{
  ACR_MODEL_BLOCK = 256, /* threads, where nothing speaks against it */
  /* Times that a grid of threads with several iterations fills the GPU; and one of a
     nest's that needs few registers.  */
  ACR_MODEL_WAVES = 8,
  ACR_MODEL_NEST_WAVES = 2
};

/* GRID blocks of X by Y threads.  */
struct acr_shape
{
  unsigned grid, x, y;
};

/* Has the user said what gangs are like?  */
static inline bool
acr_model_user_says (void)
{
  const unsigned *dims = acr_env.acc_dims;
  return dims[0] || dims[1] || dims[2];
}

/* Is a team of R a row of a block of L; does the shape of the kernel's tiles follow the
   block's?  */
bool acr_model_has_rows (const struct acr_launch *l, const struct acr_region *r);
bool acr_model_has_tiles (const struct acr_launch *l, const struct acr_region *r);

/* Threads that a block of L may have at the most.  */
unsigned acr_model_most_threads (const struct acr_launch *l);

/* Blocks of N threads of L that the GPU holds at a time.  */
unsigned acr_model_resident (const struct acr_launch *l, unsigned n);

/* The threads of a block of L: a multiple of a warp, or few.  */
unsigned acr_model_block (const struct acr_launch *l, const struct acr_region *r);

/* What L takes for blocks of BLOCK threads.  */
struct acr_shape acr_model_shape (const struct acr_launch *l,
                                  const struct acr_region *r, unsigned block);

/* Put behind TO[0], what L takes for blocks of BLOCK threads, what may be faster where no
   result shows it; how many there are then.  */
unsigned acr_model_candidates (const struct acr_launch *l,
                               const struct acr_region *r, unsigned block,
                               struct acr_shape to[ACR_TUNE_MOST]);

/* The same of what leaves a half and three quarters of the GPU's threads out, as fewer
   threads may miss their caches less: behind TO[N - 1] the parts of TO[0].  */
unsigned acr_model_parts (const struct acr_launch *l, const struct acr_region *r,
                          unsigned n, struct acr_shape to[ACR_TUNE_MOST]);

#endif /* ACCRETE_GEOMETRY_MODEL_H */
