/* HFuse's pairs of CUDA kernels: one behind the other, on two streams, as HFuse
   has fused them and as ptx-post has, with the same blocks and grids.
   usage: hfuse FOLDER [BLOCKS]
   FOLDER is what hfuse.sh has filled.  Prints a line for each pair: registers and
   blocks a multiprocessor of both fused kernels, microseconds (medians by turns),
   and HFuse's time over ours.  Results that are not those of the kernels one behind
   the other give status 1.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "interpose/cuda-types.h"
#include "stopwatch.h"

#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DRIVER                                                                \
  F (init, "cuInit", (unsigned))                                              \
  F (retain, "cuDevicePrimaryCtxRetain", (CUcontext *, CUdevice))             \
  F (set_current, "cuCtxSetCurrent", (CUcontext))                             \
  F (load, "cuModuleLoad", (CUmodule *, const char *))                        \
  F (unload, "cuModuleUnload", (CUmodule))                                    \
  F (function, "cuModuleGetFunction",                                         \
     (CUfunction *, CUmodule, const char *))                                  \
  F (variable, "cuModuleGetGlobal_v2",                                        \
     (CUdeviceptr *, size_t *, CUmodule, const char *))                       \
  F (alloc, "cuMemAlloc_v2", (CUdeviceptr *, size_t))                         \
  F (to, "cuMemcpyHtoD_v2", (CUdeviceptr, const void *, size_t))              \
  F (from, "cuMemcpyDtoH_v2", (void *, CUdeviceptr, size_t))                  \
  F (fill, "cuMemsetD8_v2", (CUdeviceptr, unsigned char, size_t))             \
  F (launch, "cuLaunchKernel",                                                \
     (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
      unsigned, CUstream, void **, void **))                                  \
  F (wait, "cuCtxSynchronize", (void))                                        \
  F (stream, "cuStreamCreate", (CUstream *, unsigned))                        \
  F (attribute, "cuFuncGetAttribute", (int *, int, CUfunction))               \
  F (occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor",                \
     (int *, CUfunction, int, size_t))
#define F(name, symbol, params) static CUresult (*name) params;
DRIVER
#undef F

enum
{
  OUTPUTS = 2, /* arrays of a kernel */
  PARAMS = 64,
  WORD = 216, /* bytes of the largest parameter */
  REPEATS = 25,
  DRAWS = 25,
  NONBLOCKING = 1,
  REGISTERS = 4 /* CU_FUNC_ATTRIBUTE_NUM_REGS */
};

enum way
{
  SERIAL,
  STREAMS,
  HFUSE,
  OURS,
  WAYS
};

struct params
{
  char bytes[PARAMS][WORD];
  void *at[PARAMS];
  unsigned n;
};

/* A kernel of a pair.  */
struct side
{
  const char *name;
  CUfunction fn;
  unsigned block[3], dynamic;
  CUdeviceptr in, out[OUTPUTS];
  size_t bytes[OUTPUTS];
  struct params params;
};

static struct side side[2];
static CUfunction fused[2];
static struct params both[2];
static CUstream streams[2];
static unsigned blocks = 1056;
static CUdeviceptr dag; /* ethash's table */
static const unsigned dag_rows = 4u << 20;
static const size_t room = 700u << 20;
static bool hashes;
static uint64_t state = 88172645463325252u;

static uint64_t
draw (void)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static void
check (CUresult r, const char *what)
{
  if (!r)
    return;
  printf ("%s: error %d\n", what, r);
  exit (2);
}
#define CHECK(call) check (call, #call)

/* ---- Parameters -------------------------------------------------------- */

static void
pass (struct params *p, const void *value, size_t n)
{
  memcpy (p->bytes[p->n], value, n);
  p->at[p->n] = p->bytes[p->n];
  p->n++;
}

#define PASS(p, type, ...)                                                    \
  do                                                                          \
    {                                                                         \
      const type values[] = { __VA_ARGS__ };                                  \
      for (size_t v = 0; v < sizeof values / sizeof *values; v++)             \
        pass (p, &values[v], sizeof *values);                                 \
    }                                                                         \
  while (0)

static void
pass_im2col (struct side *s, struct params *p)
{
  const long channels = 3072, edge = 56, n = channels * edge * edge;
  PASS (p, int64_t, n, s->in, edge, edge, 3, 3, 1, 1, 1, 1, 1, 1, edge, edge,
        s->out[0]);
  s->bytes[0] = 9 * n * sizeof (float);
}

