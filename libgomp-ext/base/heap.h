/* Heaps of nodes that lie in other structures, least key first.

   A pairing heap (Fredman, Sedgewick, Sleator, Tarjan 1986): constant time to
   insert and to look, logarithmic to remove, amortised.  All zeros is an empty
   heap.  The caller locks.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_HEAP_H
#define ACCRETE_HEAP_H

#include <stdint.h>

struct acr_heap_node
{
  uint64_t key;
  struct acr_heap_node *child, *next;
  struct acr_heap_node *prev; /* the parent of a first child; NULL: the root */
};

struct acr_heap
{
  struct acr_heap_node *least; /* or NULL */
};

void acr_heap_insert (struct acr_heap *, struct acr_heap_node *, uint64_t key);
void acr_heap_remove (struct acr_heap *, struct acr_heap_node *);

#endif /* ACCRETE_HEAP_H */
