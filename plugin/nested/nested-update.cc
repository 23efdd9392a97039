/* Atomic updates of the lanes of a warp, brought together.

   GPUs have no instruction for some atomic updates (of floating-point numbers,
   or a product), which GCC makes a loop around a compare and exchange: of
   several lanes that update one variable one gets through at a time, and waits
   for memory each time.  The iterations of a child are often those; so where one
   ends with such an update, that waits until the lanes of its warp are together
   again.  Then the first of the lanes with the same address does the updates of
   all, one after the other in a register, rounding as they would, and exchanges
   once; again, when another warp came first.  What they update by it finds in
   shared memory, where lanes with the same address have put it side by side: from
   lane to lane by shuffles it would come one at a time.  No more than a few
   addresses are found so; lanes with others are on their own.

   Needs: spmd_atomic_hide of the body.  Keeps: one update an iteration,
   relaxed.  Breaks: the order of updates by a warp's lanes.
   Source: PTX ISA, vote.sync, shfl.sync, atom.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/collect/nested-queue.h"

/* What the update of a variable of one type is in PTX.  */
struct update_kind
{
  enum tree_code code;
  bool is_float;
  unsigned bits;
  const char *text;
};

static const update_kind kinds[] = {
#define FLOATS(code, name)                                                     \
  { code, true, 64, name ".f64" }, { code, true, 32, name ".f32" }
  FLOATS (PLUS_EXPR, "add.rn"),	 FLOATS (MINUS_EXPR, "sub.rn"),
  FLOATS (MULT_EXPR, "mul.rn"),	 FLOATS (RDIV_EXPR, "div.rn"),
#undef FLOATS
  { MULT_EXPR, false, 64, "mul.lo.u64" }, { MULT_EXPR, false, 32, "mul.lo.u32" },
};

static const update_kind *
find_kind (enum tree_code code, tree type)
{
  if (!INTEGRAL_TYPE_P (type) && !SCALAR_FLOAT_TYPE_P (type))
    return NULL;
  for (unsigned i = 0; i < ARRAY_SIZE (kinds); i++)
    if (kinds[i].code == code
	&& kinds[i].is_float == SCALAR_FLOAT_TYPE_P (type)
	&& kinds[i].bits == TYPE_PRECISION (type)
	&& tree_to_uhwi (TYPE_SIZE (type)) == kinds[i].bits)
      return &kinds[i];
  return NULL;
}

/* ---- The end of an iteration ---- */

/* The last statement up to *GSI that does something, in scopes as well; *GSI goes
   there.  NULL when there is none.  */
static gimple *
last_at (gimple_stmt_iterator *gsi)
{
  while (!gsi_end_p (*gsi))
    {
      gimple *stmt = gsi_stmt (*gsi);
      if (gbind *bind = dyn_cast<gbind *> (stmt))
	*gsi = gsi_last (*gimple_bind_body_ptr (bind));
      else if (stmt_scope_body (stmt))
	*gsi = gsi_last (*gimple_try_eval_ptr (stmt));
      else if (gimple_code (stmt) == GIMPLE_LABEL || stmt_empty_p (stmt)
	       || gimple_clobber_p (stmt))
	gsi_prev (gsi);
      else
	return stmt;
    }
  return NULL;
}

bool
nested_take_update (gimple_seq *body, nested_update *u)
{
  gimple_stmt_iterator store = gsi_last (*body);
  gimple *stmt = last_at (&store);
  tree result = stmt ? spmd_atomic_stored (stmt) : NULL_TREE;
  if (!result)
    return false;
  gimple_stmt_iterator combine = store;
  gsi_prev (&combine);
  gassign *assign = gsi_end_p (combine)
		      ? NULL
		      : dyn_cast<gassign *> (gsi_stmt (combine));
  if (!assign || gimple_assign_lhs (assign) != result
      || gimple_num_ops (assign) != 3)
    return false;
  gimple_stmt_iterator load = combine;
  gsi_prev (&load);
  tree old, address = gsi_end_p (load)
			? NULL_TREE
			: spmd_atomic_loaded (gsi_stmt (load), &old);
  tree a = gimple_assign_rhs1 (assign), b = gimple_assign_rhs2 (assign);
  enum tree_code code = gimple_assign_rhs_code (assign);
  if (address && b == old && commutative_tree_code (code))
    std::swap (a, b);
  if (!address || a != old || b == old
      || TREE_TYPE (b) != TREE_TYPE (old))
    return false;
  u->kind = find_kind (code, TREE_TYPE (old));
  if (!u->kind)
    return false;
  u->loc = gimple_location (assign);
  u->address = code_temp (uint64_type_node, "updated");
  u->value = code_temp (TYPE_MAIN_VARIANT (TREE_TYPE (b)), "by");
  gimple_seq seq = NULL;
  code_set (u->address, fold_convert (uint64_type_node, address), &seq);
  code_set (u->value, b, &seq);
  gsi_remove (&load, true);
  gsi_remove (&combine, true);
  gsi_replace_with_seq (&store, seq, true);
  return true;
}

