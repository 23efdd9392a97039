/* Kernels that are handed to the driver later, so that copies to the device
   leave together.

   A program sends to each kernel what it reads right before it; copies and
   kernels then alternate on the device, and each change between them costs as
   much as a small copy.  The planner (plan.h) brings a send forward, to where
   an earlier one leaves.  At run time that would be a guess: what is sent early
   overwrites device memory that somebody may still read if the program does not
   go on as it did before.  So here a send stays where it is, and the kernels
   before it move back: one that nobody waits for (defer.c) is kept, later
   constructs send, and all copies go in front of all kernels.  A send is then
   in the same place of the order as if it had been brought forward over these
   kernels.

   Why this gives what stock gives.  A kernel only changes places with copies to
   the device that come before it is handed over; everything else that the
   driver is asked for finds it handed over (stream.h).  Such a copy

   - reads pinned memory, into which the host's was copied at its own time;
   - writes nothing that the kernel may access: the region's tag says that it
     accesses no memory but its operands' and static variables (abi.h, closed).
     What was mapped as one with an operand is noted (object.h), which may be a part
     of it, or the parts that the tag says (section.h), the blocks of pointers that
     libgomp maps besides, and the block of its arguments where those are not
     parameters (args.h); what is not in the pool may be static.  Where a block is
     freed and handed out again, its addresses still count.

   Memory that is freed may be handed out again, to what comes behind in the
   order of the NULL stream; before it goes back to the driver, or to work on
   another stream, all is handed over.

   A kernel is kept only where copies in front of it are here as well, which others
   could join: one that waits for less is but late.  Which of them are, a plan says
   where there is one (layout.c).  Else what is recorded is where that pays: a kernel
   in front of which no copy was ever put when it was handed over is not kept the next
   times, and takes along what was.  So in a loop the kernels behind the last send to
   some kernel are launched at once, from the second or third iteration on.  That is
   for speed alone; a deviation costs a copy more.

   Or a kernel waits for others that come behind it again and again, to be one graph
   with them (period.h).  Nothing else is different then: who could see that a kernel
   has not been launched finds it handed over, and a copy that passes it is one that
   may.  So it is with nowait regions that are no tasks (defer.h): the program waits for
   them elsewhere, and their kernels access device memory alone.  They wait for others, but
   not for copies: by nowait the program may have said that the host has other work now.

   Small kernels that have nothing to do with each other may leave as one (batch.h), such
   as those that fill the borders of several arrays: neither writes what the other may
   access.  So they have levels: a kernel is above those before it with which it
   conflicts, and kernels of one level are one batch.  A kernel that cannot be in one, or of
   which something else can be seen than what it stores (uses.h), is above all before it,
   and below all behind it.

   Source: C. Kessler, "Global optimization of operand transfer fusion in
   heterogeneous computing", section 4.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "interpose/events.h"
#include "interpose/fault.h"
#include "launch/graph/batch.h"
#include "launch/graph/graph-may.h"
#include "launch/graph/period.h"
#include "launch/kernel.h"
#include "memory/pool.h"
#include "report/row.h"
#include "transfer/address.h"
#include "transfer/hold.h"
#include "transfer/policy/limit.h"
#include "transfer/stream.h"
#include "transfer/uses.h"

#include <string.h>

enum
{
  KERNELS = 64,
  USES = 512,
  ARGS = 512, /* bytes of arguments */
  VAIN = 2, /* times in a row that it did not pay */
  AGAIN = 64 /* then it is tried once in so many */
};

static struct kernel
{
  struct acr_launch launch;
  struct acr_site *site;
  bool period; /* it waits for others, not for copies */
  unsigned passed; /* of NPASSED, before it */
  struct acr_use *use; /* NUSES of USE */
  unsigned nuses;
  bool free; /* it may change places with others that it has nothing to do with */
  _Alignas (8) char args[ARGS];
} kernels[KERNELS];
static unsigned nkernels, npassed;
static acr_issue *hand_to_driver;

/* What they may access.  */
static struct acr_use use[USES];
static struct acr_uses uses = { use, 0, USES, false };

