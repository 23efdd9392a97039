/* Which kernel follows which; see follow.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/follow.h"

#include "base/sets.h"

#include <assert.h>

enum
{
  SETS = 64
};

struct slot
{
  uint64_t kernel, next;
  unsigned seen; /* times in a row that NEXT came */
  unsigned sure; /* times that make it sure */
  unsigned vain; /* times in a row that nothing came; asked about it since */
};

static struct slot slots[SETS * ACR_SETS_WAYS];

static_assert (sizeof *slots <= ACR_SETS_LARGEST, "a slot of sets.h");

static struct slot *
find (uint64_t kernel)
{
  return acr_sets_find (slots, SETS, sizeof *slots, kernel);
}

static bool
is_sure (const struct slot *s)
{
  return s->next && s->seen >= s->sure;
}

uint64_t
acr_follow_next (uint64_t kernel)
{
  const struct slot *s = find (kernel);
  return s && is_sure (s) ? s->next : 0;
}

void
acr_follow_note (uint64_t kernel, uint64_t next)
{
  struct slot *s = acr_sets_first (slots, SETS, sizeof *slots, kernel);
  if (!s->sure)
    s->sure = ACR_FOLLOW_SURE;
  if (next)
    s->vain = 0;
  else if (s->vain < ACR_FOLLOW_VAIN)
    s->vain++;
  if (s->next == next)
    {
      s->seen += s->seen < ACR_FOLLOW_MOST;
      return;
    }
  if (is_sure (s) && s->sure < ACR_FOLLOW_MOST)
    s->sure *= 2;
  s->next = next;
  s->seen = 1;
}

bool
acr_follow_worth (uint64_t kernel)
{
  struct slot *s = find (kernel);
  if (!s || s->vain < ACR_FOLLOW_VAIN)
    return true;
  return (++s->vain - ACR_FOLLOW_VAIN) % ACR_FOLLOW_AGAIN == 0;
}
