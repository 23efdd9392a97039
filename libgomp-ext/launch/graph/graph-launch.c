/* Launches as graphs of one kernel; see graph-launch.h.

   A launch takes a thread 3 us in the driver.  A graph that has the same kernel for
   its only node takes 1.25, and its parameters and geometry can be set anew for .25,
   where they differ from those of the last time (measured on an H200).  So a kernel
   that is launched again and again to a stream gets a graph for that stream.

   Why nobody can tell.  A graph is launched when the kernel would be, and to the same
   stream: it comes behind what is there, and what follows comes behind it.  It has
   what the kernel would be launched with, which the driver copies when it is set:
   launches that are on their way keep what they had.  The driver runs no graph beside
   itself, so each stream has its own.  Where the driver refuses anything, the kernel is
   launched as ever, and says why that fails.

   Behind a copy that is on its way a graph begins some 5 us later than a kernel: the
   next kernel is launched as ever then.  That is for speed alone.

   What looks at launches one by one is not here: a trace (trace.h), tools that the
   driver loads, and kernels that may launch others by themselves (nest.h).

   A kernel has a place for each stream until its module goes; one that finds none is
   launched as ever.  LOCK is held while a graph is changed and
   launched; who finds it held launches as ever.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/graph/graph-launch.h"

#include "base/fact.h"
#include "base/fork.h"
#include "ext.h"
#include "launch/kernel.h"
#include "launch/launch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum
{
  PLACES = 512,
  WAYS = 4,  /* places that a hash points to */
  OFTEN = 16 /* launches that a graph is worth */
};

/* What the launches of a graph may differ in; the parameters' bytes follow.  */
struct shape
{
  unsigned grid[3], block[3], shared;
};

