/* The regions of a function: found before omp-low, completed after it, kept
   for the tag.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"

/* Regions of the function in work, between the two passes.  */
static vec<region> found;

/* A complete region.  */
struct record
{
  /* DECL_UID of the outlined function; the function itself may be removed,
     and its decl collected, before the tag is written.  */
  unsigned fn_uid;
  /* One block from acr_tag_parse.  */
  struct acr_region *facts;
};

/* Those of the translation unit, in the order of completion.  */
static vec<record> complete;

/* The kind of the directive STMT, or ACR_KIND_COUNT when it has no outlined
   function on the device.  */
static enum acr_kind
region_kind (const gomp_target *stmt)
{
  switch (gimple_omp_target_kind (stmt))
    {
    case GF_OMP_TARGET_KIND_REGION:
      return ACR_KIND_OMP_TARGET;
    case GF_OMP_TARGET_KIND_OACC_PARALLEL:
      return ACR_KIND_ACC_PARALLEL;
    case GF_OMP_TARGET_KIND_OACC_KERNELS:
    case GF_OMP_TARGET_KIND_OACC_PARALLEL_KERNELS_PARALLELIZED:
    case GF_OMP_TARGET_KIND_OACC_PARALLEL_KERNELS_GANG_SINGLE:
      return ACR_KIND_ACC_KERNELS;
    case GF_OMP_TARGET_KIND_OACC_SERIAL:
      return ACR_KIND_ACC_SERIAL;
    default:
      return ACR_KIND_COUNT;
    }
}

/* The constant of launch clause CODE, or ACR_DIM_OPEN.  GCC itself adds
   num_teams and thread_limit clauses with 0 or less for "open".  */
static int
launch_dim (tree clauses, enum omp_clause_code code)
{
  tree c = omp_find_clause (clauses, code);
  tree n = c ? OMP_CLAUSE_OPERAND (c, 0) : NULL_TREE;
  if (n && tree_fits_shwi_p (n) && IN_RANGE (tree_to_shwi (n), 1, INT_MAX))
    return tree_to_shwi (n);
  return ACR_DIM_OPEN;
}

static void
launch_dims (const gomp_target *stmt, int dims[3])
{
  tree clauses = gimple_omp_target_clauses (stmt);
  dims[0] = dims[1] = dims[2] = ACR_DIM_OPEN;
  switch (region_kind (stmt))
    {
    case ACR_KIND_OMP_TARGET:
      dims[0] = launch_dim (clauses, OMP_CLAUSE_NUM_TEAMS);
      break;
    case ACR_KIND_ACC_SERIAL:
      dims[0] = dims[1] = dims[2] = 1;
      break;
    default:
      dims[0] = launch_dim (clauses, OMP_CLAUSE_NUM_GANGS);
      dims[1] = launch_dim (clauses, OMP_CLAUSE_NUM_WORKERS);
      dims[2] = launch_dim (clauses, OMP_CLAUSE_VECTOR_LENGTH);
      break;
    }
}

static tree
find_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *)
{
  gomp_target *stmt = dyn_cast<gomp_target *> (gsi_stmt (*gsi));
  if (stmt && region_kind (stmt) != ACR_KIND_COUNT)
    {
      region r = {};
      r.stmt = stmt;
      r.loc = gimple_location (stmt);
      found.safe_push (r);
    }
  return NULL_TREE;
}

static void
release (region *r)
{
  for (unsigned i = 0; i < r->operands.length (); i++)
    free (r->operands[i].name);
  r->objects.release ();
  r->operands.release ();
  r->loops.release ();
  r->reds.release ();
}

static void
forget_found (void)
{
  for (unsigned i = 0; i < found.length (); i++)
    release (&found[i]);
  found.truncate (0);
}

