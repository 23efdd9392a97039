/* Argument blocks that go with the launch; see args.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "abi/abi.h"
#include "ext.h"
#include "interpose/construct.h"
#include "interpose/fault.h"
#include "interpose/interface.h"
#include "interpose/submit.h"
#include "launch/args.h"
#include "launch/kernel.h"
#include "launch/launch.h"
#include "memory/pool.h"
#include "transfer/effects.h"
#include "transfer/transfer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum
{
  SLOT = 8,      /* bytes of an argument */
  BLOCK_ALIGN = 32, /* of a region's block (gomp_map_vars_internal) */
  LEFT_MAX = 256 /* bytes of a block whose address is passed that are remembered */
};

/* What libgomp, or GCC 12's plugin, takes for the memory of its block, in every
   thread.  */
static _Alignas (BLOCK_ALIGN) char placeholder[ACR_ARGS_MAX];

/* This thread's launch by GCC 12's plugin.  */
static __thread struct
{
  size_t bytes; /* 0: none */
  bool given;   /* the placeholder */
} current __attribute__ ((tls_model ("initial-exec")));

/* What a construct has left at the beginning of the block that it freed, whose
   kernel wanted its address.  */
struct left
{
  CUdeviceptr addr;
  uint64_t serial; /* the block's, pool.h */
  size_t n;        /* bytes; 0: unknown */
  char bytes[LEFT_MAX];
};

/* The block that a thread has allocated last, which may be one of arguments.
   Constructs (construct.h) are followed only where the pool is.  */
struct args
{
  CUdeviceptr addr; /* 0: none */
  size_t n;         /* bytes of it that are known */
  size_t unsent;    /* the first of them, which the device has not got */
  size_t there;     /* the first of them, which the device has; 0: unknown */
  struct left left;
  _Alignas (SLOT) char bytes[ACR_ARGS_MAX];
};

static pthread_key_t key;
static __thread struct args *mine
    __attribute__ ((tls_model ("initial-exec")));

static void
thread_ends (void *arg)
{
  mine = NULL;
  free (arg);
}

static void
make_key (void)
{
  (void)pthread_key_create (&key, thread_ends);
}

/* This thread's, or NULL for want of memory.  */
static struct args *
own (void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (mine)
    return mine;
  pthread_once (&once, make_key);
  mine = calloc (1, sizeof *mine);
  if (mine)
    (void)pthread_setspecific (key, mine);
  return mine;
}

static bool
is_placeholder (CUdeviceptr p)
{
  return p - (CUdeviceptr)placeholder < sizeof placeholder;
}

static void
note_block (struct args *a, CUdeviceptr p)
{
  a->addr = p;
  a->n = a->unsent = a->there = 0;
}

/* Send what was not.  */
static void
send_rest (struct args *a)
{
  size_t n = a->unsent;
  a->unsent = 0;
  if (!n)
    return;
  CUresult r = acr_transfer_send (a->addr, a->bytes, n);
  if (r)
    acr_fault ("cuMemcpyHtoD_v2", r);
}

/* ---- What libgomp does with a block ------------------------------------ */

void
acr_args_allocated (CUdeviceptr p)
{
  struct args *a = own ();
  if (!a)
    return;
  send_rest (a);
  note_block (a, p);
}

/* ---- Blocks whose address is passed ------------------------------------ */

/* In a loop the pool hands out the same block, and it gets the same arguments: then
   they are not sent again.  What must hold for the beginning of a block to be what
   it was:
   - the construct that had the block last has put these bytes there by one copy,
     and nothing else over them (`there');
   - its kernel has written none of them: GCC's own code alone has the address, and
     loads from it (omp-low.cc, the receiver's fields); arguments are in no operand
     (in_front), and the region's tag says that it writes none through pointers in
     memory, which would lead from operand to operand;
   - no other thread used devices meanwhile, which could have found the mapping;
   - nobody had the block since, and it did not go back to the driver: the pool
     counts how often it hands out blocks, and a block knows the last two times.  */

static void
remember_left (struct args *a)
{
  const struct acr_construct *c = acr_construct_current ();
  struct acr_memory m;
  a->left.n = 0;
  if (!a->there || a->there > LEFT_MAX || !c || !acr_construct_alone ())
    return;
  const struct acr_region *r = acr_call_tag (c->call);
  if (!r || acr_region_may_write (r, c->call, (struct acr_bytes){ 0 })
      || !acr_pool_memory (a->addr, a->there, &m))
    return;
  a->left.addr = a->addr;
  a->left.serial = m.serial;
  a->left.n = a->there;
  memcpy (a->left.bytes, a->bytes, a->there);
}

