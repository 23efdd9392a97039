/* Constructs in the trace; see trace.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/path.h"
#include "interpose/construct.h"
#include "report/directive.h"
#include "trace/nvtx.h"
#include "trace/trace-int.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum
{
  OPEN = 16 /* data constructs of a thread, one in another */
};

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
  return acr_trace_quote (to, acr_region_place (text, sizeof text, r));
}

/* Where CALL comes from, as addr2line takes it, quoted.  */
static const char *
caller (char to[ACR_TRACE_TEXT], const struct acr_call *call)
{
  char text[ACR_TRACE_TEXT];
  return acr_trace_quote (to, acr_path_code (text, sizeof text, call->from));
}

/* The directive of CALL, or of what it ends.  */
static const struct acr_region *
directive_of (const struct acr_call *call)
{
  static __thread struct
  {
    unsigned n; /* may exceed OPEN */
    const struct acr_region *of[OPEN];
  } open __attribute__ ((tls_model ("initial-exec")));
  if (acr_call_ends_data (call))
    return open.n && --open.n < OPEN ? open.of[open.n] : NULL;
  const struct acr_region *r = acr_call_directive (call);
  if (acr_call_starts_data (call) && open.n++ < OPEN)
    open.of[open.n - 1] = r;
  return r;
}

/* What CALL, of directive R, is called, quoted.  */
static const char *
name_of (char to[ACR_TRACE_TEXT], const struct acr_call *call,
         const struct acr_region *r)
{
  if (!r)
    return acr_trace_quote (to, call->name);
  acr_trace_place (to, r);
  if (acr_call_ends_data (call) && strlen (to) + 5 < ACR_TRACE_TEXT)
    strcat (to, " end");
  return to;
}

/* The names of R's operands, each once, quoted.  */
static const char *
variables_of (char to[ACR_TRACE_TEXT], const struct acr_region *r)
{
  char text[ACR_TRACE_TEXT] = "";
  size_t len = 0;
  for (unsigned i = 0; r && i < r->nops && len < sizeof text; i++)
    {
      const char *name = r->ops[i].name;
      unsigned first = 0;
      while (strcmp (r->ops[first].name, name))
        first++;
      if (*name && first == i)
        len += snprintf (text + len, sizeof text - len, "%s%s",
                         len ? ", " : "", name);
    }
  return acr_trace_quote (to, text);
}

void
acr_trace_construct (const struct acr_call *call)
{
  double now = acr_now_us ();
  char name[ACR_TRACE_TEXT], from[ACR_TRACE_TEXT], names[ACR_TRACE_TEXT];
  const struct acr_region *r = directive_of (call);
  name_of (name, call, r);
  acr_nvtx_push (name);
  traced = true;
  if (acr_env.trace)
    acr_trace_event ("\"tid\":%d,\"ph\":\"B\",\"cat\":\"construct\","
                     "\"ts\":" ACR_TRACE_US
                     ",\"name\":\"%s\",\"args\":{\"entry\":\"%s\","
                     "\"operands\":%zu,\"variables\":\"%s\","
                     "\"from\":\"%s\"}",
                     acr_trace_thread (), ACR_TRACE_TIME (now), name,
                     call->name, call->n, variables_of (names, r),
                     caller (from, call));
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
