/* Tests of the parser: what it makes of each construct, its diagnostics, and
   that no prefix of a unit upsets it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "testing.h"

static const char *
symbol_name (const struct ptx_opnd *o)
{
  return o->sym->name;
}

/* Operand I of the N-th instruction.  */
static const struct ptx_opnd *
operand (const struct ptx_unit *u, unsigned n, unsigned i)
{
  return nth (u, PTX_S_INSN, n)->insn->opnd[i];
}

static void
test_preamble (void)
{
  struct ptx_unit *u = parse_text ("// BEGIN PREAMBLE\n.version 6.0\n"
				   ".target sm_90a, debug\n.address_size 64\n"
				   "// END PREAMBLE\n.file 3 \"a b.c\"\n"
				   ".file\t1 \"x.c\", 1234, 56\n// end\n");
  ok_int (u->version, 60, "version");
  ok_int (u->target, 90, "target");
  ok_str (u->target_text, "sm_90a, debug", "target as written");
  ok_int (u->address_size, 64, "address size");
  ok_str (u->files[3], "a b.c", "file 3");
  ok_str (u->files[1], "x.c", "file 1");
  ok (u->nfiles > 3 && !u->files[2], "file 2 is not there");
  ok_int (u->tail_len, strlen ("\n// end\n"), "comment after the last");
  ok_int (u->first->lead, strlen ("// BEGIN PREAMBLE\n"), "leading comment");
  ok_int (u->first->line, 2, "line of the first token");
  ptx_unit_free (u);

  u = parse_text ("");
  ok (u && !u->first, "an empty unit");
  ptx_unit_free (u);
}

static void
test_variables (void)
{
  struct ptx_unit *u = parse_text (
    ".extern .global .align 8 .u64 late[1];\n"
    ".visible .global .align 8 .u64 late[2] = { generic(m)+4, fn };\n"
    ".global .v4 .f32 quad;\n"
    ".const .f32 c[3] = { 1.5, 0f40000000, -2 };\n"
    ".global .f64 d = 0f3F800000;\n"
    ".global .b8 bytes[8] = { 0xFF(m), 0xFF00(m+2), 3 };\n"
    ".extern .shared .align 16 .b8 dyn[];\n"
    ".weak .global .u32 m[2][3] = { {1, 2, 3}, {4} };\n"
    ".global .attribute(.managed) .s32 x = -1, y;\n"
    ".func fn;\n");
  struct ptx_sym *s = ptx_lookup (u, "late");
  ok_int (s->linkage, PTX_LK_VISIBLE, "a definition replaces a declaration");
  ok_int (s->nelem, 2, "its elements");
  ok_int (s->size, 16, "its bytes");
  ok (s->init->generic && s->init->bits == 4
	&& !strcmp (s->init->sym->name, "m") && s->init->sym->nelem == 6,
      "generic address of a later variable");
  ok (s->init->next->sym->kind == PTX_SYM_FUNC && s->init->next->offset == 8,
      "address of a function");
  ok_int (u->vars == s, 1, "first of the list");
  s = ptx_lookup (u, "quad");
  ok (s->vec == 4 && s->size == 16 && s->align == 16, "vector variable");
  s = ptx_lookup (u, "c");
  ok_int (s->init->bits, 0x3fc00000, "decimal f32");
  ok_int (s->init->next->bits, 0x40000000, "0f f32");
  ok_int (s->init->next->next->bits, 0xc0000000, "integer f32");
  ok_int (ptx_lookup (u, "d")->init->bits, 0x3ff0000000000000, "0f in f64");
  s = ptx_lookup (u, "bytes");
  ok (s->init->mask == 0xff && s->init->next->mask == 0xff00
	&& s->init->next->bits == 2 && s->init->next->next->bits == 3
	&& !s->init->next->next->sym,
      "bytes of an address");
  s = ptx_lookup (u, "dyn");
  ok (s->is_array && s->nelem == 0 && s->size == 0 && s->align == 16
	&& s->linkage == PTX_LK_EXTERN && s->space == PTX_SP_SHARED,
      "dynamic shared memory");
  s = ptx_lookup (u, "m");
  ok (s->linkage == PTX_LK_WEAK && s->nelem == 6
	&& s->init->next->next->next->offset == 12,
      "two dimensions");
  s = ptx_lookup (u, "x");
  ok (s->init->bits == UINT64_MAX && !strcmp (s->next->name, "y")
	&& s->stmt == s->next->stmt && s->stmt->nsyms == 2
	&& s->stmt->syms[1] == s->next,
      "two names in a statement");
  ok_int (count_unknown (u), 0, "everything understood");
  ptx_unit_free (u);
}

