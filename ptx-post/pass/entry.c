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
   So when the kernel calls something with a frame of which the pass clone has
   made no copy, only threads with a slot for themselves work, those with
   tid.x = tid.z = 0.  A variable NAME$stack
   tells whoever launches the kernel NAME that the block's threads should lie
   along y.

   Atomic operations.  None reaches local memory, which these stacks are in: those on a
   thread's own variables become plain instructions (own.c).

   How deep functions go that call themselves cannot be told, so that they have
   what they have in stock's kernels: one of the stacks that the kernel's
   parameters lead to.  The stack is the block's, and threads take turns: a lock
   for each stack is in a variable NAME$soft, which tells whoever launches NAME
   as well how many stacks may be used at most.  The slot of a tid.y is then that
   thread's whose turn it is, so that threads may lie along x, in blocks of any
   size, unless something else needs slots.

   Functions of the libraries that end the kernel with a message, as where there is
   no memory for an array, are for the first thread that comes to one, and others
   exit: so it has the slot, in which all have put the same, for itself.

   Kernels of OpenACC regions need none of that, but like those of OpenMP they
   may add in double precision, which old GPUs do not (lower_additions).

   Needs: a tag, for the above one that says that a kernel is plain.  Keeps: all
   other functions.

   Source: init_softstack_frame and nvptx_init_unisimt_predicate in GCC's
   config/nvptx/nvptx.cc; GOMP_OFFLOAD_run in libgomp's plugin-nvptx.c.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include "abi/addition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Let S, which asks for component COMP of a thread's place or the block's size
   (SIZE), say that threads along y lie along x where they are whole warps, that
   is where the block has no more along x; else they stay along y.  */
static void
turn_warp (struct post *p, struct ptx_func *f, struct ptx_stmt *s, char comp,
	   bool size)
{
  char text[500];
  const char *reg = s->insn->opnd[0]->sym->name;
  bool taken = comp == 'x';
  char none[] = { size ? '1' : '0', '\0' };
  snprintf (text, sizeof text,
	    "{\n\t.reg.pred %%acr_p;\n\t.reg.u32 %%acr_t;\n"
	    "\tmov.u32 %%acr_t, %%ntid.x;\n"
	    "\tsetp.eq.u32 %%acr_p, %%acr_t, 1;\n"
	    "\tmov.u32 %%acr_t, %s;\n%s"
	    "\tselp.u32 %s, %s, %s, %%acr_p;\n}",
	    size ? "%ntid.y" : "%tid.y",
	    size ? "\tmin.u32 %acr_t, %acr_t, 32;\n" : "", reg,
	    taken ? "%acr_t" : none, taken ? none : "%acr_t");
  post_insert (p, f, s, text);
  ptx_remove (p->unit, s);
}

/* Let F work as if its threads had one lane and at most 32 in y; where F has
   WARPS, these are known as such.  */
static void
lie_along_y (struct post *p, struct ptx_func *f, bool warps)
{
  for (struct ptx_stmt *s = f->first, *next; s != f->last; s = next)
    {
      next = s->next;
      if (s->kind != PTX_S_INSN || s->insn->op != PTX_OP_MOV
	  || s->insn->opnd[1]->kind != PTX_O_SREG)
	continue;
      const struct ptx_opnd *o = s->insn->opnd[1];
      bool size = o->sreg == PTX_SR_NTID;
      if (!size && o->sreg != PTX_SR_TID)
	continue;
      if (warps && o->comp != 'z')
	turn_warp (p, f, s, o->comp, size);
      else if (o->comp != 'y')
	post_set_from (p, s, "u32", size ? "1" : "0");
      else if (size)
	{
	  char text[100];
	  const char *reg = s->insn->opnd[0]->sym->name;
	  snprintf (text, sizeof text, "\tmin.u32 %s, %s, 32;", reg, reg);
	  post_insert (p, f, s, text);
	}
    }
}

/* Write a loop in the place of S, an addition to memory.  */
static void
write_addition (struct post *p, struct ptx_func *f, struct ptx_stmt *s)
{
  const char *address = insn_named (s->insn, 0)->name;
  const char *value = insn_named (s->insn, 1)->name;
  char text[sizeof ACR_ADDITION_LOOP + 2 * strlen (address) + strlen (value)
	    + 200];
  snprintf (text, sizeof text,
	    "{\n\t.reg.b64 %%acr_old, %%acr_seen, %%acr_new;\n"
	    "\t.reg.f64 %%acr_sum;\n\t.reg.pred %%acr_again;\n"
	    ACR_ADDITION_LOOP "}", "", address, value);
  post_insert (p, f, s, text);
  ptx_remove (p->unit, s);
}

/* Additions to memory in double precision, which SPMD kernels have for their
   reductions, came with sm_60.  For older GPUs they are loops, which the
   runtime finds when the GPU is newer (libgomp-ext/jit/addition.c).  */
