/* Whether launches may go to the driver otherwise than one by one: what the user wants,
   and the driver has.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_GRAPH_MAY_H
#define ACCRETE_GRAPH_MAY_H

#include <stdbool.h>

/* As graphs, also of several kernels; and small kernels as one (batch.h).  */
bool acr_graph_may (void);
bool acr_graph_may_list (void);
bool acr_batch_wanted (void);

#endif /* ACCRETE_GRAPH_MAY_H */
