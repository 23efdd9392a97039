/* Launches by device code: the entries of CUDA's device runtime (CDP2) and
   the order in which what a grid launches runs.

   The order is the latest that CUDA allows, and always the same: children
   begin when the blocks of their grid have ended.  Then those in the
   fire-and-forget stream run at once, the others, whatever their stream, in
   the order of their launch, one after the other; so events between streams
   hold without being looked at.  When all are complete, those in the tail
   stream follow, one after the other.  A grid is complete when its children
   are.

   A parameter buffer is what a launch begins with: the struct launch and its
   device memory live from then on until the child is complete (or its block
   ends without launching it), and are reused by later ones.

   Launches that have not begun are pending.  There may be as many as
   CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT says; what is launched beyond
   that is lost, and only the result of the entry says so.

   Source: CUDA C++ Programming Guide, "CUDA Dynamic Parallelism";
   cuda_device_runtime_api.h.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

#include "check/check.h"
#include "machine/builtin.h"
#include "ptx/ptx.h"

enum
{
  MAX_DEPTH = 24,		/* of nesting */
  MIN_BUFFER = 64,		/* bytes of the smallest parameter buffer */
  CLASSES = 12,			/* each twice as large as the one before */
  SLAB = 1 << 20		/* device memory that buffers are cut from */
};

/* Named streams; other handles come from emu_cdp_new_handle.  */
enum { STREAM_NULL = 0, STREAM_LEGACY, STREAM_PER_THREAD, STREAM_TAIL,
       STREAM_FORGET, HANDLE_STEP = 16 };

/* Guarded by emu_pool_lock.  */
static struct launch *spare[CLASSES];
static uint64_t slab, slab_end;
static size_t pending;

static uint64_t last_handle;	/* atomic */

/* ---- Drafts ------------------------------------------------------------ */

/* A child with a buffer of BYTES, or NULL: no memory.  The lock is held.  */
static struct launch *
new_child (size_t bytes)
{
  unsigned class = 0;
  while (class < CLASSES && (size_t) MIN_BUFFER << class < bytes)
    class++;
  if (class == CLASSES)
    return NULL;
  struct launch *c = spare[class];
  if (c)
    {
      spare[class] = c->sibling;
      *c = (struct launch){ .params = c->params, .size_class = class };
      return c;
    }
  size_t size = (size_t) MIN_BUFFER << class;
  if (slab_end - slab < size)
    {
      if (emu_mem_alloc (&slab, SLAB) != CUDA_SUCCESS)
	return NULL;
      slab_end = slab + SLAB;
    }
  c = calloc (1, sizeof *c);
  if (!c)
    return NULL;
  c->size_class = class;
  c->params = slab;
  slab += size;
  return c;
}

/* C is no longer needed; the lock is held.  */
static void
recycle (struct launch *c)
{
  c->sibling = spare[c->size_class];
  spare[c->size_class] = c;
}

void
emu_drop_drafts (struct cta *cta)
{
  if (!cta->drafts)
    return;
  pthread_mutex_lock (&emu_pool_lock);
  while (cta->drafts)
    {
      struct launch *c = cta->drafts;
      cta->drafts = c->sibling;
      recycle (c);
    }
  pthread_mutex_unlock (&emu_pool_lock);
}

static uint32_t
draft (struct cta *cta, struct emu_func *f, const unsigned *grid,
       const unsigned *block, unsigned shared, uint64_t *buffer)
{
  if (!f || !f->ptx || !f->ptx->is_entry)
    return EMU_CUDA_INVALID_DEVICE_FUNCTION;
  pthread_mutex_lock (&emu_pool_lock);
  struct launch *c = new_child (f->params);
  pthread_mutex_unlock (&emu_pool_lock);
  if (!c)
    return EMU_CUDA_MEMORY_ALLOCATION;
  c->own = (struct emu_launch){ .func = f,
				.grid = { grid[0], grid[1], grid[2] },
				.block = { block[0], block[1], block[2] },
				.dyn_shared = shared };
  c->sibling = cta->drafts;
  cta->drafts = c;
  *buffer = c->params;
  emu_check_undefined (c->params, f->params);
  return EMU_CUDA_SUCCESS;
}

/* GetParameterBufferV2 (function, grid, block, shared bytes): NULL on an
   error.  */
void
emu_cdp_parameter_buffer (struct warp *w, const struct insn *i, uint32_t mask)
{
  const struct emu_module *m = w->cta->launch->func->module;
  EACH_LANE (l)
    {
      unsigned grid[3], block[3];
      for (unsigned k = 0; k < 3; k++)
	{
	  grid[k] = emu_argument_word (w, i, 1, k, l);
	  block[k] = emu_argument_word (w, i, 2, k, l);
	}
      uint64_t buffer = 0;
      uint32_t e = draft (w->cta, emu_func_at (m, emu_argument (w, i, 0, l)),
			  grid, block, emu_argument_word (w, i, 3, 0, l),
			  &buffer);
      if (e)
	w->last_error[l] = e;
      emu_result (w, i, l, buffer);
    }
}

/* ---- Launching --------------------------------------------------------- */

