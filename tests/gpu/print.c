/* Programs as PTX; see program.h.

   Kernel parameters: addresses of in, out, scratch and cells of an image.
   Registers are untyped (PTX ISA 6.2: a .bN register serves every type of its
   size); %mD holds the lanes that run the body at depth D, for .sync forms.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <inttypes.h>
#include <string.h>

#include "program.h"

struct printer
{
  const struct program *p;
  FILE *f;
  unsigned kernel;
  unsigned depth;
};

static const char *const space_text[SPACES] = { "global", "shared", "local" };

/* The canonical NaN of R's type, or NULL where PTX defines a NaN's bits and ptxas
   keeps to that, or the result is compared as a number.  */
static const char *
cleaned_nan (const struct row *r)
{
  bool folds = !strncmp (r->insn, "min.", 4) || !strncmp (r->insn, "max.", 4);
  if (r->d->class != 'f' || r->ulps > 0
      || (r->d->bytes < 8 && r->ulps == 0 && !folds))
    return NULL;
  return r->d->bytes == 2   ? "0x7fff"
	 : r->d->bytes == 4 ? "0x7fffffff"
			    : "0x7ff8000000000000";
}

static void
print_imm (FILE *f, const struct row_type *t, uint64_t bits)
{
  unsigned shift = 64 - 8 * t->bytes;
  if (t->class == 'f')
    fprintf (f, t->bytes == 4 ? "0f%08" PRIX64 : "0d%016" PRIX64,
	     bits << shift >> shift);
  else if (t->class == 's')
    fprintf (f, "%" PRId64, (int64_t) (bits << shift) >> shift);
  else
    fprintf (f, "%" PRIu64, bits << shift >> shift);
}

static void
print_guard (const struct printer *w, const struct stmt *s)
{
  if (s->guard)
    fprintf (w->f, "@%s%%p%u ", s->guard_neg ? "!" : "", s->guard - 1);
}

/* The row's instructions with S's registers in them.  */
static void
print_row (const struct printer *w, const struct stmt *s)
{
  const struct row *r = s->row;
  const struct row_type *const t[] = { r->a, r->b, r->c };
  fputs ("{ .reg .pred %q, %p; .reg .b32 %n, %k, %x, %t; .reg .b64 %w; "
	 ".reg .b16 %h, %l; ", w->f);
  print_guard (w, s);
  for (const char *c = r->insn; *c; c++)
    if (*c == '%' && c[1] == 'd')
      fprintf (w->f, "%%v%u", s->dst[0]), c++;
    else if (*c == '%' && strchr ("abc", c[1]))
      {
	unsigned k = (unsigned) (*++c - 'a');
	if (s->src[k].imm)
	  print_imm (w->f, t[k], s->src[k].bits);
	else
	  fprintf (w->f, "%%v%u", s->src[k].reg);
      }
    else
      {
	fputc (*c, w->f);
	if (*c == ';')
	  {
	    fputc (' ', w->f);
	    print_guard (w, s);
	  }
      }
  const char *nan = cleaned_nan (r);
  if (nan)
    fprintf (w->f, "; setp.nan.%sf%u %%q, %%v%u, %%v%u; selp.b%u %%v%u, %s, "
	     "%%v%u, %%q", r->d->brain ? "b" : "", 8 * r->d->bytes, s->dst[0], s->dst[0],
	     8 * r->d->bytes, s->dst[0], nan, s->dst[0]);
  fputs ("; }\n", w->f);
}

/* The lanes that run this body.  */
static const char *
members (const struct printer *w)
{
  static char text[16];
  snprintf (text, sizeof text, w->depth ? "%%m%u" : "0xffffffff", w->depth);
  return text;
}

