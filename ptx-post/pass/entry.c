/* Pass entry: SPMD kernels of OpenMP regions get what a launch and the code
   around them expect.

   GCC makes such a kernel from a function of the kind that libgomp's device
   runtime calls otherwise (plugin/spmd/spmd.cc).  So it lacks three things, which
   this pass adds; without them the kernel does not run.

   Parameters.  libgomp's plugin launches every OpenMP kernel with three: the
   argument block, and where and how large the stacks are.

   Lanes.  OpenMP code is compiled so that one lane of a warp works and the
   others follow, unless __nvptx_uni[tid.y] says that each works for itself
   (-muniform-simt).  Here it says so.

   A stack.  OpenMP code keeps its frames in memory that __nvptx_stacks[tid.y]
   points to (-msoft-stack), one stack per warp.  Here each thread has its own
   in local memory.  The kernel's own frame simply lies there.  Functions that
   it calls find the stack through __nvptx_stacks, whose slot all threads of
   one tid.y share: since local memory has the same address for each of them
   that would do, did not threads of a warp come and go in different order.
   So when the kernel calls something with a frame, only threads with a slot
   for themselves work, those with tid.x = tid.z = 0.  A variable NAME$stack
   tells whoever launches the kernel NAME that the block's threads should lie
   along y.

   Kernels of OpenACC regions need none of that, but like those of OpenMP they
   may add in double precision, which old GPUs do not (lower_additions).

   Needs: a tag, for the above one that says that a kernel is plain.  Keeps: all
   other functions.

   Source: init_softstack_frame and nvptx_init_unisimt_predicate in GCC's
   config/nvptx/nvptx.cc; GOMP_OFFLOAD_run in libgomp's plugin-nvptx.c.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum
{
  /* For functions outside of the unit: those of GCC's device libraries that
     are called for their result, such as sin, have small frames.  */
  OUTSIDE_STACK = 2048,
  /* Where the depth is not known.  */
  RECURSIVE_STACK = 16384,
  MAX_DEPTH = 32,
  STACK_ALIGN = 16
};

/* What INSN's operand I names: a variable, a function or the base of an
   address; or NULL.  */
static const struct ptx_sym *
named (const struct ptx_insn *insn, unsigned i)
{
  const struct ptx_opnd *o = insn->opnd[i];
  if (o->kind == PTX_O_ADDR && o->nelt)
    o = o->elt[0];
  return o->kind == PTX_O_SYM || o->kind == PTX_O_REG ? o->sym : NULL;
}

static bool
names (const struct ptx_insn *insn, unsigned i, const char *name)
{
  const struct ptx_sym *sym = i < insn->nopnds ? named (insn, i) : NULL;
  return sym && strcmp (sym->name, name) == 0;
}

/* Does F use the variable NAME?  */
static bool
mentions (const struct ptx_func *f, const char *name)
{
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    if (s->kind == PTX_S_INSN)
      for (unsigned i = 0; i < s->insn->nopnds; i++)
	if (names (s->insn, i, name))
	  return true;
  return false;
}

/* ---- How much stack a kernel needs ---- */

/* Bytes that F, of which there is a body, takes from the stack itself.  */
static uint64_t
frame_size (const struct ptx_func *f)
{
  uint64_t size = 0;
  if (!mentions (f, "__nvptx_stacks"))
    return 0;
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    {
      if (s->kind != PTX_S_INSN || s->insn->nopnds != 3
	  || s->insn->opnd[2]->kind != PTX_O_INT)
	continue;
      const struct ptx_insn *i = s->insn;
      bool frame = names (i, 0, "%frame");
      if (i->op == PTX_OP_SUB && (frame || names (i, 0, "%stack")))
	size += i->opnd[2]->bits;
      /* Alignment: the operand is minus the alignment.  */
      else if (i->op == PTX_OP_AND && frame && names (i, 1, "%frame"))
	size -= i->opnd[2]->bits;
    }
  return size + STACK_ALIGN;
}

static uint64_t stack_size (const struct ptx_func *f, unsigned depth);

/* Does the function NAME of the device's libraries need no stack?  */
static bool
is_stackless (const char *name)
{
  /* Of the compiler that this is built for (stackless.awk).  */
  static const char *const names[] = {
#include "stackless.h"
    NULL
  };
  for (const char *const *n = names; *n; n++)
    if (strcmp (*n, name) == 0)
      return true;
  return false;
}

/* Bytes that the function called by CALL and those below it take.  */
static uint64_t
callee_stack (const struct ptx_insn *call, unsigned depth)
{
  /* Part of the driver, without a stack of ours.  */
  static const char *const builtin[] = { "vprintf", "malloc", "free" };
  const struct ptx_opnd *target = call->opnd[0];
  if (target->kind == PTX_O_LIST)
    target = call->opnd[1];
  if (target->kind != PTX_O_SYM || target->sym->kind != PTX_SYM_FUNC)
    return RECURSIVE_STACK;
  for (unsigned i = 0; i < sizeof builtin / sizeof *builtin; i++)
    if (strcmp (target->sym->name, builtin[i]) == 0)
      return 0;
  const struct ptx_func *f = target->sym->func;
  if (f->has_body)
    return stack_size (f, depth + 1);
  return is_stackless (target->sym->name) ? 0 : OUTSIDE_STACK;
}

