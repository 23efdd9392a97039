/* Launches as graphs; see graph-launch.h.

   A launch takes a thread 3 us in the driver.  A graph that has the same kernel for
   its only node takes 1.25, and its parameters and geometry can be set anew for .25,
   where they differ from those of the last time; a graph of five, all set, takes 2.2
   (measured on an H200).  So a kernel that is launched again and again to a stream
   gets a graph for that stream, and so do kernels that are handed over together again
   and again (hold.h), in the same order.

   Why nobody can tell.  A graph is launched when its kernels would be, and to the same
   stream: it comes behind what is there, and what follows comes behind it.  Each node
   depends on the one before, so a kernel begins when the one before has ended and what
   that wrote can be read, as in a stream.  A node has what its kernel would be launched
   with, which the driver copies when it is set.  Launches that are on their way keep
   what they had: a change affects those that come (cuGraphExecKernelNodeSetParams),
   and a graph is behind its own earlier launches (cuGraphLaunch), so that one that has
   not ended may be changed and launched.  The driver runs no graph beside itself, so
   each stream has its own.  Where the driver refuses anything nothing was launched:
   the kernels are launched as ever, and say why that fails.  A kernel that fails is
   found out by a later call, as one that was launched.

   Behind a copy that is on its way a graph begins some 5 us later than a kernel: the
   next kernel is launched as ever then.  That is for speed alone.

   What looks at launches one by one is not here: a trace (trace.h), the times of
   kernels where there are several, tools that the driver loads, and kernels that may
   launch others by themselves (nest.h).

   Kernels have a place for each stream until the module of one goes; what has no graph
   yet may lose it to others.  Who finds none launches as ever.  LOCK is held while a
   graph is changed and launched; who finds it held launches as ever.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/graph/graph-launch.h"
#include "launch/graph/graph-may.h"

#include "base/fork.h"
#include "base/hash.h"
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
  OFTEN = 16 /* launches of kernels that a graph is worth */
};

/* What the launches of a graph may differ in; the parameters' bytes follow.  */
struct shape
{
  unsigned grid[3], block[3], shared;
};

struct node
{
  CUfunction fn;
  CUmodule module;
  CUgraphNode handle;
  struct shape shape;
  char *params;
};

