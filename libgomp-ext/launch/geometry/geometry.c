/* The grid and block of SPMD kernels; see geometry.h.

   A model (geometry-model.h) says what a kernel takes in the form that it is launched
   in.  Where results are the same to the last bit at every geometry and the number of
   iterations is known, or the program says what the geometry is, a few others are
   measured against it (tune.h).  In nests these are also the shapes of the tiles that
   blocks go through (abi.h).  A model is for a form of the kernel, whose registers it
   goes by; so the form is measured first, with what the model says of each, then the
   geometry of the best, and at last, of kernels that are launched many times, grids that
   leave a part of the GPU empty.  What came of it stays with the kernel (geometry-known.h), so
   that launches need not ask again.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/geometry/geometry.h"

#include "abi/abi.h"
#include "base/hash.h"
#include "ext.h"
#include "launch/form.h"
#include "launch/geometry/geometry-gangs.h"
#include "launch/geometry/geometry-known.h"
#include "launch/geometry/geometry-model.h"
#include "launch/gpu.h"
#include "launch/kernel.h"
#include "launch/launch.h"
#include "launch/resident/resident.h"

/* Blocks that a multiprocessor should have before they grow, of those that have queues in
   shared memory.  */
#define SHARING_EACH 16

/* ---- The user's word --------------------------------------------------- */

/* Say that L's kernel is launched with S, where the user asks for that and it
   is news, and for how many iterations where the program leaves the geometry
   open and they are known.  */
static void
print (const struct acr_launch *l, struct acr_shape s)
{
  if (!acr_word_has (acr_env.geometry, ACR_WORD_PRINT))
    return;
  uint64_t now = acr_hash (l->form, &s, sizeof s);
  if (atomic_exchange (&l->kernel->known->printed, now) != now)
    acr_warn (l->trips ? "geometry: %s: %u blocks of %ux%u threads, %d iterations"
                       : "geometry: %s: %u blocks of %ux%u threads",
              l->kernel->name, s.grid, s.x, s.y, l->teams);
}

/* Does the user leave it to measurement?  */
static bool
may_measure (void)
{
  return !acr_word_has (acr_env.geometry, ACR_WORD_MODEL)
         && !acr_word_has (acr_env.geometry, ACR_WORD_PIN);
}

/* What L gets for the word W, the rest as the model says.  */
static struct acr_shape
pinned (const struct acr_launch *l, const struct acr_region *r,
        const struct acr_word *w)
{
  unsigned most = l->kernel->along_y ? ACR_WARP : acr_model_most_threads (l);
  unsigned x = acr_word_row (w);
  uint64_t n = (uint64_t)x * w->rows;
  struct acr_shape s = acr_model_shape (l, r, n > most ? most : n);
  if (w->rows > 1 && n <= most && acr_model_has_tiles (l, r))
    s = (struct acr_shape){ s.grid, x, w->rows };
  if (w->grid)
    s.grid = w->grid;
  return s;
}

/* ---- The choice -------------------------------------------------------- */

/* A region R that starts teams of libgomp's: no more than its loop can use, or
   one for each multiprocessor, which are busy then.  */
static void
limit_teams (struct acr_launch *l, const struct acr_region *r)
{
  unsigned n = ((unsigned)l->teams + r->share - 1) / r->share;
  if (n < (unsigned)l->processors)
    n = l->processors;
  if (n >= l->grid[0])
    return;
  l->grid[0] = n;
  acr_count (fewer_teams, 1);
}

/* The form and the geometry of L whose turn it is among all that L may have.  */
static struct acr_shape
choose_in_turn (struct acr_launch *l, const struct acr_region *r)
{
  static _Atomic unsigned launches;
  unsigned turn = atomic_fetch_add (&launches, 1);
  unsigned forms = l->kernel->nforms + 1;
  struct acr_shape s[ACR_TUNE_MOST];
  acr_form_take (l, turn % forms);
  unsigned block = acr_model_block (l, r);
  s[0] = acr_model_shape (l, r, block);
  unsigned n = acr_model_parts (l, r, acr_model_candidates (l, r, block, s), s);
  l->apart = true;
  return s[turn / forms % n];
}

/* What L takes of BEST, its geometry as far as that is known, and parts of it.  */
static struct acr_shape
choose_part (struct acr_launch *l, const struct acr_region *r, struct acr_shape best)
{
  struct acr_shape s[ACR_TUNE_MOST] = { best };
  return s[acr_form_pick_part (l, acr_model_parts (l, r, 1, s), best.grid)];
}

/* The form and the geometry of L, a launch of the SPMD kernel of R, as far as
   words leave them open by the model and by measurement.  SETTLED: launches that ask
   the same will take no other.  */
