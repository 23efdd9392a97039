/* Contexts of the emulated driver, and which one is current in a thread.

   Each thread has a stack of contexts; its top is the current one.  Contexts
   may be destroyed while they stand in the stack of another thread: an entry
   whose handle is no longer live counts as no context.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "driver/driver.h"

/* Deeper than any program pushes; one more is an error.  */
#define STACK_MAX 64

static _Thread_local struct
{
  struct CUctx_st *entry[STACK_MAX];
  unsigned depth;
} stack;

struct CUctx_st *
emu_current (void)
{
  if (!stack.depth)
    return NULL;
  struct CUctx_st *top = stack.entry[stack.depth - 1];
  return emu_object_is (top, EMU_CONTEXT) ? top : NULL;
}

static bool
push (struct CUctx_st *ctx)
{
  if (stack.depth == STACK_MAX)
    return false;
  stack.entry[stack.depth++] = ctx;
  return true;
}

/* ---- Life -------------------------------------------------------------- */

static struct CUctx_st *
context_new (CUdevice dev, unsigned flags)
{
  struct CUctx_st *ctx = emu_object_new (EMU_CONTEXT, sizeof *ctx, NULL);
  if (!ctx)
    return NULL;
  ctx->dev = dev;
  ctx->flags = flags;
  ctx->legacy = emu_stream_new (ctx, CU_STREAM_DEFAULT, 0);
  if (!ctx->legacy)
    {
      emu_object_retire (&ctx->object);
      free (ctx);
      return NULL;
    }
  return ctx;
}

/* Wait for CTX's work and release all it owns.  */
static void
context_end (struct CUctx_st *ctx)
{
  emu_context_wait (ctx);
  emu_object_retire (&ctx->object);
  while (ctx->objects)
    {
      struct emu_object *o = ctx->objects;
      switch (o->kind)
	{
	case EMU_STREAM:
	  emu_stream_close ((struct CUstream_st *) o);
	  break;
	case EMU_MODULE:
	  emu_module_release ((struct CUmod_st *) o);
	  break;
	case EMU_LINK:
	  emu_link_release ((struct CUlinkState_st *) o);
	  break;
	default:
	  emu_event_release ((struct CUevent_st *) o);
	}
    }
  emu_streams_join (ctx);
  emu_blocks_leaked (ctx);
  emu_blocks_free_of (ctx);
  free (ctx);
}

CUresult
emu_cuCtxCreate (CUcontext *ctx, unsigned flags, CUdevice dev)
{
  if (!ctx || flags & ~CU_CTX_FLAGS_MASK)
    return CUDA_ERROR_INVALID_VALUE;
  if (!emu_device_valid (dev))
    return CUDA_ERROR_INVALID_DEVICE;
  struct CUctx_st *new = context_new (dev, flags);
  if (!new)
    return CUDA_ERROR_OUT_OF_MEMORY;
  if (!push (new))
    {
      context_end (new);
      return CUDA_ERROR_INVALID_CONTEXT;
    }
  *ctx = new;
  return CUDA_SUCCESS;
}

/* PARAMS asks for execution affinity or graphics interoperation.  */
CUresult
emu_cuCtxCreate_v4 (CUcontext *ctx, void *params, unsigned flags, CUdevice dev)
{
  return params ? CUDA_ERROR_NOT_SUPPORTED : emu_cuCtxCreate (ctx, flags, dev);
}

static bool
is_primary (const struct CUctx_st *ctx)
{
  return emu_devices[ctx->dev].primary == ctx;
}

CUresult
emu_cuCtxDestroy (CUcontext ctx)
{
  if (!emu_object_is (ctx, EMU_CONTEXT))
    return CUDA_ERROR_INVALID_CONTEXT;
  if (is_primary (ctx))
    return CUDA_ERROR_INVALID_VALUE;
  if (emu_current () == ctx)
    stack.depth--;
  context_end (ctx);
  return CUDA_SUCCESS;
}

/* ---- The current context ----------------------------------------------- */

