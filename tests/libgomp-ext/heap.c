/* Heaps against a set that is searched from end to end.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "base/heap.h"
#include "random.h"
#include "tap.h"

#include <stddef.h>

enum
{
  N = 200,
  STEPS = 50000
};

int
main (void)
{
  static struct acr_heap_node node[N];
  static bool in[N];
  struct acr_heap heap = { 0 };
  unsigned wrong = 0, most = 0, count = 0;

  ok (!heap.least, "zeros are an empty heap");
  for (unsigned s = 0; s < STEPS; s++)
    {
      unsigned i = below (N);
      if (in[i])
        acr_heap_remove (&heap, &node[i]);
      else
        acr_heap_insert (&heap, &node[i], below (3 * N));
      in[i] = !in[i];
      count += in[i] ? 1 : -1;
      most = count > most ? count : most;

      /* By turns mostly full and nearly empty.  */
      while (s % 5000 > 2500 && heap.least)
        {
          unsigned k = heap.least - node;
          acr_heap_remove (&heap, heap.least);
          wrong += !in[k];
          in[k] = false;
          count--;
        }
      const struct acr_heap_node *least = NULL;
      for (unsigned k = 0; k < N; k++)
        if (in[k] && (!least || node[k].key < least->key))
          least = &node[k];
      wrong += !heap.least != !least
               || (least && heap.least->key != least->key);
    }
  ok_int (wrong, 0, "the least is on top after each of many steps");
  ok (most > N / 3, "with many nodes");
  return done_testing ();
}
