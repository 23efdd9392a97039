/* The emulated CUDA driver: every entry point, from the table driver.def.

   An entry point counts the call, checks what driver.def says it needs, runs
   its body emu_NAME with the driver's lock held, and traces.  Errors are
   those the real driver gives, in its order: not initialised, inside a
   callback, no context, failed context.  Which context counts the table says.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "driver/cuda-api.h"
#include "driver/driver.h"

/* What cuDriverGetVersion says: the API this was written from.  */
#define DRIVER_VERSION 13000

static bool initialised;

/* ---- Entry points ------------------------------------------------------ */

enum
{
#define CU_ENTRY(name, needs, params, args, format) ENTRY_##name,
#include "driver/driver.def"
  N_ENTRIES
};

enum needs
{
  NEEDS_NOTHING, NEEDS_INIT, NEEDS_CONTEXT, NEEDS_WORK, NEEDS_NULL_STREAM,
  NEEDS_HANDLE, NEEDS_MEMORY, NEEDS_STREAM
};

struct entry
{
  const char *name;		/* "cuMemAlloc" */
  const char *base;		/* CU_ENTRY_NEW: the entry it replaces ... */
  int since;			/* ... from this CUDA version on; else NULL */
  enum needs needs;
  void (*fn) (void);
  void (*per_thread) (void);	/* NAME_ptsz or NAME_ptds, or NULL */
};

/* The address of the form of NAME for per-thread streams.  */
#define PER_THREAD_NOTHING(name) NULL
#define PER_THREAD_INIT(name) NULL
#define PER_THREAD_CONTEXT(name) NULL
#define PER_THREAD_WORK(name) NULL
#define PER_THREAD_NULL_STREAM(name) (void (*) (void)) name##_ptds
#define PER_THREAD_HANDLE(operand) PER_THREAD_NOTHING
#define PER_THREAD_MEMORY(operand) PER_THREAD_NOTHING
#define PER_THREAD_STREAM(operand) PER_THREAD_PTSZ
#define PER_THREAD_PTSZ(name) (void (*) (void)) name##_ptsz

/* The operand that decides in which context an entry works.  */
#define OPERAND_NOTHING 0
#define OPERAND_INIT 0
#define OPERAND_CONTEXT 0
#define OPERAND_WORK 0
#define OPERAND_NULL_STREAM 0
#define OPERAND_HANDLE(operand) (uintptr_t) (operand)
#define OPERAND_MEMORY(operand) (uintptr_t) (operand)
#define OPERAND_STREAM(operand) (uintptr_t) (operand)

/* The kind alone.  */
#define NEEDS_HANDLE(operand) NEEDS_HANDLE
#define NEEDS_MEMORY(operand) NEEDS_MEMORY
#define NEEDS_STREAM(operand) NEEDS_STREAM

