/* The gangs of OpenACC's launches; see geometry-gangs.h.

   OpenACC's launches come with as many gangs as the iterations need, and are
   changed as far as the program, or libgomp's GOMP_OPENACC_DIM, leaves them
   open.  Where the program says how many gangs there are for rows that a warp
   computes, as many warps do, not a block of several each.

   What clauses say of threads was meant for some GPU.  Where no result shows it but
   the order of a sum, blocks of the program's are divided while multiprocessors
   would be idle: the threads, and their iterations, are the same.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/geometry/geometry-gangs.h"

#include "abi/abi.h"
#include "ext.h"
#include "launch/form.h"
#include "launch/gpu.h"
#include "launch/kernel.h"
#include "launch/launch.h"

#include <limits.h>

/* Give L, an OpenACC launch with the gangs that the program says, the workers
   that GOMP_OPENACC_DIM does where the program does not, and no more threads
   than fit.  */
static void
set_block (struct acr_launch *l, const struct acr_region *r)
{
  unsigned most = l->kernel->max_threads;
  if (r->stock[1] == 0 && acr_env.acc_dims[1])
    l->block[1] = acr_env.acc_dims[1];
  if (l->block[0] > most)
    l->block[0] = most / ACR_WARP * ACR_WARP;
  if (l->block[0] * l->block[1] > most)
    l->block[1] = most / l->block[0];
}

/* L has as many gangs as the program says, each of several teams, of which the
   program's gangs are one each: let there be no more blocks than these teams
   need, or than fill the GPU a few times, where teams have several rows.  */
static void
gather_teams (struct acr_launch *l)
{
  unsigned rows = l->block[1], n = rows * l->block[0];
  if (rows < 2 || !acr_gpu_current (&l->processors, &l->registers))
    return;
  unsigned need = (l->grid[0] + rows - 1) / rows;
  unsigned few = acr_model_resident (l, n) * ACR_MODEL_WAVES;
  if (need < few)
    need = few;
  if (need < l->grid[0])
    l->grid[0] = need;
  l->processors = 0;
}

/* Let L, which leaves multiprocessors idle, have more gangs of fewer threads each:
   as many threads as before, with the same iterations.  */
static void
spread_gangs (struct acr_launch *l)
{
  while (l->grid[0] < (unsigned)l->processors
         && (l->block[1] > 1 || l->block[0] > ACR_WARP))
    {
      unsigned *side = &l->block[l->block[1] > 1];
      if (*side % 2)
        break;
      *side /= 2;
      l->grid[0] *= 2;
    }
}

/* Put behind S[0], what the program says of L, the same threads in blocks of another
   size, and grids that fill the GPU with no more threads; how many there are then.  */
static unsigned
add_given (const struct acr_launch *l, struct acr_shape s[ACR_TUNE_MOST])
{
  static const unsigned waves[] = { 1, ACR_MODEL_NEST_WAVES, ACR_MODEL_WAVES };
  static const unsigned widths[] = { ACR_WARP, ACR_TILE, 2 * ACR_TILE };
  struct acr_shape given = s[0];
  uint64_t most = (uint64_t)given.grid * given.x * given.y;
  unsigned n = 1;
  if (given.y % 2 == 0)
    s[n++] = (struct acr_shape){ 2 * given.grid, given.x, given.y / 2 };
  for (unsigned i = 0; i < sizeof widths / sizeof *widths; i++)
    for (unsigned j = 0; j < sizeof waves / sizeof *waves; j++)
      {
        unsigned grid = waves[j] * acr_model_resident (l, ACR_MODEL_BLOCK);
        if ((uint64_t)grid * ACR_MODEL_BLOCK <= most
            && (grid != given.grid || widths[i] != given.x))
          s[n++] = (struct acr_shape){ grid, widths[i], ACR_MODEL_BLOCK / widths[i] };
      }
  return n;
}

unsigned
acr_gangs_given (struct acr_launch *l, const struct acr_region *r,
                 struct acr_shape s[ACR_TUNE_MOST])
{
  set_block (l, r);
  bool rows = acr_model_has_rows (l, r);
  if (rows && !acr_env.acc_dims[0])
    gather_teams (l);
  bool fixed = rows || acr_model_user_says () || r->spmd != ACR_SPMD_GANGS
               || l->kernel->along_y || (!r->exact && !r->nreds) || r->launches
               || !acr_gpu_current (&l->processors, &l->registers);
  if (!fixed)
    spread_gangs (l);
  acr_form_pick (l);
  s[0] = (struct acr_shape){ l->grid[0], l->block[0], l->block[1] };
  bool open = !fixed && r->exact && acr_model_most_threads (l) >= ACR_MODEL_BLOCK;
  return open ? add_given (l, s) : 0;
}

bool
acr_gangs_read (struct acr_launch *l, const struct acr_region *r)
{
  const unsigned *dims = acr_env.acc_dims;
  if ((r->spmd != ACR_SPMD_BLOCKS && r->spmd != ACR_SPMD_OPEN)
      || !acr_gpu_current (&l->processors, &l->registers))
    return false;
  uint64_t block = (uint64_t)l->block[0] * l->block[1];
  uint64_t n = dims[0] ? dims[0] : l->grid[0] * block;
  l->teams = n > INT_MAX ? INT_MAX : n;
  l->trips = !dims[0];
  if (r->spmd == ACR_SPMD_BLOCKS)
    l->threads = block;
  else if (dims[1] || dims[2])
    l->threads = (dims[1] ? dims[1] : 1) * (dims[2] ? dims[2] : ACR_WARP);
  return true;
}
