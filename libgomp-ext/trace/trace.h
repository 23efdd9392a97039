/* The trace: what the program's constructs, the driver calls behind them and
   the kernels on the GPU took and when, as a file for Perfetto or
   chrome://tracing (ACCRETE_TRACE); and constructs as ranges for NVIDIA's
   tools (nvtx.c).

     trace.c	constructs; start and end
     calls.c	driver calls
     gpu.c	kernels, by the driver's events
     file.c	the file

   Thread-safe.  Without ACCRETE_TRACE a construct costs two branches, and the
   driver is called as ever.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_TRACE_H
#define ACCRETE_TRACE_H

#include <stdbool.h>

struct acr_call;
struct acr_kernel;

/* Are constructs followed?  Constant once the settings are read.  */
extern bool acr_trace_on;

/* The settings have been read.  */
void acr_trace_start (void);
/* acr_driver is complete, and nobody calls it yet.  */
void acr_trace_attach (void);
/* The process ends, and no device is in use any more.  */
void acr_trace_finish (void);

/* An outermost construct begins or ends in this thread.  */
void acr_trace_construct (const struct acr_call *call);
void acr_trace_construct_end (void);

#define acr_trace_begin(call)                                                 \
  do                                                                          \
    if (__builtin_expect (acr_trace_on, 0))                                   \
      acr_trace_construct (call);                                             \
  while (0)
#define acr_trace_end()                                                       \
  do                                                                          \
    if (__builtin_expect (acr_trace_on, 0))                                   \
      acr_trace_construct_end ();                                             \
  while (0)

/* What this thread launches next is KERNEL, or NULL: not known.  */
extern __thread const struct acr_kernel *acr_trace_kernel
    __attribute__ ((tls_model ("initial-exec")));

#endif /* ACCRETE_TRACE_H */
