/* The stacks of GCC's OpenMP code (-msoft-stack).

   A function with a frame finds the stack of its warp through the variable
   __nvptx_stacks, takes its frame from there and puts the address back when it
   returns:

     ld.shared.u64 %sspprev, [%sspslot];
     sub.u64 %frame, %sspprev, SIZE;
     sub.u64 %stack, %frame, OUTGOING;
     st.shared.u64 [%sspslot], %stack;

   Source: init_softstack_frame in GCC's config/nvptx/nvptx.cc.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  /* For functions outside of the unit: those of GCC's device libraries that
     are called for their result, such as sin, have small frames.  */
  OUTSIDE_STACK = 2048,
  /* Where the depth is not known.  */
  RECURSIVE_STACK = 16384,
  MAX_DEPTH = 32
};

/* ---- How much stack a function needs ---- */

uint64_t
stack_frame (const struct ptx_func *f)
{
  uint64_t size = 0;
  if (!func_mentions (f, "__nvptx_stacks"))
    return 0;
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    {
      if (s->kind != PTX_S_INSN || s->insn->nopnds != 3
	  || s->insn->opnd[2]->kind != PTX_O_INT)
	continue;
      const struct ptx_insn *i = s->insn;
      bool frame = insn_names (i, 0, "%frame");
      if (i->op == PTX_OP_SUB && (frame || insn_names (i, 0, "%stack")))
	size += i->opnd[2]->bits;
      /* Alignment: the operand is minus the alignment.  */
      else if (i->op == PTX_OP_AND && frame && insn_names (i, 1, "%frame"))
	size -= i->opnd[2]->bits;
    }
  return size + STACK_ALIGN;
}

bool
stack_unneeded (const char *name)
{
  /* Of the compiler that this is built for, and of the driver
     (stackless.awk).  */
  static const char *const names[] = {
#include "stackless.h"
    NULL
  };
  for (const char *const *n = names; *n; n++)
    if (strcmp (*n, name) == 0)
      return true;
  return false;
}

/* ---- Recursion ---- */

/* Functions with bodies.  */
struct functions
{
  const struct ptx_func **all;
  unsigned n, room;
};

static bool
has_function (const struct functions *set, const struct ptx_func *f)
{
  for (unsigned i = 0; i < set->n; i++)
    if (set->all[i] == f)
      return true;
  return false;
}

static void
add_function (struct functions *set, const struct ptx_func *f)
{
  if (has_function (set, f))
    return;
  if (set->n == set->room)
    {
      set->room = 2 * set->room + 8;
      set->all = realloc (set->all, set->room * sizeof *set->all);
      if (!set->all)
	abort ();
    }
  set->all[set->n++] = f;
}

/* Add to SET the functions that F calls, by their names.  */
static void
add_callees (struct functions *set, const struct ptx_func *f)
{
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    {
      const struct ptx_func *callee = called_function (s);
      if (callee)
	add_function (set, callee);
    }
}

/* The functions that F calls, and those that they call.  */
static struct functions
all_below (const struct ptx_func *f)
{
  struct functions set = { NULL, 0, 0 };
  add_callees (&set, f);
  for (unsigned i = 0; i < set.n; i++)
    add_callees (&set, set.all[i]);
  return set;
}

/* Does F call itself, by way of others or not?  */
static bool
is_recursive (const struct ptx_func *f)
{
  struct functions set = all_below (f);
  bool recursive = has_function (&set, f);
  free (set.all);
  return recursive;
}

bool
stack_recurs (const struct ptx_func *f)
{
  struct functions set = all_below (f);
  bool recurs = has_function (&set, f);
  for (unsigned i = 0; i < set.n && !recurs; i++)
    recurs = is_recursive (set.all[i]);
  free (set.all);
  return recurs;
}

/* ---- How much stack calls need ---- */

static uint64_t below (const struct ptx_func *f, unsigned depth);

