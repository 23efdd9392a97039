/* The device's libgomp, adapted as it is loaded; see devlib.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/text.h"
#include "ext.h"
#include "interpose/interface.h"
#include "jit/adapt.h"
#include "jit/devlib.h"
#include "jit/limited.h"
#include "jit/nest-ptx.h"
#include "jit/params.h"

#include <stdlib.h>

/* ---- The arena --------------------------------------------------------- */

static _Atomic bool has_arena;

/* GCC's structures: 984 and 224 bytes a thread.  libgomp keeps a team while it
   makes the next one, and a grain more may be lost with each.  */
#define TEAM 1024
#define THREAD 256
#define TEAMS 2
/* A grain is a multiple of 8 bytes, and there are 64.  */
#define STEP 512

/* Any block can have so much that is not static, with what libgomp has static.  */
#define MOST (40u << 10)

unsigned
acr_devlib_shared (unsigned threads)
{
  unsigned heap = acr_interface_lowlat ();
  unsigned bytes = TEAMS * (TEAM + threads * THREAD);
  unsigned all = heap < MOST ? acr_adapt_arena (heap)
                                   + (bytes + STEP - 1) / STEP * STEP
                             : heap;
  return atomic_load_explicit (&has_arena, memory_order_relaxed)
                 && all <= MOST
             ? all
             : heap;
}

/* ---- Units ------------------------------------------------------------- */

/* Unit I, U, adapted, or U.  */
static struct acr_unit
adapt (struct acr_unit u, unsigned i, int major, struct acr_params *params)
{
  struct acr_text t = { .p = u.code, .n = u.bytes };
  const struct acr_adapt which = { .arena = !acr_opt_off (ACR_OPT_arena),
                                   .fence = !acr_opt_off (ACR_OPT_fence),
                                   .wake = !acr_opt_off (ACR_OPT_wake),
                                   .addition = !acr_opt_off (ACR_OPT_addition),
                                   .heap = acr_interface_lowlat () };
  bool with_arena = acr_adapt (&t, which, major);
  /* Device code launches kernels with the address of their arguments.  */
  if (!acr_nest_ptx_edit (&t) && !acr_opt_off (ACR_OPT_args))
    acr_params_edit (&t, i, params);
  acr_limited_write (&t);
  if (t.failed)
    {
      free (t.own);
      return u;
    }
  if (with_arena)
    atomic_store_explicit (&has_arena, true, memory_order_relaxed);
  return (struct acr_unit){ t.p, t.n };
}

struct acr_unit *
acr_devlib_adapt (const struct acr_unit *unit, unsigned n, int major,
                  struct acr_params *params)
{
  struct acr_unit *to = malloc (n * sizeof *to);
  unsigned changed = 0;
  for (unsigned i = 0; to && i < n; i++)
    {
      to[i] = adapt (unit[i], i, major, params);
      changed += to[i].code != unit[i].code;
    }
  acr_debug (1, "device code: %u of %u units are adapted", changed, n);
  if (changed)
    return to;
  free (to);
  return NULL;
}

void
acr_devlib_release (struct acr_unit *adapted, const struct acr_unit *unit,
                    unsigned n)
{
  for (unsigned i = 0; adapted && i < n; i++)
    if (adapted[i].code != unit[i].code)
      free ((void *)adapted[i].code);
  free (adapted);
}
