/* Whether launches may be graphs, lists or batches; see graph-may.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/graph/graph-may.h"

#include "base/fact.h"
#include "ext.h"

#include <stdlib.h>

/* A tool that the driver loads may show launches one by one.  */
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

bool
acr_graph_may (void)
{
  static _Atomic enum acr_fact fact;
  return acr_fact (&fact, may);
}

bool
acr_graph_may_list (void)
{
  return acr_env.graphs >= ACR_GRAPHS_LISTS && acr_graph_may ();
}

bool
acr_batch_wanted (void)
{
  return acr_env.pair != ACR_PAIR_WORD_OFF && !acr_opt_off (ACR_OPT_pair)
         && !acr_env.times && acr_graph_may_list ();
}