/* Whether the first N bytes of A's block are as they were left there.  */
static bool
still_there (const struct args *a, size_t n)
{
  const struct left *l = &a->left;
  struct acr_memory m;
  return n == l->n && n && l->addr == a->addr && !memcmp (l->bytes, a->bytes, n)
         && acr_pool_memory (a->addr, n, &m) && m.before == l->serial;
}

/* N bytes are copied to A's block from AT on, TAKEN of which are arguments of C,
   which is not to wait with them.  Whether the device has them.  */
static bool
has_them (struct args *a, const struct acr_construct *c, size_t at, size_t n,
          size_t taken)
{
  bool first = at == 0 && taken == n && c && !c->launched && !a->there
               && !acr_opt_off (ACR_OPT_args);
  if (!first)
    {
      /* Nor is anything known of a block that was filled otherwise.  */
      if (at < a->there || !a->there)
        a->there = LEFT_MAX + 1;
      return false;
    }
  a->there = n;
  bool has = still_there (a, n);
  acr_count (args_unsent, has);
  return has;
}

void
acr_args_freed (CUdeviceptr p)
{
  struct args *a = own ();
  if (!a || a->addr != p)
    return;
  remember_left (a);
  note_block (a, 0);
}

/* Whether libgomp puts the arguments of C's region in front of its operands.  */
static bool
in_front (const struct acr_construct *c)
{
  const struct acr_region *r = acr_call_tag (c->call);
  const struct acr_interface *libgomp = acr_interface ();
  return r
         && (r->kind == ACR_KIND_OMP_TARGET
             || (libgomp && !libgomp->allocates));
}

/* How many bytes of this thread's block may be arguments: those of C, or, where no
   construct is known, as many as there is room for.  */
static size_t
most (const struct acr_construct *c)
{
  size_t n = ACR_ARGS_MAX / SLOT;
  if (c && !in_front (c))
    return 0;
  return SLOT * (c && c->call->n < n ? c->call->n : n);
}

/* Whether what C writes to its block may wait for its launch.  */
static bool
may_wait (const struct acr_construct *c)
{
  return c && !c->launched && !c->site->wants_address
         && !acr_opt_off (ACR_OPT_args);
}

size_t
acr_args_write (CUdeviceptr dst, const void *src, size_t n)
{
  struct args *a = own ();
  const struct acr_construct *c = acr_construct_current ();
  if (!a || !a->addr || dst < a->addr || dst - a->addr > a->n)
    return 0;
  size_t at = dst - a->addr;
  size_t room = is_placeholder (a->addr) ? sizeof a->bytes : most (c);
  size_t taken = at > room ? 0 : n < room - at ? n : room - at;
  memcpy (a->bytes + at, src, taken);
  a->n = at + taken > a->n ? at + taken : a->n;
  if (is_placeholder (a->addr))
    return taken;
  /* What is sent must not be behind what is not: the first bytes wait, or
     none.  */
  if (at > a->unsent || !may_wait (c))
    return has_them (a, c, at, n, taken) ? n : 0;
  a->unsent = at + taken > a->unsent ? at + taken : a->unsent;
  return taken;
}

/* ---- GCC 12's OpenACC launches ----------------------------------------- */

void
acr_args_begin (const struct acr_kernel *k, size_t bytes)
{
  bool applies = k && k->args && own () && bytes <= ACR_ARGS_MAX;
  current.bytes = applies ? bytes : 0;
}

void
acr_args_end (void)
{
  if (current.given)
    note_block (own (), 0);
  current.bytes = 0;
  current.given = false;
}

bool
acr_args_active (void)
{
  return current.given;
}

bool
acr_args_alloc (CUdeviceptr *p, size_t bytes)
{
  if (!current.bytes || bytes != current.bytes || current.given)
    return false;
  current.given = true;
  *p = (CUdeviceptr)placeholder;
  acr_args_allocated (*p);
  return true;
}

bool
acr_args_range (CUdeviceptr *base, size_t *bytes, CUdeviceptr p)
{
  if (!is_placeholder (p))
    return false;
  if (base)
    *base = p;
  if (bytes)
    *bytes = current.bytes;
  return true;
}

/* ---- Blocks of arguments alone ------------------------------------------ */