#define ROW(name, full, base, since, needs)				      \
  { #name, base, since, NEEDS_##needs, (void (*) (void)) name,		      \
    PER_THREAD_##needs (full) },
static const struct entry entries[] = {
#define CU_ENTRY(name, needs, params, args, format)			      \
  ROW (name, name, NULL, 0, needs)
#define CU_ENTRY_V2(name, needs, params, args, format)			      \
  ROW (name, name##_v2, NULL, 0, needs)
#define CU_ENTRY_NEW(name, base, since, needs, params, args, format)	      \
  ROW (name, name, #base, since, needs)
#include "driver/driver.def"
};

/* What OPERAND is of, or else the current context: an operand that is none, or
   no more, is left to the body, which refuses it.  */
static struct CUctx_st *
context_of (enum needs needs, uintptr_t operand)
{
  struct CUctx_st *ctx = NULL;
  if (needs == NEEDS_MEMORY)
    {
      const struct emu_block *b = emu_block_find (operand);
      ctx = b ? b->ctx : NULL;
    }
  else if (needs == NEEDS_HANDLE || needs == NEEDS_STREAM)
    ctx = emu_object_context ((const void *) operand);
  return ctx ? ctx : emu_current ();
}

static CUresult
check (enum needs needs, uintptr_t operand)
{
  if (needs == NEEDS_NOTHING)
    return CUDA_SUCCESS;
  if (!initialised)
    return CUDA_ERROR_NOT_INITIALIZED;
  if (emu_in_callback)
    return CUDA_ERROR_NOT_PERMITTED;
  emu_set_context (context_of (needs, operand));
  if (needs == NEEDS_INIT)
    return CUDA_SUCCESS;
  struct CUctx_st *ctx = emu_context ();
  if (!ctx)
    return CUDA_ERROR_INVALID_CONTEXT;
  return needs >= NEEDS_WORK ? ctx->error : CUDA_SUCCESS;
}

/* The checks before the body of ENTRY; the lock is held afterwards.  */
static CUresult
enter (unsigned entry, uintptr_t operand)
{
  emu_lock ();
  CUresult r = emu_probe_enter (entry);
  return r ? r : check (entries[entry].needs, operand);
}

/* NAME called for a program whose NULL stream is the thread's own.  */
#define FORWARD(alias, name, params, args)				      \
  CUresult alias params							      \
  {									      \
    emu_per_thread = true;						      \
    CUresult r = name args;						      \
    emu_per_thread = false;						      \
    return r;								      \
  }
#define FORWARD_NOTHING(alias, name, params, args)
#define FORWARD_INIT(alias, name, params, args)
#define FORWARD_CONTEXT(alias, name, params, args)
#define FORWARD_WORK(alias, name, params, args)
#define FORWARD_NULL_STREAM(alias, name, params, args)			      \
  FORWARD (alias##_ptds, name, params, args)
#define FORWARD_HANDLE(operand) FORWARD_NOTHING
#define FORWARD_MEMORY(operand) FORWARD_NOTHING
#define FORWARD_STREAM(operand) FORWARD_PTSZ
#define FORWARD_PTSZ(alias, name, params, args)				      \
  FORWARD (alias##_ptsz, name, params, args)

#define TRACE_ARGS(...) __VA_OPT__ (, ) __VA_ARGS__
#define ENTRY(name, needs, params, args, shown, format)			      \
  CUresult name params							      \
  {									      \
    CUresult r = enter (ENTRY_##name, OPERAND_##needs);			      \
    if (!r)								      \
      r = emu_##name args;						      \
    emu_unlock ();							      \
    if (emu_tracing)							      \
      emu_trace (ENTRY_##name, r, format ")" TRACE_ARGS shown);		      \
    return r;								      \
  }
#define CU_ENTRY(name, needs, params, args, format)			      \
  ENTRY (name, needs, params, args, args, format)				      \
  FORWARD_##needs (name, name, params, args)
#define CU_ENTRY_V2(name, needs, params, args, format)			      \
  ENTRY (name, needs, params, args, args, format)				      \
  CUresult name##_v2 params __attribute__ ((alias (#name)));		      \
  FORWARD_##needs (name##_v2, name, params, args)
#define CU_ENTRY_TRACED(name, base, since, needs, params, args, shown, format) \
  ENTRY (name, needs, params, args, shown, format)				      \
  FORWARD_##needs (name, name, params, args)
#include "driver/driver.def"

/* ---- Bodies ------------------------------------------------------------ */

CUresult
emu_cuInit (unsigned flags)
{
  if (flags)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = initialised ? CUDA_SUCCESS : emu_devices_init ();
  initialised = !r;
  return r;
}

__attribute__ ((destructor)) static void
driver_end (void)
{
  emu_printf_flush ();
  emu_blocks_leaked (NULL);
  emu_check_at_exit ();
}

CUresult
emu_cuDriverGetVersion (int *version)
{
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  *version = DRIVER_VERSION;
  return CUDA_SUCCESS;
}

/* There is no profiler.  */
CUresult
emu_cuProfilerStart (void)
{
  return CUDA_SUCCESS;
}

CUresult
emu_cuProfilerStop (void)
{
  return CUDA_SUCCESS;
}

CUresult
emu_cuGetErrorName (CUresult error, const char **text)
{
  if (!text)
    return CUDA_ERROR_INVALID_VALUE;
  *text = emu_result_name (error);
  return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult
emu_cuGetErrorString (CUresult error, const char **text)
{
  if (!text)
    return CUDA_ERROR_INVALID_VALUE;
  *text = emu_result_text (error);
  return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* The form of SYMBOL that a program written for VERSION expects.  */
CUresult
emu_cuGetProcAddress_v2 (const char *symbol, void **fn, int version,
			 uint64_t flags, CUdriverProcAddressQueryResult *status)
{
  if (!symbol || !fn || version > DRIVER_VERSION
      || flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
    return CUDA_ERROR_INVALID_VALUE;
  const struct entry *found = NULL;
  for (const struct entry *e = entries; e < entries + N_ENTRIES; e++)
    if (!strcmp (e->base ? e->base : e->name, symbol) && version >= e->since)
      found = e;
  bool per_thread = found && found->per_thread
		    && flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  *fn = !found	     ? NULL
	: per_thread ? (void *) found->per_thread
		     : (void *) found->fn;
  if (status)
    *status = found ? CU_GET_PROC_ADDRESS_SUCCESS
		    : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return CUDA_SUCCESS;
}

CUresult
emu_cuGetProcAddress (const char *symbol, void **fn, int version,
		      uint64_t flags)
{
  CUresult r = emu_cuGetProcAddress_v2 (symbol, fn, version, flags, NULL);
  return !r && !*fn ? CUDA_ERROR_NOT_FOUND : r;
}
