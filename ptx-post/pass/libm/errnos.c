/* Pass errnos: nothing is stored in errno where nobody reads it.

   The device's libm is written for a host: what is out of a function's range or
   domain is also told by errno, so that each result has a way that calls libc,

     call (%value_in), __errno;  ld.param.u64 %p, [%value_in];  st.u32 [%p], 34;

   A call that is hardly ever made costs all the same: ptxas keeps values that live
   across it in few registers, moves no load past it, and a kernel that calls
   another unit has to be linked with that whenever it is loaded, in one form.

   The device's errno is a variable of libc in the program's device code, which the
   host cannot name; all of the program's device code is one unit (GCC's device
   compiler partitions nothing), and what that calls is found in libraries.  So
   there is somebody who reads it only where, in the unit or in a function of a
   library that it leads to, the address of errno is used for anything but a store,
   or libc's structure with errno (_impure_ptr) is named; or where a function is
   found nowhere.  libgomp's own functions read it for themselves at the most.

   Needs: pass clone to be over, which brings functions of libm into the unit.
   Keeps: all values.  Breaks: nothing.
   Source: dead store elimination; newlib's sys/errno.h and libm/common.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"
#include "library.h"

#include <stdlib.h>
#include <string.h>

static const char get_errno[] = "__errno", structure[] = "_impure_ptr";

enum { MAX_FUNCTIONS = 1000 };

/* What has been looked at.  */
struct search
{
  const struct ptx_func *func[MAX_FUNCTIONS];
  unsigned n;
  const char *reader;		/* who may read errno; NULL: nobody so far */
};

/* ---- A place that asks for errno's address ---- */

static bool
asks (const struct ptx_stmt *s)
{
  if (s->kind != PTX_S_INSN || s->insn->op != PTX_OP_CALL)
    return false;
  const struct ptx_sym *target = call_target (s->insn);
  return target && strcmp (target->name, get_errno) == 0;
}

/* Where what CALL returns is loaded, by GCC's form; or NULL.  */
static struct ptx_stmt *
find_load (const struct ptx_stmt *call)
{
  const struct ptx_opnd *results = call->insn->opnd[0];
  const struct ptx_stmt *s = call->next;
  if (call->insn->guard || results->kind != PTX_O_LIST || results->nelt != 1
      || s->kind != PTX_S_INSN || s->insn->op != PTX_OP_LD || s->insn->guard
      || s->insn->vec != 1 || s->insn->space != PTX_SP_PARAM
      || insn_named (s->insn, 1) != results->elt[0]->sym)
    return NULL;
  return call->next;
}

static bool
stores_at (const struct ptx_insn *i, const struct ptx_sym *reg)
{
  if (i->op != PTX_OP_ST || i->nopnds != 2 || i->vec != 1 || i->guard == reg)
    return false;
  const struct ptx_opnd *value = i->opnd[1];
  return insn_named (i, 0) == reg
	 && !(value->kind == PTX_O_REG && value->sym == reg);
}

/* Is the address that CALL of F asks for one of stores alone?  */
static bool
only_stores (const struct ptx_func *f, const struct ptx_stmt *call)
{
  const struct ptx_stmt *load = find_load (call);
  const struct ptx_sym *reg = load ? load->insn->opnd[0]->sym : NULL;
  for (const struct ptx_stmt *s = f->first; reg && s != f->last; s = s->next)
    if (s->kind == PTX_S_INSN
	&& ((s != load && insn_sets (s->insn, reg))
	    || (insn_uses (s->insn, reg) && !stores_at (s->insn, reg))))
      return false;
  return reg;
}

/* Take out CALL of F and the stores of what it returns.  */
static void
remove_stores (struct post *p, struct ptx_func *f, struct ptx_stmt *call)
{
  struct ptx_stmt *load = find_load (call);
  const struct ptx_sym *reg = load->insn->opnd[0]->sym;
  post_explain (p, call, true, "nobody reads errno");
  for (struct ptx_stmt *s = f->first, *next; s != f->last; s = next)
    {
      next = s->next;
      if (s->kind == PTX_S_INSN
	  && (s == load || s == call || stores_at (s->insn, reg)))
	ptx_remove (p->unit, s);
    }
}

/* ---- Who reads errno? ---- */

/* Is NAME a function of libgomp's, or of the driver's?  */
static bool
is_runtime (const char *name)
{
  static const char *const prefixes[]
    = { "GOMP_", "GOACC_", "omp_", "acc_", "gomp_", "goacc_" };
  static const char *const names[]
    = { "vprintf", "malloc", "free", "__assertfail" };
  for (unsigned i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (strncmp (name, prefixes[i], strlen (prefixes[i])) == 0)
      return true;
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp (name, names[i]) == 0)
      return true;
  return false;
}

static bool
names_it (const struct ptx_insn *i)
{
  for (unsigned n = 0; n < i->nopnds; n++)
    if (insn_names (i, n, get_errno))
      return true;
  return false;
}

/* Does F, with a body, itself do anything with errno but store there?  */
static bool
may_read (const struct ptx_func *f)
{
  if (f->opaque || func_mentions (f, structure))
    return true;
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    if (s->kind == PTX_S_INSN
	&& (s->insn->op == PTX_OP_CALL ? asks (s) && !only_stores (f, s)
				       : names_it (s->insn)))
      return true;
  return false;
}

/* Look at F, and at what it leads to.  */
static void
look_at (const struct ptx_func *f, void *closure)
{
  struct search *s = closure;
  const char *name = f->sym->name;
  for (unsigned i = 0; i < s->n; i++)
    if (s->func[i] == f)
      return;
  if (s->reader || strcmp (name, get_errno) == 0)
    return;
  if (s->n == MAX_FUNCTIONS || (f->has_body && may_read (f)))
    {
      s->reader = name;
      return;
    }
  s->func[s->n++] = f;
  if (f->has_body)
    func_each_named (f, look_at, s);
  else if (!is_runtime (name))
    {
      enum library from;
      const struct ptx_unit *u = library_function (name, &from);
      const struct ptx_sym *def = u ? ptx_lookup (u, name) : NULL;
      if (def && def->kind == PTX_SYM_FUNC && def->func->has_body)
	look_at (def->func, s);
      else
	s->reader = name;
    }
}

/* ---- The pass ---- */

static bool
asks_anywhere (const struct ptx_func *f)
{
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    if (asks (s))
      return true;
  return false;
}

/* Let no function of the unit store in errno.  */
static void
remove_all (struct post *p)
{
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    for (struct ptx_stmt *s = f->has_body ? f->first : NULL, *next;
	 s && s != f->last; s = next)
      {
	/* Stores at the address come behind the call and its load.  */
	next = s->next;
	if (asks (s))
	  {
	    next = s->prev;
	    remove_stores (p, f, s);
	  }
      }
}

void
pass_errnos (struct post *p)
{
  struct ptx_func *wants = p->unit->funcs;
  while (wants && !(wants->has_body && asks_anywhere (wants)))
    wants = wants->next;
  if (!wants || unit_is_opaque (p->unit))
    return;
  struct search *s = calloc (1, sizeof *s);
  if (!s)
    abort ();
  vars_each_named (p->unit->vars, look_at, s);
  for (const struct ptx_func *f = p->unit->funcs; f; f = f->next)
    if (f->has_body)
      look_at (f, s);
  if (s->reader)
    post_explain (p, wants->header, false, "%s may read errno", s->reader);
  else
    remove_all (p);
  free (s);
}
