/* Launches as graphs, of one kernel or several.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_GRAPH_LAUNCH_H
#define ACCRETE_GRAPH_LAUNCH_H

#include <stdbool.h>

#include "interpose/cuda-types.h"

struct acr_launch;

/* Thread-safe, all of it.  */

/* Launch L, or the N kernels of L one after the other, as a graph.  False when that did
   not happen: nothing is launched.  */
bool acr_graph_launch (const struct acr_launch *l);
bool acr_graph_launch_list (const struct acr_launch *const *l, unsigned n);

/* Whether the next kernel is behind a copy, where a graph would begin late; once.  */
bool acr_graph_behind_copy (void);

/* A copy between host and device is on its way; the NULL stream's work is done.  */
void acr_graph_copies (void);
void acr_graph_synced (void);

/* MODULE is about to be unloaded; CTX to be destroyed, or left to the program.  */
void acr_graph_unload (CUmodule module);
void acr_graph_forget (CUcontext ctx);

#endif /* ACCRETE_GRAPH_LAUNCH_H */