static void
pass_maxpool (struct side *s, struct params *p)
{
  const int n = 64, channels = 96, edge = 112, to = edge / 2;
  const int all = n * channels * to * to;
  PASS (p, int, all);
  PASS (p, CUdeviceptr, s->in);
  PASS (p, int, n, channels, edge, edge, to, to, 3, 3, 2, 2, 1, 1, 1, 1);
  PASS (p, CUdeviceptr, s->out[0], s->out[1]);
  s->bytes[0] = all * sizeof (float);
  s->bytes[1] = all * sizeof (int64_t);
}

struct tensor
{
  CUdeviceptr at;
  int64_t sizes[4], strides[4];
};

static struct tensor
images (CUdeviceptr at, int64_t n, int64_t channels, int64_t edge)
{
  return (struct tensor){ at,
                          { n, channels, edge, edge },
                          { channels * edge * edge, edge * edge, edge, 1 } };
}

static void
pass_upsample (struct side *s, struct params *p)
{
  const int n = 4, channels = 16, edge = 224, to = 2 * edge;
  PASS (p, int, to * to);
  PASS (p, float, .5f, .5f);
  PASS (p, bool, false);
  PASS (p, struct tensor, images (s->in, n, channels, edge),
        images (s->out[0], n, channels, to));
  s->bytes[0] = sizeof (float) * n * channels * to * to;
}

static void
pass_batchnorm (struct side *s, struct params *p)
{
  const int n = 32, each = 1568, channels = blocks;
  const struct
  {
    CUdeviceptr at;
    int sizes[3], strides[3];
  } input = { s->in, { n, channels, each }, { channels * each, each, 1 } };
  pass (p, &input, sizeof input);
  PASS (p, float, 1e-5f, .1f);
  for (int i = 0; i < 4; i++)
    {
      const struct
      {
        CUdeviceptr at;
        int size, stride;
      } row = { s->out[0] + i * sizeof (float) * channels, channels, 1 };
      pass (p, &row, sizeof row);
    }
  s->bytes[0] = 4 * sizeof (float) * channels;
}

static void
pass_histogram (struct side *s, struct params *p)
{
  const unsigned n = 32u << 20, bins = 1024;
  struct line
  {
    CUdeviceptr at;
    unsigned sizes[25], strides[25];
    int dims;
  };
  PASS (p, struct line, { s->out[0], { bins }, { 1 }, 1 },
        { s->out[0], { bins }, { 1 }, 1 }, { s->in, { n }, { 1 }, 1 });
  PASS (p, int, bins);
  PASS (p, float, 0, 1);
  PASS (p, unsigned, n);
  PASS (p, char, 0);
  s->bytes[0] = s->dynamic = bins * sizeof (float);
}

/* A hash below it is a result: of all, one in some launches.  */
static uint64_t
target (unsigned each)
{
  return 0.1 * 0x1p64 / (128. * blocks * each);
}

static void
pass_ethash (struct side *s, struct params *p)
{
  PASS (p, uint64_t, s->out[0], 1234567);
  s->bytes[0] = 1024;
}

static void
pass_blake2b (struct side *s, struct params *p)
{
  const unsigned each = 16;
  PASS (p, unsigned, blocks * 128, 0);
  PASS (p, uint64_t, s->out[0], target (each));
  PASS (p, unsigned, each);
  s->bytes[0] = 1024;
}

static void
pass_sha256 (struct side *s, struct params *p)
{
  const unsigned each = 8;
  PASS (p, unsigned, blocks * 128 * each, 0);
  PASS (p, CUdeviceptr, s->out[0]);
  PASS (p, unsigned, each);
  s->bytes[0] = 1024;
}

static const struct
{
  const char *name;
  void (*pass) (struct side *, struct params *);
} kernels[] = {
  { "im2col_kernel", pass_im2col },
  { "MaxPoolForward", pass_maxpool },
  { "upsample_bilinear2d_out_frame", pass_upsample },
  { "batch_norm_collect_statistics_kernel", pass_batchnorm },
  { "kernelHistogram1D", pass_histogram },
  { "blake2b_gpu_hash", pass_blake2b },
  { "sia_blake2b_gpu_hash", pass_blake2b },
  { "sha256d_gpu_hash_shared", pass_sha256 },
  { "ethash_search", pass_ethash },
};

static void
pass_all (struct side *s, struct params *p)
{
  size_t i = 0;
  while (strcmp (kernels[i].name, s->name))
    i++;
  kernels[i].pass (s, p);
}

