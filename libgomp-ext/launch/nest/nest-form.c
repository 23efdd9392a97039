/* Forms of kernels with children; see nest-form.h.

   Source of what "auto" tries: Olabi et al., A Compiler Framework for
   Optimizing Dynamic Parallelism on GPUs (CGO 2022): granularity, threshold
   and coarsening factor are chosen together.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/nest/nest-form.h"

#include "abi/abi.h"
#include "ext.h"
#include "launch/nest/nest-auto.h"
#include "launch/nest/nest-mode.h"

#define NEVER ACR_NEST_FORM_NEVER

/* Iterations that keep a warp busy; with "auto", those that are many for one,
   and for a block.  */
#define LEAST 32
#define AUTO_MANY 512
#define AUTO_FAR 4096

/* One among which measurement chooses.  */
struct try
{
  enum acr_nest_group group;
  /* As many iterations as a child must have for its group, and for the queue;
     0: any.  */
  uint64_t least, far;
  unsigned coarse; /* acr_nest_form_coarse */
  /* For recursions too, in which what runs without levels is one thread's
     work.  */
  bool recursive;
  const char *words;
};

static const struct try tries[ACR_NEST_TRIES] = {
  { ACR_NEST_BY_THREAD, NEVER, NEVER, 0, true, "in place" },
  { ACR_NEST_BY_WARP, 0, NEVER, 0, false, "by warps" },
  { ACR_NEST_BY_BLOCK, 0, NEVER, 0, false, "by blocks" },
  { ACR_NEST_BY_BLOCK, 0, 0, 0, true, "behind the parent" },
  { ACR_NEST_BY_WARP, 0, AUTO_MANY, 0, true,
    "by warps, those of many iterations behind the parent" },
  { ACR_NEST_BY_WARP, LEAST, AUTO_FAR, 0, true,
    "by warps, large ones behind the parent" },
  { ACR_NEST_BY_BLOCK, 0, 0, 1, false,
    "behind the parent, two iterations a thread or more" },
  { ACR_NEST_BY_BLOCK, 0, 0, 3, false,
    "behind the parent, eight iterations a thread or more" },
  { ACR_NEST_BY_BLOCK, 0, NEVER, 2, false,
    "by blocks, four iterations a thread or more" },
  { ACR_NEST_BY_BLOCK, 0, NEVER, 4, false,
    "by blocks, sixteen iterations a thread or more" },
};
static_assert (ACR_NEST_AUTO_INPLACE == 0
                   && (int)ACR_NEST_TRIES <= (int)ACR_NEST_AUTO_MOST,
               "the forms of nest-auto.h");

bool
acr_nest_form_chosen (void)
{
  return acr_env.nest == ACR_NEST_AUTO || acr_env.nest == ACR_NEST_ALL;
}

/* T, in which children with fewer iterations than LEAST run in place.  */
static struct acr_nest_rule
form_of (const struct try *t, uint64_t least)
{
  return (struct acr_nest_rule){ t->group,
                                 t->least > least ? t->least : least,
                                 t->far > least ? t->far : least };
}

void
acr_nest_form_all (struct acr_nest_rule form[ACR_NEST_FORMS])
{
  enum acr_nest mode = acr_env.nest;
  bool chosen = acr_nest_form_chosen ();
  uint64_t given = acr_env.nest_min,
           least = given    ? given
                   : chosen ? 1
                            : LEAST;
  const struct acr_nest_rule
      fixed = { acr_nest_mode (mode)->group, least, NEVER },
      together = { ACR_NEST_BY_BLOCK, least, least };
  for (unsigned i = 0; i < ACR_NEST_TRIES; i++)
    form[ACR_NEST_FORM_AUTO + i] = form_of (&tries[i], least);
  form[ACR_NEST_FORM_PLAIN]
      = chosen ? form_of (&tries[ACR_NEST_AUTO_INPLACE], least) : fixed;
  form[ACR_NEST_FORM_QUEUE] = mode == ACR_NEST_GRID ? together : fixed;
  form[ACR_NEST_FORM_LAUNCHED] = fixed;
}

/* Can T be a form of R's kernels, with a queue where there is ROOM for it?  */
static bool
possible (const struct try *t, const struct acr_region *r, bool room)
{
  /* Then they are like those before.  */
  if (t->coarse && acr_env.nest_coarse)
    return false;
  if (r->launches > 2)
    return t->recursive && (room || t->far == NEVER);
  /* Of children that are not deferred all forms with a queue are like another
     one, but for that of few iterations.  */
  return t->far == NEVER || (r->launches > 1 ? room : t->least > 0);
}

unsigned
acr_nest_form_tries (const struct acr_region *r, bool room)
{
  unsigned set = 0;
  for (unsigned i = 0; i < ACR_NEST_TRIES; i++)
    set |= (unsigned)possible (&tries[i], r, room) << i;
  return set;
}

/* The logarithm of N, not 0, or ACR_NEST_COARSE_MOST.  */
static unsigned
log_of (size_t n)
{
  unsigned log = 0;
  while (log < ACR_NEST_COARSE_MOST && n >> log > 1)
    log++;
  return log;
}

unsigned
acr_nest_form_coarse (unsigned form)
{
  if (acr_env.nest_coarse)
    return log_of (acr_env.nest_coarse);
  return form < ACR_NEST_FORM_AUTO ? 0
                                   : tries[form - ACR_NEST_FORM_AUTO].coarse;
}

const char *
acr_nest_form_words (unsigned form)
{
  return tries[form < ACR_NEST_FORM_AUTO ? ACR_NEST_AUTO_INPLACE
                                         : form - ACR_NEST_FORM_AUTO]
      .words;
}
