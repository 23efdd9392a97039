/* Atomic updates in SPMD kernels.

   GCC refuses a target construct that has a teams construct and, outside of
   that, another directive.  So until omp-low is through with it, the two
   halves of an atomic update in a kernel are calls of functions that do not
   exist.

   An atomic write that orders nothing is a volatile store in a kernel, where GCC, which
   knows no store for it, exchanges and drops what was there.  A write is no read and
   write in one, so that nothing may rely on what an exchange has besides: that it takes
   the place behind what it read, and goes on with a release that this began.  PTX calls
   a volatile store relaxed, of the scope of the system, which is all that a relaxed write
   asks for, and of numbers of 4 and 8 bytes in their places it makes one access.  A warp
   stores once in a place where it would exchange 32 times, one after the other: a flag
   that many threads set.

   Needs: no other directive beside a teams construct.  Keeps: memory
   orders.  Breaks: atomic updates, until spmd_atomic_finish.
   Source: scan_omp_target in GCC's omp-low.cc; PTX ISA, memory consistency model,
   volatile operations; OpenMP 5.0, 2.17.7 (a write is no read-modify-write).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

static const char load_name[] = "acr_atomic_load";
static const char store_name[] = "acr_atomic_store";

/* What a half is besides its operands, as one number.  */
enum
{
  NEED_VALUE = 1,
  WEAK = 2,
  ORDER_SHIFT = 2
};

static tree
flags_of (const gimple *stmt)
{
  int flags = gimple_omp_atomic_memory_order (stmt) << ORDER_SHIFT;
  if (gimple_omp_atomic_need_value_p (stmt))
    flags |= NEED_VALUE;
  if (gimple_omp_atomic_weak_p (stmt))
    flags |= WEAK;
  return build_int_cst (integer_type_node, flags);
}

static void
set_flags (gimple *stmt, tree number)
{
  int flags = tree_to_shwi (number);
  gimple_omp_atomic_set_memory_order (stmt, (enum omp_memory_order) (
					      flags >> ORDER_SHIFT));
  if (flags & NEED_VALUE)
    gimple_omp_atomic_set_need_value (stmt);
  if (flags & WEAK)
    gimple_omp_atomic_set_weak (stmt);
}

/* A call of the function NAME that gives TYPE for the half STMT with operand
   OPERAND.  */
static gcall *
placeholder (const char *name, tree type, const gimple *stmt, tree operand)
{
  tree fn = build_fn_decl (name, build_function_type (type, NULL_TREE));
  TREE_NOTHROW (fn) = 1;
  return gimple_build_call (fn, 2, operand, flags_of (stmt));
}

static tree
hide_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *)
{
  gimple *stmt = gsi_stmt (*gsi);
  gcall *to = NULL;
  if (gomp_atomic_load *load = dyn_cast<gomp_atomic_load *> (stmt))
    {
      tree lhs = gimple_omp_atomic_load_lhs (load);
      to = placeholder (load_name, TREE_TYPE (lhs), load,
			gimple_omp_atomic_load_rhs (load));
      gimple_call_set_lhs (to, lhs);
    }
  else if (gomp_atomic_store *store = dyn_cast<gomp_atomic_store *> (stmt))
    to = placeholder (store_name, void_type_node, store,
		      gimple_omp_atomic_store_val (store));
  if (to)
    gsi_replace (gsi, to, true);
  return NULL_TREE;
}

void
spmd_atomic_hide (gimple_seq *seq)
{
  struct walk_stmt_info wi = {};
  walk_gimple_seq_mod (seq, hide_stmt, NULL, &wi);
}

