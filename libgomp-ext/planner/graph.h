/* The planner of fused transfers: which copies between host and device a
   sequence of kernels needs, when each may happen, and how to order vectors
   in memory and time so that few DMAs ("startups") carry all of them.

   Source: C. Kessler, "Global optimization of operand transfer fusion in
   heterogeneous computing" (called the paper below), sections 3 and 4.

   Model.  A program is a fixed sequence of kernels 0..N-1, each run by the
   host (the paper's CPU) or by the device (accelerator).  A kernel reads and
   writes vectors; a vector is one array that keeps one place on the host and
   one on the device.  Each kernel that writes a vector makes a new version
   of it (the paper's single assignment form); a kernel that writes only a
   part of a vector, or may do so, must be said to read it as well.

   Time.  Boundary b, 0 <= b <= N, lies before kernel b and after kernel b-1.
   Transfers happen at boundaries, downloads before uploads.  The paper's
   upload time is the boundary; its download time, "after kernel i", is
   boundary i+1.  Step s is the time between boundaries s and s+1, that is
   kernel s; step N is what follows the program.

   A version made on the host and read by the device is uploaded once, one
   made on the device and read by the host (or wanted there at exit) is
   downloaded once.  The boundaries at which this may happen are its window
   [earliest, latest]: up_earliest and up_latest, dn_earliest and dn_latest of
   section 4.  Transfers in the same direction, at the same boundary, of
   vectors adjacent in memory are one DMA.

   Startups.  As in Table 4: "before" is one for each transfer, "after" one
   for each DMA, and the difference is saved.

   Units are bytes; sizes are taken as given, so a caller that needs alignment
   rounds them up.  Nothing here has state outside its arguments: different
   graphs may be used by different threads at once, one graph by one thread at
   a time.  The same graph and options give the same plan on every machine.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_GRAPH_H
#define ACCRETE_GRAPH_H

#include "abi/abi.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Where a kernel runs; a set of these is where a vector has (at entry) or
   must have (at exit) its current value.  */
enum acr_where
{
  ACR_NOWHERE = 0,
  ACR_HOST = 1,
  ACR_DEVICE = 2,
  ACR_BOTH = 3
};

enum acr_plan_status
{
  ACR_PLAN_OK = 0,
  ACR_PLAN_NOMEM,     /* malloc failed */
  ACR_PLAN_UNDEFINED, /* a kernel reads a vector that has no value yet */
  ACR_PLAN_RANGE,     /* a count or a sum of bytes does not fit */
  ACR_PLAN_CAP        /* a step needs more than the cap on its own */
};

/* A sentence without a full stop.  */
const char *acr_plan_strerror (enum acr_plan_status);

/* Building a graph ------------------------------------------------------ */

struct acr_graph;

/* NULL when memory is out.  */
struct acr_graph *acr_graph_new (void);
void acr_graph_free (struct acr_graph *g);

/* Append a vector of BYTES > 0, with a value at ENTRY and wanted at EXIT.
   Its index, counted from 0, goes to *INDEX.  A vector that is wanted but
   never gets a value is not transferred.  */
enum acr_plan_status acr_graph_vector (struct acr_graph *g, size_t bytes,
                                       enum acr_where entry,
                                       enum acr_where exit, unsigned *index);

/* Append a kernel run by WHERE (ACR_HOST or ACR_DEVICE) to the program.  */
enum acr_plan_status acr_graph_kernel (struct acr_graph *g,
                                       enum acr_where where);

/* Add vector V, with a set of ACR_ACCESS_READ and ACR_ACCESS_WRITE, to the
   operands of the last kernel; accesses given more than once add up.
   UNDEFINED leaves the graph as it was.  */
enum acr_plan_status acr_graph_operand (struct acr_graph *g, unsigned v,
                                        unsigned access);

unsigned acr_graph_vectors (const struct acr_graph *g);
unsigned acr_graph_kernels (const struct acr_graph *g);
enum acr_where acr_graph_where (const struct acr_graph *g, unsigned kernel);

/* Has V a value after the kernels so far?  */
bool acr_graph_defined (const struct acr_graph *g, unsigned v);

/* The least cap under which the program can run: the bytes of all operands
   of its largest device kernel, or of what must be on the device at exit.
   *STEP, unless STEP is NULL, is where (N for the exit).  */
