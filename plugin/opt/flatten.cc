/* What SPMD kernels call becomes part of them, as far as that is not large.

   GCC weighs a call against the size of the program, as it does for a CPU, so
   that a function of some forty instructions which is called twice stays one.
   On a GPU a call costs more: ptxas keeps registers and parameters in fixed
   places around it, and whatever the caller hands over by address, or the
   callee declares as an array, lies in local memory, which is in DRAM.  Compilers
   for GPUs inline all that they can.

   The device's compiler decides.  It is told by the bit of a declaration that
   says that limits do not matter, which is set only while functions are streamed
   to it: the host's code is not for us to change.

   Needs: bodies in SSA form, the tags.  Keeps: all code of the host, and what
   says that it is not to be inlined.  Breaks: nothing.
   Source: want_inline_small_function_p in GCC's ipa-inline.cc; NVIDIA's "CUDA
   C++ Programming Guide", 7.1, which has functions inlined by default.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"
#include "lto-streamer.h"
#include "tree-inline.h"

namespace {

/* Instructions, as GCC estimates them, of a function with all that is inlined
   into it, and of a kernel.  */
const int max_function = 1500, max_kernel = 6000;

/* Larger than any function.  */
const int endless = 1 << 20;

/* What functions amount to with those that they call.  Those that are being
   looked at count as endless, and so does whoever calls them: they may call
   themselves.  */
typedef hash_map<cgraph_node *, int> size_map;

/* The functions, by number, whose bits are set.  */
hash_set<int_hash<unsigned, 0>> flattened;

/* May the device's compiler inline NODE?  */
bool
inlinable_p (const cgraph_node *node)
{
  return gimple_has_body_p (node->decl) && offloaded_p (node->decl)
	 && !DECL_UNINLINABLE (node->decl);
}

/* What the statements of NODE, without those that it calls, amount to.  */
int
own_size (cgraph_node *node)
{
  int size = 0;
  basic_block bb;
  FOR_EACH_BB_FN (bb, DECL_STRUCT_FUNCTION (node->decl))
    for (gimple_stmt_iterator i = gsi_start_bb (bb); !gsi_end_p (i);
	 gsi_next (&i))
      size += estimate_num_insns (gsi_stmt (i), &eni_size_weights);
  return size;
}

/* The size of NODE with all that may be inlined into it, which SIZES gets, too.  */
int
full_size (cgraph_node *node, size_map *sizes)
{
  if (const int *known = sizes->get (node))
    return *known;
  sizes->put (node, endless);
  int size = own_size (node);
  for (cgraph_edge *e = node->callees; e; e = e->next_callee)
    {
      cgraph_node *callee = e->callee->ultimate_alias_target ();
      int more = inlinable_p (callee) ? full_size (callee, sizes) : 0;
      /* What is too large is called.  */
      if (more == endless || more <= max_function)
	size += more;
    }
  size = MIN (size, endless);
  sizes->put (node, size);
  return size;
}

/* Set the bits of what the KERNEL leads to.  */
void
flatten (cgraph_node *kernel)
{
  size_map sizes;
  if (full_size (kernel, &sizes) > max_kernel)
    return;
  for (size_map::iterator i = sizes.begin (); i != sizes.end (); ++i)
    {
      tree fn = (*i).first->decl;
      if ((*i).second > max_function || DECL_DISREGARD_INLINE_LIMITS (fn))
	continue;
      DECL_DISREGARD_INLINE_LIMITS (fn) = 1;
      flattened.add (DECL_UID (fn) + 1);
    }
}

void
flatten_kernels (void)
{
  for (unsigned i = 0; i < vec_safe_length (offload_funcs); i++)
    {
      tree fn = (*offload_funcs)[i];
      const struct acr_region *facts = region_facts (fn);
      cgraph_node *node = cgraph_node::get (fn);
      if (facts && facts->spmd != ACR_SPMD_NO && node && gimple_has_body_p (fn))
	flatten (node);
    }
}

void
unflatten (void)
{
  cgraph_node *node;
  FOR_EACH_FUNCTION (node)
    if (flattened.contains (DECL_UID (node->decl) + 1))
      DECL_DISREGARD_INLINE_LIMITS (node->decl) = 0;
  flattened.empty ();
}

} // namespace

void
flatten_streamed (void)
{
  if (lto_stream_offload_p)
    flatten_kernels ();
  else
    unflatten ();
}
