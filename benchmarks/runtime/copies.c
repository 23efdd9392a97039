/* What it costs to bring 16 operands of 16 KiB to the device and back by way of
   pinned memory, step by step: the choices in libgomp-ext's gather.c, lend.c and
   readback.c rest on this.  Then what it costs to have kernels read and write
   pinned memory, in place of DMAs, around a kernel that computes.  Prints a row
   a way with the median time in microseconds.
   usage: copies [REPEATS]

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../stopwatch.h"
#include "interpose/cuda-types.h"

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
static CUresult (*module_load) (CUmodule *, const void *);
static CUresult (*function_get) (CUfunction *, CUmodule, const char *);
static CUresult (*launch) (CUfunction, unsigned, unsigned, unsigned, unsigned,
                           unsigned, unsigned, unsigned, CUstream, void **,
                           void **);

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

/* ---- Kernels in place of DMAs ------------------------------------------- */

/* Threads copy 16 bytes each; that which computes looks at its operand.  */
static const char ptx[]
    = ".version 6.0\n.target sm_50\n.address_size 64\n"
      ".visible .entry copy (.param .u64 to, .param .u64 from) {\n"
      " .reg .u64 %d, %s, %o; .reg .u32 %b, %n, %t, %x, %y, %z, %w;\n"
      " mov.u32 %b, %ctaid.x; mov.u32 %n, %ntid.x; mov.u32 %t, %tid.x;\n"
      " mad.lo.u32 %t, %b, %n, %t; mul.wide.u32 %o, %t, 16;\n"
      " ld.param.u64 %d, [to]; ld.param.u64 %s, [from];\n"
      " add.u64 %d, %d, %o; add.u64 %s, %s, %o;\n"
      " ld.global.v4.u32 {%x, %y, %z, %w}, [%s];\n"
      " st.global.v4.u32 [%d], {%x, %y, %z, %w};\n ret;\n}\n"
      ".visible .entry compute (.param .u64 at) {\n"
      " .reg .u64 %a; .reg .u32 %x;\n"
      " ld.param.u64 %a, [at]; ld.global.u32 %x, [%a];\n"
      " add.u32 %x, %x, 1; st.global.u32 [%a], %x;\n ret;\n}\n";

static CUfunction copy_kernel, compute_kernel;

enum
{
  SMALL = 16, /* two addresses */
  THREADS = 128
};

static size_t bytes; /* a multiple of a block's, or SMALL */

static void
start (CUfunction kernel, unsigned blocks, unsigned threads, void **params)
{
  CUresult r
      = launch (kernel, blocks, 1, 1, threads, 1, 1, 0, NULL, params, NULL);
  if (r)
    {
      fprintf (stderr, "launch: status %d\n", r);
      exit (1);
    }
}

static void
compute (void)
{
  void *params[] = { &device };
  start (compute_kernel, 1, 32, params);
}

static void
compute_on_pinned (void)
{
  void *params[] = { &pinned };
  start (compute_kernel, 1, 32, params);
}

static void
kernel_copies (CUdeviceptr to, CUdeviceptr from)
{
  void *params[] = { &to, &from };
  unsigned threads = bytes / 16;
  unsigned block = threads < THREADS ? threads : THREADS;
  start (copy_kernel, threads / block, block, params);
}

static void
dma_there (void)
{
  to_async (device, pinned, bytes, NULL);
}

static void
dma_back (void)
{
  from_async (pinned, device, bytes, NULL);
}

static void
kernel_there (void)
{
  kernel_copies (device, (CUdeviceptr)pinned);
}

static void
kernel_back (void)
{
  kernel_copies ((CUdeviceptr)pinned, device);
}

/* Do they copy?  */
static int
kernels_copy (void)
{
  bytes = ALL;
  for (int i = 0; i < ALL; i++)
    pinned[i] = i * 7 >> 3;
  kernel_there ();
  wait (NULL);
  memset (pinned, 0, ALL);
  kernel_back ();
  wait (NULL);
  for (int i = 0; i < ALL; i++)
    if (pinned[i] != (char)(i * 7 >> 3))
      return 0;
  return 1;
}

/* What stands around a kernel: up to three steps, and a wait.  */
static void (*sequence[3]) (void);

static void
in_sequence (void)
{
  for (int i = 0; i < 3; i++)
    sequence[i] ();
  wait (NULL);
}

static const struct
{
  const char *name;
  void (*step[3]) (void);
} around[] = {
  { "  DMA there", { dma_there, compute, nothing } },
  { "  kernel there", { kernel_there, compute, nothing } },
  { "  DMA back", { compute, dma_back, nothing } },
  { "  kernel back", { compute, kernel_back, nothing } },
  { "  DMA there, DMA back", { dma_there, compute, dma_back } },
  { "  DMA there, kernel back", { dma_there, compute, kernel_back } },
  { "  kernel there, DMA back", { kernel_there, compute, dma_back } },
  { "  kernel there, kernel back", { kernel_there, compute, kernel_back } },
};

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
  CUmodule module;
  if (FIND (module_load, "cuModuleLoadData")
      || FIND (function_get, "cuModuleGetFunction")
      || FIND (launch, "cuLaunchKernel") || module_load (&module, ptx)
      || function_get (&copy_kernel, module, "copy")
      || function_get (&compute_kernel, module, "compute")
      || !kernels_copy ())
    {
      fprintf (stderr, "no kernels\n");
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

  static const size_t sizes[] = { SMALL, 3 * BYTES, ALL };
  sequence[1] = sequence[2] = nothing;
  sequence[0] = compute;
  measure (repeats, "kernel, wait", nothing, in_sequence);
  sequence[0] = compute_on_pinned;
  measure (repeats, "kernel on pinned memory, wait", nothing, in_sequence);
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
    {
      bytes = sizes[k];
      printf ("kernel, wait, and %zu bytes by:\n", bytes);
      for (unsigned i = 0; i < sizeof around / sizeof *around; i++)
        {
          memcpy (sequence, around[i].step, sizeof sequence);
          measure (repeats, around[i].name, nothing, in_sequence);
        }
    }
  return 0;
}
