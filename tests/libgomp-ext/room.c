/* How many blocks a multiprocessor holds, on GPUs of the test's that count as CUDA's
   occupancy calculator does.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"

#include "ext.h"
#include "launch/gpu.h"
#include "launch/launch.h"
#include "launch/room.h"
#include "tap.h"

/* ---- What the tested part needs from the rest of the runtime ----------- */

struct acr_driver acr_driver;

/* Bytes of a multiprocessor, a block at the most, and what each block costs besides.  */
static struct
{
  int all, optin, reserved;
  int unknown; /* and what nobody says */
} gpu;

bool
acr_gpu_attribute (int *value, CUdevice_attribute attribute)
{
  *value = attribute == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR
               ? gpu.all
           : attribute == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
               ? gpu.optin
               : gpu.reserved;
  return *value;
}

/* A function with OWN bytes of static shared memory, of which EACH blocks fit without
   any.  */
static struct function
{
  int own, each, most;
} f;
static CUresult status;
static unsigned asked;

static CUresult
get_attribute (int *value, CUfunction_attribute attribute, CUfunction fn)
{
  (void)fn;
  *value = attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES ? f.own : f.most;
  return status;
}

static CUresult
set_attribute (CUfunction fn, CUfunction_attribute attribute, int value)
{
  (void)fn, (void)attribute;
  if (value + f.own > gpu.optin)
    return CUDA_ERROR_INVALID_VALUE;
  f.most = value;
  return status;
}

/* Blocks of F with so many dynamic BYTES.  */
static int
holds (int bytes)
{
  int all = (f.own + bytes + 127) / 128 * 128 + gpu.reserved;
  all += bytes ? gpu.unknown : 0;
  int fit = all ? gpu.all / all : f.each;
  return bytes > f.most ? 0 : fit < f.each ? fit : f.each;
}

static CUresult
occupancy (int *blocks, CUfunction fn, int threads, size_t shared)
{
  (void)fn, (void)threads;
  asked++;
  *blocks = holds (shared);
  return status;
}

/* ---- Tests ------------------------------------------------------------- */

static void
fresh (int own, int each)
{
  f = (struct function){ own, each, 48 << 10 };
  acr_room_forget ();
}

/* Blocks that are there at a time with QUARTERS; 0: there is no limit.  */
static int
limit (unsigned quarters)
{
  struct acr_launch l = { .fn = (CUfunction)&f, .block = { 256, 1, 1 } };
  return acr_room_limit (&l, quarters) ? holds (l.shared) : l.shared ? -1 : 0;
}

static void
test_gpus (void)
{
  static const struct
  {
    const char *name;
    int all, optin, reserved;
  } gpus[] = { { "sm_70", 98304, 98304, 0 },
               { "sm_80", 167936, 166912, 1024 },
               { "sm_86", 102400, 101376, 1024 },
               { "sm_90", 233472, 232448, 1024 } };
  for (unsigned i = 0; i < sizeof gpus / sizeof *gpus; i++)
    {
      gpu.all = gpus[i].all, gpu.optin = gpus[i].optin;
      gpu.reserved = gpus[i].reserved;
      bool right = true;
      for (int own = 0; own <= 4096; own += 1365)
        for (int each = 2; each <= 16; each++)
          for (unsigned quarters = 3; quarters; quarters--)
            {
              fresh (own, each);
              int most = holds (0), want = most * quarters / 4;
              right &= limit (quarters) == (want ? want : 1) || most < 2;
            }
      ok (right, "%s: as many as are wanted", gpus[i].name);
    }
}

static void
test_rest (void)
{
  fresh (0, 8);
  ok_int (limit (1), 2, "a quarter");
  int most = f.most;
  asked = 0;
  ok (limit (3) == 6 && f.most == most, "what is allowed does not shrink");
  ok (limit (1) == 2 && asked == 2, "each is asked for once");
  acr_room_forget ();
  f.each = 4;
  ok_int (limit (1), 1, "functions are others when they are forgotten");
  fresh (0, 1);
  ok_int (limit (1), 0, "of one block there is no part");
  struct acr_launch l = { .fn = (CUfunction)&f, .block = { 256, 1, 1 }, .shared = 64 };
  fresh (0, 8);
  ok (!acr_room_limit (&l, 2) && l.shared == 64, "one that asks for some is left alone");
  fresh (0, 8);
  gpu.optin = 60000;
  ok (!limit (1) && limit (3) == 6, "a block may not have as much as it wants");
  gpu.optin = 232448;
  fresh (0, 8);
  gpu.unknown = 20000;
  ok_int (limit (2), 0, "blocks take more than is known");
  gpu.unknown = 0;
  fresh (0, 8);
  status = CUDA_ERROR_INVALID_VALUE;
  ok_int (limit (2), 0, "the driver refuses");
  status = CUDA_SUCCESS;
  fresh (0, 8);
  acr_driver.func_set_attribute = NULL;
  ok_int (limit (2), 0, "the driver has no such call");
}

int
main (void)
{
  acr_driver.func_get_attribute = get_attribute;
  acr_driver.func_set_attribute = set_attribute;
  acr_driver.occupancy_blocks = occupancy;
  test_gpus ();
  test_rest ();
  return done_testing ();
}
