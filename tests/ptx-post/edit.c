/* Tests of edit.c.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "testing.h"

static const char source[] = ".version 3.1\n// T\n.target sm_30, debug\n"
			     ".func f\n{\n"
			     ".reg .u64 %x;\n.reg .u32 %a;\n"
			     "// one\n@ %p ld.u32 %a , [%x+4]; // two\n"
			     "\tst.u32 [%x],%a;\n"
			     "{\n.reg .u32 %a;\nmov.u32 %a,1;\n}\n"
			     "ret;\n}\n// end\n";

/* Whether U prints as SOURCE with every "FROM" replaced by "TO".  */
static void
prints (const struct ptx_unit *u, const char *from, const char *to,
	const char *what)
{
  char want[2000] = "", *w = want;
  const char *at = strstr (source, from);
  size_t len;
  if (at)
    w = mempcpy (w, source, at - source);
  sprintf (w, "%s%s", to, at ? at + strlen (from) : "");
  char *got = text_of (u, &len);
  ok_str (got, want, "%s", what);
  free (got);
}

/* A copy of an entry whose name stands elsewhere too, with what was changed.  */
static void
test_copy (void)
{
  struct ptx_unit *u = parse_text (
    ".version 6.0\n.target sm_30\n.address_size 64\n"
    "// BEGIN FUNCTION DEF: e\n.visible .entry e (.param .u64 ne)\n"
    ".maxntid 32\n{ .reg .u32 %e; mov.u32 %e,1; L: bra L; }\n"
    ".entry f (.param .u64 x) { ret; }\n");
  struct ptx_func *e = u->funcs;
  ptx_set_mnemonic (u, nth (u, PTX_S_INSN, 0), "mov.b32");
  struct ptx_func *copy = ptx_copy_entry (u, e, "e$1");
  ok (copy && copy->has_body && copy->is_entry && copy->nparams == 1
	&& copy->maxntid[0] == 32,
      "a copy is an entry");
  ok (copy && copy->header == e->last->next, "behind what it is of");
  size_t len;
  char *got = text_of (u, &len);
  ok (strstr (got, "mov.b32 %e,1; L: bra L; }"
		   "\n\n// BEGIN FUNCTION DEF: e$1\n"
		   ".visible .entry e$1 (.param .u64 ne)\n"
		   ".maxntid 32\n{ .reg .u32 %e; mov.b32 %e,1; L: bra L; }\n.entry f"),
      "with the same text");
  free (got);
  ok (!ptx_copy_entry (u, e, "f") && !ptx_copy_entry (u, e, "1 2"),
      "not under a name that is there, or none");
  ptx_write_copy (u, e, "e$2", " .maxnreg 48");
  ptx_write_copy (u, e, "f", " .maxnreg 48");
  got = text_of (u, &len);
  const char *wrote = strstr (got, "\n\n// BEGIN FUNCTION DEF: e$2\n"
				   ".visible .entry e$2 (.param .u64 ne)\n"
				   ".maxntid 32 .maxnreg 48\n"
				   "{ .reg .u32 %e; mov.b32 %e,1; L: bra L; }\n\n");
  ok (wrote && !strstr (strstr (wrote, ".maxnreg") + 1, ".maxnreg"),
      "a copy as text, with a limit, under a new name alone");
  struct ptx_error wrong;
  struct ptx_unit *again = ptx_parse ("again", got, len, &wrong);
  copy = again ? ptx_lookup (again, "e$2")->func : NULL;
  ok (copy && copy->has_body && copy->maxntid[0] == 32,
      "that is an entry, read again");
  ptx_unit_free (again);
  free (got);
  ptx_unit_free (u);
}

int
main (void)
{
  struct ptx_error e;
  struct ptx_unit *u = parse_text (source);
  struct ptx_stmt *ld = nth (u, PTX_S_INSN, 0), *st = ld->next;
  prints (u, "ld", "ld", "unchanged");
  ptx_set_mnemonic (u, ld, "ld.global.u32");
  ok_int (ld->insn->space, PTX_SP_GLOBAL, "new fields");
  prints (u, "@ %p ld.u32 %a , [%x+4]", "@%p ld.global.u32 %a,[%x+4]",
	  "a new mnemonic; comments stay");
  ptx_unit_free (u);

  u = parse_text (source);
  ptx_set_target (u, 31, 30);
  prints (u, "ld", "ld", "a target that is high enough");
  ptx_set_target (u, 60, 30);
  prints (u, "3.1", "6.0", "a higher version");
  ptx_unit_free (u);
  u = parse_text (source);
  ptx_set_target (u, 10, 35);
  prints (u, "sm_30", "sm_35", "a higher target");
  ok_int (u->target, 35, "its field");
  ok_str (u->target_text, "sm_35, debug", "its text");
  ptx_unit_free (u);

  u = parse_text (source);
  ptx_remove (u, nth (u, PTX_S_INSN, 0));
  prints (u, "@ %p ld.u32 %a , [%x+4];", "", "removed, its comment stays");
  ptx_unit_free (u);
  u = parse_text (source);
  ptx_remove (u, nth (u, PTX_S_INSN, 1));
  prints (u, " // two\n\tst.u32 [%x],%a;", " // two\n\t", "removed");
  ptx_unit_free (u);

  u = parse_text (source);
  st = nth (u, PTX_S_INSN, 1);
  ok (ptx_insert_after (u, u->funcs, st, "add.u32 %a,%a,1;\nbra L;\nL:", &e),
      "insert");
  prints (u, "%a;\n{", "%a;\nadd.u32 %a,%a,1;\nbra L;\nL:\n{", "inserted");
  struct ptx_insn *add = st->next->insn;
  ok (add->opnd[0]->sym == st->insn->opnd[1]->sym, "same register");
  ok (st->next->func == u->funcs && st->next->line == 0, "its place");
  ok (st->next->next->insn->opnd[0]->sym->stmt == st->next->next->next,
      "its own label");
  struct ptx_stmt *inner = nth (u, PTX_S_INSN, 4);
  ok_str (inner->insn->mnemonic, "mov.u32", "the inner block");
  ok (ptx_insert_after (u, u->funcs, inner, "\nmov.u32 %a,2;", &e)
	&& inner->next->insn->opnd[0]->sym == inner->insn->opnd[0]->sym,
      "a name means what it means there");
  struct ptx_stmt *before = inner->next;
  ok (!ptx_insert_after (u, u->funcs, inner, "mov.u32 %a,2;\n}", &e)
	&& inner->next == before && e.message[0],
      "nothing is inserted on an error");
  ok (ptx_insert_after (u, NULL, u->last, ".global .u32 g;", &e)
	&& u->last->kind == PTX_S_DECL && ptx_lookup (u, "g"),
      "at the end of the unit");
  ok (!u->funcs->opaque, "still understood");
  ok (ptx_insert_after (u, u->funcs, inner, "frob %a;", &e)
	&& u->funcs->opaque,
      "something unknown makes the function opaque");
  ptx_unit_free (u);
  test_copy ();
  return done_testing ();
}