static void
prepare (void)
{
  for (int i = 0; i < 2; i++)
    {
      memset (&side[i].params, 0, sizeof side[i].params);
      memset (side[i].bytes, 0, sizeof side[i].bytes);
      side[i].dynamic = 0;
      pass_all (&side[i], &side[i].params);
    }
  const struct
  {
    unsigned x, y, z;
  } grid = { blocks, 1, 1 };
  for (int ours = 0; ours < 2; ours++)
    {
      both[ours].n = 0;
      for (int i = 0; i < 2; i++)
        pass_all (&side[i], &both[ours]);
      for (int i = 0; ours && i < 2; i++)
        pass (&both[ours], &grid, sizeof grid);
    }
}

/* ---- Variables of the hashes' unit ------------------------------------- */

static bool
ends (const char *name, const char *end)
{
  size_t n = strlen (name), m = strlen (end);
  return n >= m && !strcmp (name + n - m, end);
}

/* Fill the variable NAME of both modules.  */
static void
set_variable (const CUmodule m[2], const char *name)
{
  uint64_t value[64];
  for (int i = 0; i < 64; i++)
    value[i] = draw ();
  if (ends (name, "d_dag_size"))
    *value = dag_rows;
  else if (ends (name, "d_dag"))
    *value = dag;
  else if (ends (name, "d_target"))
    *value = target (1);
  for (int i = 0; i < 2; i++)
    {
      CUdeviceptr at;
      size_t n;
      if (!variable (&at, &n, m[i], name))
        CHECK (to (at, value, n < sizeof value ? n : sizeof value));
    }
}

static void
set_variables (const CUmodule m[2])
{
  FILE *f = fopen ("variables", "r");
  char name[400];
  while (f && fscanf (f, "%399s", name) == 1)
    set_variable (m, name);
  if (f)
    fclose (f);
}

/* ---- Launches ---------------------------------------------------------- */

static unsigned
threads (const struct side *s)
{
  return s->block[0] * s->block[1] * s->block[2];
}

static void
go (enum way way)
{
  for (int i = 0; way < HFUSE && i < 2; i++)
    CHECK (launch (side[i].fn, blocks, 1, 1, side[i].block[0],
                   side[i].block[1], side[i].block[2], side[i].dynamic,
                   streams[way == STREAMS && i], side[i].params.at, NULL));
  if (way >= HFUSE)
    CHECK (launch (fused[way == OURS], blocks, 1, 1,
                   threads (&side[0]) + threads (&side[1]), 1, 1,
                   side[0].dynamic + side[1].dynamic, streams[0],
                   both[way == OURS].at, NULL));
  CHECK (wait ());
}

/* A hash of all results.  */
static uint64_t
results (enum way way)
{
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < OUTPUTS; k++)
      if (side[i].bytes[k])
        CHECK (fill (side[i].out[k], 0, side[i].bytes[k]));
  CHECK (wait ());
  go (way);
  uint64_t h = 0;
  for (int i = 0; i < 2 * OUTPUTS; i++)
    {
      size_t n = side[i / OUTPUTS].bytes[i % OUTPUTS];
      uint64_t *p = malloc (n + 1);
      if (n)
        CHECK (from (p, side[i / OUTPUTS].out[i % OUTPUTS], n));
      for (size_t k = 0; k < n / sizeof *p; k++)
        {
          h = (h ^ p[k]) * 0x9e3779b97f4a7c15u;
          h ^= h >> 29;
        }
      free (p);
    }
  return h;
}

/* Compare the results of both fused kernels; *OTHERS of HFuse's differ.  Whether ours
   are right.  Of hashes all data are drawn again and again.  Where there is more than
   one result, their order is open, and so is what sia_blake2b_gpu_hash finds, which
   reads shared memory that other warps may not have written yet: where kernels one
   behind the other differ from themselves, or from HFuse's, nothing is said.  */
static bool
compare (const CUmodule m[2], unsigned *others)
{
  bool right = true;
  for (int i = 0; i < (hashes ? DRAWS : 1); i++)
    {
      set_variables (m);
      uint64_t want = results (SERIAL);
      bool open = hashes && want != results (SERIAL);
      bool other = want != results (HFUSE);
      if (!open && (!hashes || !other))
        right &= want == results (OURS);
      *others += !open && other;
    }
  return right;
}

static double
once (enum way way)
{
  double begin = stopwatch_seconds ();
  go (way);
  return 1e6 * (stopwatch_seconds () - begin);
}

static void
describe (CUfunction fn, const char *who)
{
  int regs, n;
  CHECK (attribute (&regs, REGISTERS, fn));
  CHECK (occupancy (&n, fn, threads (&side[0]) + threads (&side[1]),
                    side[0].dynamic + side[1].dynamic));
  printf (" %s %d registers, %d blocks;", who, regs, n);
}

/* ---- Pairs ------------------------------------------------------------- */

static void
get (CUfunction *fn, CUmodule m, const char *name)
{
  CHECK (function (fn, m, name));
}