/* Bytes that the functions that F calls take.  */
static uint64_t
callees_stack (const struct ptx_func *f, unsigned depth)
{
  uint64_t most = 0;
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    if (s->kind == PTX_S_INSN && s->insn->op == PTX_OP_CALL)
      {
	uint64_t n = callee_stack (s->insn, depth);
	most = n > most ? n : most;
      }
  return most;
}

/* Bytes that F, with a body, and the functions below it take.  */
static uint64_t
stack_size (const struct ptx_func *f, unsigned depth)
{
  if (depth == MAX_DEPTH)
    return RECURSIVE_STACK;
  return frame_size (f) + callees_stack (f, depth);
}

/* ---- Changes ---- */

/* Insert TEXT after AFTER in F; it is ours, so it is right.  */
static void
insert (struct post *p, struct ptx_func *f, struct ptx_stmt *after,
	const char *text)
{
  struct ptx_error e;
  bool ok = ptx_insert_after (p->unit, f, after, text, &e);
  assert (ok);
  (void) ok;
}

/* Let S, which sets a register from something, set it from VALUE.  */
static void
set_from (struct post *p, struct ptx_stmt *s, const char *type,
	  const char *value)
{
  char text[100];
  snprintf (text, sizeof text, "\tmov.%s %s, %s;", type,
	    s->insn->opnd[0]->sym->name, value);
  insert (p, s->func, s, text);
  ptx_remove (p->unit, s);
}

/* Let loads in F of what the variable NAME keeps for the thread give VALUE.
   GCC makes one in the prologue, from a register with the address.  */
static void
replace_loads (struct post *p, struct ptx_func *f, const char *name,
	       const char *type, const char *value)
{
  const struct ptx_sym *address = NULL;
  for (struct ptx_stmt *s = f->first, *next; s != f->last; s = next)
    {
      next = s->next;
      if (s->kind != PTX_S_INSN || s->insn->nopnds < 2)
	continue;
      const struct ptx_insn *i = s->insn;
      if (i->op == PTX_OP_LD && address && named (i, 1) == address)
	set_from (p, s, type, value);
      else if (i->op == PTX_OP_MOV && names (i, 1, name))
	address = named (i, 0);
      else if (i->op == PTX_OP_ADD && address && named (i, 1) == address)
	address = named (i, 0);
    }
}

/* Let F work as if its threads had one lane and at most 32 in y.  */
static void
lie_along_y (struct post *p, struct ptx_func *f)
{
  for (struct ptx_stmt *s = f->first, *next; s != f->last; s = next)
    {
      next = s->next;
      if (s->kind != PTX_S_INSN || s->insn->op != PTX_OP_MOV
	  || s->insn->opnd[1]->kind != PTX_O_SREG)
	continue;
      const struct ptx_opnd *o = s->insn->opnd[1];
      if (o->sreg == PTX_SR_TID && o->comp != 'y')
	set_from (p, s, "u32", "0");
      else if (o->sreg == PTX_SR_NTID && o->comp != 'y')
	set_from (p, s, "u32", "1");
      else if (o->sreg == PTX_SR_NTID)
	{
	  char text[100];
	  const char *reg = s->insn->opnd[0]->sym->name;
	  snprintf (text, sizeof text, "\tmin.u32 %s, %s, 32;", reg, reg);
	  insert (p, f, s, text);
	}
    }
}

/* Additions to memory in double precision, which SPMD kernels have for their
   reductions, came with sm_60.  For older GPUs they are loops.  */
static void
lower_additions (struct post *p, struct ptx_func *f)
{
  static const char addition[] = "red.add.f64";
  for (struct ptx_stmt *s = f->first, *next; s != f->last; s = next)
    {
      next = s->next;
      if (s->kind != PTX_S_INSN
	  || strcmp (s->insn->mnemonic, addition) != 0
	  || s->insn->nopnds != 2 || s->insn->guard
	  || !named (s->insn, 0) || !named (s->insn, 1)
	  || s->insn->opnd[0]->off)
	continue;
      if (post_may_use (p, addition))
	{
	  post_use (p, addition);
	  return;
	}
      char text[700];
      const char *address = named (s->insn, 0)->name;
      snprintf (text, sizeof text,
		"{\n\t.reg.b64 %%acr_old, %%acr_seen, %%acr_new;\n"
		"\t.reg.f64 %%acr_sum;\n\t.reg.pred %%acr_again;\n"
		"\tld.volatile.b64 %%acr_seen, [%s];\n"
		"$acr_again:\n"
		"\tmov.b64 %%acr_old, %%acr_seen;\n"
		"\tmov.b64 %%acr_sum, %%acr_old;\n"
		"\tadd.f64 %%acr_sum, %%acr_sum, %s;\n"
		"\tmov.b64 %%acr_new, %%acr_sum;\n"
		"\tatom.cas.b64 %%acr_seen, [%s], %%acr_old, %%acr_new;\n"
		"\tsetp.ne.b64 %%acr_again, %%acr_old, %%acr_seen;\n"
		"\t@%%acr_again bra $acr_again;\n}",
		address, named (s->insn, 1)->name, address);
      insert (p, f, s, text);
      ptx_remove (p->unit, s);
    }
}

