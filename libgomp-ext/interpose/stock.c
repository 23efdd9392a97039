/* Stock GCC's names and numbers for libgomp's plugin; see stock.h.

   The plugin has a descriptor for each function of an image, with the name and
   the numbers that come with the image, and how many threads a block may have;
   it looks at them when it launches.

   Source: libgomp/plugin/plugin-nvptx.c (struct targ_fn_descriptor, nvptx_exec),
   where the descriptor is the same in GCC 12 to 16.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "interpose/stock.h"

#include "ext.h"
#include "interpose/image.h"
#include "launch/kernel.h"
#include "launch/launch.h"

#include <string.h>

struct descriptor
{
  CUfunction fn;
  const struct acr_kernel_name *launch;
  int regs, max_threads;
};

/* The most threads that a block can have, and the most workers with rows wider than
   WARP that the plugin launches: GCC's own form has a barrier for each.  */
#define MAX_BLOCK 1024
#define WARP 32
#define MAX_WIDE_WORKERS 15

/* The launch that this thread's plugin is in: what the program passes, when the
   plugin has got something else.  */
static __thread struct
{
  bool differs;
  unsigned dims[3];
} now __attribute__ ((tls_model ("initial-exec")));

static bool
is_plain (const struct acr_region *r)
{
  return r && r->kind != ACR_KIND_OMP_TARGET && r->spmd != ACR_SPMD_NO
         && !acr_opt_off (ACR_OPT_geometry);
}

void
acr_stock_loaded (const void *image, const struct acr_pair *table)
{
  const struct acr_image *i = image;
  for (unsigned n = 0; n < i->nkernels; n++)
    {
      struct descriptor *d = (struct descriptor *)table[n].start;
      const struct acr_kernel *k = acr_kernel_find (d->fn);
      const struct acr_region *r = k ? acr_kernel_region (k) : NULL;
      if (!r)
        continue;
      memcpy (k->stock->dims, d->launch->dims, sizeof k->stock->dims);
      d->launch = k->stock;
      /* An SPMD kernel takes as many as fit, whatever the plugin is told.  */
      if (!is_plain (r))
        continue;
      d->max_threads = MAX_BLOCK;
      /* What the image says of lanes, each launch says instead.  */
      if (r->dims[2] > WARP && k->stock->dims[2] == r->dims[2])
        k->stock->dims[2] = 0;
    }
}

/* Tell the plugin of a warp a worker, in DIMS, where it would refuse the kernel for
   lack of barriers: an SPMD kernel has none for its workers.  The launch gets what the
   program wants, as that is the same number of threads for each worker.  */
static void
spare_barriers (const struct acr_kernel *k, const struct acr_region *r,
                unsigned dims[3])
{
  unsigned workers = k->stock->dims[1] ? k->stock->dims[1] : dims[1];
  if (r->dims[2] > WARP && !k->stock->dims[2])
    dims[2] = now.dims[2] = r->dims[2];
  if (workers <= MAX_WIDE_WORKERS || dims[2] <= WARP || k->stock->dims[2])
    return;
  if (!now.dims[2])
    now.dims[2] = dims[2];
  dims[2] = WARP;
}

void
acr_stock_begin (const void *function, const struct acr_kernel *k,
                 unsigned dims[3])
{
  const struct descriptor *d = function;
  const struct acr_region *r = k ? acr_kernel_region (k) : NULL;
  now.differs = is_plain (r) && d->launch == k->stock;
  if (!now.differs)
    return;
  memcpy (now.dims, dims, sizeof now.dims);
  for (int i = 0; i < 3; i++)
    if (dims[i] && r->stock[i] != ACR_DIM_OPEN)
      dims[i] = r->stock[i];
  spare_barriers (k, r, dims);
}

void
acr_stock_end (void)
{
  now.differs = false;
}

void
acr_stock_restore (struct acr_launch *l)
{
  /* To an SPMD kernel the size says what to do with children (nest-abi.h), where
     the plugin means the low-latency heap that it has not.  */
  const struct acr_region *r = l->kernel ? acr_kernel_region (l->kernel) : NULL;
  if (r && r->spmd != ACR_SPMD_NO)
    l->shared = 0;
  if (!now.differs)
    return;
  unsigned *to[] = { &l->grid[0], &l->block[1], &l->block[0] };
  for (int i = 0; i < 3; i++)
    if (now.dims[i])
      *to[i] = now.dims[i];
}
