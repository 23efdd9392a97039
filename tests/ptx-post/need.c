/* What instructions need (need.def), against what NVIDIA's assembler said of
   the forms in forms.ptx.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "testing.h"

struct group
{
  unsigned line;		/* of its comment */
  struct ptx_need need;
  unsigned forms, wrong;
};

static unsigned
read_groups (const char *text, struct group *g, unsigned max)
{
  unsigned n = 0, line = 1;
  for (const char *s = text; *s && n < max; line++)
    {
      struct ptx_need need;
      if (sscanf (s, "// needs %u %u", &need.version, &need.sm) == 2)
	g[n++] = (struct group){ line, need, 0, 0 };
      s += strcspn (s, "\n");
      s += *s == '\n';
    }
  return n;
}

int
main (void)
{
  size_t len;
  char *text = read_file ("forms.ptx", &len);
  struct ptx_error e;
  struct ptx_unit *u = ptx_parse ("forms.ptx", text, len, &e);
  struct group g[100];
  unsigned n = read_groups (text, g, 100), at = 0;
  for (const struct ptx_stmt *s = u->first; s; s = s->next)
    {
      while (at + 1 < n && g[at + 1].line < s->line)
	at++;
      if (s->kind != PTX_S_INSN || s->insn->op == PTX_OP_OPAQUE
	  || s->insn->op == PTX_OP_RET)
	continue;
      struct ptx_need need = ptx_insn_need (s->insn);
      g[at].forms++;
      if (need.version != g[at].need.version || need.sm != g[at].need.sm)
	{
	  g[at].wrong++;
	  diag ("line %u: %s: .version %u, sm_%u", s->line, s->insn->mnemonic,
		need.version, need.sm);
	}
    }
  for (unsigned k = 0; k < n; k++)
    ok (g[k].forms && !g[k].wrong, ".version %u, sm_%u: %u forms",
	g[k].need.version, g[k].need.sm, g[k].forms);
  ok_int (ptx_mnemonic_need ("red.add.f64").sm, 60, "a mnemonic alone");
  ok_int (ptx_mnemonic_need ("frob.u32").sm, 0, "an unknown one");

  struct ptx_insn vote = { .mnemonic = "vote.all.pred" };
  ptx_decode_mnemonic (vote.mnemonic, &vote);
  ok (ptx_insn_lost (&vote).version == 64 && ptx_insn_lost (&vote).sm == 70,
      "what later architectures lack");
  vote.mnemonic = "vote.sync.all.pred";
  ok_int (ptx_insn_lost (&vote).version, 0, "and its form that they have");
  unsigned version;
  ok (ptx_target_known (80, &version) && version == 70, "a .target");
  ok (!ptx_target_known (93, &version), "none");
  ptx_unit_free (u);
  free (text);
  return done_testing ();
}