void
region_find (function *fun)
{
  forget_found ();
  gimple_seq body = gimple_body (fun->decl);
  struct walk_stmt_info wi = {};
  walk_gimple_seq (body, find_stmt, NULL, &wi);
  if (found.is_empty ())
    return;

  object_scan (body);
  for (unsigned i = 0; i < found.length (); i++)
    {
      region *r = &found[i];
      operand_find (r);
      if (option_enabled (ACR_OPTION_ALIAS))
	alias_find (r);
      if (option_enabled (ACR_OPTION_ACCESS))
	access_find (r);
      else
	access_give_up (r, "disabled");
      if (option_enabled (ACR_OPTION_NEST))
	nest_find (r);
    }
}

/* The whole summary, for -fdump-tree-accrete.  */
static void
dump_region (FILE *f, const region *r, const char *tag, const char *why)
{
  fprintf (f, "%s\n", tag);
  if (why)
    fprintf (f, "  no operands: %s\n", why);
  for (unsigned i = 0; i < r->objects.length (); i++)
    {
      const object *o = &r->objects[i];
      if (i != anything && !o->mapped && o->name.depth == 0)
	continue;
      fprintf (f, "  %*.*s", o->name.depth, o->name.depth, "**");
      if (o->name.var)
	print_generic_expr (f, o->name.var, dump_flags);
      else
	fputs ("anything", f);
      fprintf (f, ": %s", acr_access_name ((enum acr_access) o->access));
      if (o->why)
	fprintf (f, " (%s)", o->why);
      if (o->group != ACR_ALIAS_ANY)
	fprintf (f, ", group %d (%s)", o->group, o->proof);
      fputs (o->mapped ? ", mapped\n" : "\n", f);
    }
  fputc ('\n', f);
}

/* One remark: what was proved about R, or why nothing.  */
static void
report_region (const region *r, const struct acr_region *facts,
	       const char *why)
{
  dump_user_location_t loc = dump_user_location_t::from_location_t (r->loc);
  const char *kind = acr_kind_name (facts->kind);
  const object *any = &r->objects[anything];
  unsigned constant = 0;
  for (unsigned i = 0; i < facts->nops; i++)
    constant += acr_region_constant (facts, facts->ops[i].slot);
  if (!why)
    why = any->why;
  if (why)
    dump_printf_loc (MSG_MISSED_OPTIMIZATION, loc,
		     "%s region: nothing known about its data: %s\n", kind,
		     why);
  else
    dump_printf_loc (MSG_OPTIMIZED_LOCATIONS, loc,
		     "%s region: %u operands, %u constant, %u loops\n", kind,
		     facts->nops, constant, facts->nloops);
}

static void
complete_region (region *r)
{
  tree fn = gimple_omp_target_child_fn (r->stmt);
  if (!fn)
    return;
  expanded_location where = expand_location (r->loc);
  auto_vec<acr_operand> ops;
  const char *why = slot_match (r, &ops);
  struct acr_region facts = {};
  facts.fn = IDENTIFIER_POINTER (DECL_NAME (fn));
  facts.file = remap_macro_filename (where.file ? where.file : "");
  facts.line = where.line;
  facts.kind = region_kind (r->stmt);
  launch_dims (r->stmt, facts.dims);
  if (!why)
    {
      facts.nops = ops.length ();
      facts.ops = ops.address ();
    }
  facts.nloops = r->loops.length ();
  facts.loops = r->loops.address ();
  facts.nreds = r->reds.length ();
  facts.reds = r->reds.address ();

  /* Names live in GCC's memory; what we keep is a copy of its own.  */
  char *tag = acr_tag_format (&facts);
  struct acr_region *copy = tag ? acr_tag_parse (tag, strlen (tag)) : NULL;
  if (copy)
    {
      complete.safe_push ({ DECL_UID (fn), copy });
      if (dump_file)
	dump_region (dump_file, r, tag, why);
      if (dump_enabled_p ())
	report_region (r, copy, why);
    }
  free (tag);
}

void
region_complete (void)
{
  for (unsigned i = 0; i < found.length (); i++)
    complete_region (&found[i]);
  forget_found ();
}

const struct acr_region *
region_facts (tree fn)
{
  for (unsigned i = 0; i < complete.length (); i++)
    if (complete[i].fn_uid == DECL_UID (fn))
      return complete[i].facts;
  return NULL;
}

bool
region_any (void)
{
  return !complete.is_empty ();
}