static tree
finish_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *)
{
  gimple *stmt = gsi_stmt (*gsi), *to = NULL;
  if (call_named_p (stmt, load_name))
    to = gimple_build_omp_atomic_load (gimple_call_lhs (stmt),
				       gimple_call_arg (stmt, 0),
				       OMP_MEMORY_ORDER_RELAXED);
  else if (call_named_p (stmt, store_name))
    to = gimple_build_omp_atomic_store (gimple_call_arg (stmt, 0),
					OMP_MEMORY_ORDER_RELAXED);
  if (to)
    {
      set_flags (to, gimple_call_arg (stmt, 1));
      gsi_replace (gsi, to, true);
    }
  return NULL_TREE;
}

void
spmd_atomic_finish (gimple_seq *body)
{
  struct walk_stmt_info wi = {};
  walk_gimple_seq_mod (body, finish_stmt, NULL, &wi);
}

/* Is STMT the half NAME of an update that orders nothing and gives no value?  */
static bool
plain_p (gimple *stmt, const char *name)
{
  if (!call_named_p (stmt, name))
    return false;
  int flags = tree_to_shwi (gimple_call_arg (stmt, 1));
  int order = flags >> ORDER_SHIFT;
  return !(flags & (NEED_VALUE | WEAK))
	 && (order == OMP_MEMORY_ORDER_RELAXED
	     || order == OMP_MEMORY_ORDER_UNSPECIFIED);
}

tree
spmd_atomic_stored (gimple *stmt)
{
  return plain_p (stmt, store_name) ? gimple_call_arg (stmt, 0) : NULL_TREE;
}

tree
spmd_atomic_loaded (gimple *stmt, tree *old)
{
  if (!plain_p (stmt, load_name))
    return NULL_TREE;
  *old = gimple_call_lhs (stmt);
  return gimple_call_arg (stmt, 0);
}

/* Is STMT the half NAME?  *VALUE becomes what OPERAND gives of it where code behind
   needs that, else NULL.  */
static bool
half_p (gimple *stmt, const char *name, tree (*operand) (gimple *), tree *value)
{
  if (!call_named_p (stmt, name))
    return false;
  bool needed = tree_to_shwi (gimple_call_arg (stmt, 1)) & NEED_VALUE;
  *value = needed ? operand (stmt) : NULL_TREE;
  return true;
}

bool
spmd_atomic_begins_p (gimple *stmt, tree *value)
{
  return half_p (stmt, load_name, [] (gimple *s) { return gimple_call_lhs (s); },
		 value);
}

bool
spmd_atomic_ends_p (gimple *stmt, tree *value)
{
  return half_p (stmt, store_name, [] (gimple *s) { return gimple_call_arg (s, 0); },
		 value);
}

/* The instruction by which numbers of TYPE are written, or NULL.  */
static const char *
store_instruction (tree type)
{
  int size = int_size_in_bytes (type);
  if (!INTEGRAL_TYPE_P (type) || (int) TYPE_ALIGN_UNIT (type) < size)
    return NULL;
  return size == 4   ? "st.volatile.u32 [%0], %1;"
	 : size == 8 ? "st.volatile.u64 [%0], %1;"
		     : NULL;
}

static tree
store_write (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *)
{
  tree value = spmd_atomic_stored (gsi_stmt (*gsi)), old;
  gimple_stmt_iterator before = *gsi;
  gsi_prev (&before);
  if (!value || gsi_end_p (before))
    return NULL_TREE;
  tree place = spmd_atomic_loaded (gsi_stmt (before), &old);
  /* What is computed from the old value stands between the halves, or is it.  */
  const char *text
    = place && value != old ? store_instruction (TREE_TYPE (old)) : NULL;
  if (!text)
    return NULL_TREE;
  gimple_seq seq = NULL;
  spmd_add_asm (text, NULL_TREE, place, value, &seq);
  gsi_remove (&before, true);
  gsi_replace (gsi, gimple_seq_first_stmt (seq), false);
  return NULL_TREE;
}

void
spmd_atomic_store (gimple_seq *body)
{
  struct walk_stmt_info wi = {};
  walk_gimple_seq_mod (body, store_write, NULL, &wi);
}
