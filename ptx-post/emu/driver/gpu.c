/* The GPU model of this process, from the table gpu.def.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu.h"

static const struct emu_gpu models[] = {
#define EMU_GPU(name, product, cc, sms, gib, tpb, tps, bps, rpb, rps, spb,    \
		spo, sps, clock, mclock, bus, l2)			      \
  { name, product, cc, sms, (size_t) gib << 30, tpb, tps, bps, rpb, rps,      \
    spb, spo, sps, clock, mclock, bus, l2 * 1024 },
#include "driver/gpu.def"
};
#define N_MODELS (sizeof models / sizeof *models)

static const struct emu_gpu *chosen = models;

static void
choose (void)
{
  const char *name = emu_env (EMU_ENV_GPU);
  if (!name || !*name)
    return;
  for (unsigned i = 0; i < N_MODELS; i++)
    if (!strcmp (models[i].name, name))
      {
	chosen = &models[i];
	return;
      }
  fprintf (stderr, "accrete: ACCRETE_EMU_GPU=%s is none of:", name);
  for (unsigned i = 0; i < N_MODELS; i++)
    fprintf (stderr, " %s", models[i].name);
  fprintf (stderr, "; using %s\n", models[0].name);
}

const struct emu_gpu *
emu_gpu (void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once (&once, choose);
  return chosen;
}