static struct place
{
  unsigned n; /* kernels; 0: nobody's */
  struct node *nodes;
  CUstream stream;
  CUcontext ctx;
  unsigned launches; /* of kernels */
  CUgraph graph;
  CUgraphExec exec; /* NULL: not yet, or never where LAUNCHES is OFTEN or more */
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

static void
free_nodes (struct place *p)
{
  for (unsigned i = 0; i < p->n; i++)
    free (p->nodes[i].params);
  free (p->nodes);
}

/* What the parent has is not the child's.  */
static void
lose (void)
{
  for (unsigned i = 0; i < PLACES; i++)
    free_nodes (&places[i]);
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

/* Let N have L's parameters and shape.  Whether that is news.  */
static bool
note (struct node *n, const struct acr_launch *l)
{
  const struct shape now = {
    { l->grid[0], l->grid[1], l->grid[2] },
    { l->block[0], l->block[1], l->block[2] },
    l->shared
  };
  bool news = memcmp (&n->shape, &now, sizeof now);
  n->shape = now;
  char *to = n->params;
  for (unsigned i = 0; i < acr_kernel_params (l->kernel); i++)
    {
      size_t bytes = size_of (l->kernel, i);
      news |= memcmp (to, l->params[i], bytes) != 0;
      memcpy (to, l->params[i], bytes);
      to += bytes;
    }
  return news;
}

static CUDA_KERNEL_NODE_PARAMS_v1
params_of (const struct acr_launch *l)
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
  free_nodes (p);
  *p = (struct place){ 0 };
}

/* Let P's graph have L, behind all that it has: N of them.  */
static bool
add (struct place *p, unsigned n, const struct acr_launch *l)
{
  CUDA_KERNEL_NODE_PARAMS_v1 params = params_of (l);
  struct node *node = &p->nodes[n];
  size_t bytes = 0;
  for (unsigned i = 0; i < acr_kernel_params (l->kernel); i++)
    bytes += size_of (l->kernel, i);
  free (node->params);
  node->params = malloc (bytes);
  if (!node->params
      || acr_driver.graph_add_kernel (&node->handle, p->graph,
                                      n ? &node[-1].handle : NULL, n > 0,
                                      &params))
    return false;
  note (node, l);
  return true;
}

/* Let P have a graph of L.  */
static bool
make (struct place *p, const struct acr_launch *const *l)
{
  bool made = !acr_driver.graph_create (&p->graph, 0);
  for (unsigned i = 0; made && i < p->n; i++)
    made = add (p, i, l[i]);
  if (made && !acr_driver.graph_instantiate (&p->exec, p->graph, 0))
    return true;
  p->exec = NULL;
  return false;
}

/* Let P's graph be what L launches.  */
static bool
set (struct place *p, const struct acr_launch *const *l)
{
  for (unsigned i = 0; i < p->n; i++)
    {
      CUDA_KERNEL_NODE_PARAMS_v1 params = params_of (l[i]);
      if (note (&p->nodes[i], l[i])
          && acr_driver.graph_exec_set_kernel (p->exec, p->nodes[i].handle,
                                               &params))
        return false;
    }
  return true;
}

/* ---- Places ------------------------------------------------------------ */

/* Let P, which nobody needs, be that of the N kernels of L.  */
static bool
take (struct place *p, const struct acr_launch *const *l, unsigned n)
{
  CUcontext ctx;
  struct node *nodes = NULL;
  if (acr_driver.ctx_get_current (&ctx)
      || !(nodes = calloc (n, sizeof *nodes)))
    return false;
  drop (p);
  for (unsigned i = 0; i < n; i++)
    {
      nodes[i].fn = l[i]->fn;
      nodes[i].module = l[i]->kernel->module;
    }
  *p = (struct place){
    .n = n, .nodes = nodes, .stream = l[0]->stream, .ctx = ctx
  };
  return true;
}

static bool
is_of (const struct place *p, const struct acr_launch *const *l, unsigned n)
{
  bool is = p->n == n && p->stream == l[0]->stream;
  for (unsigned i = 0; is && i < n; i++)
    is = p->nodes[i].fn == l[i]->fn;
  return is;
}

/* The place of the N kernels of L, or NULL.  */
static struct place *
place_of (const struct acr_launch *const *l, unsigned n)
{
  struct place *none = NULL;
  uint64_t h = (uintptr_t)l[0]->stream;
  for (unsigned i = 0; i < n; i++)
    h = acr_hash_word (h, (uintptr_t)l[i]->fn >> 4);
  for (unsigned i = 0; i < WAYS; i++)
    {
      struct place *p = &places[((h >> 40) + i) % PLACES];
      if (is_of (p, l, n))
        return p;
      if (!p->exec && (!none || p->launches < none->launches))
        none = p;
    }
  return none && take (none, l, n) ? none : NULL;
}

/* The place of the graph of L's N kernels, which is up to date, or NULL.  LOCK is
   held.  */
static struct place *
ready (const struct acr_launch *const *l, unsigned n)
{
  struct place *p = place_of (l, n);
  if (!p)
    return NULL;
  if (!p->exec)
    {
      unsigned before = p->launches,
               often = acr_env.graphs == ACR_GRAPHS_ALWAYS ? 1 : OFTEN;
      p->launches += n;
      return before < often && p->launches >= often && make (p, l) ? p : NULL;
    }
  if (set (p, l))
    return p;
  drop (p);
  return NULL;
}

/* ---- Launches ---------------------------------------------------------- */

static bool
may_be_node (const struct acr_launch *l)
{
  const struct acr_region *r = l->kernel ? acr_kernel_region (l->kernel) : NULL;
  return l->params && !l->extra && r && !r->launches && !r->resident;
}

/* The same of one of several.  */
static bool
may_be_among (const struct acr_launch *l)
{
  return may_be_node (l) && !l->trial.timed && !l->pairing.key
         && !acr_env.times;
}

bool
acr_graph_behind_copy (void)
{
  bool is = atomic_load_explicit (&copies, memory_order_relaxed);
  if (is)
    atomic_store_explicit (&copies, false, memory_order_relaxed);
  return is;
}

/* Launch the N kernels of L as a graph.  */
static bool
launch (const struct acr_launch *const *l, unsigned n)
{
  if (pthread_mutex_trylock (&lock))
    return false;
  struct place *p = ready (l, n);
  bool done = p && !acr_driver.graph_launch (p->exec, l[0]->stream);
  if (p && !done)
    drop (p);
  pthread_mutex_unlock (&lock);
  for (unsigned i = 0; i < n; i++)
    acr_count_for (l[i]->by, graphs, done);
  return done;
}

bool
acr_graph_launch (const struct acr_launch *l)
{
  return acr_graph_may () && may_be_node (l) && !acr_graph_behind_copy ()
         && launch (&l, 1);
}

bool
acr_graph_launch_list (const struct acr_launch *const *l, unsigned n)
{
  bool can = acr_graph_may_list ();
  for (unsigned i = 0; can && i < n; i++)
    can = may_be_among (l[i]) && l[i]->stream == l[0]->stream;
  return can && launch (l, n);
}

/* ---- The end ----------------------------------------------------------- */

static bool
has_module (const struct place *p, CUmodule module)
{
  for (unsigned i = 0; i < p->n; i++)
    if (p->nodes[i].module == module)
      return true;
  return false;
}

void
acr_graph_unload (CUmodule module)
{
  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < PLACES; i++)
    if (has_module (&places[i], module))
      drop (&places[i]);
  pthread_mutex_unlock (&lock);
}

void
acr_graph_forget (CUcontext ctx)
{
  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < PLACES; i++)
    if (places[i].n && places[i].ctx == ctx)
      drop (&places[i]);
  pthread_mutex_unlock (&lock);
}