/* False: no stream has this handle.  */
static bool
order_of (uint64_t stream, enum order *order)
{
  *order = stream == STREAM_FORGET ? ORDER_FORGET
	   : stream == STREAM_TAIL ? ORDER_TAIL : ORDER_STREAM;
  return stream <= STREAM_FORGET
	 || (stream % HANDLE_STEP == 0
	     && stream <= __atomic_load_n (&last_handle, __ATOMIC_RELAXED));
}

/* Put C on its parent's list: in front where the order does not matter, so
   that emu_launch_begin, which does likewise, turns it round again.  */
static void
append (struct launch *c)
{
  struct launch_list *list = &c->parent->child[c->order];
  c->sibling = NULL;
  if (!list->first)
    list->first = list->last = c;
  else if (c->order == ORDER_FORGET)
    {
      c->sibling = list->first;
      list->first = c;
    }
  else
    list->last = list->last->sibling = c;
}

/* Launch C, a draft of a block of PARENT.  */
static uint32_t
launch_child (struct launch *parent, struct launch *c, uint64_t stream)
{
  if (emu_launch_check (&c->own) != CUDA_SUCCESS)
    return EMU_CUDA_INVALID_CONFIGURATION;
  if (!order_of (stream, &c->order))
    return EMU_CUDA_INVALID_RESOURCE_HANDLE;
  if (parent->depth == MAX_DEPTH)
    return EMU_CUDA_MAX_DEPTH_EXCEEDED;
  c->l = &c->own;
  c->parent = parent;
  c->root = parent->root;
  c->depth = parent->depth + 1;
  c->deadline = parent->deadline;
  if (emu_launch_prepare (c) != CUDA_SUCCESS)
    return EMU_CUDA_MEMORY_ALLOCATION;
  pthread_mutex_lock (&emu_pool_lock);
  bool room = pending < emu_limit (CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT);
  if (room)
    {
      pending++;
      append (c);
    }
  pthread_mutex_unlock (&emu_pool_lock);
  return room ? EMU_CUDA_SUCCESS : EMU_CUDA_PENDING_COUNT_EXCEEDED;
}

/* LaunchDeviceV2 (parameter buffer, stream).  The buffer is used up, launched
   or not.  */
void
emu_cdp_launch (struct warp *w, const struct insn *i, uint32_t mask)
{
  struct cta *cta = w->cta;
  EACH_LANE (l)
    {
      uint64_t buffer = emu_argument (w, i, 0, l);
      struct launch **p = &cta->drafts, *c;
      while ((c = *p) && c->params != buffer)
	p = &c->sibling;
      uint32_t e = EMU_CUDA_INVALID_VALUE;
      if (c)
	{
	  *p = c->sibling;
	  e = launch_child (cta->launch, c, emu_argument (w, i, 1, l));
	}
      if (c && e)
	{
	  pthread_mutex_lock (&emu_pool_lock);
	  recycle (c);
	  pthread_mutex_unlock (&emu_pool_lock);
	}
      if (e)
	w->last_error[l] = e;
      emu_result (w, i, l, e);
    }
}

/* ---- Order ------------------------------------------------------------- */

/* Begin the first of PARENT's children in ORDER; false when there is none.  */
static bool
begin_first (struct launch *parent, enum order order)
{
  struct launch *c = parent->child[order].first;
  if (!c)
    return false;
  parent->child[order].first = c->sibling;
  parent->open++;
  pending--;
  emu_launch_begin (c);
  return true;
}

/* And whoever is complete with that.  */
void
emu_launch_ended (struct launch *g)
{
  while (begin_first (g, ORDER_FORGET))
    continue;
  begin_first (g, ORDER_STREAM);
  while (--g->open == 0 && !begin_first (g, ORDER_TAIL))
    {
      struct launch *parent = g->parent;
      if (!parent)
	return;
      if (g->order == ORDER_STREAM)
	begin_first (parent, ORDER_STREAM);
      recycle (g);
      g = parent;
    }
}

/* ---- The rest of the runtime ------------------------------------------- */

void
emu_cdp_last_error (struct warp *w, const struct insn *i, uint32_t mask)
{
  EACH_LANE (l)
    {
      emu_result (w, i, l, w->last_error[l]);
      w->last_error[l] = EMU_CUDA_SUCCESS;
    }
}

void
emu_cdp_peek_error (struct warp *w, const struct insn *i, uint32_t mask)
{
  EACH_LANE (l)
    emu_result (w, i, l, w->last_error[l]);
}

/* StreamCreateWithFlags and EventCreateWithFlags (handle *, flags).  */
void
emu_cdp_new_handle (struct warp *w, const struct insn *i, uint32_t mask)
{
  EACH_LANE (l)
    {
      uint64_t addr = emu_argument (w, i, 0, l);
      u64 *p = emu_generic (w, i, l, addr, sizeof *p);
      if (!p)
	return;
      emu_check_defined (addr, sizeof *p);
      *p = __atomic_add_fetch (&last_handle, HANDLE_STEP, __ATOMIC_RELAXED);
      emu_result (w, i, l, EMU_CUDA_SUCCESS);
    }
}

/* Calls on streams and events that change nothing here.  */
void
emu_cdp_use_handle (struct warp *w, const struct insn *i, uint32_t mask)
{
  EACH_LANE (l)
    emu_result (w, i, l, EMU_CUDA_SUCCESS);
}
