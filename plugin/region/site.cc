/* Site records of constructs that only map data: where they are, and what they
   map (abi.h).

   A record is found at run time by the address of the construct's map kinds, a
   static array of each directive that libgomp's entry is given.  Where a kind
   depends on whether an array section is empty, the array is on the stack;
   then the host says before the construct which record is its.

   Needs: the argument block after omp-low; object_scan.  Keeps: all code, but
   for those words.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"
#include "base/code.h"

/* Records by the DECL_UID of the variables by whose addresses they are found.
   These go with the last code that uses them, before records are written.  */
static hash_map<int_hash<int, -1, -2>, char *> *sites;

/* The array of R's map kinds, or NULL when R has none that is constant.  */
static tree
kinds_of (const region *r)
{
  tree data = gimple_omp_target_data_arg (r->stmt);
  tree kinds = data && TREE_VEC_LENGTH (data) > 2 ? TREE_VEC_ELT (data, 2)
						  : NULL_TREE;
  return kinds && VAR_P (kinds) ? kinds : NULL_TREE;
}

static const char entry_name[] = "acr_site";

bool
site_call_p (const gcall *call)
{
  return call_named_p (call, entry_name);
}

/* A static variable of this unit that is TEXT.  */
static tree
text_variable (const char *text)
{
  tree init = build_string (strlen (text) + 1, text);
  tree type = build_array_type_nelts (
    build_qualified_type (char_type_node, TYPE_QUAL_CONST), strlen (text) + 1);
  TREE_TYPE (init) = type;
  tree var = build_decl (UNKNOWN_LOCATION, VAR_DECL,
			 create_tmp_var_name (entry_name), type);
  TREE_STATIC (var) = TREE_READONLY (var) = TREE_USED (var) = 1;
  TREE_ADDRESSABLE (var) = DECL_ARTIFICIAL (var) = DECL_IGNORED_P (var) = 1;
  DECL_INITIAL (var) = init;
  varpool_node::finalize_decl (var);
  return var;
}

/* Let the host say before the construct STMT that TEXT, a variable, is its
   record.  */
static void
say (gimple *stmt, tree text)
{
  tree type = build_function_type_list (void_type_node, const_ptr_type_node,
					NULL_TREE);
  tree fn = runtime_function (entry_name, type);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  code c = &seq;
  test there = { NE_EXPR, build_fold_addr_expr (fn), null_pointer_node };
  c.if_ (there, [&] {
    gimple_seq_add_stmt (c, gimple_build_call (fn, 1,
					       build_fold_addr_expr (text)));
  });
  code_put_before (stmt, seq);
}

/* The record of R, which maps OPS; allocated.  */
static char *
record_of (const region *r, const vec<acr_operand> &ops)
{
  expanded_location where = expand_location (r->loc);
  struct acr_region facts = {};
  facts.file = remap_macro_filename (where.file ? where.file : "");
  facts.line = where.line;
  facts.kind = r->what->kind;
  facts.nops = ops.length ();
  facts.ops = const_cast<acr_operand *> (ops.address ());
  return acr_tag_format (&facts);
}

void
site_record (const region *r)
{
  tree kinds = kinds_of (r);
  if (!kinds)
    return;
  /* On the device there is no such runtime.  */
  if (!TREE_STATIC (kinds) && offloaded_p (current_function_decl))
    return;
  auto_vec<acr_operand> ops;
  slot_names (r, &ops);
  char *text = record_of (r, ops);
  for (unsigned i = 0; i < ops.length (); i++)
    free (const_cast<char *> (ops[i].name));
  if (!text)
    return;
  if (!TREE_STATIC (kinds))
    {
      kinds = text_variable (text);
      say (r->stmt, kinds);
    }
  if (!sites)
    sites = new hash_map<int_hash<int, -1, -2>, char *>;
  sites->put (DECL_UID (kinds), text);
  if (dump_file)
    fprintf (dump_file, "%s\n", text);
}

const char *
site_of (const_tree var)
{
  char **text = sites ? sites->get (DECL_UID (var)) : NULL;
  return text ? *text : NULL;
}

bool
site_any (void)
{
  return sites;
}
