/* What it costs to bring 16 operands of 16 KiB to the device and back by way of
   pinned memory, step by step: the choices in libgomp-ext's gather.c, lend.c and
   readback.c rest on this.  Prints a row a way with the median time in
   microseconds.
   usage: copies [REPEATS]

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../stopwatch.h"
#include "cuda-types.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

enum
{
  N = 16,
  BYTES = 16 << 10,
  ALL = N * BYTES
};

static CUresult (*init) (unsigned);
static CUresult (*device_get) (CUdevice *, int);
static CUresult (*ctx_create) (CUcontext *, unsigned, CUdevice);
static CUresult (*mem_alloc) (CUdeviceptr *, size_t);
static CUresult (*host_alloc) (void **, size_t, unsigned);
static CUresult (*to_async) (CUdeviceptr, const void *, size_t, CUstream);
static CUresult (*to_now) (CUdeviceptr, const void *, size_t);
static CUresult (*from_async) (void *, CUdeviceptr, size_t, CUstream);
static CUresult (*from_now) (void *, CUdeviceptr, size_t);
static CUresult (*wait) (CUstream);

static char *operand[N]; /* the program's */
static char *pinned, *plain;
static CUdeviceptr device;

/* ---- Ways to copy on the host ------------------------------------------ */

static void
copy_libc (char *to, const char *from, size_t n)
{
  memcpy (to, from, n);
}

#ifdef __x86_64__
/* As many loads at once as the core can have.  */
__attribute__ ((target ("avx2"))) static void
copy_ahead (char *to, const char *from, size_t n)
{
  for (size_t i = 0; i < n; i += 64)
    {
      _mm_prefetch (from + i + 1024, _MM_HINT_T0);
      __m256i a = _mm256_loadu_si256 ((const void *)(from + i));
      __m256i b = _mm256_loadu_si256 ((const void *)(from + i + 32));
      _mm256_storeu_si256 ((void *)(to + i), a);
      _mm256_storeu_si256 ((void *)(to + i + 32), b);
    }
}

/* Past the caches.  TO is a multiple of 16.  */
static void
copy_past (char *to, const char *from, size_t n)
{
  for (size_t i = 0; i < n; i += 16)
    _mm_stream_si128 ((void *)(to + i), _mm_loadu_si128 ((const void *)(from + i)));
  _mm_sfence ();
}