/* Make sure that the unit knows the variable of libgcc that DECL declares.  */
static void
declare (struct post *p, const char *name, const char *type)
{
  char text[200];
  if (ptx_lookup (p->unit, name))
    return;
  snprintf (text, sizeof text,
	    "\n// BEGIN GLOBAL VAR DECL: %s\n.extern .shared .%s %s[32];\n",
	    name, type, name);
  insert (p, NULL, p->unit->last, text);
}

/* Store VALUE of SIZE bytes to the thread's slot of NAME, at the start of
   F.  */
static void
fill_slot (struct post *p, struct ptx_func *f, struct ptx_stmt *after,
	   const char *name, unsigned size, const char *value)
{
  char text[400];
  declare (p, name, size == 8 ? "u64" : "u32");
  snprintf (text, sizeof text,
	    "{\n\t.reg.u32 %%acr_y;\n\t.reg.u64 %%acr_slot, %%acr_base;\n"
	    "\tmov.u32 %%acr_y, %%tid.y;\n"
	    "\tmul.wide.u32 %%acr_slot, %%acr_y, %u;\n"
	    "\tmov.u64 %%acr_base, %s;\n"
	    "\tadd.u64 %%acr_slot, %%acr_slot, %%acr_base;\n"
	    "\tst.shared.u%u [%%acr_slot], %s;\n}",
	    size, name, 8 * size, value);
  insert (p, f, after, text);
}

/* The kernel F calls what looks for its stack in __nvptx_stacks.  */
static void
give_slots (struct post *p, struct ptx_func *f, struct ptx_stmt *after)
{
  lie_along_y (p, f);
  fill_slot (p, f, after, "__nvptx_stacks", 8, "%acr_top");
  insert (p, f, after,
	  "{\n\t.reg.u32 %acr_x, %acr_z;\n\t.reg.pred %acr_idle;\n"
	  "\tmov.u32 %acr_x, %tid.x;\n\tmov.u32 %acr_z, %tid.z;\n"
	  "\tor.b32 %acr_x, %acr_x, %acr_z;\n"
	  "\tsetp.ne.u32 %acr_idle, %acr_x, 0;\n\t@%acr_idle ret;\n"
	  "\tmov.u32 %acr_x, %tid.y;\n"
	  "\tsetp.ge.u32 %acr_idle, %acr_x, 32;\n\t@%acr_idle ret;\n}");
  char text[300];
  const char *name = f->sym->name;
  snprintf (text, sizeof text,
	    "\n// BEGIN GLOBAL VAR DEF: %s" ACR_STACK_SUFFIX "\n"
	    ".visible .global .align 4 .u32 %s" ACR_STACK_SUFFIX "[1];\n",
	    name, name);
  insert (p, NULL, p->unit->last, text);
}

static void
lower_kernel (struct post *p, struct ptx_func *f)
{
  ptx_add_params (p->unit, f, ", .param.u64 %acr_in1, .param.u64 %acr_in2");
  bool calls = false;
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    calls |= s->kind == PTX_S_INSN && s->insn->op == PTX_OP_CALL;
  uint64_t below = callees_stack (f, 0), own = frame_size (f);

  replace_loads (p, f, "__nvptx_uni", "u32", "-1");
  if (calls)
    fill_slot (p, f, f->first, "__nvptx_uni", 4, "-1");
  if (own + below)
    {
      replace_loads (p, f, "__nvptx_stacks", "u64", "%acr_top");
      char text[300];
      unsigned long long size = (own + below + STACK_ALIGN - 1)
				& -(unsigned long long) STACK_ALIGN;
      snprintf (text, sizeof text,
		"\t.local.align %d .b8 %%acr_stack[%llu];\n"
		"\t.reg.u64 %%acr_top;\n"
		"\tcvta.local.u64 %%acr_top, %%acr_stack;\n"
		"\tadd.u64 %%acr_top, %%acr_top, %llu;\n",
		STACK_ALIGN, size, size);
      insert (p, f, f->first, text);
      struct ptx_stmt *set = f->first;
      for (int i = 0; i < 4; i++)
	set = set->next;
      if (below)
	give_slots (p, f, set);
    }
  post_explain (p, f->header, true, "an SPMD kernel; stack: %llu bytes%s",
		(unsigned long long) (own + below),
		below ? ", threads along y" : "");
}

void
pass_entry (struct post *p)
{
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    {
      const struct acr_region *region = tags_find (p->tags, f);
      if (!region || !f->is_entry || !f->has_body)
	continue;
      lower_additions (p, f);
      if (region->kind == ACR_KIND_OMP_TARGET
	  && region->spmd != ACR_SPMD_NO && f->nparams == 1)
	lower_kernel (p, f);
    }
}
