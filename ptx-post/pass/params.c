/* Pass params: a kernel whose argument block is only loaded from, at offsets
   that are known, says so, and the runtime may pass the block itself in
   parameter space instead of its address.

   libgomp's kernels get the address of a block on the device, which has to be
   written in front of each launch: a copy, and a change of the device between
   copying and computing.  A kernel launch brings up to 4 KiB of parameters
   along by itself (CUDA C Programming Guide, "Function Parameters").  The
   kernel that stock libgomp launches and the one that gets parameters differ in
   three places only, so that the unit has the first one, and the runtime makes
   the second of it as it loads the unit (libgomp-ext/jit/params.h):

     .param .u64 %in_ar0              .param .align 8 .b8 %in_ar0[32]
     ld.param.u64 %acr_args32,[%in_ar0]   mov.u64 %acr_args32,%in_ar0
     ld.global.u64 %r1,[%acr_args32+8]    ld.param.u64 %r1,[%acr_args32+8]

   This pass lets one register, ACR_ARGS_REG with the block's size, stand for
   the address wherever the kernel has it, and lets nothing else use that
   register: what is right for an address in global memory is then right for one
   in parameter space (PTX ISA 5.1.6.1, "Kernel Function Parameters").

   A kernel and its forms (abi.h) are launched alike: all of them are so, or
   none.  Kernels that device code mentions may be launched from there, with an
   address, and are left alone.

   Needs: a tag for the function; all other passes before.  Keeps: everything.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "analysis/analysis.h"
#include "post.h"

#include <stdlib.h>
#include <string.h>

enum { SLOT = 8 }; /* bytes of an argument */

struct uses
{
  const struct ptx_func *f;
  bool *is_base;		/* by register: it has the block's address */
  unsigned *ndefs;
  struct ptx_stmt *load;	/* of the parameter */
  uint64_t size;		/* of the block, as far as it is loaded */
};

static bool
insn_p (const struct ptx_stmt *s)
{
  return s->kind == PTX_S_INSN;
}

static void
count_def (struct ptx_sym *reg, void *closure)
{
  ((struct uses *) closure)->ndefs[reg->index]++;
}

/* Whether I, a move or load (OP), fills one register with eight bytes.  */
static bool
moves_p (const struct ptx_insn *i, enum ptx_op op)
{
  return i->op == op && !i->guard && i->nopnds == 2 && i->vec == 1
	 && i->opnd[0]->kind == PTX_O_REG
	 && ptx_type_info[i->type[0]].bytes == 8;
}

static bool
names_p (const struct ptx_opnd *o, const struct ptx_sym *sym)
{
  bool there = o->sym == sym;
  for (unsigned i = 0; i < o->nelt && !there; i++)
    there = names_p (o->elt[i], sym);
  return there;
}

/* How often U's function mentions its first parameter; the last load of it, if
   it is one of all of it, is U's.  */
static unsigned
find_load (struct uses *u)
{
  const struct ptx_sym *param = u->f->params;
  unsigned n = 0;
  for (struct ptx_stmt *s = u->f->first; s != u->f->last; s = s->next)
    for (unsigned k = 0; insn_p (s) && k < s->insn->nopnds; k++)
      if (names_p (s->insn->opnd[k], param))
	{
	  const struct ptx_opnd *a = s->insn->opnd[k];
	  n++;
	  if (moves_p (s->insn, PTX_OP_LD) && k == 1
	      && s->insn->space == PTX_SP_PARAM && a->kind == PTX_O_ADDR
	      && a->off == 0)
	    u->load = s;
	}
  return n;
}

/* Whether that load is what this pass has made.  */
static bool
done (const struct uses *u)
{
  const char *name = u->load->insn->opnd[0]->sym->name;
  return strncmp (name, ACR_ARGS_REG, strlen (ACR_ARGS_REG)) == 0;
}

/* Whether I moves the address on.  */
static bool
moves_base (const struct uses *u, const struct ptx_insn *i)
{
  return moves_p (i, PTX_OP_MOV) && u->is_base[i->opnd[0]->sym->index];
}

