/* The driver half of the emulated GPU: internal interfaces.

     driver.c	       every entry point: checks, then the body; cuInit
     call.c	       the lock, and the context of the call in progress
     driver-probe.c    statistics, trace and injected faults
     driver-object.c   handles
     device.c	       the table of devices
     driver-device.c   entry points of devices: their attributes
     driver-context.c  contexts, the current one of each thread
     driver-module.c   modules and the linker
     driver-library.c  libraries and their kernels
     driver-launch.c   functions, kernels, launches, occupancy
     driver-graph.c    graphs
     driver-memory.c   allocations, pinned host memory, pointer attributes
     driver-pool.c     stream-ordered allocation
     driver-copy.c     copies and fills
     driver-stream.c   entry points of streams and events
     stream.c	       queues of operations and the threads that run them

   The body of entry point cuX is emu_cuX, called by driver.c.

   Thread-safety: one lock guards everything in this part.  Bodies run with
   it held; what takes long (kernels, copies, module loading, callbacks) runs
   between emu_unlock and emu_lock, and waits let go of it.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_DRIVER_H
#define ACCRETE_DRIVER_H

#include <pthread.h>
#include <time.h>

#include "emu.h"

#define CU_ENTRY(name, needs, params, args, format) CUresult emu_##name params;
#include "driver/driver.def"

/* ---- call.c ------------------------------------------------------------ */

void emu_lock (void);
void emu_unlock (void);
/* Wait for COND without the lock.  */
void emu_wait (pthread_cond_t *cond);
/* The same for at most MS milliseconds, false when they are over.  */
bool emu_wait_ms (pthread_cond_t *cond, unsigned ms);

/* Context of the driver call in progress: the operand's where driver.def says
   so, else the current one; NULL if there is none or it was destroyed.  */
struct CUctx_st *emu_context (void);
void emu_set_context (struct CUctx_st *);
/* Whether this thread is in a call for which the NULL stream is its own.  */
extern _Thread_local bool emu_per_thread;
/* Whether this thread runs a stream callback, which may not call CUDA.  */
extern _Thread_local bool emu_in_callback;

/* ---- driver-probe.c ---------------------------------------------------- */

/* Count a call of ENTRY; the error that ACCRETE_EMU_FAIL wants it to give, or
   CUDA_SUCCESS.  */
CUresult emu_probe_enter (unsigned entry);
extern bool emu_tracing;
/* FORMAT ends with the parenthesis that closes the arguments.  */
void emu_trace (unsigned entry, CUresult, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));
/* "CUDA_ERROR_INVALID_VALUE" and "invalid argument"; NULL when unknown.  */
const char *emu_result_name (CUresult);
const char *emu_result_text (CUresult);

/* ---- driver-object.c: handles ------------------------------------------ */

/* What a handle points to starts with one of these.  A handle is live while
   its object is in the table of objects, so that a stale or invented handle
   is found out without touching what it points to.  */
enum emu_kind
{
  EMU_CONTEXT, EMU_MODULE, EMU_FUNCTION, EMU_LINK, EMU_STREAM, EMU_EVENT,
  EMU_POOL, EMU_LIBRARY, EMU_KERNEL, EMU_GRAPH, EMU_GRAPH_EXEC
};

struct emu_object
{
  enum emu_kind kind;
  struct CUctx_st *ctx;			/* it is of; NULL: of none */
  struct emu_object *next, **link;	/* in the owner's list */
};

/* A zeroed object of SIZE bytes, live, owned by CTX; NULL: out of memory.  */
void *emu_object_new (enum emu_kind, size_t size, struct CUctx_st *ctx);
/* End the handle; the memory stays with the caller.  */
void emu_object_retire (struct emu_object *);
bool emu_object_is (const void *handle, enum emu_kind);
/* The context that live object HANDLE is of; NULL: of none, or not live.  */
struct CUctx_st *emu_object_context (const void *handle);

/* ---- device.c ---------------------------------------------------------- */

#define EMU_MAX_DEVICES 16

struct emu_device
{
  struct CUctx_st *primary;	/* or NULL */
  unsigned primary_refs, primary_flags;
  struct CUmemPoolHandle_st *default_pool, *pool;
  size_t used;			/* bytes of device memory */
};