static void
test_functions (void)
{
  struct ptx_unit *u = parse_text (
    ".visible .func (.param .f64 %out) f (.param .u64 %a, .param .align 8 .b8 "
    "%b[24]);\n"
    ".extern .func (.reg .u32 r) old (.reg .u32 a);\n"
    ".func g .noreturn;\n"
    ".visible .func (.param .f64 %out) f (.param .u64 %a, .param .align 8 .b8 "
    "%b[24])\n{\nret;\n}\n"
    ".visible .entry k (.param .u64 .ptr .global .align 4 p)\n"
    ".maxntid 128, 2, 1\n.reqntid 64\n.minnctapersm 3\n.maxnreg 40\n"
    ".pragma \"x\", \"y\";\n{\nexit;\n}\n");
  struct ptx_func *f = u->funcs;
  ok_str (f->sym->name, "f", "first function");
  ok (f->has_body && !f->is_entry && f->nparams == 2 && f->nrets == 1,
      "its definition");
  ok_str (f->params->next->name, "%b", "second parameter");
  ok (f->params->next->size == 24 && f->params->next->index == 1,
      "its size and place");
  ok (f->header->line == 4 && f->first->kind == PTX_S_OPEN
	&& f->last->kind == PTX_S_CLOSE && f->first->next->func == f,
      "its statements");
  f = f->next;
  ok (f->params->kind == PTX_SYM_REG && f->rets->kind == PTX_SYM_REG
	&& f->sym->linkage == PTX_LK_EXTERN && !f->has_body,
      "register parameters");
  f = f->next;
  ok (f->noreturn && !f->nparams, ".noreturn");
  f = f->next;
  ok (f->is_entry && f->maxntid[0] == 128 && f->maxntid[1] == 2
	&& f->maxntid[2] == 1 && f->reqntid[0] == 64 && f->reqntid[1] == 0
	&& f->minnctapersm == 3,
      "kernel directives");
  ok (!f->next, "four functions");
  ok_int (count_unknown (u), 0, "everything understood");
  ptx_unit_free (u);
}

