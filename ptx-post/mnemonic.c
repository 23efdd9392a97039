/* Mnemonics of memory instructions with parts added.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include <assert.h>
#include <string.h>

/* Whether suffix S stands before the state space: memory order and scope do
   (PTX ISA 9.7.9, ld{.sem.scope}{.space}{.cop}...).  */
static bool
before_space (const char *s, size_t len)
{
  for (unsigned m = 1; m < PTX_M_COUNT; m++)
    if ((ptx_mod_info[m].cls == PTX_MC_SEM
	 || ptx_mod_info[m].cls == PTX_MC_SCOPE || m == PTX_M_MMIO)
	&& strlen (ptx_mod_info[m].text) == len
	&& memcmp (ptx_mod_info[m].text, s, len) == 0)
      return true;
  return false;
}

const char *
mnemonic_with_space (struct ptx_unit *u, const struct ptx_insn *insn,
		     enum ptx_space space, const char *extra)
{
  const char *m = insn->mnemonic;
  const char *at = strchr (m, '.');
  assert (at);
  while (*at)
    {
      size_t len = strcspn (at + 1, ".");
      if (!before_space (at + 1, len))
	break;
      at += len + 1;
    }
  const char *rest = at;
  if (insn->space)
    {
      assert (insn->space == space);
      rest += 1 + strcspn (at + 1, ".");
    }
  char *r = ptx_alloc (u, strlen (m) + strlen (extra) + 10);
  sprintf (r, "%.*s.%s%s%s", (int) (at - m), m, ptx_space_text[space], extra,
	   rest);
  return r;
}
