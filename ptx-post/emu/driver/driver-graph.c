/* Graphs of operations, built node by node.

   A node may only depend on nodes that exist, so the order in which they were
   added is one in which they may run.  An executable graph is a list in that order,
   or with ACCRETE_EMU_DELAY=1 in another one in which they may: the last one that
   can be next always is.  A launch queues it in a stream, one operation after the
   other.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "driver/driver.h"

enum node_kind
{
  NODE_EMPTY, NODE_KERNEL, NODE_MEMCPY, NODE_MEMSET, NODE_HOST
};

struct CUgraphNode_st
{
  struct CUgraphNode_st *next;	/* added after this one */
  CUgraphNode origin;		/* in an executable graph: what it is a copy of */
  CUgraphNode *after;		/* those that it depends on; NULL in a copy */
  size_t nafter;
  enum node_kind kind;
  union
  {
    CUDA_KERNEL_NODE_PARAMS_v2 kernel;	/* without parameters */
    CUDA_MEMCPY3D memcpy;
    CUDA_MEMSET_NODE_PARAMS memset;
    CUDA_HOST_NODE_PARAMS host;
  } what;
  size_t size;			/* kernel: of its parameters ... */
  char params[];		/* ... here */
};

/* A graph, or an executable copy of one.  */
struct CUgraph_st
{
  struct emu_object object;
  struct CUgraphNode_st *first, **last;
  size_t n;
};

static struct CUgraph_st *
new_graph (enum emu_kind kind)
{
  struct CUgraph_st *g = emu_object_new (kind, sizeof *g, NULL);
  if (g)
    g->last = &g->first;
  return g;
}

static void
release (struct CUgraph_st *g)
{
  for (struct CUgraphNode_st *n = g->first, *next; n; n = next)
    {
      next = n->next;
      free (n->after);
      free (n);
    }
  emu_object_retire (&g->object);
  free (g);
}

static void
append (struct CUgraph_st *g, struct CUgraphNode_st *n)
{
  *g->last = n;
  g->last = &n->next;
  g->n++;
}

static bool
has_node (const struct CUgraph_st *g, CUgraphNode node)
{
  for (const struct CUgraphNode_st *n = g->first; n; n = n->next)
    if (n == node)
      return true;
  return false;
}

/* The copy of NODE in G, or NULL.  */
static struct CUgraphNode_st *
copy_in (const struct CUgraph_st *g, CUgraphNode node)
{
  struct CUgraphNode_st *n = g->first;
  while (n && n->origin != node)
    n = n->next;
  return n;
}

/* The node of G to be copied to EXEC next, behind what it depends on.  */
static const struct CUgraphNode_st *
next_node (const struct CUgraph_st *g, const struct CUgraph_st *exec)
{
  const struct CUgraphNode_st *next = NULL;
  for (CUgraphNode n = g->first; n && (!next || emu_delaying ()); n = n->next)
    {
      size_t i = 0;
      while (i < n->nafter && copy_in (exec, n->after[i]))
	i++;
      if (i == n->nafter && !copy_in (exec, n))
	next = n;
    }
  return next;
}

/* A node of KIND of G, as *NODE: BYTES at WHAT describe it, and there is room
   for SIZE bytes of a kernel's parameters.  */
static CUresult
add_node (CUgraphNode *node, struct CUgraph_st *g, const CUgraphNode *after,
	  size_t nafter, enum node_kind kind, const void *what, size_t bytes,
	  size_t size)
{
  if (!emu_object_is (g, EMU_GRAPH) || !node || (nafter && !after))
    return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < nafter; i++)
    if (!has_node (g, after[i]))
      return CUDA_ERROR_INVALID_VALUE;
  struct CUgraphNode_st *n = calloc (1, sizeof *n + size);
  CUgraphNode *all = malloc ((nafter + 1) * sizeof *all);
  if (!n || !all)
    {
      free (n);
      free (all);
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
  if (nafter)
    memcpy (all, after, nafter * sizeof *all);
  n->after = all;
  n->nafter = nafter;
  n->kind = kind;
  if (bytes)
    memcpy (&n->what, what, bytes);
  n->size = size;
  append (g, n);
  *node = n;
  return CUDA_SUCCESS;
}

/* ---- Building ---------------------------------------------------------- */