static void
test_bodies (void)
{
  struct ptx_unit *u = parse_text (
    ".func f (.param .u64 %in)\n{\n"
    ".reg .b32 %r<10>;\n.reg .v2 .u32 %v;\n"
    ".local .align 16 .b8 stack[48];\n"
    "bra L;\n"
    "{\n.reg .f32 %r3;\n.param .b32 a;\nmov.f32 %r3,1.0;\n"
    "bra L;\nL: st.param.f32 [a+4],%r3;\n}\n"
    "L:\nmov.b32 %r3,%v.y;\nmov.b32 %r10,%r3;\n"
    "T: .branchtargets L, M;\nbrx.idx %r3,T;\nM: ret;\n"
    "{\n.param.u64 %P<2>;\nst.param.u64 [%P1],7;\n}\n}\n");
  struct ptx_func *f = u->funcs;
  struct ptx_sym *inner = nth (u, PTX_S_INSN, 1)->insn->opnd[0]->sym;
  struct ptx_sym *outer = nth (u, PTX_S_INSN, 4)->insn->opnd[0]->sym;
  ok (inner != outer && inner->type == PTX_T_F32 && outer->type == PTX_T_B32,
      "an inner register hides an outer one");
  ok (f->regs[inner->index] == inner && f->regs[outer->index] == outer,
      "indices are dense");
  struct ptx_sym *l1 = nth (u, PTX_S_INSN, 0)->insn->opnd[0]->sym;
  struct ptx_sym *l2 = nth (u, PTX_S_INSN, 2)->insn->opnd[0]->sym;
  ok (l1->stmt == nth (u, PTX_S_LABEL, 1) && l2->stmt == nth (u, PTX_S_LABEL, 0),
      "a branch goes to the label of its own block");
  struct ptx_insn *st = nth (u, PTX_S_INSN, 3)->insn;
  ok (st->space == PTX_SP_PARAM && st->opnd[0]->off == 4
	&& !strcmp (symbol_name (st->opnd[0]->elt[0]), "a"),
      "call parameter");
  ok_str (f->locals->name, "stack", "first local");
  ok_str (f->locals->next->name, "a", "second local");
  struct ptx_opnd *vy = nth (u, PTX_S_INSN, 4)->insn->opnd[1];
  ok (vy->comp == 'y' && vy->sym->vec == 2, "component of a vector register");
  ok_int (nth (u, PTX_S_INSN, 5)->insn->opnd[0]->sym->kind, PTX_SYM_UNKNOWN,
	  "%%r10 is not among %%r<10>");
  struct ptx_opnd *t = nth (u, PTX_S_INSN, 6)->insn->opnd[1];
  ok (t->sym->kind == PTX_SYM_TABLE && t->sym->targets->nelt == 2
	&& t->sym->targets->elt[0]->sym == l1,
      "branch targets");
  struct ptx_sym *p1 = nth (u, PTX_S_INSN, 8)->insn->opnd[0]->elt[0]->sym;
  ok (p1->kind == PTX_SYM_VAR && p1->space == PTX_SP_PARAM && p1->size == 8
	&& f->last_local == p1,
      "a range of call parameters");
  ok_int (count_unknown (u), 0, "everything understood");
  ptx_unit_free (u);
}

static void
test_operands (void)
{
  struct ptx_unit *u = parse_text (
    ".global .u32 g[4];\n.func f\n{\n.reg .u32 %a;\n.reg .f32 %f;\n"
    ".reg .u64 %x;\nadd.u32 %a,%a,0x1fU;\nadd.u32 %a,%a,-017;\n"
    "and.b32 %a,%a,~0b101;\nmov.f32 %f,-1.5e1;\nmov.f32 %f,0fBF800000;\n"
    "mov.u64 %x,g+8;\nld.u32 %a,[g+4];\nld.u32 %a,[%x+-4];\nld.u32 %a,[64];\n"
    "vadd.s32.s32.s32 %a,%a.b2,-%a.h1;\nmov.u32 %a,WARP_SZ;\n"
    "mov.u32 %a,%ctaid.y;\nadd.u32 %a,%a;\nld.u32 %a,[%a+%a];\n"
    "mov.u64 %x,18446744073709551615;\nmov.u64 %x,18446744073709551616;\n"
    "tex.1d.v4.f32.s32 {%f,%f,%f,%f},[t,{%a}];\nfrobnicate {%a}, [(%x)];\n}\n");
  ok_int (operand (u, 0, 2)->bits, 31, "hexadecimal");
  ok_int (operand (u, 1, 2)->bits, -15, "negative octal");
  ok_int (operand (u, 2, 2)->bits, -6, "inverted binary");
  double d = -15;
  ok (operand (u, 3, 1)->ftype == PTX_T_F64 && !memcmp (&operand (u, 3, 1)->bits, &d, 8),
      "decimal floating point");
  ok (operand (u, 4, 1)->ftype == PTX_T_F32 && operand (u, 4, 1)->bits == 0xbf800000,
      "hexadecimal floating point");
  ok (operand (u, 5, 1)->kind == PTX_O_SYM && operand (u, 5, 1)->off == 8,
      "address of a variable");
  ok (operand (u, 6, 1)->kind == PTX_O_ADDR && operand (u, 6, 1)->off == 4
	&& operand (u, 6, 1)->elt[0]->kind == PTX_O_SYM,
      "address of a variable, read");
  ok (operand (u, 7, 1)->off == -4 && operand (u, 7, 1)->elt[0]->kind == PTX_O_REG,
      "negative offset");
  ok (operand (u, 8, 1)->nelt == 0 && operand (u, 8, 1)->off == 64, "absolute address");
  ok_str (operand (u, 9, 1)->sel, "b2", "selector");
  ok (operand (u, 9, 2)->neg && !strcmp (operand (u, 9, 2)->sel, "h1"),
      "negated register with selector");
  ok (operand (u, 10, 1)->kind == PTX_O_INT && operand (u, 10, 1)->bits == 32, "WARP_SZ");
  ok (operand (u, 11, 1)->sreg == PTX_SR_CTAID && operand (u, 11, 1)->comp == 'y',
      "special register");
  static const char *const what[]
    = { "too few operands", "sum of registers", NULL, "integer too large",
	"unknown operation", "unknown syntax" };
  for (unsigned i = 0; i < 6; i++)
    if (what[i])
      ok_int (nth (u, PTX_S_INSN, 12 + i)->insn->op, PTX_OP_OPAQUE, "%s",
	      what[i]);
  ok_int (operand (u, 14, 1)->bits, -1, "the largest integer");
  ok_str (nth (u, PTX_S_INSN, 16)->insn->mnemonic, "tex.1d.v4.f32.s32",
	  "an opaque instruction keeps its name");
  ok (u->funcs->opaque, "its function knows");
  ptx_unit_free (u);
}

