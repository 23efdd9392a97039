/* Pass hoist: kernels that divide, take square roots, or multiply complex
   numbers have a form in which the loads behind that are in front of it.

   ptxas makes branches of such an instruction, for numbers that need more care,
   and moves no load past a branch.  So the loads of

     ld.global.f64 %a, [%p];            ld.global.f64 %a, [%p];
     div.rn.f64 %q, %x, %a;             ld.global.f64 %b, [%p+8];
     ld.global.f64 %b, [%p+8];          div.rn.f64 %q, %x, %a;
     fma.rn.f64 %y, %b, %q, %y;         fma.rn.f64 %y, %b, %q, %y;

   are under way one after the other on the left, where a thread waits for memory
   twice.  What moves is in the same block, so it is executed in any case, and with
   it go the integer operations that its address comes from.  Nothing that it
   passes stores, meets other threads, or has to do with its registers.

   GCC multiplies complex numbers by what is right for nearly all, and calls
   libgcc where both parts are NaN, as C wants infinities of some of these:

     @%p bra $on;  call __muldc3, ...;  ld.local.f64 %y, ...;  $on:

   Both ways come to the label, and nobody else does, so that what is behind it
   is executed in any case, too.  libgcc's function computes with its arguments
   and stores the result where its caller wants that, in the caller's frame:
   which is not what is accessed as global memory, and only such loads move past
   it.

   Values live longer, which takes registers; so there are forms with a number of
   registers that is given, too (forms.c), and all are measured.  Kernels that have
   forms already are left: those with several rows a thread have loads of the other
   rows under way.

   Needs: a tag that says that a kernel is an SPMD kernel; the pass forms.  Keeps:
   what is loaded, by any order of memory accesses that PTX allows for these loads.
   Breaks: nothing.
   Source: C11, G.5.1 (GCC's expand_complex_multiplication); list scheduling of
   trace schedulers, J. Fisher, "Trace Scheduling: A Technique for Global
   Microcode Compaction", IEEE ToC 1981; hoisting within a
   block, or to one that it postdominates, needs no compensation.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include <stdlib.h>
#include <string.h>

enum
{
  LEAST = 4,			/* loads that are worth a form */
  MOST = 16,			/* loads that pass one instruction */
  WINDOW = 150			/* statements behind it that are looked at */
};

/* Statements behind a wall, which ptxas moves no load past: a slow instruction, or
   the branch past a call.  */
struct window
{
  struct ptx_stmt *wall, *stmt[WINDOW];
  unsigned n, nregs;
  bool may[WINDOW], moves[WINDOW];
  bool *written, *read;		/* registers, by what stays */
};

/* ---- What an instruction is ---- */

static bool
is_slow (const struct ptx_stmt *s)
{
  if (s->kind != PTX_S_INSN)
    return false;
  const struct ptx_insn *i = s->insn;
  return (i->op == PTX_OP_DIV || i->op == PTX_OP_SQRT || i->op == PTX_OP_RCP)
	 && i->mod[PTX_MC_ROUND] == PTX_M_RN;
}

/* Does S call libgcc to multiply or divide complex numbers?  */
static bool
is_complex_call (const struct post *p, const struct ptx_stmt *s)
{
  static const char *const names[]
    = { "__mulsc3", "__muldc3", "__divsc3", "__divdc3" };
  const struct ptx_func *f = called_function (s);
  for (unsigned i = 0; f && i < sizeof names / sizeof *names; i++)
    if (post_is_copy (p, f, names[i], LIBRARY_GCC))
      return true;
  return false;
}

/* May S stand beside such a call: for its arguments, or with its result?  */
static bool
is_around_call (const struct ptx_stmt *s)
{
  if (s->kind != PTX_S_INSN)
    return s->kind != PTX_S_LABEL;
  const struct ptx_insn *i = s->insn;
  if (i->op == PTX_OP_LD || i->op == PTX_OP_ST)
    return !i->mod[PTX_MC_SEM]
	   && (i->op == PTX_OP_LD || i->space == PTX_SP_PARAM);
  return !(ptx_op_info[i->op].flags
	   & (PTX_OF_CONTROL | PTX_OF_WRITES_MEM | PTX_OF_CONVERGENT
	      | PTX_OF_EFFECT));
}

