/* What the files of the trace share; see trace.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_TRACE_INT_H
#define ACCRETE_TRACE_INT_H

#include "ext.h"
#include "trace/trace.h"

/* ---- file.c ------------------------------------------------------------ */

/* Events go to the file that PATTERN names: %p is the process's number, %h the
   host, %r the rank that the launcher of a parallel program gives it (0).  The
   file is made with the first event.  */
void acr_trace_file (const char *pattern);

/* Add an event; the printf format FMT is its fields behind "pid".  */
void acr_trace_event (const char *fmt, ...)
    __attribute__ ((format (printf, 1, 2)));
/* Hand what was added to the system, which keeps it when the process dies.  */
void acr_trace_flush (void);
void acr_trace_close (void);

/* Microseconds for printf, which takes its time over a double.  */
#define ACR_TRACE_US "%llu.%03u"
#define ACR_TRACE_TIME(us)                                                    \
  (unsigned long long)((us) * 1e3) / 1000,                                    \
      (unsigned)((unsigned long long)((us) * 1e3) % 1000)

/* TEXT as the inside of a JSON string, shortened to fit; returns TO.  */
enum
{
  ACR_TRACE_TEXT = 512
};
const char *acr_trace_quote (char to[ACR_TRACE_TEXT], const char *text);

/* The track of the calling thread.  */
int acr_trace_thread (void);

/* ---- trace.c ----------------------------------------------------------- */

/* "file:line kind" of R, quoted.  */
const char *acr_trace_place (char to[ACR_TRACE_TEXT],
                             const struct acr_region *r);

/* ---- gpu.c ------------------------------------------------------------- */

/* The driver's own functions.  */
extern struct acr_driver acr_trace_driver;

/* acr_trace_driver is there, and the file's name.  */
void acr_trace_gpu_start (void);

/* A kernel is about to be launched on STREAM: NULL, or what to tell when it
   was, with status R.  ARGS is JSON, of what is known about it.  */
struct acr_trace_run *acr_trace_gpu_begin (CUstream stream, const char *name,
                                           const char *args);
void acr_trace_gpu_end (struct acr_trace_run *run, CUstream stream,
                        CUresult r);
/* Tell about kernels that have ended.  */
void acr_trace_gpu_collect (void);
/* The context CTX is about to be destroyed.  */
void acr_trace_gpu_forget (CUcontext ctx);

#endif /* ACCRETE_TRACE_INT_H */
