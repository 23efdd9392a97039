/* Tests of decode.c: mnemonics, the tables, and what instructions read and
   write.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "testing.h"

/* Mnemonics and their fields, as "op space vec types mods flags".  */
static const struct { const char *mnemonic, *fields; } cases[] = {
  { "add.u32", "add - 1 u32" },
  { "add.rn.ftz.sat.f32", "add - 1 f32 rn ftz sat" },
  { "mad.lo.cc.s32", "mad - 1 s32 lo cc" },
  { "setp.lo.u32", "setp - 1 u32 lo" },
  { "setp.lt.and.f32", "setp - 1 f32 lt and" },
  { "ld.global.nc.L1::no_allocate.v2.u32",
    "ld global 2 u32 L1::no_allocate nc" },
  { "ld.shared::cta.u8", "ld shared 1 u8" },
  { "ld.param::func.u8", "ld param 1 u8" },
  { "atom.acq_rel.sys.global.cas.b64", "atom global 1 b64 cas acq_rel sys" },
  { "cvt.rzi.s32.f64", "cvt - 1 s32 f64 rzi" },
  { "cvta.to.shared.u64", "cvta shared 1 u64 to" },
  { "cvt.pack.sat.u8.s32.b32", "cvt.pack - 1 u8 s32 b32 sat" },
  { "bar.sync", "bar - 1 sync" },
  { "bar.red.popc.u32", "bar.red - 1 u32 popc" },
  { "bar.warp.sync", "bar.warp - 1 sync" },
  { "barrier.cluster.wait.acquire.aligned",
    "barrier.cluster - 1 wait acquire aligned" },
  { "shfl.sync.bfly.b32", "shfl - 1 b32 bfly sync" },
  { "vadd.u32.s32.u32.add", "vadd - 1 u32 s32 u32 add" },
  { "bra", "bra - 1" },
  { "bra.uni", "bra - 1 uni" },
  { "setmaxnreg.inc.sync.aligned.u32",
    "setmaxnreg - 1 u32 inc sync aligned" },
};

static const char *const unknown[] = {
  "", ".", "frob", "frob.u32", "add.", "add..u32", "add.u33", "add",
  "add.u32.u32", "add.global.u32", "add.v2.u32", "add.lo.u32", "add.u32.u32.u32.u32.u32",
  "ld.u32.global.shared", "ld.rn.u32", "ld.v3.u32", "ld.v2.v2.u32",
  "ld.shared::cluster.u32", "st.async.u32", "mul.lo.hi.s32",
  "add.sat.sat.s32", "setp.lt.lt.s32", "cvt.s32", "bar.frob", "ADD.u32",
  "wmma.load.a.sync.aligned.row.m16n16k16.f16", "tex.1d.v4.f32.s32",
  "mbarrier.init.shared.b64", "cp.async.ca.shared.global",
};

static void
describe (const struct ptx_insn *insn, char *buf)
{
  buf += sprintf (buf, "%s %s %u", ptx_op_info[insn->op].text,
		  insn->space ? ptx_space_text[insn->space] : "-", insn->vec);
  for (unsigned i = 0; i < insn->ntypes; i++)
    buf += sprintf (buf, " %s", ptx_type_info[insn->type[i]].text);
  for (unsigned i = 0; i < PTX_MC_COUNT; i++)
    if (insn->mod[i])
      buf += sprintf (buf, " %s", ptx_mod_info[insn->mod[i]].text);
  for (unsigned m = PTX_M_FIRST_FLAG; m < PTX_M_COUNT; m++)
    if (ptx_insn_has (insn, m))
      buf += sprintf (buf, " %s", ptx_mod_info[m].text);
}

static void
test_mnemonics (void)
{
  char buf[200];
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      struct ptx_insn insn;
      bool known = ptx_decode_mnemonic (cases[i].mnemonic, &insn);
      describe (&insn, buf);
      ok (known, "%s is known", cases[i].mnemonic);
      ok_str (buf, cases[i].fields, "fields of %s", cases[i].mnemonic);
    }
  for (unsigned i = 0; i < sizeof unknown / sizeof *unknown; i++)
    {
      struct ptx_insn insn;
      bool known = ptx_decode_mnemonic (unknown[i], &insn);
      ok (!known && insn.op == PTX_OP_OPAQUE, "'%s' is opaque", unknown[i]);
    }
}