size_t acr_graph_least_cap (const struct acr_graph *g, unsigned *step);

/* Planning -------------------------------------------------------------- */

enum acr_plan_emit
{
  /* Transfers as early as their DMA allows.  */
  ACR_EMIT_GREEDY,
  /* Transfers such that device memory is held for the least byte-steps, with
     as few startups.  (The paper's tight choice may lose startups for that;
     a limit on memory is what CAP is for.)  Exact where vectors are
     transferred once, elsewhere each DMA by itself.  */
  ACR_EMIT_TIGHT
};

enum acr_plan_method
{
  /* Fewest startups we can find; see plan.c.  */
  ACR_METHOD_BEST,
  /* The paper's heuristic: affinity-biased randomised depth-first search for
     a heavy Hamiltonian path, the heaviest of TRIES.  */
  ACR_METHOD_PAPER
};

struct acr_plan_options
{
  enum acr_plan_emit emit;
  enum acr_plan_method method;
  unsigned tries; /* depth-first searches a component */
  uint64_t seed;
  size_t cap; /* most bytes of device memory in any step */
  /* Components with vectors that are transferred more than once are searched
     exactly up to this many vectors and search nodes (plan-exact.c); larger
     ones by local search up to this many moves (plan-path.c).  */
  unsigned exact; /* at most ACR_EXACT_LIMIT */
  uint64_t nodes, moves;
};

enum
{
  ACR_EXACT_LIMIT = 18
};

/* Greedy, best, 4 tries, no cap; exact up to 10 vectors; nodes and moves such
   that planning a hundred kernels takes about a millisecond.  */
extern const struct acr_plan_options acr_plan_defaults;

enum acr_direction
{
  ACR_UP, /* host to device */
  ACR_DOWN
};

struct acr_transfer
{
  unsigned vector;
  unsigned version; /* 0 at entry, one more for each write */
  enum acr_direction dir;
  unsigned earliest, latest; /* window, boundaries */
  unsigned idle;             /* an upload before, or a download after, this
                                boundary holds device memory for nothing else */
  unsigned at;               /* the boundary chosen */
  unsigned dma;              /* index into acr_plan.dmas */
};

/* The stay of one version on the device: steps first..last, none when
   first > last.  */
struct acr_copy
{
  unsigned vector, version;
  unsigned born; /* boundary from which the version exists */
  int first, last;
  int up, down; /* its transfers, or -1 */
};

/* One fused transfer: the vectors at places first..first+count-1.  */
struct acr_dma
{
  enum acr_direction dir;
  unsigned at; /* boundary */
  unsigned first, count;
  size_t bytes;
};

struct acr_plan
{
  unsigned nvectors;
  const unsigned *order;     /* vector at each place of memory */
  const size_t *offset;      /* byte offset of each vector */
  unsigned ncomponents;      /* of the affinity graph, ... */
  const unsigned *component; /* ... their first places, and nvectors */

  unsigned ntransfers;
  const struct acr_transfer *transfers; /* by vector, then by time */
  unsigned ndmas;
  const struct acr_dma *dmas; /* by boundary, downloads first */
  unsigned ncopies;
  const struct acr_copy *copies; /* by vector, then by time */

  unsigned startups_before; /* transfers, as if there were no cap */
  unsigned startups_after;  /* DMAs */
  unsigned startups_least;  /* proved: no plan has fewer */
  size_t peak;              /* bytes of device memory, most in a step */
};

/* Plan the transfers of G.  On success *PLAN is to be released with
   acr_plan_free; on failure it is NULL.  */
enum acr_plan_status acr_plan_make (const struct acr_graph *g,
                                    const struct acr_plan_options *opt,
                                    struct acr_plan **plan);
void acr_plan_free (struct acr_plan *plan);

/* Write the affinity graph of G (figure 3 of the paper) in the language of
   Graphviz, the edges between neighbours of PLAN's order in red.  NAME gives
   the text for a vector.  */
enum acr_plan_status acr_plan_dot (FILE *out, const struct acr_graph *g,
                                   const struct acr_plan *plan,
                                   const char *(*name) (void *, unsigned),
                                   void *data);

#endif /* ACCRETE_GRAPH_H */
