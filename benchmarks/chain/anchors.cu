/* What CUDA programmers would have in place of chains.c: CUB's scan, selection
   and partition, which Thrust's are made of, and for padding tiles that wait
   for each other, by hand.
   usage: anchors [-n REPEATS] [NAME [SIZE]]
   Prints what chains prints; inputs and hashes are the same.

   Source: J. Gomez-Luna and others, "In-Place Data Sliding Algorithms for
   Many-Core Architectures", ICPP 2015.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <vector>

#include "stopwatch.h"

enum
{
  TILE = 8192,
  SIGHT = 256,
  THREADS = 512,
  EACH = TILE / THREADS,
  PAD = 1
};

static int n, side, tiles;
static int *in, *out, *count, *slid, *flags;
static float *height, *steepest;
static void *temp;
static size_t temp_size;

static void
check (cudaError_t e)
{
  if (e == cudaSuccess)
    return;
  fprintf (stderr, "%s\n", cudaGetErrorString (e));
  exit (2);
}

static int
noise (unsigned i)
{
  uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  return (int)(z >> 40);
}

struct kept_p
{
  __device__ bool operator() (int x) const { return x % 3 != 0; }
};

struct greater_of
{
  __device__ float
  operator() (float a, float b) const
  {
    return b > a ? b : a;
  }
};

struct angle_of
{
  const float *height;
  __device__ float
  operator() (int i) const
  {
    return (height[i] - height[0]) / (i + 1);
  }
};

__global__ static void
see (const float *height, const float *steepest, int *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = (height[i] - height[0]) / (i + 1) > steepest[i];
}

/* Elements go from FROM of them a row to TO; a tile waits until the one that
   moves before it has been read.  FLAGS[0] gives tiles their numbers.  */
__global__ static void
slide (int *rows, int *flags, int n, int side, int from, int to, int tiles)
{
  __shared__ int turn;
  int kept[EACH];
  if (threadIdx.x == 0)
    turn = atomicAdd (&flags[0], 1);
  __syncthreads ();
  int s = turn, t = to > from ? tiles - 1 - s : s;
  for (int k = 0; k < EACH; k++)
    {
      int i = t * TILE + k * THREADS + threadIdx.x;
      kept[k] = i < n ? rows[i / side * from + i % side] : 0;
    }
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      while (s && *(volatile int *)&flags[s] == 0)
        ;
      __threadfence ();
      *(volatile int *)&flags[s + 1] = 1;
    }
  __syncthreads ();
  for (int k = 0; k < EACH; k++)
    {
      int i = t * TILE + k * THREADS + threadIdx.x;
      if (i < n)
        rows[i / side * to + i % side] = kept[k];
    }
}

static cudaError_t
scan (void *at, size_t *size)
{
  auto angles = thrust::make_transform_iterator (
    thrust::make_counting_iterator (0), angle_of{ height });
  cudaError_t e = cub::DeviceScan::ExclusiveScan (at, *size, angles, steepest,
                                                  greater_of (), -1e30f, n);
  if (at)
    see<<<(n + 255) / 256, 256>>> (height, steepest, out, n);
  return e;
}

static cudaError_t
keep (void *at, size_t *size)
{
  return cub::DeviceSelect::If (at, *size, in, out, count, n, kept_p ());
}

static cudaError_t
part (void *at, size_t *size)
{
  return cub::DevicePartition::If (at, *size, in, slid, count, n, kept_p ());
}

static cudaError_t
unique (void *at, size_t *size)
{
  return cub::DeviceSelect::Unique (at, *size, in, out, count, n);
}

static cudaError_t
move (void *at, int from, int to)
{
  if (!at)
    return cudaSuccess;
  check (cudaMemsetAsync (flags, 0, (tiles + 2) * sizeof *flags));
  slide<<<tiles, THREADS>>> (out, flags, n, side, from, to, tiles);
  return cudaGetLastError ();
}

static cudaError_t
pad (void *at, size_t *)
{
  return move (at, side, side + PAD);
}

static cudaError_t
unpad (void *at, size_t *)
{
  return move (at, side + PAD, side);
}