static void
test_calls (void)
{
  struct ptx_unit *u = parse_text (
    ".func (.param .u32 %out) f (.param .u32 %in);\n.func t\n{\n"
    ".reg .u64 %x;\n.param .u32 a, r;\n"
    "call (r),f,(a);\ncall.uni f;\n"
    "P: .callprototype (.param .u32 _) _ (.param .u32 _, .param .u64 _);\n"
    "call (r),%x,(a,a),P;\n}\n");
  struct ptx_insn *c = nth (u, PTX_S_INSN, 0)->insn;
  ok (c->nopnds == 3 && c->opnd[0]->kind == PTX_O_LIST
	&& c->opnd[1]->sym->func == u->funcs && c->opnd[2]->nelt == 1,
      "call with result and arguments");
  c = nth (u, PTX_S_INSN, 1)->insn;
  ok (c->nopnds == 1 && c->opnd[0]->kind == PTX_O_SYM, "call with neither");
  c = nth (u, PTX_S_INSN, 2)->insn;
  ok (c->nopnds == 4 && c->opnd[1]->kind == PTX_O_REG
	&& c->opnd[3]->sym->kind == PTX_SYM_PROTO,
      "indirect call");
  struct ptx_func *proto = c->opnd[3]->sym->func;
  ok (proto->nrets == 1 && proto->nparams == 2 && proto->params->next->size == 8,
      "its prototype");
  ok_int (count_unknown (u), 0, "everything understood");
  ptx_unit_free (u);
}

static void
test_debug_information (void)
{
  struct ptx_unit *u = parse_text (
    ".file 1 \"x.c\"\n.func f\n{\n.loc 1 7 3\nret;\n"
    ".loc 1 9 1, function_name $L+4, inlined_at 1 8 2\nret;\n"
    ".loc frob 3\nret;\n}\n.func g\n{\nret;\n}\n"
    ".section .debug_str\n{\n$L:\n.b8 1,2\n.b8 3\n}\n.alias f, g;\n");
  const struct ptx_loc *l = nth (u, PTX_S_INSN, 0)->loc;
  ok (l->file == 1 && l->line == 7 && l->column == 3, "source line");
  ok_int (nth (u, PTX_S_INSN, 1)->loc->line, 9, "inlined source line");
  ok (nth (u, PTX_S_INSN, 2)->insn->op == PTX_OP_RET,
      "an odd .loc takes nothing with it");
  ok (!nth (u, PTX_S_INSN, 3)->loc, "the next function has none");
  ok_int (count_unknown (u), 1, "the odd .loc is raw");
  ok (!strcmp (u->last->directive, ".alias")
	&& !strcmp (u->last->prev->directive, ".section"),
      "sections are skipped");
  ptx_unit_free (u);
}