static struct acr_shape
choose_best (struct acr_launch *l, const struct acr_region *r, bool *settled)
{
  *settled = acr_form_pick (l) && !acr_env.geometry;
  unsigned block = acr_model_block (l, r);
  struct acr_shape s[ACR_TUNE_MOST] = { acr_model_shape (l, r, block) };
  struct acr_word w;
  if (acr_word_pins (acr_env.geometry, l->kernel->name, &w))
    {
      l->open = false;
      s[0] = pinned (l, r, &w);
    }
  if (!may_measure ())
    return s[0];
  unsigned n = acr_model_candidates (l, r, block, s);
  unsigned taken = acr_form_pick_geometry (l, n);
  struct acr_shape best = choose_part (l, r, s[taken]);
  *settled &= !l->trial.code || l->trial.settled;
  return best;
}

static struct acr_shape
choose (struct acr_launch *l, const struct acr_region *r, bool *settled)
{
  *settled = false;
  bool all = acr_word_has (acr_env.geometry, ACR_WORD_ALL);
  struct acr_shape s = all ? choose_in_turn (l, r) : choose_best (l, r, settled);
  print (l, s);
  return s;
}

static void
set_shape (struct acr_launch *l, struct acr_shape s)
{
  l->grid[0] = s.grid;
  l->block[0] = s.x;
  l->block[1] = s.y;
}

/* Where L, of R, has the gangs that the program says, the search begins there.  */
static void
choose_given (struct acr_launch *l, const struct acr_region *r)
{
  struct acr_shape s[ACR_TUNE_MOST];
  unsigned n = acr_gangs_given (l, r, s);
  unsigned taken = n && may_measure () ? acr_form_pick_geometry (l, n) : 0;
  l->processors = 0;
  set_shape (l, s[taken]);
  print (l, s[taken]);
}

/* As acr_geometry_choose, for an SPMD kernel of R that is no resident one.  */
static void
choose_for (struct acr_launch *l, const struct acr_region *r)
{
  struct acr_question q = acr_known_question (l);
  if (acr_known_take (l, &q))
    {
      acr_count (plain, 1);
      return;
    }
  if (l->processors)
    l->trips = r->spmd == ACR_SPMD_TRIPS && l->teams > 0;
  else if (!acr_gangs_read (l, r))
    {
      choose_given (l, r);
      return;
    }
  l->open = l->trips && !l->threads && !r->nreds && !l->kernel->along_y;
  bool settled;
  set_shape (l, choose (l, r, &settled));
  l->stacks = l->kernel->soft;
  if (settled)
    acr_known_keep (l, &q);
  acr_count (plain, 1);
}

bool
acr_geometry_choose (struct acr_launch *l)
{
  if (!l->kernel || acr_opt_off (ACR_OPT_geometry))
    return false;
  const struct acr_region *r = acr_kernel_region (l->kernel);
  if (r && r->share && l->processors && l->teams > 0)
    limit_teams (l, r);
  if (!r || r->spmd == ACR_SPMD_NO)
    return false;
  if (r->resident)
    {
      acr_resident_shape (l);
      if (l->resident)
        print (l, (struct acr_shape){ l->grid[0], l->block[0], l->block[1] });
    }
  else
    choose_for (l, r);
  return true;
}

void
acr_geometry_limit_gangs (struct acr_launch *l)
{
  bool other = l->kernel && l->fn != l->kernel->fn;
  const struct acr_region *r = other ? acr_kernel_region (l->kernel) : NULL;
  if (!r || r->kind == ACR_KIND_OMP_TARGET || r->dims[0] != ACR_DIM_OPEN
      || acr_model_user_says () || acr_opt_off (ACR_OPT_geometry))
    return;
  unsigned gangs = acr_kernel_gangs (l->kernel, l->form, l->grid[0]);
  if (gangs < l->grid[0])
    l->grid[0] = gangs;
}

unsigned
acr_geometry_part (const struct acr_launch *l, unsigned quarters)
{
  unsigned n = l->block[0] * l->block[1];
  unsigned each = acr_model_resident (l, n) / l->processors * quarters / 4;
  return (each ? each : 1) * l->processors;
}

bool
acr_geometry_fits (const struct acr_launch *l, unsigned quarters)
{
  return !quarters || l->grid[0] <= acr_geometry_part (l, quarters);
}

void
acr_geometry_spread (struct acr_launch *l, bool whole)
{
  if (!l->open)
    return;
  unsigned n = l->block[0], parents = l->teams;
  unsigned most = acr_model_most_threads (l);
  if (most > ACR_QUEUEING)
    most = ACR_QUEUEING;
  /* Blocks of one warp with a queue would not fill a multiprocessor; but a block
     of its own has more threads for a parent.  */
  while (2 * n <= most
         && (parents / (n / ACR_WARP) > SHARING_EACH * (unsigned)l->processors
             || (whole && parents <= acr_model_resident (l, 2 * n))))
    n *= 2;
  unsigned each = whole ? n : ACR_WARP, full = acr_model_resident (l, n) * (n / each);
  unsigned grid = ((parents < full ? parents : full) * each + n - 1) / n;
  if (grid * n <= l->grid[0] * l->block[0])
    return;
  l->grid[0] = grid;
  l->block[0] = n;
}