/* A region whose operands are all present has a block of its arguments and nothing
   else.  When its kernel gets them as a parameter, no device needs that memory.  That
   the kernel will is known from the construct's last time:
   - the same region on the same device is the same kernel as long as none has come or
     gone, and a kernel's parameters are constant (kernel.h);
   - the arguments are in front of the construct's operands, and by its size the block
     has room for them alone, so that libgomp copies nothing else there and nothing
     back;
   - from here to the launch the thread runs no code of the program's, which could
     begin another construct: none of its handlers (acr_construct_alloc), no task
     (site.h has none of constructs with tasks);
   - the block's address is in the arguments themselves only where an operand of no
     bytes is behind them.  */

/* L, the kernel of C's region, gets WANT bytes as a parameter, 0: none.  */
static void
note_passes (struct acr_construct *c, const struct acr_launch *l, size_t want)
{
  struct acr_passes *p = &c->site->passes;
  struct acr_passes now
      = { c->call->region, l->kernel ? l->kernel->device : -1,
          acr_kernel_changes () };
  if (!want || want > SLOT * c->call->n || now.device < 0)
    now.region = NULL;
  /* Most launches find what the one before has noted.  */
  else if (now.region == p->region && now.device == p->device
           && now.kernels == p->kernels)
    return;
  else if (!in_front (c))
    now.region = NULL;
  *p = now;
}

bool
acr_args_stand_in (int device, size_t bytes, CUdeviceptr *p)
{
  const struct acr_construct *c = acr_construct_current ();
  const struct acr_passes *known = c ? &c->site->passes : NULL;
  if (!c || !known->region || known->region != c->call->region
      || known->device != device || known->kernels != acr_kernel_changes ()
      || bytes != SLOT * c->call->n + BLOCK_ALIGN - 1 || bytes > ACR_ARGS_MAX
      || c->launched || acr_construct_is_watched ()
      || acr_opt_off (ACR_OPT_args) || !own ())
    return false;
  *p = (CUdeviceptr)placeholder;
  acr_args_allocated (*p);
  return true;
}

bool
acr_args_stands_in (CUdeviceptr p)
{
  return is_placeholder (p);
}

bool
acr_args_stood_in (void)
{
  return mine && is_placeholder (mine->addr);
}

/* ---- Launches ---------------------------------------------------------- */

/* The address that L, a kernel of libgomp's, passes.  */
static CUdeviceptr
block_of (const struct acr_launch *l)
{
  return l->params ? *(CUdeviceptr *)l->params[0]
                   : *(CUdeviceptr *)l->extra[1];
}

/* Read BYTES of the block at P, which another thread may have written.  */
static void
read_back (struct args *a, CUdeviceptr p, size_t bytes)
{
  note_block (a, p);
  CUresult r = acr_submit_flushed ();
  if (!r)
    r = acr_cuda_fetch (a->bytes, p, bytes);
  if (r)
    acr_fault ("cuMemcpyDtoH_v2", r);
  a->n = bytes;
  acr_count (args_read, 1);
}

/* Let L pass what A has noted, and the parameters that OpenMP's kernels have
   besides as they are.  */
static void
pass (struct acr_launch *l, struct args *a)
{
  void *in_extra[ACR_LAUNCH_PARAMS];
  for (unsigned i = 0; l->extra && i < ACR_LAUNCH_PARAMS; i++)
    in_extra[i] = (char *)l->extra[1] + SLOT * i;
  acr_launch_own_params (l, l->extra ? in_extra : l->params);
  l->pointer[0] = a->bytes;
  a->unsent = 0;
  acr_count_for (l->by, args_passed, 1);
}

/* What is noted of L's block, sent where L's kernel does not want it, and
   complete where it does; NULL: no kernel of libgomp's.  */
static struct args *
args_of (const struct acr_launch *l, size_t want)
{
  struct args *a = own ();
  if (!want)
    {
      if (a)
        send_rest (a);
      return l->kernel && (l->params || l->extra) ? a : NULL;
    }
  if (!a)
    acr_libgomp.fatal ("Out of memory allocating %lu bytes",
                       (unsigned long)sizeof *a);
  CUdeviceptr p = block_of (l);
  if (a->addr != p || a->n < want)
    {
      send_rest (a);
      read_back (a, p, want);
    }
  return a;
}

void
acr_args_place (struct acr_launch *l)
{
  struct acr_construct *c = acr_construct_current ();
  size_t want = l->kernel ? l->kernel->args : 0;
  if (c)
    {
      c->site->wants_address = !want;
      note_passes (c, l, want);
    }
  struct args *a = args_of (l, want);
  if (a && a->n && a->addr == block_of (l))
    {
      l->words = (const CUdeviceptr *)a->bytes;
      l->nwords = a->n / SLOT;
    }
  if (want)
    pass (l, a);
}
