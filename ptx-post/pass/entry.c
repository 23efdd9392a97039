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

   Kernels of OpenACC regions need none of that, but like those of OpenMP they
   may add in double precision, which old GPUs do not (lower_additions).

   Needs: a tag, for the above one that says that a kernel is plain.  Keeps: all
   other functions.

   Source: init_softstack_frame and nvptx_init_unisimt_predicate in GCC's
   config/nvptx/nvptx.cc; GOMP_OFFLOAD_run in libgomp's plugin-nvptx.c.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include <stdlib.h>
#include <string.h>

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
	post_set_from (p, s, "u32", "0");
      else if (o->sreg == PTX_SR_NTID && o->comp != 'y')
	post_set_from (p, s, "u32", "1");
      else if (o->sreg == PTX_SR_NTID)
	{
	  char text[100];
	  const char *reg = s->insn->opnd[0]->sym->name;
	  snprintf (text, sizeof text, "\tmin.u32 %s, %s, 32;", reg, reg);
	  post_insert (p, f, s, text);
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
	  || !insn_named (s->insn, 0) || !insn_named (s->insn, 1)
	  || s->insn->opnd[0]->off)
	continue;
      if (post_may_use (p, addition))
	{
	  post_use (p, addition);
	  return;
	}
      char text[700];
      const char *address = insn_named (s->insn, 0)->name;
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
		address, insn_named (s->insn, 1)->name, address);
      post_insert (p, f, s, text);
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

/* The kernel F calls what looks for its stack in __nvptx_stacks.  */
static void
give_slots (struct post *p, struct ptx_func *f, struct ptx_stmt *after)
{
  lie_along_y (p, f);
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

static void
lower_kernel (struct post *p, struct ptx_func *f)
{
  ptx_add_params (p->unit, f, ", .param.u64 %acr_in1, .param.u64 %acr_in2");
  uint64_t below = stack_below (f), own = stack_frame (f);

  stack_all_lanes (p, f);
  if (stack_lanes_below (f))
    fill_slot (p, f, f->first, "__nvptx_uni", 4, "-1");
  if (own && !below && stack_is_frame (f))
    stack_localise (p, f);
  else if (own + below)
    {
      stack_replace (p, f, "__nvptx_stacks", "u64", "%acr_top");
      char text[300];
      unsigned long long size = (own + below + STACK_ALIGN - 1)
				& -(unsigned long long) STACK_ALIGN;
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
      if (!f->is_entry || !f->has_body || !tags_find (p->tags, f))
	continue;
      lower_additions (p, f);
      if (tags_is_spmd (p->tags, f) && f->nparams == 1)
	lower_kernel (p, f);
    }
}