static void
lower_additions (struct post *p, struct ptx_func *f)
{
  for (struct ptx_stmt *s = f->first, *next; s != f->last; s = next)
    {
      next = s->next;
      if (s->kind != PTX_S_INSN
	  || strcmp (s->insn->mnemonic, ACR_ADDITION) != 0
	  || s->insn->nopnds != 2 || s->insn->guard
	  || !insn_named (s->insn, 0) || !insn_named (s->insn, 1)
	  || s->insn->opnd[0]->off)
	continue;
      if (post_may_use (p, ACR_ADDITION))
	{
	  post_use (p, ACR_ADDITION);
	  return;
	}
      write_addition (p, f, s);
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
  post_insert (p, NULL, p->unit->last, text);
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
  post_insert (p, f, after, text);
}

/* The kernel F calls what looks for its stack in __nvptx_stacks; WARPS as
   above.  */
static void
give_slots (struct post *p, struct ptx_func *f, struct ptx_stmt *after,
	    bool warps)
{
  lie_along_y (p, f, warps);
  fill_slot (p, f, after, "__nvptx_stacks", 8, "%acr_top");
  post_insert (p, f, after,
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
  post_insert (p, NULL, p->unit->last, text);
}

/* ---- Calls of functions that call themselves ---- */

static bool
call_recurs (const struct ptx_stmt *s)
{
  const struct ptx_func *callee = called_function (s);
  return callee && stack_recurs (callee);
}

static bool
has_recursion (const struct ptx_func *f)
{
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    if (call_recurs (s))
      return true;
  return false;
}

/* Let the threads of F know, behind AFTER, the stack and the lock of their
   block, and their slot.  */
static void
find_soft_stack (struct post *p, struct ptx_func *f, struct ptx_stmt *after)
{
  char text[1400];
  const char *name = f->sym->name;
  declare (p, "__nvptx_stacks", "u64");
  snprintf (text, sizeof text,
	    "\n// BEGIN GLOBAL VAR DEF: %s" ACR_SOFT_SUFFIX "\n"
	    ".visible .global .align 4 .u32 %s" ACR_SOFT_SUFFIX "[%d];\n",
	    name, name, ACR_SOFT_STACKS);
  post_insert (p, NULL, p->unit->last, text);
  snprintf (text, sizeof text,
	    "\t.reg.u64 %%acr_soft, %%acr_lock, %%acr_mine, %%acr_kept;\n"
	    "\t.reg.u32 %%acr_was;\n\t.reg.pred %%acr_busy;\n"
	    "{\n\t.reg.u32 %%acr_b, %%acr_n, %%acr_c;\n"
	    "\t.reg.u64 %%acr_w, %%acr_v;\n"
	    "\tmov.u32 %%acr_b, %%ctaid.y;\n"
	    "\tmov.u32 %%acr_n, %%nctaid.x;\n"
	    "\tmov.u32 %%acr_c, %%ctaid.x;\n"
	    "\tmad.lo.u32 %%acr_b, %%acr_b, %%acr_n, %%acr_c;\n"
	    "\tand.b32 %%acr_b, %%acr_b, %d;\n"
	    "\tmov.u64 %%acr_lock, %s" ACR_SOFT_SUFFIX ";\n"
	    "\tmul.wide.u32 %%acr_w, %%acr_b, 4;\n"
	    "\tadd.u64 %%acr_lock, %%acr_lock, %%acr_w;\n"
	    /* A stack begins at its end.  */
	    "\tadd.u32 %%acr_b, %%acr_b, 1;\n"
	    "\tcvt.u64.u32 %%acr_w, %%acr_b;\n"
	    "\tld.param.u64 %%acr_v, [%%acr_in2];\n"
	    "\tld.param.u64 %%acr_soft, [%%acr_in1];\n"
	    "\tmad.lo.u64 %%acr_soft, %%acr_w, %%acr_v, %%acr_soft;\n"
	    "\tmov.u32 %%acr_c, %%tid.y;\n"
	    "\tmul.wide.u32 %%acr_w, %%acr_c, 8;\n"
	    "\tmov.u64 %%acr_mine, __nvptx_stacks;\n"
	    "\tadd.u64 %%acr_mine, %%acr_mine, %%acr_w;\n}",
	    ACR_SOFT_STACKS - 1, name);
  post_insert (p, f, after, text);
}

/* The bracket in front of the call S and what it needs, or S.  */
static struct ptx_stmt *
sequence_begin (struct ptx_stmt *s)
{
  struct ptx_stmt *at = s;
  while (at->kind == PTX_S_INSN || at->kind == PTX_S_DECL
	 || at->kind == PTX_S_DIRECTIVE)
    at = at->prev;
  return at->kind == PTX_S_OPEN && at != s->func->first ? at : s;
}

static struct ptx_stmt *
sequence_end (struct ptx_stmt *s)
{
  if (sequence_begin (s) == s)
    return s;
  while (s->kind != PTX_S_CLOSE)
    s = s->next;
  return s;
}

/* Let threads do one after the other what is from S, a call, to the end of its
   sequence, each with the block's soft stack; where it OWNS its slot, it has that
   back behind it.  A thread that does not get the stack tries again when the others
   of the warp have had it, for they may have to wait there.  */
static void
take_turns (struct post *p, struct ptx_func *f, struct ptx_stmt *s, bool owns,
	    unsigned n)
{
  char text[600];
  struct ptx_stmt *begin = sequence_begin (s)->prev, *end = sequence_end (s);
  snprintf (text, sizeof text,
	    "%s\tmembar.gl;\n"
	    "\tatom.global.exch.b32 %%acr_was, [%%acr_lock], 0;\n"
	    "$acr_turn%u:\n"
	    "\t@%%acr_busy bra $acr_again%u;",
	    owns ? "\tst.shared.u64 [%acr_mine], %acr_kept;\n" : "", n, n);
  post_insert (p, f, end, text);
  snprintf (text, sizeof text,
	    "$acr_again%u:\n"
	    "\tatom.global.cas.b32 %%acr_was, [%%acr_lock], 0, 1;\n"
	    "\tsetp.ne.u32 %%acr_busy, %%acr_was, 0;\n"
	    "\t@%%acr_busy bra $acr_turn%u;\n"
	    "%s\tst.shared.u64 [%%acr_mine], %%acr_soft;", n, n,
	    owns ? "\tld.shared.u64 %acr_kept, [%acr_mine];\n" : "");
  post_insert (p, f, begin, text);
}

static void
let_take_turns (struct post *p, struct ptx_func *f, bool owns)
{
  unsigned n = 0;
  for (struct ptx_stmt *s = f->first, *next; s != f->last; s = next)
    {
      next = s->next;
      if (!call_recurs (s))
	continue;
      take_turns (p, f, s, owns, n++);
    }
}

/* ---- Calls that end the kernel ---- */

/* Let only the first thread go on that comes to a call in F which ends the
   kernel.  */
static void
let_end (struct post *p, struct ptx_func *f)
{
  char text[500];
  const char *name = f->sym->name;
  snprintf (text, sizeof text,
	    "\n// BEGIN GLOBAL VAR DEF: %s$end\n"
	    ".visible .global .align 4 .u32 %s$end[1];\n",
	    name, name);
  post_insert (p, NULL, p->unit->last, text);
  snprintf (text, sizeof text,
	    "{\n\t.reg.u32 %%acr_ends;\n\t.reg.u64 %%acr_end;\n"
	    "\t.reg.pred %%acr_late;\n\tmov.u64 %%acr_end, %s$end;\n"
	    "\tatom.global.exch.b32 %%acr_ends, [%%acr_end], 1;\n"
	    "\tsetp.ne.u32 %%acr_late, %%acr_ends, 0;\n"
	    "\t@%%acr_late exit;\n}", name);
  for (struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    if (stack_ends (s))
      post_insert (p, f, sequence_begin (s)->prev, text);
}

static void
lower_kernel (struct post *p, struct ptx_func *f)
{
  ptx_add_params (p->unit, f, ", .param.u64 %acr_in1, .param.u64 %acr_in2");
  uint64_t below = stack_below (f), own = stack_frame (f);
  uint64_t end = stack_of_end (f), most = below > end ? below : end;
  bool recurs = has_recursion (f);
  /* Slots change with turns.  */
  if (recurs)
    below = most;

  stack_all_lanes (p, f);
  if (own && !most && !recurs && stack_is_frame (f))
    stack_localise (p, f);
  else if (own + most || recurs)
    {
      stack_replace (p, f, "__nvptx_stacks", "u64", "%acr_top");
      char text[300];
      unsigned long long size = (own + most + STACK_ALIGN - 1)
				& -(unsigned long long) STACK_ALIGN;
      size = size ? size : STACK_ALIGN;
      snprintf (text, sizeof text,
		"\t.local.align %d .b8 %%acr_stack[%llu];\n"
		"\t.reg.u64 %%acr_top;\n"
		"\tcvta.local.u64 %%acr_top, %%acr_stack;\n"
		"\tadd.u64 %%acr_top, %%acr_top, %llu;\n",
		STACK_ALIGN, size, size);
      post_insert (p, f, f->first, text);
      struct ptx_stmt *set = f->first;
      for (int i = 0; i < 4; i++)
	set = set->next;
      if (below)
	give_slots (p, f, set, recurs);
      else if (end)
	{
	  fill_slot (p, f, set, "__nvptx_stacks", 8, "%acr_top");
	  let_end (p, f);
	}
      if (recurs)
	{
	  find_soft_stack (p, f, set);
	  let_take_turns (p, f, below);
	}
    }
  if (stack_lanes_below (f))
    fill_slot (p, f, f->first, "__nvptx_uni", 4, "-1");
  post_explain (p, f->header, true, "an SPMD kernel; stack: %llu bytes%s%s",
		(unsigned long long) (own + most),
		below ? ", threads along y" : "",
		recurs ? ", soft ones for recursion" : "");
}

void
pass_entry (struct post *p)
{
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    {
      if (!f->is_entry || !f->has_body || !tags_find (p->tags, f))
	continue;
      lower_additions (p, f);
      if (tags_is_spmd (p->tags, f) && f->nparams == 1)
	lower_kernel (p, f);
    }
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    if (f->has_body)
      own_atomics (p, f);
}