/* Bytes that the function called by CALL and those below it take.  */
static uint64_t
callee_stack (const struct ptx_insn *call, unsigned depth)
{
  const struct ptx_sym *target = call_target (call);
  if (!target)
    return RECURSIVE_STACK;
  const struct ptx_func *f = target->func;
  if (!f->has_body)
    return stack_unneeded (target->name) ? 0 : OUTSIDE_STACK;
  /* It has a stack to itself (pass entry).  */
  if (depth == 0 && stack_recurs (f))
    return 0;
  if (depth + 1 == MAX_DEPTH)
    return RECURSIVE_STACK;
  return stack_frame (f) + below (f, depth + 1);
}

bool
stack_ends (const struct ptx_stmt *s)
{
  static const char fortran[] = "_gfortran_";
  const struct ptx_sym *target
    = s->kind == PTX_S_INSN && s->insn->op == PTX_OP_CALL
	? call_target (s->insn)
	: NULL;
  return target && !target->func->has_body && s->next->kind == PTX_S_INSN
	 && s->next->insn->op == PTX_OP_TRAP
	 && (!strncmp (target->name, fortran, sizeof fortran - 1)
	     || !strcmp (target->name, "__assert_func"));
}

/* Bytes that the functions that F calls take.  Those that end a kernel are for
   stack_of_end.  */
static uint64_t
below (const struct ptx_func *f, unsigned depth)
{
  uint64_t most = 0;
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    if (s->kind == PTX_S_INSN && s->insn->op == PTX_OP_CALL
	&& !(depth == 0 && stack_ends (s)))
      {
	uint64_t n = callee_stack (s->insn, depth);
	most = n > most ? n : most;
      }
  return most;
}

uint64_t
stack_below (const struct ptx_func *f)
{
  return below (f, 0);
}

uint64_t
stack_of_end (const struct ptx_func *f)
{
  uint64_t most = 0;
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    if (stack_ends (s))
      {
	uint64_t n = callee_stack (s->insn, 0);
	most = n > most ? n : most;
      }
  return most;
}

/* May F, or what it calls, ask which lanes work?  */
static bool
asks_lanes (const struct ptx_func *f, unsigned depth)
{
  if (!f->has_body || depth == MAX_DEPTH || func_mentions (f, "__nvptx_uni"))
    return true;
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    if (s->kind == PTX_S_INSN && s->insn->op == PTX_OP_CALL
	&& (!call_target (s->insn)
	    || asks_lanes (call_target (s->insn)->func, depth + 1)))
      return true;
  return false;
}

bool
stack_lanes_below (const struct ptx_func *f)
{
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    if (s->kind == PTX_S_INSN && s->insn->op == PTX_OP_CALL
	&& (!call_target (s->insn)
	    || asks_lanes (call_target (s->insn)->func, 1)))
      return true;
  return false;
}

/* Does INSN treat the stack as a frame of one size does?  */
static bool
has_usual_stack (const struct ptx_insn *insn)
{
  bool slot = false;
  for (unsigned i = 0; i < insn->nopnds; i++)
    slot |= insn_names (insn, i, "%sspslot");
  if (slot)
    return (insn->op == PTX_OP_LD && insn_names (insn, 0, "%sspprev"))
	   || insn->op == PTX_OP_ADD
	   || (insn->op == PTX_OP_ST
	       && (insn_names (insn, 1, "%stack")
		   || insn_names (insn, 1, "%sspprev")));
  return !insn_names (insn, 0, "%stack") || insn->op == PTX_OP_ST
	 || insn->op == PTX_OP_CALL
	 || (insn->op == PTX_OP_SUB && insn_names (insn, 1, "%frame")
	     && insn->opnd[2]->kind == PTX_O_INT);
}

bool
stack_is_frame (const struct ptx_func *f)
{
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    if (s->kind == PTX_S_INSN && s->insn->nopnds
	&& !has_usual_stack (s->insn))
      return false;
  return true;
}

/* ---- Changes ---- */

