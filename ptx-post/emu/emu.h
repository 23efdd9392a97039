/* The emulated GPU: the seam between the driver (driver/, the cu* entry points
   of libcuda.so.1) and the machine that executes PTX (decode/, machine/, ops/,
   check/).

   Errors are CUresult values (cuda-types.h).  Addresses are PTX generic
   addresses: a global address is the host address of the byte, so that the
   driver copies with memcpy; shared and local memory appear in two windows
   outside any mapping (EMU_SHARED_WINDOW, EMU_LOCAL_WINDOW).

   Thread-safety: every function may be called from any thread; launches of
   independent streams run concurrently.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_EMU_H
#define ACCRETE_EMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "interpose/cuda-types.h"

/* Where shared and local memory appear among generic addresses.  */
#define EMU_SHARED_WINDOW 0x0100000000000000u
#define EMU_LOCAL_WINDOW 0x0200000000000000u
#define EMU_WINDOW_BYTES 0x01000000u

/* ---- GPU model (gpu.def) ----------------------------------------------- */

struct emu_gpu
{
  const char *name;		/* "h200", what ACCRETE_EMU_GPU takes */
  const char *product;		/* "NVIDIA H200" */
  int cc;			/* 90 */
  int sms;
  size_t memory;		/* bytes */
  int max_threads_per_block, max_threads_per_sm, max_blocks_per_sm;
  int regs_per_block, regs_per_sm;
  int shared_per_block, shared_per_block_optin, shared_per_sm;
  int clock_khz, mem_clock_khz, mem_bus_bits, l2_bytes;
};

/* The model of this process: ACCRETE_EMU_GPU, default h200.  */
const struct emu_gpu *emu_gpu (void);

/* ---- Device memory (mem.c) --------------------------------------------- */

CUresult emu_mem_alloc (uint64_t *addr, size_t bytes);
CUresult emu_mem_free (uint64_t addr);
/* The live allocation that holds ADDR.  */
CUresult emu_mem_range (uint64_t addr, uint64_t *base, size_t *bytes);
/* Whether [ADDR, ADDR + BYTES) lies in one live allocation.  */
bool emu_mem_valid (uint64_t addr, size_t bytes);
/* Host memory that kernels may address (cuMemHostAlloc, cuMemHostRegister). */
CUresult emu_host_register (void *p, size_t bytes);
CUresult emu_host_unregister (void *p);

/* Copies and fills by the driver, never by a kernel.  */
CUresult emu_copy_h2d (uint64_t dst, const void *src, size_t n);
CUresult emu_copy_d2h (void *dst, uint64_t src, size_t n);
CUresult emu_copy_d2d (uint64_t dst, uint64_t src, size_t n);
CUresult emu_memset (uint64_t dst, unsigned value, unsigned width, size_t count);

/* ---- Modules (module.c) ------------------------------------------------ */

struct emu_module;
struct emu_func;

struct emu_source { const char *name; const void *text; size_t len; };

/* Whether one unit of PTX text is well-formed.  *LOG as below.  */
CUresult emu_unit_check (const struct emu_source *, char **log);
/* Parse and link N units of PTX text into one module and place its globals in
   device memory.  On failure *LOG is the message the linker would give, to be
   freed by the caller.  */
CUresult emu_module_load (struct emu_module **, const struct emu_source *,
			  unsigned n, char **log);
void emu_module_unload (struct emu_module *);
CUresult emu_module_func (struct emu_module *, const char *name,
			  struct emu_func **);
CUresult emu_module_global (struct emu_module *, const char *name,
			    uint64_t *addr, size_t *bytes);

struct emu_func_info
{
  const char *name;
  int regs;			/* estimate, per thread */
  size_t shared, local, constant;	/* static bytes */
  unsigned nparams;
  size_t params;		/* bytes of the parameter block */
  int max_threads;		/* per block for this function */
};
void emu_func_info (const struct emu_func *, struct emu_func_info *);
/* Offset and size of parameter I; CUDA_ERROR_INVALID_VALUE past the last. */
CUresult emu_func_param (const struct emu_func *, unsigned i, size_t *offset,
			 size_t *size);

/* ---- Launches (launch.c) ----------------------------------------------- */

struct emu_launch
{
  struct emu_func *func;
  unsigned grid[3], block[3];
  unsigned dyn_shared;		/* bytes */
  const void *params;		/* emu_func_info.params bytes, laid out as
				   emu_func_param says */
};

/* Whether the GPU model can run L (sizes, shared memory, threads): what
   cuLaunchKernel refuses at once.  */
CUresult emu_launch_check (const struct emu_launch *l);

/* Run L to its end, device-side children included, on the calling thread and
   the worker pool.  On a fault the message (kernel, PTX line, block, thread)
   has been printed to stderr and the sticky error is returned.  */
CUresult emu_launch_run (const struct emu_launch *l);

/* What device code has done so far, for ACCRETE_EMU_STATS; atomic.  */
extern struct emu_work
{
  uint64_t blocks;
  uint64_t instructions;	/* of warps */
  uint64_t fences;		/* of warps, wider than the block */
  uint64_t mallocs;		/* by the driver's malloc, of threads */
} emu_work;

/* cuCtxSetLimit's values that the machine needs.  emu_limit is what they are
   now, without a lock.  */
size_t emu_limit (CUlimit);
CUresult emu_set_limit (CUlimit, size_t);
CUresult emu_get_limit (CUlimit, size_t *);

/* Output of device printf goes to stdout in order at synchronisation.  */
void emu_printf_flush (void);

/* ---- Checker (check.h) ------------------------------------------------- */

/* What ACCRETE_EMU_CHECK is for: memory allocated or freed by this thread is
   so by the N-th call of ENTRY, a driver entry, NULL: none; what is in memory
   that the host may write is known to be written; the allocation at ADDR has
   never been freed.  Without the variable they do nothing.  */
void emu_check_caller (const char *entry, unsigned long n);
void emu_check_defined (uint64_t addr, size_t bytes);
void emu_check_leak (uint64_t addr);
/* Say how much was found; may end the process with a status of its own.  */
void emu_check_at_exit (void);

/* The environment variables (env.def).  */
enum emu_env
{
#define EMU_ENV(name, help) EMU_ENV_##name,
#include "env.def"
};

/* The value of VARIABLE, or NULL.  */
const char *emu_env (enum emu_env variable);

/* The same as a number in [0, MAX]; VALUE when it is unset.  Anything else:
   one line on stderr, VALUE.  */
unsigned emu_env_number (enum emu_env variable, unsigned max, unsigned value);

/* ---- Threads (thread.c) ------------------------------------------------ */

/* Start FN with ARG in a thread that nobody waits for.  The program's signals are
   for threads of its own.  */
bool emu_thread_start (void *(*fn) (void *), void *arg);

#endif /* ACCRETE_EMU_H */