/* The address S accesses, in %addr.  */
static void
print_address (const struct printer *w, const struct stmt *s)
{
  unsigned all = s->bytes * (s->vec ? s->vec : 1);
  const char *base = s->generic ? "gen" : "at";
  if (s->index)
    fprintf (w->f,
	     "and.b32 %%t0, %%v%u, %u; cvt.u64.u32 %%addr, %%t0; "
	     "add.u64 %%addr, %%addr, %%%s_%s; ",
	     s->index - 1, (SCRATCH - 1) & ~(all - 1), base,
	     space_text[s->space]);
  else
    fprintf (w->f, "mov.u64 %%addr, %%%s_%s; ", base, space_text[s->space]);
}

static void
print_access (const struct printer *w, const struct stmt *s)
{
  bool store = s->kind == S_STORE;
  print_address (w, s);
  print_guard (w, s);
  fprintf (w->f, "%s%s%s%s%s.%c%u ", store ? "st" : "ld",
	   s->generic ? "" : ".", s->generic ? "" : space_text[s->space],
	   s->vec == 1 ? "" : ".v", s->vec == 1 ? "" : s->vec == 2 ? "2" : "4",
	   s->is_signed ? 's' : s->bits & 1 ? 'u' : 'b', 8 * s->bytes);
  if (store)
    fprintf (w->f, "[%%addr+%u], ", s->offset);
  fputs (s->vec > 1 ? "{" : "", w->f);
  for (unsigned k = 0; k < s->vec; k++)
    fprintf (w->f, "%s%%v%u", k ? ", " : "", store ? s->src[k].reg : s->dst[k]);
  fputs (s->vec > 1 ? "}" : "", w->f);
  if (!store)
    fprintf (w->f, ", [%%addr+%u]", s->offset);
  fputs (";\n", w->f);
}

static void
print_atom (const struct printer *w, const struct stmt *s)
{
  const char *op = atom_choice[s->choice].text;
  print_address (w, s);
  print_guard (w, s);
  fprintf (w->f, "atom%s%s.%s %%v%u, [%%addr+%u], %%v%u",
	   s->generic ? "" : ".", s->generic ? "" : space_text[s->space], op,
	   s->dst[0], s->offset, s->src[0].reg);
  if (!strncmp (op, "cas", 3))
    fprintf (w->f, ", %%v%u", s->src[1].reg);
  fputs (";\n", w->f);
}

static void
print_lanes (const struct printer *w, const struct stmt *s)
{
  unsigned d = s->dst[0], a = s->src[0].reg;
  const char *m = members (w);
  switch (s->kind)
    {
    case S_SHFL:
      if (s->leader)
	fprintf (w->f, "brev.b32 %%t0, %s; clz.b32 %%t0, %%t0; ", m);
      else
	fprintf (w->f, "mov.b32 %%t0, %%v%u; ", s->src[1].reg);
      fprintf (w->f, "shfl.sync.%s.b32 %%v%u", shfl_choice[s->choice].text, d);
      if (s->pdst)
	fprintf (w->f, "|%%p%u", s->pdst - 1);
      fprintf (w->f, ", %%v%u, %%t0, %" PRIu64 ", %s;\n", a, s->bits, m);
      break;
    case S_VOTE:
      fprintf (w->f, "and.b32 %%t0, %%v%u, %" PRIu64 "; "
	       "setp.ne.u32 %%c0, %%t0, 0; ", a, s->bits);
      if (s->choice == 0)
	fprintf (w->f, "vote.sync.ballot.b32 %%v%u, %%c0, %s;\n", d, m);
      else
	fprintf (w->f, "vote.sync.%s.pred %%c0, %%c0, %s; "
		 "selp.b32 %%v%u, 1, 0, %%c0;\n", vote_choice[s->choice].text,
		 m, d);
      break;
    case S_MATCH:
      {
	unsigned bits = 8 * match_choice[s->choice].bytes;
	const char *t = bits == 32 ? "%t0" : "%addr";
	if (s->bits)
	  fprintf (w->f, "and.b%u %s, %%v%u, 1; ", bits, t, a);
	else
	  fprintf (w->f, "mov.b%u %s, %%v%u; ", bits, t, a);
	fprintf (w->f, "match.%s %%v%u, %s, %s;\n",
		 match_choice[s->choice].text, d, t, m);
	break;
      }
    default:
      fprintf (w->f, "redux.sync.%s %%v%u, %%v%u, %s;\n",
	       redux_choice[s->choice].text, d, a, m);
    }
}