void
stack_replace (struct post *p, struct ptx_func *f, const char *name,
	       const char *type, const char *value)
{
  const struct ptx_sym *address = NULL;
  for (struct ptx_stmt *s = f->first, *next; s != f->last; s = next)
    {
      next = s->next;
      if (s->kind != PTX_S_INSN || s->insn->nopnds < 2)
	continue;
      const struct ptx_insn *i = s->insn;
      if (i->op == PTX_OP_LD && address && insn_named (i, 1) == address)
	post_set_from (p, s, type, value);
      else if (i->op == PTX_OP_MOV && insn_names (i, 1, name))
	address = insn_named (i, 0);
      else if (i->op == PTX_OP_ADD && address && insn_named (i, 1) == address)
	address = insn_named (i, 0);
    }
}

/* Does S compute the address REG?  */
static bool
computes (const struct ptx_stmt *s, const struct ptx_sym *reg)
{
  return s->kind == PTX_S_INSN
	 && (s->insn->op == PTX_OP_MOV || s->insn->op == PTX_OP_ADD)
	 && insn_named (s->insn, 0) == reg;
}

/* Remove the address of __nvptx_uni from F, where nothing accesses that any more: it is
   a variable of another unit, which a kernel in a module of its own cannot have
   (libgomp-ext/jit/split.h).  */
static void
drop_address (struct post *p, struct ptx_func *f)
{
  const struct ptx_sym *reg = NULL;
  for (const struct ptx_stmt *s = f->first; s != f->last && !reg; s = s->next)
    if (s->kind == PTX_S_INSN && s->insn->op == PTX_OP_MOV
	&& insn_names (s->insn, 1, "__nvptx_uni"))
      reg = insn_named (s->insn, 0);
  for (const struct ptx_stmt *s = f->first; s != f->last && reg; s = s->next)
    if (s->kind == PTX_S_INSN && !computes (s, reg) && insn_uses (s->insn, reg))
      return;
  for (struct ptx_stmt *s = f->first, *next; s != f->last && reg; s = next)
    {
      next = s->next;
      if (computes (s, reg))
	ptx_remove (p->unit, s);
    }
}

void
stack_all_lanes (struct post *p, struct ptx_func *f)
{
  if (!func_mentions (f, "__nvptx_uni"))
    return;
  stack_replace (p, f, "__nvptx_uni", "u32", "-1");
  for (struct ptx_stmt *s = f->first, *next; s != f->last; s = next)
    {
      next = s->next;
      if (s->kind == PTX_S_INSN && s->insn->nopnds
	  && (insn_names (s->insn, 0, "%ustmp1")
	      || insn_names (s->insn, 0, "%ustmp2")))
	ptx_remove (p->unit, s);
    }
  drop_address (p, f);
}

void
stack_localise (struct post *p, struct ptx_func *f)
{
  uint64_t size = stack_frame (f);
  char text[200];
  size = (size + STACK_ALIGN - 1) & -(uint64_t) STACK_ALIGN;
  for (struct ptx_stmt *s = f->first, *next; s != f->last; s = next)
    {
      next = s->next;
      if (s->kind != PTX_S_INSN || !s->insn->nopnds)
	continue;
      const struct ptx_insn *i = s->insn;
      if (i->op == PTX_OP_LD && insn_names (i, 1, "%sspslot"))
	{
	  snprintf (text, sizeof text,
		    "\tcvta.local.u64 %%sspprev, %%acr_frame;\n"
		    "\tadd.u64 %%sspprev, %%sspprev, %llu;",
		    (unsigned long long) size);
	  post_insert (p, f, s, text);
	}
      else if (!insn_names (i, 0, "%sspslot") && !insn_names (i, 0, "%fstmp0")
	       && !insn_names (i, 0, "%fstmp1")
	       && !insn_names (i, 0, "%fstmp2"))
	continue;
      ptx_remove (p->unit, s);
    }
  snprintf (text, sizeof text, "\t.local .align %d .b8 %%acr_frame[%llu];",
	    STACK_ALIGN, (unsigned long long) size);
  post_insert (p, f, f->first, text);
}
