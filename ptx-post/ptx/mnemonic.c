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
  const char *name = ptx_space_text[space];
  const char *s = insn->mnemonic;
  char *result
    = ptx_alloc (u, strlen (s) + strlen (name) + strlen (extra) + 2);
  char *to = mempcpy (result, s, strcspn (s, "."));
  bool placed = false;
  for (s = strchrnul (s, '.'); *s; )
    {
      size_t len = strcspn (s + 1, ".");
      if (!placed && !before_space (s + 1, len))
	{
	  to += sprintf (to, ".%s%s", name, extra);
	  placed = true;
	}
      /* The space that it may have already.  */
      if (strncmp (name, s + 1, len) != 0 || name[len])
	to = mempcpy (to, s, len + 1);
      s += len + 1;
    }
  assert (placed);
  return result;
}