extern struct emu_device emu_devices[EMU_MAX_DEVICES];
extern unsigned emu_n_devices;
static inline bool
emu_device_valid (CUdevice dev)
{
  return dev >= 0 && (unsigned) dev < emu_n_devices;
}

/* ---- driver-device.c --------------------------------------------------- */

/* Fill in the table, for cuInit.  */
CUresult emu_devices_init (void);

/* ---- driver-context.c -------------------------------------------------- */

struct CUctx_st
{
  struct emu_object object;
  CUdevice dev;
  unsigned flags;
  CUfunc_cache cache_config;
  unsigned peers;		/* devices it may access, as a set */
  CUresult error;		/* of a failed kernel: sticky */
  struct emu_object *objects;	/* modules, streams, events ... it owns */
  struct CUstream_st *streams;	/* until their last operation has run */
  struct CUstream_st *legacy;	/* the NULL stream */
};

/* The current context of this thread, or NULL; dead ones are dropped.  */
struct CUctx_st *emu_current (void);

/* ---- driver-module.c --------------------------------------------------- */

struct CUmod_st
{
  struct emu_object object;
  struct emu_module *module;
  struct CUlib_st *library;	/* it is of, or NULL */
  struct CUfunc_st *functions;	/* that were asked for */
};

struct CUfunc_st
{
  struct emu_object object;
  struct CUfunc_st *next;
  struct CUmod_st *module;
  struct emu_func *func;
  struct emu_func_info info;
  size_t max_dynamic_shared;	/* bytes, by cuFuncSetAttribute */
  int carveout;
};

/* The contents of file PATH with a null byte, to be freed; NULL and the reason
   in *R.  */
char *emu_read_file (const char *path, size_t *size, CUresult *r);
/* A copy of IMAGE, PTX text or what the linker made, to be freed; or NULL.  */
char *emu_image_copy (const void *image);
void emu_module_release (struct CUmod_st *);
void emu_link_release (struct CUlinkState_st *);

/* ---- driver-launch.c --------------------------------------------------- */

/* Lay out FN's parameters at BLOCK, from one pointer each or from EXTRA.  */
CUresult emu_launch_params (const struct CUfunc_st *fn, char *block,
			    void **params, void **extra);
/* Queue FN in a stream, which may be of another context.  */
CUresult emu_launch_push (const struct CUfunc_st *fn, unsigned gx, unsigned gy,
			  unsigned gz, unsigned bx, unsigned by, unsigned bz,
			  unsigned shared, struct CUstream_st *, void **params,
			  void **extra);

/* ---- driver-library.c -------------------------------------------------- */

/* The function that HANDLE, a function or a kernel of a library, is in the
   entry's context.  */
CUresult emu_function_of (CUfunction handle, CUfunction *fn);

/* ---- driver-memory.c --------------------------------------------------- */

/* Memory that the driver handed out or registered.  Ranges are disjoint.  */
enum emu_block_kind
{
  EMU_DEVICE, EMU_MANAGED, EMU_POOLED, EMU_PINNED, EMU_REGISTERED
};

struct emu_block
{
  uint64_t start;
  size_t bytes;
  enum emu_block_kind kind;
  unsigned flags;		/* host memory: as given */
  uint64_t id;			/* CU_POINTER_ATTRIBUTE_BUFFER_ID */
  bool freeing;			/* cuMemFreeAsync is queued */
  CUdevice dev;
  struct CUctx_st *ctx;		/* owner; NULL: POOL owns it */
  struct CUmemPoolHandle_st *pool;
};

/* The block with ADDR inside, or NULL.  */
struct emu_block *emu_block_find (uint64_t addr);
/* Allocate device memory as PROTO says; its address and id are filled in.  */
CUresult emu_device_alloc (struct emu_block proto, CUdeviceptr *addr);
CUresult emu_block_free (struct emu_block *);
/* Report what CTX owns, or all that is left with NULL, as leaked.  */
void emu_blocks_leaked (const struct CUctx_st *ctx);
/* Free what CTX owns; give what pool FROM owns to pool TO.  */
void emu_blocks_free_of (struct CUctx_st *ctx);
void emu_blocks_move (struct CUmemPoolHandle_st *from,
		      struct CUmemPoolHandle_st *to);