static void
print_call (const struct printer *w, const struct stmt *s)
{
  const struct program *p = w->p;
  const struct func *f = &p->func[s->choice];
  unsigned bits = 8 * p->reg[f->result].bytes;
  fprintf (w->f, "{ .param .b%u r; ", bits);
  for (unsigned k = 0; k < f->nargs; k++)
    {
      unsigned b = 8 * p->reg[f->arg[k]].bytes;
      fprintf (w->f, ".param .b%u a%u; st.param.b%u [a%u], %%v%u; ", b, k, b, k,
	       s->src[k].reg);
    }
  fprintf (w->f, "call (r), f%u_%u, (", w->kernel, s->choice);
  for (unsigned k = 0; k < f->nargs; k++)
    fprintf (w->f, "%sa%u", k ? ", " : "", k);
  fprintf (w->f, "); ld.param.b%u %%v%u, [r]; }\n", bits, s->dst[0]);
}

static void print_body (struct printer *w, const struct stmt *s);

static void
print_if (struct printer *w, const struct stmt *s)
{
  char above[16];
  snprintf (above, sizeof above, "%s", members (w));
  unsigned d = ++w->depth, id = s->id;
  fprintf (w->f,
	   "and.b32 %%t0, %%v%u, %" PRIu64 "; setp.ne.u32 %%c%u, %%t0, 0;\n"
	   "vote.sync.ballot.b32 %%m%u, %%c%u, %s;\n"
	   "@!%%c%u bra F%u;\n",
	   s->src[0].reg, s->bits, d, d, d, above, d, id);
  print_body (w, s->body);
  fprintf (w->f, "bra J%u;\nF%u:\n", id, id);
  if (s->other)
    {
      fprintf (w->f, "xor.b32 %%m%u, %%m%u, %s;\n", d, d, above);
      print_body (w, s->other);
    }
  fprintf (w->f, "J%u:\n", id);
  w->depth--;
}

static void
print_loop (struct printer *w, const struct stmt *s)
{
  char above[16];
  snprintf (above, sizeof above, "%s", members (w));
  unsigned d = ++w->depth, id = s->id;
  fprintf (w->f,
	   "and.b32 %%n%u, %%v%u, %" PRIu64 "; mov.b32 %%i%u, 0; "
	   "mov.b32 %%m%u, %s;\nL%u:\n"
	   "setp.lt.u32 %%c%u, %%i%u, %%n%u;\n"
	   "vote.sync.ballot.b32 %%m%u, %%c%u, %%m%u;\n"
	   "@!%%c%u bra E%u;\n",
	   d, s->src[0].reg, s->bits, d, d, above, id, d, d, d, d, d, d, d, id);
  print_body (w, s->body);
  fprintf (w->f, "add.u32 %%i%u, %%i%u, 1;\nbra L%u;\nE%u:\n", d, d, id, id);
  w->depth--;
}