static void
copy_string (char *to, const char *from, size_t n)
{
  __asm__ volatile ("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}
#else
#define copy_ahead copy_libc
#define copy_past copy_libc
#define copy_string copy_libc
#endif

static void (*copy) (char *to, const char *from, size_t n);

static void
pack (char *buffer)
{
  for (int i = 0; i < N; i++)
    copy (buffer + i * BYTES, operand[i], BYTES);
}

static void
unpack (void)
{
  for (int i = 0; i < N; i++)
    copy (operand[i], pinned + i * BYTES, BYTES);
}

/* ---- Steps; each is preceded by one that is not timed ------------------- */

static void
nothing (void)
{
}

static void
idle (void)
{
  wait (NULL);
}

static void
there (void)
{
  to_async (device, pinned, ALL, NULL);
  wait (NULL);
}

static void
back (void)
{
  from_async (pinned, device, ALL, NULL);
  wait (NULL);
}

static void
there_submit (void)
{
  to_async (device, pinned, ALL, NULL);
}

static void
there_submit_16 (void)
{
  for (int i = 0; i < N; i++)
    to_async (device + i * BYTES, pinned + i * BYTES, BYTES, NULL);
}

static void
there_plain (void)
{
  to_now (device, plain, ALL);
}

static void
pack_plain (void)
{
  pack (plain);
}

static void
pack_pinned (void)
{
  pack (pinned);
}

static void
pack_there (void)
{
  pack (pinned);
  there ();
}

static void
pack_there_plain (void)
{
  pack (plain);
  to_now (device, plain, ALL);
  wait (NULL);
}

/* The DMA of one part while the next is packed.  */
static void
pack_there_parts (int parts)
{
  int n = N / parts;
  for (int i = 0; i < N; i += n)
    {
      for (int k = i; k < i + n; k++)
        copy (pinned + k * BYTES, operand[k], BYTES);
      to_async (device + i * BYTES, pinned + i * BYTES, n * BYTES, NULL);
    }
  wait (NULL);
}

static void
pack_there_2 (void)
{
  pack_there_parts (2);
}

static void
pack_there_4 (void)
{
  pack_there_parts (4);
}

static void
back_unpack (void)
{
  back ();
  unpack ();
}

static void
back_plain (void)
{
  for (int i = 0; i < N; i++)
    from_now (operand[i], device + i * BYTES, BYTES);
}

/* ---- Measurement -------------------------------------------------------- */

static void
measure (int repeats, const char *name, void (*before) (void),
         void (*step) (void))
{
  double *t = malloc (repeats * sizeof *t);
  for (int i = 0; i < repeats; i++)
    {
      before ();
      double start = stopwatch_seconds ();
      step ();
      t[i] = 1e6 * (stopwatch_seconds () - start);
      wait (NULL);
    }
  printf ("%-34s %10.2f\n", name, stopwatch_median (t, repeats));
  free (t);
}

#define FIND(fn, symbol) ((*(void **)&(fn) = dlsym (driver, symbol)) == NULL)

int
main (int argc, char **argv)
{
  int repeats = argc > 1 ? atoi (argv[1]) : 300;
  void *driver = dlopen ("libcuda.so.1", RTLD_NOW);
  CUcontext ctx;
  CUdevice dev;
  if (repeats < 1 || !driver || FIND (init, "cuInit")
      || FIND (device_get, "cuDeviceGet")
      || FIND (ctx_create, "cuCtxCreate_v2")
      || FIND (mem_alloc, "cuMemAlloc_v2")
      || FIND (host_alloc, "cuMemHostAlloc")
      || FIND (to_async, "cuMemcpyHtoDAsync_v2")
      || FIND (to_now, "cuMemcpyHtoD_v2")
      || FIND (from_async, "cuMemcpyDtoHAsync_v2")
      || FIND (from_now, "cuMemcpyDtoH_v2")
      || FIND (wait, "cuStreamSynchronize") || init (0) || device_get (&dev, 0)
      || ctx_create (&ctx, 0, dev) || mem_alloc (&device, ALL)
      || host_alloc ((void **)&pinned, ALL, 0))
    {
      fprintf (stderr, "no device\n");
      return 1;
    }
  plain = aligned_alloc (64, ALL);
  memset (pinned, 1, ALL);
  memset (plain, 1, ALL);
  for (int i = 0; i < N; i++)
    memset (operand[i] = aligned_alloc (64, BYTES), i, BYTES);

  copy = copy_libc;
  measure (repeats, "wait, idle", nothing, idle);
  measure (repeats, "to the device: submit", nothing, there_submit);
  measure (repeats, "to the device: submit 16", nothing, there_submit_16);
  measure (repeats, "to the device, wait", nothing, there);
  measure (repeats, "to the device, pageable", nothing, there_plain);
  measure (repeats, "from the device, wait", nothing, back);
  measure (repeats, "from the device, 16 pageable", nothing, back_plain);
  measure (repeats, "pack in malloc's memory, send", nothing,
           pack_there_plain);

  static const struct
  {
    const char *name;
    void (*copy) (char *to, const char *from, size_t n);
  } way[] = { { "memcpy", copy_libc },
              { "prefetched", copy_ahead },
              { "non-temporal", copy_past },
              { "rep movsb", copy_string } };
  for (unsigned i = 0; i < sizeof way / sizeof *way; i++)
    {
      copy = way[i].copy;
      printf ("%s:\n", way[i].name);
      measure (repeats, "  pack in malloc's memory", there_plain, pack_plain);
      measure (repeats, "  pack in pinned memory", there, pack_pinned);
      measure (repeats, "  unpack", back, unpack);
      measure (repeats, "  pack, send, wait", nothing, pack_there);
      measure (repeats, "  in 2 parts", nothing, pack_there_2);
      measure (repeats, "  in 4 parts", nothing, pack_there_4);
      measure (repeats, "  fetch, unpack", nothing, back_unpack);
    }
  return 0;
}
