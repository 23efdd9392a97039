/* Argument blocks that go with the launch; see args.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "abi/abi.h"
#include "ext.h"
#include "interpose/construct.h"
#include "interpose/fault.h"
#include "interpose/submit.h"
#include "launch/kernel.h"
#include "launch/launch.h"
#include "transfer/args.h"
#include "transfer/transfer.h"

#include <string.h>

enum
{
  SLOT = 8 /* bytes of an argument */
};

/* What the plugin takes for the address of its block, in every thread.  */
static char placeholder;

/* This thread's launch by GCC 12's plugin.  */
static __thread struct
{
  size_t bytes; /* 0: none */
  bool given;   /* the placeholder */
} current __attribute__ ((tls_model ("initial-exec")));

/* What is noted of this thread's block, or NULL.  */
static struct acr_args *
own (void)
{
  struct acr_construct *c = acr_construct_self ();
  return c ? &c->args : NULL;
}

static bool
is_placeholder (CUdeviceptr p)
{
  return p == (CUdeviceptr)&placeholder;
}

static void
note_block (struct acr_args *a, CUdeviceptr p)
{
  a->addr = p;
  a->n = a->unsent = 0;
}

/* Send what was not.  */
static void
send_rest (struct acr_args *a)
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
  struct acr_args *a = own ();
  if (!a)
    return;
  send_rest (a);
  note_block (a, p);
}

void
acr_args_freed (CUdeviceptr p)
{
  struct acr_args *a = own ();
  if (a && a->addr == p)
    note_block (a, 0);
}

void
acr_args_changed (CUdeviceptr p, size_t n)
{
  struct acr_args *a = own ();
  if (a && a->addr && p < a->addr + a->n && a->addr < p + n)
    note_block (a, 0);
}

/* How many bytes of this thread's block may be arguments: those of C, or, where no
   construct is known, as many as there is room for.  */
static size_t
most (const struct acr_construct *c)
{
  size_t n = ACR_ARGS_MAX / SLOT;
  if (c && !c->call->region)
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
  struct acr_args *a = own ();
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
    return 0;
  a->unsent = at + taken > a->unsent ? at + taken : a->unsent;
  return taken;
}

/* ---- GCC 12's OpenACC launches ----------------------------------------- */

void
acr_args_begin (CUfunction fn, size_t bytes)
{
  const struct acr_kernel *k = acr_kernel_find (fn);
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
  *p = (CUdeviceptr)&placeholder;
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
read_back (struct acr_args *a, CUdeviceptr p, size_t bytes)
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

/* Let L pass what A has noted.  OpenMP's kernels have two parameters more.  */
static void
pass (struct acr_launch *l, struct acr_args *a)
{
  const struct acr_region *r = acr_kernel_region (l->kernel);
  unsigned n = r && r->kind == ACR_KIND_OMP_TARGET ? 3 : 1;
  for (unsigned i = 1; i < n; i++)
    l->pointer[i] = l->params ? l->params[i]
                              : (char *)l->extra[1] + SLOT * i;
  l->pointer[0] = a->bytes;
  l->params = l->pointer;
  l->extra = NULL;
  l->args = l->kernel->args;
  a->unsent = 0;
  acr_count (args_passed, 1);
}

void
acr_args_place (struct acr_launch *l)
{
  struct acr_args *a = own ();
  if (!a || !l->kernel || (!l->params && !l->extra))
    return;
  struct acr_construct *c = acr_construct_current ();
  CUdeviceptr p = block_of (l);
  size_t want = l->kernel->args;
  if (c)
    c->site->wants_address = !want;
  if (!want)
    send_rest (a);
  else if (a->addr != p || a->n < want)
    read_back (a, p, want);
  if (want)
    pass (l, a);
  if (a->addr == p && a->n)
    {
      l->words = (const CUdeviceptr *)a->bytes;
      l->nwords = a->n / SLOT;
    }
}