static void
print_stmt (struct printer *w, const struct stmt *s)
{
  switch (s->kind)
    {
    case S_ROW:
      print_row (w, s);
      break;
    case S_SREG:
      fprintf (w->f, "mov.u32 %%v%u, %s;\n", s->dst[0],
	       sreg_choice[s->choice].text);
      break;
    case S_PRED:
      fprintf (w->f, "and.b32 %%t0, %%v%u, %" PRIu64 "; "
	       "setp.ne.u32 %%p%u, %%t0, 0;\n", s->src[0].reg, s->bits,
	       s->pdst - 1);
      break;
    case S_IF:
      print_if (w, s);
      break;
    case S_LOOP:
      print_loop (w, s);
      break;
    case S_LOAD:
    case S_STORE:
      print_access (w, s);
      break;
    case S_ATOM:
      print_atom (w, s);
      break;
    case S_RED:
      print_guard (w, s);
      fprintf (w->f, "red.global.%s [%%cells+%" PRIu64 "], %%v%u;\n",
	       atom_choice[s->choice].text, 8 * s->bits, s->src[0].reg);
      break;
    case S_EXCHANGE:
      fprintf (w->f,
	       "shl.b32 %%t0, %%lane, 2; mov.u32 %%t1, swap; "
	       "add.u32 %%t0, %%t0, %%t1; st.shared.b32 [%%t0], %%v%u;\n"
	       "bar.sync 0;\n"
	       "add.u32 %%t0, %%lane, %u; and.b32 %%t0, %%t0, %u; "
	       "shl.b32 %%t0, %%t0, 2; add.u32 %%t0, %%t0, %%t1; "
	       "ld.shared.b32 %%v%u, [%%t0];\n"
	       "bar.sync 0;\n",
	       s->src[0].reg, s->choice, THREADS - 1, s->dst[0]);
      break;
    case S_CALL:
      print_call (w, s);
      break;
    default:
      print_lanes (w, s);
    }
}

static void
print_body (struct printer *w, const struct stmt *s)
{
  for (; s; s = s->next)
    if (!s->off)
      print_stmt (w, s);
}

void
program_print_stmts (const struct program *p, FILE *f)
{
  struct printer w = { .p = p, .f = f };
  for (unsigned k = 0; k < p->nfuncs; k++)
    {
      fprintf (f, "f%u:\n", k);
      print_body (&w, p->func[k].body);
    }
  fputs ("kernel:\n", f);
  print_body (&w, p->body);
}

/* Registers of the kernel or of function bodies, set to zero.  */
static void
print_regs (struct printer *w, unsigned from, unsigned to, bool in_func)
{
  for (unsigned k = from; k < to; k++)
    if (w->p->reg[k].in_func == in_func)
      fprintf (w->f, ".reg .b%u %%v%u; mov.b%u %%v%u, 0;\n",
	       8 * w->p->reg[k].bytes, k, 8 * w->p->reg[k].bytes, k);
}

static void
print_func (struct printer *w, unsigned n)
{
  const struct program *p = w->p;
  const struct func *f = &p->func[n];
  unsigned end = f->arg[0];
  while (end < p->nregs && p->reg[end].in_func
	 && (n + 1 == p->nfuncs || end < p->func[n + 1].arg[0]))
    end++;
  fprintf (w->f, ".func (.param .b%u r) f%u_%u (", 8 * p->reg[f->result].bytes,
	   w->kernel, n);
  for (unsigned k = 0; k < f->nargs; k++)
    fprintf (w->f, "%s.param .b%u a%u", k ? ", " : "",
	     8 * p->reg[f->arg[k]].bytes, k);
  fputs (")\n{\n.reg .pred %on; .reg .b32 %lane; mov.u32 %lane, %laneid; "
	 "setp.eq.u32 %on, %lane, %lane;\n", w->f);
  print_regs (w, f->arg[0], end, true);
  for (unsigned k = 0; k < f->nargs; k++)
    fprintf (w->f, "ld.param.b%u %%v%u, [a%u];\n", 8 * p->reg[f->arg[k]].bytes,
	     f->arg[k], k);
  print_body (w, f->body);
  fprintf (w->f, "st.param.b%u [r], %%v%u;\nret;\n}\n",
	   8 * p->reg[f->result].bytes, f->result);
}

/* Addresses of the thread's scratch memory, filled with what lies in global
   memory.  */
