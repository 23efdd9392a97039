/* The regions of a function: found before omp-low, recorded after it, kept for
   the tag.  plugin.cc says what is done to them meanwhile.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"
#include "advice/advice.h"
#include "abi/optimisations.h"

/* Regions of the function in work, between the two passes.  */
static vec<region> found;

/* What is not applied to its constructs, and why, allocated.  */
struct refusal
{
  const gimple *stmt;
  enum acr_option option;
  char *why;
};
static vec<refusal> refusals;

/* What a construct was fused from, but for its own place.  */
struct source_place
{
  const gimple *stmt;
  location_t loc;
};
static vec<source_place> sources;

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

/* The constant of launch clause CODE, or ACR_DIM_OPEN.  GCC itself adds
   num_teams and thread_limit clauses with 0 or less for "open".  */
static int
launch_dim (tree clauses, enum omp_clause_code code)
{
  tree c = omp_find_clause (clauses, code);
  tree n = c ? OMP_CLAUSE_OPERAND (c, 0) : NULL_TREE;
  if (!n || !tree_fits_shwi_p (n))
    return ACR_DIM_OPEN;
  if (code == OMP_CLAUSE_NUM_TEAMS && tree_to_shwi (n) == COMPAT_NO_TEAMS)
    return 1;
  return IN_RANGE (tree_to_shwi (n), 1, INT_MAX) ? tree_to_shwi (n)
						 : ACR_DIM_OPEN;
}

static void
launch_dims (const region *r, int dims[3])
{
  tree clauses = gimple_omp_target_clauses (r->stmt);
  dims[0] = dims[1] = dims[2] = ACR_DIM_OPEN;
  switch (r->what->kind)
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
  const construct *what
    = stmt && !stmt_reverse_p (stmt) ? construct_of (stmt) : NULL;
  /* GCC ends the scope of a declare with a construct of its own, which has no
     place in the source.  */
  if (what && (acr_kind_computes (what->kind) || gimple_has_location (stmt)))
    {
      region r = {};
      r.stmt = stmt;
      r.what = what;
      r.loc = gimple_location (stmt);
      for (int i = 0; i < GOMP_DIM_MAX; i++)
	r.stock[i] = ACR_DIM_OPEN;
      found.safe_push (r);
    }
  return NULL_TREE;
}

void
region_release (region *r)
{
  for (unsigned i = 0; i < r->operands.length (); i++)
    free (r->operands[i].name);
  reach_release (r);
  r->objects.release ();
  r->operands.release ();
  r->loops.release ();
  r->reds.release ();
}

static void
forget_found (void)
{
  for (unsigned i = 0; i < found.length (); i++)
    region_release (&found[i]);
  found.truncate (0);
}

void
region_forget (void)
{
  forget_found ();
  for (unsigned i = 0; i < refusals.length (); i++)
    free (refusals[i].why);
  refusals.truncate (0);
  sources.truncate (0);
  region_forget_tested ();
}

void
region_refused (const gimple *stmt, enum acr_option option, const char *why)
{
  refusals.safe_push ({ stmt, option, xstrdup (why) });
}

bool
region_refused_p (const gimple *stmt, enum acr_option option)
{
  for (unsigned i = 0; i < refusals.length (); i++)
    if (refusals[i].stmt == stmt && refusals[i].option == option)
      return true;
  return false;
}

/* Those of STMT, into OF.  */
static void
find_refusals (const gimple *stmt, vec<acr_refusal> *of)
{
  for (unsigned i = 0; i < refusals.length (); i++)
    if (refusals[i].stmt == stmt)
      of->safe_push ({ acr_optimisation (ACR_PART_PLUGIN,
					 refusals[i].option)->name,
		       refusals[i].why });
}

/* The places of FROM, which is behind STMT's own, are STMT's.  */
static void
add_sources (const gimple *stmt, const gimple *from)
{
  unsigned n = sources.length ();
  for (unsigned i = 0; i < n; i++)
    if (sources[i].stmt == from)
      {
	source_place s = { stmt, sources[i].loc };
	sources.safe_push (s);
      }
}

void
region_fused (const gimple *stmt, const gimple *first, const gimple *second)
{
  add_sources (stmt, first);
  sources.safe_push ({ stmt, gimple_location (second) });
  add_sources (stmt, second);
}

unsigned
region_sources (const gimple *stmt)
{
  unsigned n = 1;
  for (unsigned i = 0; i < sources.length (); i++)
    n += sources[i].stmt == stmt;
  return n;
}

