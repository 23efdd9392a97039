/* Pairing heaps; see heap.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/heap.h"

#include <stddef.h>

/* One heap of the heaps with roots A and B, either of which may be NULL.  */
static struct acr_heap_node *
meld (struct acr_heap_node *a, struct acr_heap_node *b)
{
  if (!a || !b)
    return a ? a : b;
  if (b->key < a->key)
    {
      struct acr_heap_node *c = a;
      a = b;
      b = c;
    }
  b->prev = a;
  b->next = a->child;
  if (b->next)
    b->next->prev = b;
  a->child = b;
  return a;
}

/* One heap of the siblings from N on: by pairs, then from the last to the
   first.  */
static struct acr_heap_node *
meld_siblings (struct acr_heap_node *n)
{
  struct acr_heap_node *pairs = NULL, *root = NULL;
  while (n)
    {
      struct acr_heap_node *a = n, *b = a->next;
      n = b ? b->next : NULL;
      a->next = a->prev = NULL;
      if (b)
        b->next = b->prev = NULL;
      a = meld (a, b);
      a->next = pairs;
      pairs = a;
    }
  while (pairs)
    {
      struct acr_heap_node *a = pairs;
      pairs = a->next;
      a->next = NULL;
      root = meld (root, a);
    }
  return root;
}

void
acr_heap_insert (struct acr_heap *h, struct acr_heap_node *n, uint64_t key)
{
  *n = (struct acr_heap_node){ .key = key };
  h->least = meld (h->least, n);
}

void
acr_heap_remove (struct acr_heap *h, struct acr_heap_node *n)
{
  struct acr_heap_node *rest = meld_siblings (n->child);
  if (!n->prev)
    {
      h->least = rest;
      return;
    }
  if (n->prev->child == n)
    n->prev->child = n->next;
  else
    n->prev->next = n->next;
  if (n->next)
    n->next->prev = n->prev;
  h->least = meld (h->least, rest);
}