/* Every row of the tables is there once, and in ops.ptx.  */
static void
test_tables (void)
{
  size_t len;
  char *text = read_file ("ops.ptx", &len);
  struct ptx_unit *u = parse_text (text);
  unsigned ops[PTX_OP_COUNT] = { 0 };
  ok_int (count_unknown (u), 0, "ops.ptx has nothing opaque");
  for (struct ptx_stmt *s = u->first; s; s = s->next)
    if (s->kind == PTX_S_INSN)
      ops[s->insn->op]++;
  for (unsigned i = 1; i < PTX_OP_COUNT; i++)
    {
      /* ptxas takes this one for sm_90a only, so ops.ptx has it not; see
	 CASES.  */
      if (i == PTX_OP_SETMAXNREG)
	continue;
      if (!ops[i])
	ok (false, "%s is in ops.ptx", ptx_op_info[i].text);
    }
  ok (PTX_M_COUNT - PTX_M_FIRST_FLAG <= 64, "flags fit in their set");
  bool together = true;
  for (unsigned i = 1; i < PTX_M_COUNT; i++)
    together &= (ptx_mod_info[i].cls == PTX_MC_FLAG) == (i >= PTX_M_FIRST_FLAG);
  ok (together, "flags are the last modifiers");

  bool unique = true;
  for (unsigned i = 1; i < PTX_OP_COUNT; i++)
    for (unsigned k = 1; k < i; k++)
      unique &= strcmp (ptx_op_info[i].text, ptx_op_info[k].text) != 0;
  for (unsigned i = 1; i < PTX_M_COUNT; i++)
    for (unsigned k = 1; k < i; k++)
      unique &= ptx_mod_info[i].cls != ptx_mod_info[k].cls
		|| strcmp (ptx_mod_info[i].text, ptx_mod_info[k].text) != 0;
  ok (unique, "no row is there twice");
  free (text);
  ptx_unit_free (u);
}

static void
collect (struct ptx_sym *reg, void *closure)
{
  strcat (closure, reg->name);
  strcat (closure, " ");
}

/* Instructions with what they write and read.  */
static const struct { const char *insn, *defs, *uses; } accesses[] = {
  { "add.u32 %a,%b,%c;", "%a ", "%b %c " },
  { "@%p mov.u32 %a,5;", "%a ", "%p " },
  { "@!%p ld.u32 %a,[%x+4];", "%a ", "%p %x " },
  { "st.v2.u32 [%x],{%a,%b};", "", "%x %a %b " },
  { "mov.b64 {%a,%b},%x;", "%a %b ", "%x " },
  { "mov.b64 {_,%b},%x;", "%b ", "%x " },
  { "setp.lt.s32 %p|%q,%a,%b;", "%p %q ", "%a %b " },
  { "setp.lt.and.s32 %p,%a,%b,!%q;", "%p ", "%a %b %q " },
  { "shfl.sync.idx.b32 %a|%p,%b,%c,31,-1;", "%a %p ", "%b %c " },
  { "atom.cas.b32 %a,[%x],%b,%c;", "%a ", "%x %b %c " },
  { "atom.add.u32 _,[%x],%b;", "", "%x %b " },
  { "red.add.u32 [%x],%b;", "", "%x %b " },
  { "call (%a),f,(%b,%c);", "%a ", "%b %c " },
  { "call f,(%b);", "", "%b " },
  { "call %x,(%b),P;", "", "%x %b " },
  { "call (%a),%x,(%b),P;", "%a ", "%x %b " },
  { "call %x;", "", "%x " },
  { "bar.sync 1,%a;", "", "%a " },
  { "bar.red.popc.u32 %a,0,%p;", "%a ", "%p " },
  { "mov.u32 %a,%tid.x;", "%a ", "" },
  { "ret;", "", "" },
};

static void
test_accesses (void)
{
  for (unsigned i = 0; i < sizeof accesses / sizeof *accesses; i++)
    {
      char text[1000], defs[100] = "", uses[100] = "";
      snprintf (text, sizeof text,
		".func f (.param .u32 i);\n.func t\n{\n.reg .u32 %%a,%%b,%%c;\n"
		".reg .u64 %%x;\n.reg .pred %%p,%%q;\n"
		"P: .callprototype _ (.param .u32 _);\n%s\n}\n",
		accesses[i].insn);
      struct ptx_unit *u = parse_text (text);
      struct ptx_insn *insn = nth (u, PTX_S_INSN, 0)->insn;
      ok_int (count_unknown (u), 0, "%s is understood", accesses[i].insn);
      ptx_insn_defs (insn, collect, defs);
      ptx_insn_uses (insn, collect, uses);
      ok_str (defs, accesses[i].defs, "registers it writes");
      ok_str (uses, accesses[i].uses, "registers it reads");
      ptx_unit_free (u);
    }
}

int
main (void)
{
  test_mnemonics ();
  test_tables ();
  test_accesses ();
  return done_testing ();
}