/* ---- driver-pool.c ----------------------------------------------------- */

struct CUmemPoolHandle_st
{
  struct emu_object object;
  CUdevice dev;
  int reuse[3];			/* CU_MEMPOOL_ATTR_REUSE_* */
  uint64_t threshold, used, used_high;
};

struct CUmemPoolHandle_st *emu_pool_new (CUdevice dev);

/* ---- stream.c ---------------------------------------------------------- */

/* A point in a stream that events and waits refer to.  */
struct emu_mark
{
  unsigned refs;
  bool done;
  struct timespec time;		/* when it was reached */
  struct CUstream_st *stream;	/* while not DONE */
  uint64_t seq;
};

/* One queued operation.  Larger structures start with it.  */
struct emu_op
{
  struct emu_op *next;
  uint64_t seq;			/* order of issue in the process, from 1 */
  struct emu_mark *after;	/* must be done first, or NULL */
  struct emu_mark *mark;	/* is done with this operation, or NULL */
  bool always;			/* runs in a failed context as well */
  bool here;			/* run by the thread that issued it */
  bool called;			/* a callback: may be waited for unseen */
  /* Called without the lock; STATUS is the context's error.  A failure
     becomes the context's error.  NULL: nothing to do.  */
  CUresult (*run) (struct emu_op *, CUresult status);
};

struct CUstream_st
{
  struct emu_object object;
  unsigned flags;
  int priority;
  struct CUstream_st *next;	/* in its context */
  struct emu_op *head, **tail;	/* not finished, the first may be running */
  uint64_t released;		/* operations up to this may run */
  unsigned refs;		/* handle, worker, waiting threads */
  bool closing;			/* no handle: ends when the queue is empty */
  bool has_worker;
  bool per_thread;		/* CU_STREAM_PER_THREAD of thread ... */
  pthread_t owner;
  pthread_cond_t wake;		/* something was queued */
};

#define EMU_GREATEST_PRIORITY (-5)

struct CUstream_st *emu_stream_new (struct CUctx_st *, unsigned flags,
				    int priority);
/* The handle is gone; what is queued still runs.  */
void emu_stream_close (struct CUstream_st *);
/* Wait until the closed streams of CTX have ended.  */
void emu_streams_join (struct CUctx_st *ctx);

/* A zeroed operation of SIZE bytes, or NULL.  */
void *emu_op_new (size_t size, CUresult (*run) (struct emu_op *, CUresult));
void emu_op_free (struct emu_op *);
/* Queue OP, which the stream frees afterwards.  On failure (no thread can be
   started) it is freed at once.  */
CUresult emu_stream_push (struct CUstream_st *, struct emu_op *op);
/* Run OP, the caller's, in this thread when its turn in the stream comes;
   return when it has run.  */
CUresult emu_stream_run (struct CUstream_st *, struct emu_op *op);
/* Whether emu_stream_run would run an operation at once, and is allowed to:
   asynchronous operations are not being delayed.  */
bool emu_stream_ready (struct CUstream_st *);
/* Whether they are.  */
bool emu_delaying (void);
/* Wait until what is queued now has run; the context's error.  */
CUresult emu_stream_wait (struct CUstream_st *);
CUresult emu_context_wait (struct CUctx_st *);
/* Whether nothing is queued; helps on delayed operations, so that a program
   may poll.  */
bool emu_stream_poll (struct CUstream_st *);

struct emu_mark *emu_mark_new (void);
struct emu_mark *emu_mark_ref (struct emu_mark *);
void emu_mark_drop (struct emu_mark *);
bool emu_mark_poll (struct emu_mark *);
CUresult emu_mark_wait (struct emu_mark *, struct CUctx_st *);

/* ---- driver-stream.c --------------------------------------------------- */

/* The stream HANDLE stands for in the entry's context: NULL and the special
   values included.  NULL when it is invalid.  */
struct CUstream_st *emu_stream_of (CUstream handle);

void emu_event_release (struct CUevent_st *);

#endif /* ACCRETE_DRIVER_H */