/* Statements that stay text: what follows them must still be understood.  */
static void
test_raw (void)
{
  static const char *const cases[] = {
    ".global .texref tex;", ".frob 1, { 2 };", ".global .u32 x[-1];",
    ".func f .newdirective 3 { .reg .u32 %a; .local .u8 y; mov.u32 %a,1; }",
    "@@DWARF .byte 1;", ".global .u32 a[99999999999][99999999999];",
    ".global .align 3 .u32 x;", ".version six\n", ".target 17\n",
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      char text[300];
      size_t len;
      snprintf (text, sizeof text, "%s\n.global .u32 after;\n", cases[i]);
      struct ptx_unit *u = parse_text (text);
      char *printed = text_of (u, &len);
      ok (nth (u, PTX_S_RAW, 0) && ptx_lookup (u, "after"),
	  "raw, then understood: %s", cases[i]);
      ok_str (printed, text, "prints back");
      free (printed);
      ptx_unit_free (u);
    }
}

static const struct { const char *text; unsigned line, column;
		      const char *message; } errors[] = {
  { ".func f\n{\n ret;\n", 4, 1, "end of file inside '{'" },
  { ".version 6.0\n  }\n", 2, 3, "'}' without '{'" },
  { ".func f {\nmov.u32 %a,", 2, 1, "end of file inside a statement" },
  { ".global .u32 x", 1, 1, "end of file inside a statement" },
  { "/* open\n", 1, 1, "comment without end" },
  { ".file 1 \"open\n", 1, 9, "string without end" },
  { ".version 6.0\n\001", 2, 1, "stray byte 0x01" },
  { ".section .debug { .b8 1", 1, 17, "'{' without '}'" },
};

static void
test_errors (void)
{
  for (unsigned i = 0; i < sizeof errors / sizeof *errors; i++)
    {
      struct ptx_error e;
      struct ptx_unit *u
	= ptx_parse ("t", errors[i].text, strlen (errors[i].text), &e);
      ok (!u, "an error: %s", errors[i].message);
      ok_str (e.message, errors[i].message, "its message");
      ok_int (e.line, errors[i].line, "its line");
      ok_int (e.column, errors[i].column, "its column");
    }
  char *printed;
  size_t len;
  const char *text = ".version 6.0\n\t}\n";
  struct ptx_error e = { 2, 2, "no" };
  FILE *f = open_memstream (&printed, &len);
  ptx_error_print (f, "a.ptx", text, strlen (text), &e);
  fclose (f);
  ok_str (printed, "a.ptx:2:2: error: no\n\t}\n\t^\n", "with line and caret");
  free (printed);
}

/* Every prefix of FILE parses and prints back, or is an error.  */
static void
test_prefixes (const char *file, size_t step)
{
  size_t len, n = 0, good = 0, printed_len;
  char *text = read_file (file, &len);
  bool same = true;
  for (size_t cut = 0; cut <= len; cut += step, n++)
    {
      struct ptx_error e = { 0 };
      struct ptx_unit *u = ptx_parse (file, text, cut, &e);
      if (!u)
	{
	  same &= e.line > 0 && e.message[0];
	  continue;
	}
      good++;
      char *printed = text_of (u, &printed_len);
      same &= printed_len == cut && !memcmp (printed, text, cut);
      free (printed);
      ptx_unit_free (u);
    }
  ok (same && good && good < n, "%zu prefixes of %s, %zu of them units", n,
      file, good);
  free (text);
}

int
main (void)
{
  test_preamble ();
  test_variables ();
  test_functions ();
  test_bodies ();
  test_operands ();
  test_calls ();
  test_debug_information ();
  test_raw ();
  test_errors ();
  test_prefixes ("ops.ptx", 1);
  test_prefixes ("gcc.ptx", 7);
  return done_testing ();
}