bool
acr_hold_any (void)
{
  return nkernels;
}

bool
acr_hold_uses (CUdeviceptr p, size_t n)
{
  struct acr_use all = { acr_pieces_whole (p, n), true };
  return acr_uses_conflict (use, uses.n, &all, 1);
}

void
acr_hold_passed (void)
{
  npassed++;
}

/* ---- What a kernel accesses -------------------------------------------- */

/* Whether C has large operands, which no copy would go with.  */
static bool
is_large (const struct acr_construct *c)
{
  const struct acr_call *call = c->call;
  const struct acr_region *r = acr_call_closed (call);
  for (unsigned i = 0; r && i < call->n; i++)
    {
      enum acr_map map = acr_region_slot (r, i)->map;
      if ((map == ACR_MAP_DATA || map == ACR_MAP_COPY)
          && call->sizes[i] > ACR_SIZE_join)
        return true;
    }
  return false;
}

/* ---- Kernels ----------------------------------------------------------- */

/* Whether it is known to pay that a kernel of C's is kept: by a plan, or since it has,
   or has not yet been tried.  */
static bool
is_worth (const struct acr_construct *c)
{
  int planned = acr_record_holds (c->record);
  return planned < 0 ? c->site->vain < VAIN : planned;
}

bool
acr_hold_expects (const struct acr_construct *c)
{
  return acr_stream_has (ACR_KERNELS)
         || (c->call->unseen && !acr_opt_off (ACR_OPT_hold) && is_worth (c)
             && acr_call_closed (c->call));
}

/* Whether all kernels that are here wait for others.  */
static bool
is_period (void)
{
  return nkernels && kernels[0].period && !npassed;
}

/* Whether copies are here that others could join, or kernels that wait for some; else
   a kernel that waits is but late.  */
static bool
has_company (void)
{
  return acr_stream_has (ACR_SENDS) || (nkernels && !is_period ());
}

/* Whether a kernel of C's is kept; where nothing is planned, now and then to see whether
   it pays by now.  */
static bool
pays (const struct acr_construct *c)
{
  return is_worth (c)
         || (acr_record_holds (c->record) < 0 && ++c->site->tried % AGAIN == 0);
}

/* Let K have L, with parameters of its own.  */
static void
copy_launch (struct kernel *k, const struct acr_launch *l)
{
  k->launch = *l;
  acr_pair_leave (&k->launch);
  acr_launch_own_params (&k->launch, l->params);
  if (l->kernel->args)
    k->launch.pointer[0] = memcpy (k->args, l->params[0], l->kernel->args);
}

static bool
add (struct acr_construct *c, const struct acr_launch *l, bool period)
{
  unsigned first = uses.n;
  uses.sections = acr_batch_wanted ();
  if (!l->words || l->stream || l->extra || l->stacks || l->trial.timed
      || l->pairing.expects || l->kernel->args > ARGS || nkernels == KERNELS
      || !acr_uses_add (&uses, c, l))
    return false;
  struct kernel *k = &kernels[nkernels++];
  copy_launch (k, l);
  k->use = use + first;
  k->nuses = uses.n - first;
  k->free = acr_batch_may (l) && acr_uses_tell_all (c);
  k->site = c->site;
  k->period = period;
  k->passed = npassed;
  acr_debug (3, "hold: %s", l->kernel->name);
  return true;
}

/* ---- What is behind what ----------------------------------------------- */

/* Must B be behind A, which came before?  */
static bool
is_behind (const struct kernel *b, const struct kernel *a)
{
  return !a->free || !b->free
         || acr_uses_conflict (a->use, a->nuses, b->use, b->nuses);
}

/* Why K, the only one of its level, is not launched with others.  */
static enum acr_why
why_alone (const struct kernel *k)
{
  if (k->free)
    return nkernels > 1 ? ACR_WHY_DEPENDS : ACR_WHY_LONE;
  return acr_batch_fills (&k->launch) ? ACR_WHY_FILLS
         : acr_batch_may (&k->launch) ? ACR_WHY_TOLD
                                      : ACR_WHY_CODE;
}

