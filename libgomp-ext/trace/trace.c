/* Constructs in the trace; see trace.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/path.h"
#include "interpose/construct.h"
#include "trace/nvtx.h"
#include "trace/trace-int.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

bool acr_trace_on;

/* Does the thread have a construct in the trace?  */
static __thread bool traced __attribute__ ((tls_model ("initial-exec")));

/* What the child is in has begun in another file.  */
static void
in_child (void)
{
  traced = false;
}

void
acr_trace_start (void)
{
  if (acr_env.trace)
    {
      acr_trace_file (acr_env.trace);
      pthread_atfork (NULL, NULL, in_child);
    }
  acr_trace_on = acr_nvtx_start () || acr_env.trace;
}

void
acr_trace_finish (void)
{
  if (acr_env.trace)
    acr_trace_close ();
}

const char *
acr_trace_place (char to[ACR_TRACE_TEXT], const struct acr_region *r)
{
  char text[ACR_TRACE_TEXT];
  snprintf (text, sizeof text, "%s:%u %s", r->file, r->line,
            acr_kind_name (r->kind));
  return acr_trace_quote (to, text);
}

/* Where CALL comes from, as addr2line takes it, quoted.  */
static const char *
caller (char to[ACR_TRACE_TEXT], const struct acr_call *call)
{
  char text[ACR_TRACE_TEXT];
  return acr_trace_quote (to, acr_path_code (text, sizeof text, call->from));
}

void
acr_trace_construct (const struct acr_call *call)
{
  double now = acr_now_us ();
  char name[ACR_TRACE_TEXT], from[ACR_TRACE_TEXT];
  const struct acr_region *r
      = call->region ? acr_region_find (call->region) : NULL;
  if (r)
    acr_trace_place (name, r);
  else
    acr_trace_quote (name, call->name);
  acr_nvtx_push (name);
  traced = true;
  if (acr_env.trace)
    acr_trace_event ("\"tid\":%d,\"ph\":\"B\",\"cat\":\"construct\","
                     "\"ts\":" ACR_TRACE_US
                     ",\"name\":\"%s\",\"args\":{\"entry\":\"%s\","
                     "\"operands\":%zu,\"from\":\"%s\"}",
                     acr_trace_thread (), ACR_TRACE_TIME (now), name,
                     call->name, call->n, caller (from, call));
}

void
acr_trace_construct_end (void)
{
  double now = acr_now_us ();
  if (!traced)
    return;
  traced = false;
  acr_nvtx_pop ();
  if (!acr_env.trace)
    return;
  acr_trace_event ("\"tid\":%d,\"ph\":\"E\",\"ts\":" ACR_TRACE_US,
                   acr_trace_thread (), ACR_TRACE_TIME (now));
  acr_trace_flush ();
}