static void
find (const char *unit, char symbol[3][400], CUmodule m[2])
{
  char name[1300];
  snprintf (name, sizeof name, "%s.cubin", unit);
  CHECK (load (&m[0], name));
  snprintf (name, sizeof name, "%s+%s.cubin", side[0].name, side[1].name);
  CHECK (load (&m[1], name));
  for (int i = 0; i < 2; i++)
    get (&side[i].fn, m[0], symbol[i]);
  get (&fused[0], m[0], symbol[2]);
  snprintf (name, sizeof name, "%s__%s", symbol[0], symbol[1]);
  get (&fused[1], m[1], name);
}

/* Compare and time a pair; HFuse's time over ours, or 0 when results are wrong.  */
static double
run (const char *unit, char symbol[3][400])
{
  CUmodule m[2];
  double t[WAYS][REPEATS], median[WAYS];
  unsigned others = 0;
  hashes = !strcmp (unit, "hashes");
  find (unit, symbol, m);
  prepare ();
  bool right = compare (m, &others);
  for (int r = 0; r < REPEATS; r++)
    for (int way = 0; way < WAYS; way++)
      {
        once (way);
        t[way][r] = once (way);
      }
  for (int way = 0; way < WAYS; way++)
    median[way] = stopwatch_median (t[way], REPEATS);
  printf ("%s+%s:", side[0].name, side[1].name);
  describe (fused[0], "HFuse");
  describe (fused[1], "ours");
  printf (" us serial %.1f streams %.1f HFuse %.1f ours %.1f, %.3f%s%s\n",
          median[SERIAL], median[STREAMS], median[HFUSE], median[OURS],
          median[HFUSE] / median[OURS], right ? "" : " WRONG",
          others ? " (HFuse's results are others at times)" : "");
  fflush (stdout);
  for (int i = 0; i < 2; i++)
    CHECK (unload (m[i]));
  return right ? median[HFUSE] / median[OURS] : 0;
}

static void
start (void)
{
  void *driver = dlopen ("libcuda.so.1", RTLD_NOW);
#define F(name, symbol, params)                                               \
  if (!driver || !(*(void **)&name = dlsym (driver, symbol)))                 \
    {                                                                         \
      printf ("no %s\n", symbol);                                             \
      exit (2);                                                               \
    }
  DRIVER
#undef F
  CUcontext ctx;
  CHECK (init (0));
  CHECK (retain (&ctx, 0));
  CHECK (set_current (ctx));
  for (int i = 0; i < 2; i++)
    CHECK (stream (&streams[i], NONBLOCKING));
}

/* Numbers in [0, 1) as input, and anything as ethash's table.  */
static void
allocate (void)
{
  const size_t part = 4 << 20, table = (size_t)dag_rows * 128;
  float *numbers = malloc (part);
  uint64_t *any = malloc (part);
  for (size_t i = 0; i < part / sizeof *numbers; i++)
    numbers[i] = (draw () >> 40) * 0x1p-24f;
  for (size_t i = 0; i < part / sizeof *any; i++)
    any[i] = draw ();
  for (int i = 0; i < 2; i++)
    {
      CHECK (alloc (&side[i].in, room));
      for (size_t at = 0; at < room; at += part)
        CHECK (to (side[i].in + at, numbers, part));
      for (int k = 0; k < OUTPUTS; k++)
        CHECK (alloc (&side[i].out[k], room));
    }
  CHECK (alloc (&dag, table));
  for (size_t at = 0; at < table; at += part)
    CHECK (to (dag + at, any, part));
  free (numbers);
  free (any);
}

int
main (int argc, char **argv)
{
  char unit[20], name[2][100], symbol[3][400];
  double logs = 0;
  int n = 0;
  bool wrong = false;
  FILE *list;
  if (argc < 2 || chdir (argv[1]) || !(list = fopen ("list", "r")))
    return 2;
  if (argc > 2)
    blocks = atoi (argv[2]);
  start ();
  allocate ();
  unsigned *a = side[0].block, *b = side[1].block;
  while (fscanf (list, "%19s %99s %99s %399s %399s %399s %u,%u,%u/%u,%u,%u",
                 unit, name[0], name[1], symbol[0], symbol[1], symbol[2],
                 &a[0], &a[1], &a[2], &b[0], &b[1], &b[2])
         == 12)
    {
      side[0].name = name[0];
      side[1].name = name[1];
      double ratio = run (unit, symbol);
      wrong |= !ratio;
      logs += log (ratio);
      n++;
    }
  printf ("geometric mean of %d: HFuse's over ours %.3f\n", n, exp (logs / n));
  return wrong || !n;
}