/* The label behind such a call when S, of F, branches there; or NULL.  */
static struct ptx_stmt *
past_call (const struct post *p, const struct ptx_func *f,
	   const struct ptx_stmt *s)
{
  if (s->kind != PTX_S_INSN || s->insn->op != PTX_OP_BRA || !s->insn->guard
      || s->insn->opnd[0]->kind != PTX_O_SYM)
    return NULL;
  const struct ptx_sym *label = s->insn->opnd[0]->sym;
  struct ptx_stmt *t = s->next;
  unsigned calls = 0;
  for (unsigned n = 0; t != label->stmt; t = t->next)
    if (t == f->last || ++n > WINDOW)
      return NULL;
    else if (is_complex_call (p, t))
      calls++;
    else if (!is_around_call (t))
      return NULL;
  return calls && !func_names_label (f, label, s) ? t : NULL;
}

/* Is S a load of data whose place among other accesses nobody may rely on?  */
static bool
is_load (const struct ptx_stmt *s)
{
  const struct ptx_insn *i = s->insn;
  return i->op == PTX_OP_LD && !i->guard
	 && (i->space == PTX_SP_GLOBAL || i->space == PTX_SP_NONE)
	 && !i->mod[PTX_MC_SEM] && !i->mod[PTX_MC_SCOPE];
}

/* Is S what addresses come from, with nothing but registers and numbers?  */
static bool
is_address_part (const struct ptx_stmt *s)
{
  static const enum ptx_op ops[]
    = { PTX_OP_ADD, PTX_OP_SUB, PTX_OP_MUL, PTX_OP_MAD, PTX_OP_SHL,
	PTX_OP_SHR, PTX_OP_AND, PTX_OP_OR, PTX_OP_CVT, PTX_OP_MOV };
  const struct ptx_insn *i = s->insn;
  bool known = false;
  for (unsigned k = 0; k < sizeof ops / sizeof *ops; k++)
    known |= i->op == ops[k];
  if (!known || i->guard || i->flags)
    return false;
  for (unsigned k = 0; k < i->ntypes; k++)
    if (ptx_type_info[i->type[k]].cls == PTX_TC_FLOAT)
      return false;
  for (unsigned k = 0; k < i->nopnds; k++)
    if (i->opnd[k]->kind != PTX_O_REG && i->opnd[k]->kind != PTX_O_INT)
      return false;
  return true;
}

/* Does the window end in front of S?  */
static bool
is_end (const struct ptx_stmt *s)
{
  if (s->kind == PTX_S_DIRECTIVE)
    return false;
  return s->kind != PTX_S_INSN
	 || (ptx_op_info[s->insn->op].flags
	     & (PTX_OF_CONTROL | PTX_OF_WRITES_MEM | PTX_OF_CONVERGENT
		| PTX_OF_EFFECT))
	 || (s->insn->op == PTX_OP_LD && s->insn->mod[PTX_MC_SEM]);
}

/* ---- Registers ---- */

struct set
{
  bool *member, found;
};

static void
add_reg (struct ptx_sym *reg, void *closure)
{
  ((struct set *) closure)->member[reg->index] = true;
}

static void
find_reg (struct ptx_sym *reg, void *closure)
{
  struct set *s = closure;
  s->found |= s->member[reg->index];
}

/* Is one of the registers that I writes, or reads (USES), in MEMBER?  */
static bool
meets (const struct ptx_insn *i, bool uses, bool *member)
{
  struct set s = { member, false };
  (uses ? ptx_insn_uses : ptx_insn_defs) (i, find_reg, &s);
  return s.found;
}

/* S, of W, stays where it is.  */
static void
note_staying (struct window *w, const struct ptx_stmt *s)
{
  if (s->kind != PTX_S_INSN)
    return;
  ptx_insn_defs (s->insn, add_reg, &(struct set) { w->written, false });
  ptx_insn_uses (s->insn, add_reg, &(struct set) { w->read, false });
}

/* ---- What moves ---- */

/* Let W's statements move that may, as far as what stays allows it.  */
static void
try_moves (struct window *w)
{
  memset (w->written, 0, w->nregs);
  memset (w->read, 0, w->nregs);
  note_staying (w, w->wall);
  for (unsigned k = 0; k < w->n; k++)
    {
      const struct ptx_insn *i = w->stmt[k]->insn;
      w->moves[k] = w->may[k] && !meets (i, true, w->written)
		    && !meets (i, false, w->written)
		    && !meets (i, false, w->read);
      if (!w->moves[k])
	note_staying (w, w->stmt[k]);
    }
}