/* Let the report know of all that are alone.  */
static void
report_alone (void)
{
  unsigned n[KERNELS] = { 0 };
  for (unsigned i = 0; i < nkernels; i++)
    n[kernels[i].launch.level]++;
  for (unsigned i = 0; i < nkernels; i++)
    if (n[kernels[i].launch.level] == 1)
      acr_row_why_launch (&kernels[i].launch, why_alone (&kernels[i]));
}

/* Note in each kernel's launch its level, which is above those of all that it must be
   behind.  Whether two have the same; not looked for where there are no batches.  */
static bool
find_levels (void)
{
  unsigned top = 0;
  if (!acr_batch_wanted ())
    return false;
  for (unsigned i = 0; i < nkernels; i++)
    {
      unsigned level = 0;
      for (unsigned j = 0; j < i; j++)
        if (kernels[j].launch.level >= level
            && is_behind (&kernels[i], &kernels[j]))
          level = kernels[j].launch.level + 1;
      kernels[i].launch.level = level;
      top = level > top ? level : top;
    }
  if (acr_row_on)
    report_alone ();
  return top + 1 < nkernels;
}

/* ---- The rank ---------------------------------------------------------- */

static void
forget (void)
{
  nkernels = uses.n = npassed = 0;
}

/* Note whether it was of use that K stayed.  */
static void
note_gain (const struct kernel *k)
{
  bool paid = k->passed != npassed;
  acr_count_for (k->launch.by, held, paid);
  if (paid)
    k->site->vain = 0;
  else if (!k->period && k->site->vain < VAIN)
    k->site->vain++;
}

static void
hand_over (struct acr_construct *c, unsigned ranks)
{
  (void)c, (void)ranks;
  const struct acr_launch *l[KERNELS];
  for (unsigned i = 0; i < nkernels; i++)
    {
      l[i] = &kernels[i].launch;
      note_gain (&kernels[i]);
    }
  bool together = find_levels ();
  if (nkernels && kernels[0].period)
    acr_period_leaves (nkernels, together);
  CUresult r = hand_to_driver (l, nkernels);
  acr_events->status (r);
  if (r)
    acr_fault ("cuLaunchKernel", r);
  forget ();
}

/* All kernels may access static variables, which are not the pool's.  */
static bool
conflicts (const struct acr_effects *e)
{
  struct acr_memory m;
  return e->n
         && (!acr_pool_memory (e->device, e->n, &m)
             || acr_hold_uses (e->device, e->n));
}

static const struct acr_rank rank
    = { ACR_KERNELS, ACR_SENDS, hand_over, conflicts, forget };

/* ---- Hooks ------------------------------------------------------------- */

/* Whether L, of C, is kept for others, as the stream is open: whether that is
   known to be right is for add to say.  A list that comes round leaves first.  */
static bool
is_in_period (const struct acr_launch *l)
{
  if (is_period ()
      && acr_period_comes_round (nkernels, kernels[0].launch.fn, l->fn))
    acr_stream_drain (ACR_KERNELS);
  return (!nkernels || is_period ()) && acr_period_keeps (nkernels);
}

bool
acr_hold_launch (const struct acr_launch *l, acr_issue *issue)
{
  struct acr_construct *c = acr_construct_current ();
  bool period = acr_graph_may_list ();
  if (!c || !(has_company () || period) || acr_opt_off (ACR_OPT_gather)
      || acr_opt_off (ACR_OPT_hold) || acr_address_known ()
      || !acr_stream_open (c))
    return false;
  bool copies
      = has_company () && !c->call->leaves && pays (c) && !is_large (c);
  period = !copies && period && is_in_period (l);
  bool added = (copies || period) && add (c, l, period);
  if (added)
    {
      hand_to_driver = issue;
      acr_stream_add (&rank);
    }
  if (period && added && acr_period_is_full (nkernels))
    acr_stream_drain (ACR_KERNELS);
  acr_stream_close ();
  return added;
}

void
acr_hold_frees (void)
{
  if (!acr_hold_any ())
    acr_stream_drain (ACR_SENDS);
}
