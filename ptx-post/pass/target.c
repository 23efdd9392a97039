/* The .version and .target of a unit, as far as a pass may raise them for an
   instruction that it adds.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

static struct ptx_need
need_of (const char *mnemonic)
{
  struct ptx_need n = ptx_mnemonic_need (mnemonic);
  if (n.sm == 32)
    n.sm = 35;			/* all tools name it */
  return n;
}

bool
post_may_use (const struct post *p, const char *mnemonic)
{
  const struct ptx_unit *u = p->unit;
  unsigned sm = need_of (mnemonic).sm;
  return u->version_stmt && u->target_stmt
	 && (u->target >= sm || p->opt->sm >= sm);
}

void
post_use (struct post *p, const char *mnemonic)
{
  struct ptx_need n = need_of (mnemonic);
  ptx_set_target (p->unit, n.version, n.sm);
}
