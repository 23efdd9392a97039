/* Long nowait regions that are no tasks; see leave.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "interpose/leave.h"

#include "ext.h"
#include "interpose/construct.h"
#include "interpose/image.h"

enum
{
  /* Launches without a part; a pair is foretold the third time.  */
  VAIN = 16,
  /* Calls that waited: one may do so as the machine has other work.  */
  SLOW = 3
};

/* The program did something else beside one: all are tasks.  */
static _Atomic bool ends;
/* This thread has left one, and has not waited since.  */
static __thread bool left __attribute__ ((tls_model ("initial-exec")));

/* The region of the current construct, if that is nowait and what WANTED says.  */
static struct acr_image_region *
region (bool (*wanted) (const struct acr_call *))
{
  const struct acr_construct *c = acr_construct_current ();
  return c && wanted (c->call) ? acr_image_region (c->call->region) : NULL;
}

static bool
is_timed (const struct acr_call *c)
{
  return c->timed;
}

static bool
is_left (const struct acr_call *c)
{
  return c->lasts;
}

bool
acr_leave_wants (const struct acr_image_region *r)
{
  return r->fills && r->vain < VAIN && r->slow < SLOW && !ends
         && !acr_libgomp.level () && acr_construct_lone ();
}

void
acr_leave_begin (const struct acr_call *c)
{
  if (c->lasts)
    left = true;
  else if (left && !c->leaves && !c->timed)
    ends = true;
}

void
acr_leave_ended (struct acr_image_region *r, double microseconds)
{
  bool slow = 2 * microseconds > acr_env.nowait_min;
  r->slow = slow ? r->slow + 1 : 0;
}

void
acr_leave_waited (void)
{
  left = false;
}

void
acr_leave_fills (bool fills)
{
  struct acr_image_region *r = region (is_timed);
  if (r)
    r->fills = fills;
}

void
acr_leave_paired (bool is)
{
  struct acr_image_region *r = region (is_left);
  if (r)
    r->vain = is ? 0 : r->vain + 1;
}