/* The registers that have the address: what is loaded, and moved on.  */
static void
find_bases (struct uses *u)
{
  u->is_base[u->load->insn->opnd[0]->sym->index] = true;
  for (bool more = true; more;)
    {
      more = false;
      for (struct ptx_stmt *s = u->f->first; s != u->f->last; s = s->next)
	if (insn_p (s) && moves_p (s->insn, PTX_OP_MOV)
	    && s->insn->opnd[1]->kind == PTX_O_REG
	    && u->is_base[s->insn->opnd[1]->sym->index]
	    && !u->is_base[s->insn->opnd[0]->sym->index])
	  more = u->is_base[s->insn->opnd[0]->sym->index] = true;
    }
}

struct use { const struct uses *u; unsigned n; };

static void
count_use (struct ptx_sym *reg, void *closure)
{
  struct use *c = closure;
  c->n += c->u->is_base[reg->index];
}

/* Whether I has modifiers that a load of a parameter cannot have; .nc goes.  */
static bool
modified_p (const struct ptx_insn *i)
{
  bool any = i->flags & ~ptx_flag_bit (PTX_M_NC);
  for (unsigned k = 0; k < PTX_MC_COUNT; k++)
    any |= i->mod[k] != PTX_M_NONE;
  return any;
}

/* Where the block's part that I, which uses its address once, loads ends; 0
   when I is no such load.  */
static uint64_t
end_of_load (const struct uses *u, const struct ptx_insn *i)
{
  const struct ptx_opnd *a = i->nopnds == 2 ? i->opnd[1] : NULL;
  unsigned bytes = ptx_type_info[i->type[0]].bytes;
  if (i->op != PTX_OP_LD || modified_p (i)
      || (i->space != PTX_SP_NONE && i->space != PTX_SP_GLOBAL) || !a
      || a->kind != PTX_O_ADDR || a->nelt != 1
      || a->elt[0]->kind != PTX_O_REG || !u->is_base[a->elt[0]->sym->index]
      || a->off < 0 || a->off % (bytes * i->vec))
    return 0;
  return a->off + bytes * i->vec;
}

/* Is every use of the address a load from the block, or a move?  */
static bool
only_loads (struct uses *u)
{
  for (struct ptx_stmt *s = u->f->first; s != u->f->last; s = s->next)
    {
      struct use c = { u, 0 };
      if (!insn_p (s))
	continue;
      ptx_insn_uses (s->insn, count_use, &c);
      bool moves = moves_base (u, s->insn);
      uint64_t end = c.n == 1 && !moves ? end_of_load (u, s->insn) : 0;
      if (c.n && !moves && !end)
	return false;
      u->size = end > u->size ? end : u->size;
    }
  u->size = (u->size + SLOT - 1) / SLOT * SLOT;
  return u->size && u->size <= ACR_ARGS_MAX;
}

static void
uses_free (struct uses *u)
{
  free (u->is_base);
  free (u->ndefs);
}