vec<region> *
region_find (function *fun)
{
  forget_found ();
  struct walk_stmt_info wi = {};
  walk_gimple_seq (gimple_body (fun->decl), find_stmt, NULL, &wi);
  return &found;
}

vec<region> *
region_found (void)
{
  return &found;
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
      char *name = object_text (o->name);
      fprintf (f, "  %s: %s", name,
	       acr_access_name ((enum acr_access) o->access));
      free (name);
      if (o->why)
	fprintf (f, " (%s)", o->why);
      if (o->group != ACR_ALIAS_ANY)
	fprintf (f, ", group %d (%s)", o->group, o->proof);
      fputs (o->mapped ? ", mapped\n" : "\n", f);
    }
  fputc ('\n', f);
}

/* What R copies, and does with its data, or why that is not known.  */
static void
report_region (const region *r, const struct acr_region *facts,
	       const char *why)
{
  name_list read, unused;
  for (unsigned i = 0; i < facts->nops; i++)
    if (acr_region_constant (facts, facts->ops[i].slot)
	&& facts->ops[i].map != ACR_MAP_COPY && *facts->ops[i].name)
      read.add (xstrdup (facts->ops[i].name));
  copies_report (r, read, unused);
  if (!why)
    why = r->objects[anything].why;
  if (why)
    remark_missed (r->loc, "%s region: nothing known about its data: %s\n",
		   construct_words (r->what), why);
}

/* The facts about R, whose slots are OPS; those point into R.  */
static struct acr_region
facts_of (const region *r, const vec<acr_operand> &ops)
{
  expanded_location where = expand_location (r->loc);
  struct acr_region facts = {};
  facts.fn
    = IDENTIFIER_POINTER (DECL_NAME (gimple_omp_target_child_fn (r->stmt)));
  facts.file = remap_macro_filename (where.file ? where.file : "");
  facts.line = where.line;
  facts.kind = r->what->kind;
  launch_dims (r, facts.dims);
  facts.nops = ops.length ();
  facts.ops = CONST_CAST (acr_operand *, ops.address ());
  facts.nsections = r->sections.length ();
  facts.sections = CONST_CAST (acr_section *, r->sections.address ());
  facts.nloops = r->loops.length ();
  facts.loops = CONST_CAST (acr_loop *, r->loops.address ());
  facts.nreds = r->reds.length ();
  facts.reds = CONST_CAST (acr_reduction *, r->reds.address ());
  facts.spmd = r->spmd;
  memcpy (facts.stock, r->stock, sizeof facts.stock);
  facts.row = r->row;
  facts.launches = r->launches;
  facts.resident = r->resident;
  facts.chain = r->chain;
  facts.share = r->share;
  facts.ready = r->spmd == ACR_SPMD_NO ? 0 : region_number (r->stmt);
  facts.nest = r->nest;
  facts.tiles = r->tiles;
  facts.exact = r->exact;
  facts.grids = r->grids;
  facts.sums = r->sums;
  facts.columns = r->columns;
  facts.words = r->words;
  facts.coarse = r->coarse;
  facts.closed = access_closed_p (r);
  facts.compares = r->compares;
  return facts;
}

/* The places of what STMT was fused with, each allocated, into OF.  */
static void
find_sources (const gimple *stmt, vec<const char *> *of)
{
  for (unsigned i = 0; i < sources.length (); i++)
    if (sources[i].stmt == stmt)
      {
	expanded_location at = expand_location (sources[i].loc);
	const char *file = remap_macro_filename (at.file ? at.file : "");
	of->safe_push (xasprintf ("%s:%d", file, at.line));
      }
}

void
region_record (const region *r, const vec<acr_operand> &ops, const char *why)
{
  struct acr_region facts = facts_of (r, ops);
  auto_vec<acr_refusal> refused;
  find_refusals (r->stmt, &refused);
  facts.nrefused = refused.length ();
  facts.refused = refused.address ();
  auto_vec<const char *> also;
  find_sources (r->stmt, &also);
  facts.nalso = also.length ();
  facts.also = also.address ();
  /* Names live in GCC's memory; what we keep is a copy of its own.  */
  char *tag = acr_tag_format (&facts);
  struct acr_region *copy = tag ? acr_tag_parse (tag, strlen (tag)) : NULL;
  if (copy)
    {
      tree fn = gimple_omp_target_child_fn (r->stmt);
      complete.safe_push ({ DECL_UID (fn), copy });
      if (dump_file)
	dump_region (dump_file, r, tag, why);
      if (dump_enabled_p ())
	report_region (r, copy, why);
    }
  free (tag);
  for (unsigned i = 0; i < also.length (); i++)
    free (CONST_CAST (char *, also[i]));
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