/* Let those of W no longer move that no load needs, or that are too many.  How many
   loads are left; *CHANGED when something may not move any more.  */
static unsigned
drop_useless (struct window *w, bool *changed)
{
  unsigned loads = 0;
  bool *needed = w->written;
  *changed = false;
  for (unsigned k = 0; k < w->n; k++)
    if (w->moves[k] && is_load (w->stmt[k]) && ++loads > MOST)
      w->may[k] = w->moves[k] = false, *changed = true;
  memset (needed, 0, w->nregs);
  for (unsigned k = w->n; k-- > 0;)
    {
      const struct ptx_insn *i = w->stmt[k]->insn;
      if (!w->moves[k])
	continue;
      if (is_load (w->stmt[k]) || meets (i, false, needed))
	ptx_insn_uses (i, add_reg, &(struct set) { needed, false });
      else
	w->may[k] = false, *changed = true;
    }
  return loads < MOST ? loads : MOST;
}

/* Add S to W; nothing that MAY not move does.  */
static void
add (struct window *w, struct ptx_stmt *s, bool may)
{
  if (s->kind != PTX_S_INSN)
    return;
  w->may[w->n] = may;
  w->stmt[w->n++] = s;
}

/* Fill W with what is behind WALL of F, a statement at which paths may part.  */
static void
fill (const struct post *p, const struct ptx_func *f, struct window *w,
      struct ptx_stmt *wall)
{
  bool called = false;
  struct ptx_stmt *on, *s = past_call (p, f, wall) ? wall : wall->next;
  w->wall = wall;
  w->n = 0;
  for (; w->n < WINDOW; s = s->next)
    if ((on = past_call (p, f, s)))
      {
	for (; s != on && w->n < WINDOW; s = s->next)
	  add (w, s, false);
	if (s != on)
	  return;
	called = true;
      }
    else if (is_end (s))
      return;
    else if (s->kind == PTX_S_INSN)
      add (w, s, is_address_part (s)
		 || (is_load (s)
		     && (!called || s->insn->space == PTX_SP_GLOBAL)));
}

/* Find what of W can move past its wall; how many loads.  */
static unsigned
find_moves (struct window *w)
{
  unsigned loads;
  bool changed;
  do
    {
      try_moves (w);
      loads = drop_useless (w, &changed);
    }
  while (changed);
  return loads;
}

/* Move S, of F, in front of WALL.  */
static void
move (struct post *p, struct ptx_func *f, struct ptx_stmt *s,
      struct ptx_stmt *wall)
{
  char *text;
  size_t len;
  FILE *out = open_memstream (&text, &len);
  if (!out)
    abort ();
  putc ('\t', out);
  ptx_print_insn (s->insn, out);
  fclose (out);
  post_insert (p, f, wall->prev, text);
  free (text);
  ptx_remove (p->unit, s);
}

/* How many loads of F can move past walls; in a FORM they do.  */
static unsigned
hoist (struct post *p, struct ptx_func *f, bool form)
{
  struct window w = { .nregs = f->nregs };
  unsigned n = 0;
  w.written = calloc (2 * f->nregs + 1, 1);
  if (!w.written)
    abort ();
  w.read = w.written + f->nregs;
  for (struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    {
      w.n = 0;
      if (is_slow (s) || past_call (p, f, s))
	fill (p, f, &w, s);
      unsigned loads = w.n ? find_moves (&w) : 0;
      n += loads;
      for (unsigned k = 0; k < w.n && loads && form; k++)
	if (w.moves[k])
	  move (p, f, w.stmt[k], s);
    }
  free (w.written);
  return n;
}

void
pass_hoist (struct post *p)
{
  /* Forms are added at the end of the list.  */
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    {
      if (!f->has_body || f->opaque || !tags_is_kernel (p->tags, f)
	  || post_has_forms (p, f) || hoist (p, f, false) < LEAST)
	continue;
      struct ptx_func *form = post_add_form (p, f);
      if (!form)
	continue;
      post_explain (p, f->header, true,
		    "a form with %u loads in front of what is slow",
		    hoist (p, form, true));
      post_limit_form (p, f, form);
    }
}