static const struct program
{
  const char *name;
  int size, tile;
  bool moves, counts;
  cudaError_t (*call) (void *, size_t *);
} programs[] = {
  { "los", 6399, SIGHT, false, false, scan },
  { "pd", 450, TILE, true, false, pad },
  { "pt", 204800, TILE, false, true, part },
  { "sc", 204800, TILE, false, true, keep },
  { "unq", 204800, TILE, false, true, unique },
  { "upd", 450, TILE, true, false, unpad },
};

static void
run (const program *p, int size, int repeats)
{
  side = p->moves ? size : 1;
  n = p->moves ? size * size : size;
  tiles = (n + p->tile - 1) / p->tile;
  int all = tiles * p->tile + side + 2 * tiles + 1, kept = tiles;
  bool unq = p->call == unique, parts = p->call == part;
  std::vector<int> data (all), result (all), rest (all);
  std::vector<float> points (all);
  std::vector<double> us (repeats);
  for (int i = 0; i < all; i++)
    {
      data[i] = noise (unq ? i / 3 : i) % 1000;
      if (i >= n && !p->moves)
        data[i] = unq ? data[n - 1] : 0;
      points[i] = i < n ? data[i] + i * .25f : -1e30f;
    }
  size_t bytes = all * sizeof (int);
  check (cudaMalloc (&in, bytes));
  check (cudaMalloc (&out, bytes));
  check (cudaMalloc (&slid, bytes));
  check (cudaMalloc (&height, bytes));
  check (cudaMalloc (&steepest, bytes));
  check (cudaMalloc (&count, sizeof *count));
  check (cudaMalloc (&flags, (tiles + 2) * sizeof *flags));
  check (cudaMemcpy (in, data.data (), bytes, cudaMemcpyHostToDevice));
  check (cudaMemcpy (out, data.data (), bytes, cudaMemcpyHostToDevice));
  check (cudaMemcpy (height, points.data (), bytes, cudaMemcpyHostToDevice));
  temp_size = 1;
  check (p->call (NULL, &temp_size));
  check (cudaMalloc (&temp, temp_size + 1));
  for (int r = -2; r < repeats; r++)
    {
      if (p->moves)
        check (cudaMemcpy (out, data.data (), bytes, cudaMemcpyHostToDevice));
      check (cudaDeviceSynchronize ());
      double begin = 1e6 * stopwatch_seconds ();
      check (p->call (temp, &temp_size));
      if (p->counts)
        check (cudaMemcpy (&kept, count, sizeof kept, cudaMemcpyDeviceToHost));
      else
        check (cudaDeviceSynchronize ());
      if (r >= 0)
        us[r] = 1e6 * stopwatch_seconds () - begin;
    }
  check (cudaMemcpy (result.data (), parts ? slid : out, bytes,
                     cudaMemcpyDeviceToHost));
  /* The second part comes the other way round.  */
  for (int i = 0; parts && i < n - kept; i++)
    rest[i] = result[n - 1 - i];
  for (int i = kept; parts && i < n; i++)
    result[i] = data[i];
  int from = p->call == unpad ? side + PAD : side;
  for (int i = 0; p->moves && i < n; i++)
    rest[i] = data[i / side * from + i % side];
  uint64_t hash = kept;
  for (int i = 0; i < n; i++)
    hash = hash * 31 + result[i] + 7 * rest[i];
  double median = stopwatch_median (us.data (), repeats);
  printf ("%-4s %-5s %9d %5d tiles %12.1f %12.1f us  %016llx\n", p->name,
          "cuda", size, tiles, median, us[0], (unsigned long long)hash);
}

int
main (int argc, char **argv)
{
  int repeats = 5;
  for (int o; (o = getopt (argc, argv, "n:")) != -1;)
    if (o == 'n')
      repeats = atoi (optarg);
    else
      return 2;
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
    if (optind == argc || !strcmp (programs[i].name, argv[optind]))
      run (&programs[i],
           optind + 1 < argc ? atoi (argv[optind + 1]) : programs[i].size,
           repeats);
}