void
nested_begin_update (const nested_update *u, gimple_seq *seq)
{
  code_set (u->address, u64 (0), seq);
  code_set (u->value, build_zero_cst (TREE_TYPE (u->value)), seq);
}

/* ---- The update ---- */

void
nested_place_update (nested_update *u, tree id, gimple_seq *seq)
{
  static tree memory;
  if (!memory)
    memory = nested_device_array (
      IDENTIFIER_POINTER (create_tmp_var_name ("acr_values")),
      NESTED_MAX_THREADS, true);
  /* The first one of its warp.  */
  val thread = val (id) & (NESTED_MAX_THREADS - SPMD_WARP);
  val offset = thread.as (sizetype) * 8;
  tree address = build_fold_addr_expr_with_type (memory, ptr_type_node);
  address = fold_build_pointer_plus (address, offset);
  u->values = code_temp (uint64_type_node, "values");
  code_set (u->values, fold_convert (uint64_type_node, address), seq);
}

/* These are formats, of which the number of bits is an argument.  First the
   lanes with the same address, acr_p, for a few addresses; they are so many,
   acr_i, of which acr_k is the first.  Their words follow those of the addresses
   that were found before; the lane's is at acr_w.  */
static const char find_peers[]
  = "{\n\t.reg .b32 %%%%acr_p, %%%%acr_r, %%%%acr_s, %%%%acr_i, %%%%acr_x;\n\t"
    ".reg .b32 %%%%acr_a, %%%%acr_b, %%%%acr_t;\n\t"
    ".reg .b64 %%%%acr_y, %%%%acr_w;\n\t"
    ".reg .b%d %%%%acr_o, %%%%acr_n, %%%%acr_v<4>;\n\t"
    ".reg .pred %%%%acr_k, %%%%acr_q;\n\t"
    "setp.ne.u64 %%%%acr_k, %%0, 0;\n\t"
    /* Before it is known who needs it: memory is slow.  */
    "@%%%%acr_k ld.volatile.b%d %%%%acr_o, [%%0];\n\t"
    "vote.sync.ballot.b32 %%%%acr_t, %%%%acr_k, -1;\n\t"
    "mov.u32 %%%%acr_r, %%%%acr_t;\n\tmov.u32 %%%%acr_x, %%%%acr_t;\n\t"
    "mov.u32 %%%%acr_a, %%%%laneid;\n\tmov.u32 %%%%acr_p, 1;\n\t"
    "shl.b32 %%%%acr_p, %%%%acr_p, %%%%acr_a;\n\tmov.u32 %%%%acr_i, 12;\n\t"
    "setp.eq.u32 %%%%acr_q, %%%%acr_r, 0;\n\t@%%%%acr_q bra $ACR_FOUND%%=;\n"
    "$ACR_PEERS%%=:\n\t"
    "bfind.u32 %%%%acr_s, %%%%acr_r;\n\t"
    "mov.b64 {%%%%acr_a, %%%%acr_b}, %%0;\n\t"
    "shfl.sync.idx.b32 %%%%acr_a, %%%%acr_a, %%%%acr_s, 31, -1;\n\t"
    "shfl.sync.idx.b32 %%%%acr_b, %%%%acr_b, %%%%acr_s, 31, -1;\n\t"
    "mov.b64 %%%%acr_y, {%%%%acr_a, %%%%acr_b};\n\t"
    "setp.eq.u64 %%%%acr_q, %%%%acr_y, %%0;\n\t"
    "vote.sync.ballot.b32 %%%%acr_s, %%%%acr_q, -1;\n\t"
    "@%%%%acr_q mov.b32 %%%%acr_p, %%%%acr_s;\n\t"
    "@%%%%acr_q mov.b32 %%%%acr_x, %%%%acr_r;\n\t"
    "not.b32 %%%%acr_s, %%%%acr_s;\n\t"
    "and.b32 %%%%acr_r, %%%%acr_r, %%%%acr_s;\n\t"
    "sub.u32 %%%%acr_i, %%%%acr_i, 1;\n\t"
    "setp.ne.u32 %%%%acr_q, %%%%acr_i, 0;\n\t"
    "setp.ne.and.u32 %%%%acr_q, %%%%acr_r, 0, %%%%acr_q;\n\t"
    "@%%%%acr_q bra $ACR_PEERS%%=;\n"
    "$ACR_FOUND%%=:\n\t"
    "mov.u32 %%%%acr_s, %%%%lanemask_lt;\n\t"
    "and.b32 %%%%acr_s, %%%%acr_s, %%%%acr_p;\n\t"
    "setp.eq.and.u32 %%%%acr_k, %%%%acr_s, 0, %%%%acr_k;\n\t"
    "popc.b32 %%%%acr_i, %%%%acr_p;\n\tpopc.b32 %%%%acr_s, %%%%acr_s;\n\t"
    "xor.b32 %%%%acr_x, %%%%acr_x, %%%%acr_t;\n\t"
    "popc.b32 %%%%acr_x, %%%%acr_x;\n\t"
    "add.u32 %%%%acr_x, %%%%acr_x, %%%%acr_s;\n\t"
    "mul.wide.u32 %%%%acr_w, %%%%acr_x, 8;\n\t"
    "add.u64 %%%%acr_w, %%%%acr_w, %%2;\n\t"
    "cvta.to.shared.u64 %%%%acr_w, %%%%acr_w;\n\t";