CUresult
emu_cuGraphCreate (CUgraph *graph, unsigned flags)
{
  if (!graph || flags)
    return CUDA_ERROR_INVALID_VALUE;
  *graph = new_graph (EMU_GRAPH);
  return *graph ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult
emu_cuGraphDestroy (CUgraph graph)
{
  if (!emu_object_is (graph, EMU_GRAPH))
    return CUDA_ERROR_INVALID_VALUE;
  release (graph);
  return CUDA_SUCCESS;
}

CUresult
emu_cuGraphGetNodes (CUgraph graph, CUgraphNode *nodes, size_t *n)
{
  if (!emu_object_is (graph, EMU_GRAPH) || !n)
    return CUDA_ERROR_INVALID_VALUE;
  size_t room = *n;
  *n = 0;
  for (CUgraphNode k = graph->first; k && (!nodes || *n < room); k = k->next)
    {
      if (nodes)
	nodes[*n] = k;
      ++*n;
    }
  return CUDA_SUCCESS;
}

/* The parameters are read now.  */
CUresult
emu_cuGraphAddKernelNode_v2 (CUgraphNode *node, CUgraph graph,
			     const CUgraphNode *after, size_t nafter,
			     const CUDA_KERNEL_NODE_PARAMS_v2 *p)
{
  if (!p || (p->kernelParams && p->extra))
    return CUDA_ERROR_INVALID_VALUE;
  CUfunction fn;
  CUresult r = emu_function_of (p->func ? p->func : (CUfunction) p->kern, &fn);
  if (!r)
    r = add_node (node, graph, after, nafter, NODE_KERNEL, p, sizeof *p,
		  fn->info.params);
  if (r)
    return r;
  CUgraphNode n = *node;
  n->what.kernel.func = fn;
  r = emu_launch_params (fn, n->params, p->kernelParams, p->extra);
  /* A node that lacks them does nothing.  */
  if (r)
    n->kind = NODE_EMPTY;
  return r;
}

CUresult
emu_cuGraphAddKernelNode (CUgraphNode *node, CUgraph graph,
			  const CUgraphNode *after, size_t nafter,
			  const CUDA_KERNEL_NODE_PARAMS_v1 *p)
{
  if (!p)
    return CUDA_ERROR_INVALID_VALUE;
  CUDA_KERNEL_NODE_PARAMS_v2 now = { 0 };
  memcpy (&now, p, sizeof *p);
  return emu_cuGraphAddKernelNode_v2 (node, graph, after, nafter, &now);
}

CUresult
emu_cuGraphAddMemcpyNode (CUgraphNode *node, CUgraph graph,
			  const CUgraphNode *after, size_t nafter,
			  const CUDA_MEMCPY3D *copy, CUcontext ctx)
{
  (void) ctx;
  return copy ? add_node (node, graph, after, nafter, NODE_MEMCPY, copy,
			  sizeof *copy, 0)
	      : CUDA_ERROR_INVALID_VALUE;
}

CUresult
emu_cuGraphAddMemsetNode (CUgraphNode *node, CUgraph graph,
			  const CUgraphNode *after, size_t nafter,
			  const CUDA_MEMSET_NODE_PARAMS *p, CUcontext ctx)
{
  (void) ctx;
  if (!p
      || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
    return CUDA_ERROR_INVALID_VALUE;
  return add_node (node, graph, after, nafter, NODE_MEMSET, p, sizeof *p, 0);
}

CUresult
emu_cuGraphAddHostNode (CUgraphNode *node, CUgraph graph,
			const CUgraphNode *after, size_t nafter,
			const CUDA_HOST_NODE_PARAMS *p)
{
  return p && p->fn ? add_node (node, graph, after, nafter, NODE_HOST, p,
				sizeof *p, 0)
		    : CUDA_ERROR_INVALID_VALUE;
}

CUresult
emu_cuGraphAddEmptyNode (CUgraphNode *node, CUgraph graph,
			 const CUgraphNode *after, size_t nafter)
{
  return add_node (node, graph, after, nafter, NODE_EMPTY, NULL, 0, 0);
}

/* ---- Running ----------------------------------------------------------- */

CUresult
emu_cuGraphInstantiateWithFlags (CUgraphExec *exec, CUgraph graph,
				 unsigned long long flags)
{
  (void) flags;
  if (!exec || !emu_object_is (graph, EMU_GRAPH))
    return CUDA_ERROR_INVALID_VALUE;
  struct CUgraph_st *e = new_graph (EMU_GRAPH_EXEC);
  if (!e)
    return CUDA_ERROR_OUT_OF_MEMORY;
  for (const struct CUgraphNode_st *n; (n = next_node (graph, e));)
    {
      struct CUgraphNode_st *copy = malloc (sizeof *copy + n->size);
      if (!copy)
	{
	  release (e);
	  return CUDA_ERROR_OUT_OF_MEMORY;
	}
      memcpy (copy, n, sizeof *copy + n->size);
      copy->next = NULL;
      copy->after = NULL;
      copy->origin = (CUgraphNode) n;
      append (e, copy);
    }
  *exec = (CUgraphExec) e;
  return CUDA_SUCCESS;
}

/* What is on its way was copied when it was launched.  The function may be another
   one, as long as its parameters are as large.  */
CUresult
emu_cuGraphExecKernelNodeSetParams_v2 (CUgraphExec exec, CUgraphNode node,
				       const CUDA_KERNEL_NODE_PARAMS_v2 *p)
{
  if (!emu_object_is (exec, EMU_GRAPH_EXEC) || !p
      || (p->kernelParams && p->extra))
    return CUDA_ERROR_INVALID_VALUE;
  struct CUgraphNode_st *n = copy_in ((struct CUgraph_st *) exec, node);
  if (!n || n->kind != NODE_KERNEL)
    return CUDA_ERROR_INVALID_VALUE;
  CUfunction fn;
  CUresult r = emu_function_of (p->func ? p->func : (CUfunction) p->kern, &fn);
  if (r)
    return r;
  if (fn->info.params != n->size)
    return CUDA_ERROR_NOT_SUPPORTED;
  r = emu_launch_params (fn, n->params, p->kernelParams, p->extra);
  if (r)
    return r;
  n->what.kernel = *p;
  n->what.kernel.func = fn;
  return CUDA_SUCCESS;
}

CUresult
emu_cuGraphExecKernelNodeSetParams (CUgraphExec exec, CUgraphNode node,
				    const CUDA_KERNEL_NODE_PARAMS_v1 *p)
{
  if (!p)
    return CUDA_ERROR_INVALID_VALUE;
  CUDA_KERNEL_NODE_PARAMS_v2 now = { 0 };
  memcpy (&now, p, sizeof *p);
  return emu_cuGraphExecKernelNodeSetParams_v2 (exec, node, &now);
}

CUresult
emu_cuGraphInstantiate (CUgraphExec *exec, CUgraph graph, CUgraphNode *wrong,
			char *log, size_t size)
{
  if (wrong)
    *wrong = NULL;
  if (log && size)
    *log = '\0';
  return emu_cuGraphInstantiateWithFlags (exec, graph, 0);
}

CUresult
emu_cuGraphExecDestroy (CUgraphExec exec)
{
  if (!emu_object_is (exec, EMU_GRAPH_EXEC))
    return CUDA_ERROR_INVALID_VALUE;
  release ((struct CUgraph_st *) exec);
  return CUDA_SUCCESS;
}

/* Kernels of a graph may be of several contexts, its launch's stream of yet
   another.  */
static CUresult
launch_kernel (struct CUgraphNode_st *n, CUstream stream)
{
  const CUDA_KERNEL_NODE_PARAMS_v2 *k = &n->what.kernel;
  void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, n->params,
		    CU_LAUNCH_PARAM_BUFFER_SIZE, &n->size,
		    CU_LAUNCH_PARAM_END };
  CUfunction fn;
  CUresult r = emu_function_of (k->func, &fn);
  return r ? r : emu_launch_push (fn, k->gridDimX, k->gridDimY, k->gridDimZ,
				  k->blockDimX, k->blockDimY, k->blockDimZ,
				  k->sharedMemBytes, emu_stream_of (stream),
				  NULL, extra);
}

static CUresult
set_memory (const CUDA_MEMSET_NODE_PARAMS *p, CUstream stream)
{
  switch (p->elementSize)
    {
    case 1:
      return emu_cuMemsetD2D8Async (p->dst, p->pitch, (unsigned char) p->value,
				    p->width, p->height, stream);
    case 2:
      return emu_cuMemsetD2D16Async (p->dst, p->pitch,
				     (unsigned short) p->value, p->width,
				     p->height, stream);
    default:
      return emu_cuMemsetD2D32Async (p->dst, p->pitch, p->value, p->width,
				     p->height, stream);
    }
}

CUresult
emu_cuGraphLaunch (CUgraphExec exec, CUstream stream)
{
  if (!emu_object_is (exec, EMU_GRAPH_EXEC) || !emu_stream_of (stream))
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = CUDA_SUCCESS;
  struct CUgraphNode_st *n = ((struct CUgraph_st *) exec)->first;
  for (; n && !r; n = n->next)
    switch (n->kind)
      {
      case NODE_EMPTY:
	break;
      case NODE_KERNEL:
	r = launch_kernel (n, stream);
	break;
      case NODE_MEMCPY:
	r = emu_cuMemcpy3DAsync (&n->what.memcpy, stream);
	break;
      case NODE_MEMSET:
	r = set_memory (&n->what.memset, stream);
	break;
      case NODE_HOST:
	r = emu_cuLaunchHostFunc (stream, n->what.host.fn, n->what.host.userData);
	break;
      }
  return r;
}

/* There is nothing to send ahead.  */
CUresult
emu_cuGraphUpload (CUgraphExec exec, CUstream stream)
{
  return emu_object_is (exec, EMU_GRAPH_EXEC) && emu_stream_of (stream)
	   ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
