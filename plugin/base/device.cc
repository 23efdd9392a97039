/* Functions and variables of the device, and of the runtime.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "base/base.h"

bool
offloaded_p (tree fn)
{
  tree attributes = DECL_ATTRIBUTES (fn);
  return lookup_attribute ("omp target entrypoint", attributes)
	 || lookup_attribute ("oacc function", attributes)
	 || lookup_attribute ("omp declare target", attributes);
}

void
offload_function (tree fn)
{
  DECL_ATTRIBUTES (fn) = tree_cons (get_identifier ("omp declare target"),
				    NULL_TREE, DECL_ATTRIBUTES (fn));
  cgraph_node::get_create (fn)->offloadable = 1;
  g->have_offload = true;
}

tree
runtime_function (const char *name, tree type)
{
  tree decl = build_fn_decl (name, type);
  TREE_USED (decl) = TREE_NOTHROW (decl) = 1;
  declare_weak (decl);
  return decl;
}

tree
device_variable (tree name, tree type, bool shared, bool common)
{
  tree var = build_decl (UNKNOWN_LOCATION, VAR_DECL, name, type);
  TREE_STATIC (var) = TREE_USED (var) = TREE_ADDRESSABLE (var) = 1;
  TREE_PUBLIC (var) = DECL_COMMON (var) = common;
  DECL_ARTIFICIAL (var) = DECL_IGNORED_P (var) = 1;
  varpool_node *node = varpool_node::get_create (var);
  node->offloadable = 1;
  /* Only now: the host's table of offloaded variables is not for it.  */
  tree attributes = tree_cons (get_identifier ("omp declare target"),
			       NULL_TREE, NULL_TREE);
  if (shared)
    attributes = tree_cons (get_identifier ("shared"), NULL_TREE, attributes);
  DECL_ATTRIBUTES (var) = attributes;
  varpool_node::finalize_decl (var);
  return var;
}