/* What F does with its block; false when that is not just loads.  */
static bool
understand (struct uses *u, const struct ptx_func *f)
{
  *u = (struct uses) { .f = f };
  if (!f->has_body || f->opaque || !f->nregs)
    return false;
  u->is_base = xcalloc (f->nregs, sizeof *u->is_base);
  u->ndefs = xcalloc (f->nregs, sizeof *u->ndefs);
  for (struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    if (insn_p (s))
      ptx_insn_defs (s->insn, count_def, u);
  if (find_load (u) != 1 || !u->load || done (u))
    return false;
  find_bases (u);
  for (unsigned i = 0; i < f->nregs; i++)
    if (u->is_base[i] && u->ndefs[i] != 1)
      return false;
  return only_loads (u);
}

/* Kernels that device code mentions; most often none.  */
struct mentioned
{
  bool any; /* there may be others */
  const struct ptx_func **kernel;
  size_t n;
};

static void
note_kernel (const struct ptx_func *f, void *closure)
{
  struct mentioned *m = closure;
  if (!f->is_entry)
    return;
  m->kernel = realloc (m->kernel, (m->n + 1) * sizeof *m->kernel);
  if (!m->kernel)
    abort ();
  m->kernel[m->n++] = f;
}

static struct mentioned
find_mentioned (const struct ptx_unit *unit)
{
  struct mentioned m = { .any = unit_is_opaque (unit) };
  vars_each_named (unit->vars, note_kernel, &m);
  for (const struct ptx_func *f = unit->funcs; f; f = f->next)
    if (f->has_body)
      func_each_named (f, note_kernel, &m);
  return m;
}

static bool
is_mentioned (const struct mentioned *m, const struct ptx_func *f)
{
  bool is = m->any;
  for (size_t i = 0; i < m->n && !is; i++)
    is = m->kernel[i] == f;
  return is;
}

/* Let one register, which tells SIZE, stand for all that have the address in
   F.  */
static void
let_stand (struct post *p, const struct uses *u, struct ptx_func *f,
	   uint64_t size)
{
  char text[strlen (f->params->name) + 100];
  snprintf (text, sizeof text,
	    "\t.reg.u64 %s%u;\n\tld.param.u64 %s%u,[%s];", ACR_ARGS_REG,
	    (unsigned) size, ACR_ARGS_REG, (unsigned) size, f->params->name);
  post_insert (p, f, u->load, text);
  struct ptx_sym *reg = u->load->next->next->insn->opnd[0]->sym;
  for (struct ptx_stmt *s = f->first, *next; s != f->last; s = next)
    {
      next = s->next;
      if (!insn_p (s) || s == u->load->next->next)
	continue;
      if (end_of_load (u, s->insn))
	{
	  s->insn->opnd[1]->elt[0]->sym = reg;
	  s->changed = true;
	  post_explain (p, s, true, "a load of an argument");
	}
      else if (moves_base (u, s->insn))
	ptx_remove (p->unit, s);
    }
  ptx_remove (p->unit, u->load);
}

/* Whether G is F or a form of it.  */
static bool
same_kernel (const struct ptx_func *f, const struct ptx_func *g)
{
  const char *form = strstr (g->sym->name, ACR_FORM_SUFFIX);
  size_t n = strlen (f->sym->name);
  return g->is_entry
	 && (g == f
	     || (form && (size_t) (form - g->sym->name) == n
		 && memcmp (f->sym->name, g->sym->name, n) == 0));
}

/* Treat F and its forms alike; M are mentioned.  */
static void
treat (struct post *p, const struct mentioned *m, struct ptx_func *f)
{
  uint64_t size = 0;
  const char *why = NULL;
  for (struct ptx_func *g = f; g && !why; g = g->next)
    if (same_kernel (f, g))
      {
	struct uses u;
	if (!understand (&u, g))
	  why = "its argument block has uses that are no loads";
	else if (is_mentioned (m, g))
	  why = "device code mentions the kernel";
	size = u.size > size ? u.size : size;
	uses_free (&u);
      }
  if (why)
    {
      post_explain (p, f->header, false, "%s: %s", f->sym->name, why);
      return;
    }
  for (struct ptx_func *g = f; g; g = g->next)
    if (same_kernel (f, g))
      {
	struct uses u;
	understand (&u, g);
	let_stand (p, &u, g, size);
	uses_free (&u);
      }
}

/* Whether F gets its block's address by the register that tells the size.  */
static bool
is_treated (const struct ptx_func *f, void *unused)
{
  (void) unused;
  struct uses u = { .f = f };
  return f->is_entry && f->params && find_load (&u) == 1 && u.load && done (&u);
}

void
pass_params (struct post *p)
{
  struct mentioned m = find_mentioned (p->unit);
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    if (f->is_entry && !strstr (f->sym->name, ACR_FORM_SUFFIX)
	&& tags_find (p->tags, f))
      treat (p, &m, f);
  free (m.kernel);
  /* They would not agree with what the runtime makes of the kernel.  */
  ptx_remove_decls (p->unit, is_treated, NULL);
}