static void
print_scratch (struct printer *w)
{
  fprintf (w->f,
	   "ld.param.u64 %%at_global, [scratch];\n"
	   "mad.wide.u32 %%at_global, %%me, %u, %%at_global;\n"
	   "mov.u64 %%gen_global, %%at_global;\n",
	   SCRATCH);
  for (enum space s = SP_SHARED; s < SPACES; s++)
    if (w->p->uses[s])
      {
	const char *n = space_text[s];
	fprintf (w->f, "mov.u64 %%at_%s, %s_scratch;\n", n, n);
	if (s == SP_SHARED)
	  fprintf (w->f, "mad.wide.u32 %%at_%s, %%lane, %u, %%at_%s;\n", n,
		   SCRATCH, n);
	fprintf (w->f, "cvta.%s.u64 %%gen_%s, %%at_%s;\n", n, n, n);
	for (unsigned k = 0; k < SCRATCH; k += 8)
	  fprintf (w->f, "ld.global.b64 %%addr, [%%at_global+%u]; "
		   "st.%s.b64 [%%at_%s+%u], %%addr;\n", k, n, n, k);
      }
}

void
program_print (const struct program *p, unsigned id, FILE *f)
{
  struct printer w = { .p = p, .f = f, .kernel = id };
  for (unsigned k = 0; k < p->nfuncs; k++)
    print_func (&w, k);
  fprintf (f,
	   ".visible .entry k%u (.param .u64 in, .param .u64 out, "
	   ".param .u64 scratch, .param .u64 cells)\n{\n"
	   ".reg .b32 %%t<2>; .reg .b32 %%m<6>; .reg .b32 %%n<6>; "
	   ".reg .b32 %%i<6>; .reg .pred %%c<6>; .reg .pred %%p<%u>; "
	   ".reg .pred %%on;\n"
	   ".reg .b32 %%me, %%lane; .reg .b64 %%io, %%addr, %%cells;\n"
	   ".reg .b64 %%at_global, %%at_shared, %%at_local;\n"
	   ".reg .b64 %%gen_global, %%gen_shared, %%gen_local;\n"
	   ".shared .align 16 .b8 shared_scratch[%u];\n"
	   ".shared .align 4 .b32 swap[%u];\n"
	   ".local .align 16 .b8 local_scratch[%u];\n"
	   "mov.u32 %%lane, %%tid.x; mov.u32 %%me, %%ctaid.x;\n"
	   "mad.lo.u32 %%me, %%me, %u, %%lane;\n"
	   "setp.eq.u32 %%on, %%me, %%me;\n"
	   "ld.param.u64 %%cells, [cells]; ld.param.u64 %%io, [in];\n"
	   "mad.wide.u32 %%io, %%me, 8, %%io;\n",
	   id, MAX_PREDS, THREADS * SCRATCH, THREADS, SCRATCH, THREADS);
  print_scratch (&w);
  for (unsigned k = 0; k < p->npreds; k++)
    fprintf (f, "setp.ne.u32 %%p%u, %%me, %%me;\n", k);
  print_regs (&w, 0, p->nregs, false);
  for (unsigned k = 0; k < INPUTS; k++)
    fprintf (f, "ld.global.b%u %%v%u, [%%io+%u];\n", 8 * p->reg[k].bytes, k,
	     k * LANES * 8);
  print_body (&w, p->body);
  fputs ("ld.param.u64 %io, [out]; mad.wide.u32 %io, %me, 8, %io;\n", f);
  for (unsigned k = INPUTS; k < p->nregs; k++)
    if (!p->reg[k].in_func)
      fprintf (f, "st.global.b%u [%%io+%u], %%v%u;\n", 8 * p->reg[k].bytes,
	       k * LANES * 8, k);
  fputs ("mov.b32 %t0, 0;\n", f);
  for (unsigned k = 0; k < p->npreds; k++)
    fprintf (f, "selp.b32 %%t1, %u, 0, %%p%u; or.b32 %%t0, %%t0, %%t1;\n",
	     1u << k, k);
  fprintf (f, "st.global.b32 [%%io+%u], %%t0;\nret;\n}\n",
	   MAX_REGS * LANES * 8);
}