static struct place
{
  CUfunction fn; /* NULL: nobody's */
  CUstream stream;
  CUmodule module;
  CUcontext ctx;
  unsigned launches;
  CUgraph graph;
  CUgraphNode node;
  CUgraphExec exec; /* NULL: not yet, or never where LAUNCHES is above OFTEN */
  struct shape shape;
  size_t bytes;
  char *params;
} places[PLACES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* No kernel was launched since a copy was submitted, and the host has not waited.  */
static _Atomic bool copies;

void
acr_graph_copies (void)
{
  atomic_store_explicit (&copies, true, memory_order_relaxed);
}

void
acr_graph_synced (void)
{
  atomic_store_explicit (&copies, false, memory_order_relaxed);
}

/* What the parent has is not the child's.  */
static void
lose (void)
{
  for (unsigned i = 0; i < PLACES; i++)
    free (places[i].params);
  memset (places, 0, sizeof places);
}

ACR_FORK_LOCKS (lock, lose, __attribute__ ((constructor)))

/* ---- Parameters -------------------------------------------------------- */

/* Bytes of K's parameter N.  */
static size_t
size_of (const struct acr_kernel *k, unsigned n)
{
  return n == 0 && k->args ? k->args : sizeof (CUdeviceptr);
}

/* Let P have L's parameters and shape.  Whether that is news.  */
static bool
note (struct place *p, const struct acr_launch *l)
{
  const struct shape now = {
    { l->grid[0], l->grid[1], l->grid[2] },
    { l->block[0], l->block[1], l->block[2] },
    l->shared
  };
  bool news = memcmp (&p->shape, &now, sizeof now);
  p->shape = now;
  char *to = p->params;
  for (unsigned i = 0; i < acr_kernel_params (l->kernel); i++)
    {
      size_t n = size_of (l->kernel, i);
      news |= memcmp (to, l->params[i], n) != 0;
      memcpy (to, l->params[i], n);
      to += n;
    }
  return news;
}

static CUDA_KERNEL_NODE_PARAMS_v1
node_of (const struct acr_launch *l)
{
  return (CUDA_KERNEL_NODE_PARAMS_v1){
    l->fn,        l->grid[0],  l->grid[1], l->grid[2], l->block[0],
    l->block[1],  l->block[2], l->shared,  l->params,  NULL
  };
}

/* ---- Graphs ------------------------------------------------------------ */

/* Let P be nobody's.  */
static void
drop (struct place *p)
{
  if (p->exec)
    acr_driver.graph_exec_destroy (p->exec);
  if (p->graph)
    acr_driver.graph_destroy (p->graph);
  free (p->params);
  *p = (struct place){ 0 };
}

/* Let P have a graph of L.  */
static bool
make (struct place *p, const struct acr_launch *l)
{
  CUDA_KERNEL_NODE_PARAMS_v1 node = node_of (l);
  size_t bytes = 0;
  for (unsigned i = 0; i < acr_kernel_params (l->kernel); i++)
    bytes += size_of (l->kernel, i);
  p->params = malloc (bytes);
  if (!p->params || acr_driver.graph_create (&p->graph, 0)
      || acr_driver.graph_add_kernel (&p->node, p->graph, NULL, 0, &node)
      || acr_driver.graph_instantiate (&p->exec, p->graph, 0))
    {
      p->exec = NULL;
      return false;
    }
  note (p, l);
  return true;
}

/* Let P's graph be what L launches.  */
static bool
set (struct place *p, const struct acr_launch *l)
{
  CUDA_KERNEL_NODE_PARAMS_v1 node = node_of (l);
  return !note (p, l)
         || !acr_driver.graph_exec_set_kernel (p->exec, p->node, &node);
}

/* The place of FN and STREAM: theirs, or nobody's, or NULL.  */
static struct place *
place_of (CUfunction fn, CUstream stream)
{
  struct place *none = NULL;
  uint64_t h = ((uintptr_t)fn >> 4 ^ (uintptr_t)stream) * 0x9e3779b97f4a7c15u;
  for (unsigned i = 0; i < WAYS; i++)
    {
      struct place *p = &places[((h >> 40) + i) % PLACES];
      if (p->fn == fn && p->stream == stream)
        return p;
      if (!p->fn && !none)
        none = p;
    }
  return none;
}

/* The place of L's graph, which is up to date, or NULL.  LOCK is held.  */
static struct place *
ready (const struct acr_launch *l)
{
  struct place *p = place_of (l->fn, l->stream);
  if (!p || (!p->fn && acr_driver.ctx_get_current (&p->ctx)))
    return NULL;
  p->fn = l->fn;
  p->stream = l->stream;
  p->module = l->kernel->module;
  if (!p->exec)
    return ++p->launches == OFTEN && make (p, l) ? p : NULL;
  if (set (p, l))
    return p;
  drop (p);
  return NULL;
}

/* Whether graphs are what the user wants, and the driver has.  A tool that it loads may
   show launches one by one.  */
static bool
may (void)
{
  return acr_env.graphs && !acr_opt_off (ACR_OPT_graph) && !acr_env.trace
         && !getenv ("CUDA_INJECTION64_PATH") && acr_driver.ctx_get_current
         && acr_driver.graph_create && acr_driver.graph_destroy
         && acr_driver.graph_add_kernel && acr_driver.graph_instantiate
         && acr_driver.graph_exec_set_kernel && acr_driver.graph_launch
         && acr_driver.graph_exec_destroy;
}

static bool
may_be_graph (const struct acr_launch *l)
{
  const struct acr_region *r = l->kernel ? acr_kernel_region (l->kernel) : NULL;
  return l->params && !l->extra && r && !r->launches;
}

/* Whether the next kernel is behind a copy; once.  */
static bool
behind_copy (void)
{
  bool is = atomic_load_explicit (&copies, memory_order_relaxed);
  if (is)
    atomic_store_explicit (&copies, false, memory_order_relaxed);
  return is;
}

bool
acr_graph_launch (const struct acr_launch *l)
{
  static _Atomic enum acr_fact fact;
  if (!acr_fact (&fact, may) || !may_be_graph (l) || behind_copy ()
      || pthread_mutex_trylock (&lock))
    return false;
  struct place *p = ready (l);
  bool done = p && !acr_driver.graph_launch (p->exec, l->stream);
  if (p && !done)
    drop (p);
  pthread_mutex_unlock (&lock);
  acr_count_for (l->by, graphs, done);
  return done;
}

/* ---- The end ----------------------------------------------------------- */

void
acr_graph_unload (CUmodule module)
{
  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < PLACES; i++)
    if (places[i].fn && places[i].module == module)
      drop (&places[i]);
  pthread_mutex_unlock (&lock);
}

void
acr_graph_forget (CUcontext ctx)
{
  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < PLACES; i++)
    if (places[i].fn && places[i].ctx == ctx)
      drop (&places[i]);
  pthread_mutex_unlock (&lock);
}
