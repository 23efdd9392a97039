/* Tags: a name for every outlined function that is unique in the program, the
   tag's text in the PTX unit, and the host table with its constructor, which
   has the site records of data constructs as well (site.cc).

   Names.  GCC numbers outlined functions per translation unit; two static
   functions of one name give two outlined functions of one name, which the
   device compiler then tells apart by a suffix of its own.  We append a hash
   instead, of what the translation unit is (file, -D and -U options) and of
   everything the tag says.  It does not depend on time, folder or random
   seed, so builds stay reproducible.  Should two still agree, then their
   tags say the same, and either is true for both.

   PTX.  An asm statement at the function's start goes to the device compiler
   with it and comes out verbatim.  All it holds is a comment.  (A toplevel asm
   would do for GCC 12; GCC 13 and later keep those from the device.)

   Both sides find functions by their place in the offload tables, which we do
   not touch.

   Needs: region_record of all regions; GCC's offload tables.  Keeps: the
   tables.  Breaks: assembler names of outlined functions.
   Source: omp_finish_file in GCC's omp-offload.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"

/* Constructors without a priority run after this one, and destructors before:
   a static object of C++ may
   offload.  */
static const int cdtor_priority = 101;

/* FNV-1a, 64 bits.  */
static uint64_t
hash_text (uint64_t hash, const char *s)
{
  do
    hash = (hash ^ (unsigned char) *s) * 0x100000001B3;
  while (*s++);
  return hash;
}

static uint64_t
hash_unit (void)
{
  uint64_t hash = 0xCBF29CE484222325;
  hash = hash_text (hash, remap_macro_filename (main_input_filename));
  for (unsigned i = 0; i < save_decoded_options_count; i++)
    {
      const struct cl_decoded_option *o = &save_decoded_options[i];
      if ((o->opt_index == OPT_D || o->opt_index == OPT_U) && o->arg)
	hash = hash_text (hash_text (hash, o->canonical_option[0]), o->arg);
    }
  return hash;
}

/* Give FN its unique name and return its tag, to be freed.  NULL when memory
   is out.  */
static char *
name_function (tree fn, const struct acr_region *facts, uint64_t unit)
{
  struct acr_region tag = *facts;
  tag.fn = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (fn));
  char *text = acr_tag_format (&tag);
  if (!text)
    return NULL;
  char *name = xasprintf ("%s.%016" PRIx64, tag.fn, hash_text (unit, text));
  free (text);

  tag.fn = name;
  text = acr_tag_format (&tag);
  if (text)
    symtab->change_decl_assembler_name (fn, get_identifier (name));
  free (name);
  return text;
}

/* Put TAG into FN's code.  */
static void
emit_comment (tree fn, const char *tag)
{
  auto_vec<char> text;
  for (const char *c = tag; *c; c++)
    {
      if (*c == '%')
	text.safe_push ('%');
      text.safe_push (*c);
    }
  text.safe_push ('\0');
  char *comment = xasprintf ("/* %s */", text.address ());
  push_cfun (DECL_STRUCT_FUNCTION (fn));
  gasm *stmt = gimple_build_asm_vec (comment, NULL, NULL, NULL, NULL);
  gimple_asm_set_volatile (stmt, true);
  gimple_stmt_iterator i
    = gsi_after_labels (single_succ (ENTRY_BLOCK_PTR_FOR_FN (cfun)));
  gsi_insert_before (&i, stmt, GSI_SAME_STMT);
  pop_cfun ();
  free (comment);
}

/* A call FN (TABLE, N), made when something at run time defines FN.  */
static tree
call_if_defined (const char *fn, tree table, unsigned n)
{
  tree type = build_function_type_list (void_type_node, ptr_type_node,
					size_type_node, NULL_TREE);
  tree decl = runtime_function (fn, type);
  tree call = build_call_expr (decl, 2, build_fold_addr_expr (table),
			       build_int_cst (size_type_node, n));
  tree there = build2 (NE_EXPR, boolean_type_node, build_fold_addr_expr (decl),
		       build_int_cst (build_pointer_type (type), 0));
  tree body = NULL_TREE;
  append_to_statement_list (build3 (COND_EXPR, void_type_node, there, call,
				    NULL_TREE),
			    &body);
  return body;
}

/* Define the host table from ROWS, its fields in order, and what registers
   it.  A struct acr_host_entry is two pointers, so the table is an array of
   pointers.  */
static void
emit_table (vec<constructor_elt, va_gc> *rows)
{
  unsigned n = vec_safe_length (rows);
  tree type = build_array_type_nelts (ptr_type_node, n);
  tree init = build_constructor (type, rows);
  TREE_CONSTANT (init) = TREE_STATIC (init) = 1;
  tree table = build_decl (UNKNOWN_LOCATION, VAR_DECL,
			   get_identifier ("acr_region_table"), type);
  SET_DECL_ASSEMBLER_NAME (table, get_identifier ("acr_region_table"));
  TREE_STATIC (table) = TREE_READONLY (table) = TREE_USED (table) = 1;
  TREE_ADDRESSABLE (table) = 1;
  DECL_ARTIFICIAL (table) = DECL_IGNORED_P (table) = 1;
  DECL_INITIAL (table) = init;
  varpool_node::finalize_decl (table);

  cgraph_build_static_cdtor ('I', call_if_defined ("acr_register_regions",
						   table, n / 2),
			     cdtor_priority);
  cgraph_build_static_cdtor ('D', call_if_defined ("acr_unregister_regions",
						   table, n / 2),
			     cdtor_priority);
}

/* Append to ROWS that of DECL with TEXT.  */
static void
add_row (vec<constructor_elt, va_gc> **rows, tree decl, const char *text)
{
  tree at = build_fold_addr_expr (decl);
  tree string = build_string_literal (strlen (text) + 1, text);
  CONSTRUCTOR_APPEND_ELT (*rows, NULL_TREE, fold_convert (ptr_type_node, at));
  CONSTRUCTOR_APPEND_ELT (*rows, NULL_TREE,
			  fold_convert (ptr_type_node, string));
}

/* Tag the outlined functions, with a row for each.  */
static void
tag_functions (vec<constructor_elt, va_gc> **rows)
{
  uint64_t unit = hash_unit ();
  for (unsigned i = 0; i < vec_safe_length (offload_funcs); i++)
    {
      tree fn = (*offload_funcs)[i];
      const struct acr_region *facts = region_facts (fn);
      cgraph_node *node = cgraph_node::get (fn);
      if (!facts || !node || !node->definition)
	continue;
      char *tag = name_function (fn, facts, unit);
      if (!tag)
	continue;
      emit_comment (fn, tag);
      if (facts->spmd != ACR_SPMD_NO)
	entry_set (fn);
      add_row (rows, fn, tag);
      free (tag);
    }
}

/* Rows for the sites of data constructs that are still there.  */
static void
add_sites (vec<constructor_elt, va_gc> **rows)
{
  varpool_node *node;
  FOR_EACH_VARIABLE (node)
    if (const char *text = node->definition ? site_of (node->decl) : NULL)
      {
	TREE_ADDRESSABLE (node->decl) = 1;
	add_row (rows, node->decl, text);
      }
}

void
tag_emit (void)
{
  vec<constructor_elt, va_gc> *rows = NULL;
  tag_functions (&rows);
  add_sites (&rows);
  if (rows)
    emit_table (rows);
}