/* Who is alone needs no word.  The first one begins with the variable's value,
   acr_o.  To this its own value is applied, then those of the acr_r others.  */
static const char begin_updates[]
  = "setp.gt.u32 %%%%acr_q, %%%%acr_i, 1;\n\t"
    "@%%%%acr_q st.shared.b%d [%%%%acr_w], %%1;\n\t"
    "bar.warp.sync -1;\n\t@!%%%%acr_k bra $ACR_DONE%%=;\n"
    "$ACR_AGAIN%%=:\n\t"
    "mov.b64 %%%%acr_y, %%%%acr_w;\n\tsub.u32 %%%%acr_r, %%%%acr_i, 1;\n\t"
    "%s %%%%acr_n, %%%%acr_o, %%1;\n\t"
    "setp.lt.u32 %%%%acr_q, %%%%acr_r, %d;\n\t@%%%%acr_q bra $ACR_FEW%%=;\n"
    "$ACR_MANY%%=:\n\t";

static const char get[] = "ld.shared.b%d %%%%acr_v%d, [%%%%acr_y+%d];\n\t";

static const char apply[] = "%s %%%%acr_n, %%%%acr_n, %%%%acr_v%d;\n\t";

static const char end_many[]
  = "add.u64 %%%%acr_y, %%%%acr_y, %d;\n\tsub.u32 %%%%acr_r, %%%%acr_r, %d;\n\t"
    "setp.ge.u32 %%%%acr_q, %%%%acr_r, %d;\n\t@%%%%acr_q bra $ACR_MANY%%=;\n"
    "$ACR_FEW%%=:\n\t";

static const char one_more[]
  = "setp.gt.u32 %%%%acr_q, %%%%acr_r, %d;\n\t"
    "@%%%%acr_q ld.shared.b%d %%%%acr_v0, [%%%%acr_y+%d];\n\t"
    "@%%%%acr_q %s %%%%acr_n, %%%%acr_n, %%%%acr_v0;\n\t";

static const char end_updates[]
  = "atom.cas.b%d %%%%acr_v0, [%%0], %%%%acr_o, %%%%acr_n;\n\t"
    "setp.ne.b%d %%%%acr_q, %%%%acr_v0, %%%%acr_o;\n\t"
    "mov.b%d %%%%acr_o, %%%%acr_v0;\n\t@%%%%acr_q bra $ACR_AGAIN%%=;\n"
    "$ACR_DONE%%=:\n\tbar.warp.sync -1;\n\t}";

/* Values that are fetched and applied at once.  */
static const int at_once = 4;

/* TEXT, which is freed, and FORMAT with what follows.  */
static char *ATTRIBUTE_PRINTF_2
add_text (char *text, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  char *more = xvasprintf (format, arguments);
  va_end (arguments);
  char *all = concat (text, more, NULL);
  free (more);
  free (text);
  return all;
}

void
nested_end_update (const nested_update *u, gimple_seq *seq)
{
  int n = u->kind->bits;
  const char *what = u->kind->text;
  char *text = add_text (xstrdup (""), find_peers, n, n);
  text = add_text (text, begin_updates, n, what, at_once);
  for (int i = 0; i < at_once; i++)
    text = add_text (text, get, n, i, 8 * (i + 1));
  for (int i = 0; i < at_once; i++)
    text = add_text (text, apply, what, i);
  text = add_text (text, end_many, 8 * at_once, at_once, at_once);
  for (int i = 0; i < at_once - 1; i++)
    text = add_text (text, one_more, i, n, 8 * (i + 1), what);
  text = add_text (text, end_updates, n, n, n);
  spmd_add_asm (text, NULL_TREE, u->address, u->value, seq, u->values);
  free (text);
}