CUresult
emu_cuCtxPushCurrent (CUcontext ctx)
{
  if (!emu_object_is (ctx, EMU_CONTEXT))
    return CUDA_ERROR_INVALID_CONTEXT;
  return push (ctx) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult
emu_cuCtxPopCurrent (CUcontext *ctx)
{
  if (!stack.depth)
    return CUDA_ERROR_INVALID_CONTEXT;
  struct CUctx_st *top = emu_current ();
  stack.depth--;
  if (ctx)
    *ctx = top;
  return CUDA_SUCCESS;
}

CUresult
emu_cuCtxSetCurrent (CUcontext ctx)
{
  if (ctx && !emu_object_is (ctx, EMU_CONTEXT))
    return CUDA_ERROR_INVALID_CONTEXT;
  if (stack.depth)
    stack.depth--;
  if (ctx)
    push (ctx);
  return CUDA_SUCCESS;
}

CUresult
emu_cuCtxGetCurrent (CUcontext *ctx)
{
  if (!ctx)
    return CUDA_ERROR_INVALID_VALUE;
  *ctx = emu_current ();
  return CUDA_SUCCESS;
}

CUresult
emu_cuCtxGetDevice (CUdevice *dev)
{
  if (!dev)
    return CUDA_ERROR_INVALID_VALUE;
  *dev = emu_current ()->dev;
  return CUDA_SUCCESS;
}

/* ---- Properties -------------------------------------------------------- */

CUresult
emu_cuCtxGetFlags (unsigned *flags)
{
  if (!flags)
    return CUDA_ERROR_INVALID_VALUE;
  *flags = emu_current ()->flags;
  return CUDA_SUCCESS;
}

CUresult
emu_cuCtxGetApiVersion (CUcontext ctx, unsigned *version)
{
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  if (ctx ? !emu_object_is (ctx, EMU_CONTEXT) : !emu_current ())
    return CUDA_ERROR_INVALID_CONTEXT;
  *version = 3020;
  return CUDA_SUCCESS;
}

/* Priorities are accepted and kept; the host schedules.  */
CUresult
emu_cuCtxGetStreamPriorityRange (int *least, int *greatest)
{
  if (least)
    *least = 0;
  if (greatest)
    *greatest = EMU_GREATEST_PRIORITY;
  return CUDA_SUCCESS;
}

CUresult
emu_cuCtxSynchronize (void)
{
  return emu_context_wait (emu_current ());
}

CUresult
emu_cuCtxSetLimit (CUlimit limit, size_t value)
{
  return emu_set_limit (limit, value);
}

CUresult
emu_cuCtxGetLimit (size_t *value, CUlimit limit)
{
  return value ? emu_get_limit (limit, value) : CUDA_ERROR_INVALID_VALUE;
}

CUresult
emu_cuCtxSetCacheConfig (CUfunc_cache config)
{
  if (config > CU_FUNC_CACHE_PREFER_EQUAL)
    return CUDA_ERROR_INVALID_VALUE;
  emu_current ()->cache_config = config;
  return CUDA_SUCCESS;
}

CUresult
emu_cuCtxGetCacheConfig (CUfunc_cache *config)
{
  if (!config)
    return CUDA_ERROR_INVALID_VALUE;
  *config = emu_current ()->cache_config;
  return CUDA_SUCCESS;
}

/* All devices share the host's memory: peers can always reach each other.
   What is kept is whether a program asked.  */
CUresult
emu_cuCtxEnablePeerAccess (CUcontext peer, unsigned flags)
{
  struct CUctx_st *ctx = emu_current ();
  if (!emu_object_is (peer, EMU_CONTEXT) || peer->dev == ctx->dev)
    return CUDA_ERROR_INVALID_CONTEXT;
  if (flags)
    return CUDA_ERROR_INVALID_VALUE;
  if (ctx->peers & 1u << peer->dev)
    return CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
  ctx->peers |= 1u << peer->dev;
  return CUDA_SUCCESS;
}

CUresult
emu_cuCtxDisablePeerAccess (CUcontext peer)
{
  struct CUctx_st *ctx = emu_current ();
  if (!emu_object_is (peer, EMU_CONTEXT))
    return CUDA_ERROR_INVALID_CONTEXT;
  if (!(ctx->peers & 1u << peer->dev))
    return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
  ctx->peers &= ~(1u << peer->dev);
  return CUDA_SUCCESS;
}

/* ---- Primary contexts -------------------------------------------------- */

CUresult
emu_cuDevicePrimaryCtxRetain (CUcontext *ctx, CUdevice dev)
{
  if (!ctx)
    return CUDA_ERROR_INVALID_VALUE;
  if (!emu_device_valid (dev))
    return CUDA_ERROR_INVALID_DEVICE;
  struct emu_device *d = &emu_devices[dev];
  if (!d->primary)
    {
      d->primary = context_new (dev, d->primary_flags);
      if (!d->primary)
	return CUDA_ERROR_OUT_OF_MEMORY;
    }
  d->primary_refs++;
  *ctx = d->primary;
  return CUDA_SUCCESS;
}

static void
primary_end (struct emu_device *d)
{
  struct CUctx_st *ctx = d->primary;
  d->primary = NULL;
  if (ctx)
    context_end (ctx);
}

CUresult
emu_cuDevicePrimaryCtxRelease (CUdevice dev)
{
  if (!emu_device_valid (dev))
    return CUDA_ERROR_INVALID_DEVICE;
  struct emu_device *d = &emu_devices[dev];
  if (!d->primary_refs)
    return CUDA_ERROR_INVALID_CONTEXT;
  if (!--d->primary_refs)
    primary_end (d);
  return CUDA_SUCCESS;
}

/* Ends the context and what it owns, whoever holds it.  */
CUresult
emu_cuDevicePrimaryCtxReset (CUdevice dev)
{
  if (!emu_device_valid (dev))
    return CUDA_ERROR_INVALID_DEVICE;
  emu_devices[dev].primary_refs = 0;
  primary_end (&emu_devices[dev]);
  return CUDA_SUCCESS;
}

CUresult
emu_cuDevicePrimaryCtxSetFlags (CUdevice dev, unsigned flags)
{
  if (!emu_device_valid (dev))
    return CUDA_ERROR_INVALID_DEVICE;
  if (flags & ~CU_CTX_FLAGS_MASK)
    return CUDA_ERROR_INVALID_VALUE;
  emu_devices[dev].primary_flags = flags;
  if (emu_devices[dev].primary)
    emu_devices[dev].primary->flags = flags;
  return CUDA_SUCCESS;
}

CUresult
emu_cuDevicePrimaryCtxGetState (CUdevice dev, unsigned *flags, int *active)
{
  if (!flags || !active)
    return CUDA_ERROR_INVALID_VALUE;
  if (!emu_device_valid (dev))
    return CUDA_ERROR_INVALID_DEVICE;
  *flags = emu_devices[dev].primary_flags;
  *active = emu_devices[dev].primary != NULL;
  return CUDA_SUCCESS;
}
