/* Constructs that map data and run nothing on the device themselves: data,
   host_data, update, enter and exit data, declare.

   There is no outlined function, and so no tag; what we learn goes to the dump
   and the remarks, place and names to a record for the report (site.cc).  An
   operand is a clause of the source with its map kind; pointers and descriptors
   that GCC maps along with it are none.  Where the construct has a body, the
   facts are about the operand's copy on the device: what the compute regions
   and updates that are lexically inside do with it, with the meaning that abi.h
   gives to ACCESS and GROUP.  They are unknown as soon as the host touches the
   operand or calls what we do not see (access.cc).

   Needs: object_scan.  Keeps: all code.
   Source: gomp_map_vars_internal in libgomp's target.c, GOACC_enter_exit_data
   in its oacc-mem.c.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"
#include "advice/advice.h"

/* The words for map kinds.  */
static const struct
{
  int kind;
  const char *omp, *acc;
} words[] = {
  { GOMP_MAP_ALLOC, "alloc", "create" },
  { GOMP_MAP_FORCE_ALLOC, "alloc", "create" },
  { GOMP_MAP_TO, "to", "copyin" },
  { GOMP_MAP_FORCE_TO, "to", "copyin" },
  { GOMP_MAP_FROM, "from", "copyout" },
  { GOMP_MAP_FORCE_FROM, "from", "copyout" },
  { GOMP_MAP_TOFROM, "tofrom", "copy" },
  { GOMP_MAP_FORCE_TOFROM, "tofrom", "copy" },
  { GOMP_MAP_ALWAYS_TO, "always-to", "copyin" },
  { GOMP_MAP_ALWAYS_FROM, "always-from", "copyout" },
  { GOMP_MAP_ALWAYS_TOFROM, "always-tofrom", "copy" },
  { GOMP_MAP_FORCE_PRESENT, "present", "present" },
  { GOMP_MAP_IF_PRESENT, "if-present", "no_create" },
  { GOMP_MAP_FORCE_DEVICEPTR, "deviceptr", "deviceptr" },
  { GOMP_MAP_DEVICE_RESIDENT, "device_resident", "device_resident" },
  { GOMP_MAP_LINK, "link", "link" },
  { GOMP_MAP_RELEASE, "release", "delete" },
  { GOMP_MAP_DELETE, "delete", "delete" },
  { GOMP_MAP_ATTACH, NULL, "attach" },
  { GOMP_MAP_DETACH, NULL, "detach" },
  { GOMP_MAP_FORCE_DETACH, NULL, "detach" },
};

/* How clause C of STMT maps a variable of the source, or NULL when it does
   not.  */
static const char *
map_word (const gomp_target *stmt, tree c)
{
  switch (OMP_CLAUSE_CODE (c))
    {
    case OMP_CLAUSE_TO:
      return "to";
    case OMP_CLAUSE_FROM:
      return "from";
    case OMP_CLAUSE_USE_DEVICE_PTR:
      return is_gimple_omp_oacc (stmt) ? "use_device" : "use_device_ptr";
    case OMP_CLAUSE_USE_DEVICE_ADDR:
      return "use_device_addr";
    case OMP_CLAUSE_MAP:
      break;
    default:
      return NULL;
    }
  if (descriptor_type_p (TREE_TYPE (OMP_CLAUSE_DECL (c))))
    return NULL;
  int kind = OMP_CLAUSE_MAP_KIND (c);
  if (gimple_omp_target_kind (stmt) == GF_OMP_TARGET_KIND_OACC_UPDATE
      && (kind & ~(GOMP_MAP_TOFROM | GOMP_MAP_FLAG_FORCE)) == 0)
    return GOMP_MAP_COPY_TO_P (kind) ? "device" : "self";
  for (unsigned i = 0; i < ARRAY_SIZE (words); i++)
    if (words[i].kind == kind)
      return is_gimple_omp_oacc (stmt) ? words[i].acc : words[i].omp;
  return NULL;
}

unsigned
data_transfer (const gomp_target *stmt, tree c)
{
  if (!map_word (stmt, c))
    return ACR_ACCESS_NONE;
  switch (OMP_CLAUSE_CODE (c))
    {
    case OMP_CLAUSE_TO:
      return ACR_ACCESS_WRITE;
    case OMP_CLAUSE_FROM:
      return ACR_ACCESS_READ;
    case OMP_CLAUSE_MAP:
      break;
    default:
      return ACR_ACCESS_NONE;
    }
  const construct *what = construct_of (stmt);
  unsigned kind = OMP_CLAUSE_MAP_KIND (c), access = ACR_ACCESS_NONE;
  if (!what->body && what->code != GF_OMP_TARGET_KIND_OACC_UPDATE)
    return ACR_ACCESS_UNKNOWN;
  if (!GOMP_MAP_ALWAYS_P (kind) && !(kind & GOMP_MAP_FLAG_FORCE))
    return ACR_ACCESS_NONE;
  if (GOMP_MAP_COPY_TO_P (kind))
    access |= ACR_ACCESS_WRITE;
  if (GOMP_MAP_COPY_FROM_P (kind))
    access |= ACR_ACCESS_READ;
  return access;
}

/* The memory that clause C is about.  */
static object_name
mapped_object (tree c)
{
  tree decl = OMP_CLAUSE_DECL (c), type = TREE_TYPE (decl);
  /* Some clauses name a pointer and mean what it leads to, and with
     descriptors all do.  */
  bool target = OMP_CLAUSE_CODE (c) == OMP_CLAUSE_USE_DEVICE_PTR
		|| (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
		    && OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_FORCE_DEVICEPTR);
  target &= DECL_P (decl) && POINTER_TYPE_P (type);
  if (target)
    type = TREE_TYPE (type);
  object_name name
    = target ? object_of_pointer (decl) : object_of_reference (decl);
  /* What a nameless pointer leads to came out of memory.  */
  if (!object_source_variable (name.var))
    return { NULL_TREE, 0 };
  name.depth += descriptor_type_p (type);
  return name;
}

void
data_find (region *r)
{
  object all = {};
  all.group = ACR_ALIAS_ANY;
  r->objects.safe_push (all);
  for (tree c = gimple_omp_target_clauses (r->stmt); c;
       c = OMP_CLAUSE_CHAIN (c))
    if (const char *how = map_word (r->stmt, c))
      {
	object_name name = mapped_object (c);
	operand op = {};
	op.clause = c;
	op.how = how;
	op.about = object_index (r, name);
	op.name = name.var ? object_text (name)
			   : print_generic_expr_to_str (OMP_CLAUSE_DECL (c));
	r->objects[op.about].mapped = op.about != anything;
	r->operands.safe_push (op);
      }
}

/* What keeps us from knowing about operand OP of R, or NULL.  */
static const char *
unknown_because (const region *r, const operand *op)
{
  if (op->about == (int) anything)
    return "address of unknown origin";
  const object *o = &r->objects[op->about];
  return o->access == ACR_ACCESS_UNKNOWN ? o->why : NULL;
}

static void
dump_operand (FILE *f, const region *r, const operand *op)
{
  const char *why = unknown_because (r, op);
  const object *o = &r->objects[op->about];
  fprintf (f, "  %s %s", op->how, op->name);
  if (why)
    fprintf (f, ": ? (%s)", why);
  else if (r->what->body)
    fprintf (f, ": %s", acr_access_name ((enum acr_access) o->access));
  if (o->group != ACR_ALIAS_ANY)
    fprintf (f, ", group %d (%s)", o->group, o->proof);
  fputc ('\n', f);
}

static void
dump_block (FILE *f, const region *r)
{
  expanded_location where = expand_location (r->loc);
  fprintf (f, "DATA src=%s:%d kind=%s\n",
	   where.file ? remap_macro_filename (where.file) : "", where.line,
	   acr_kind_name (r->what->kind));
  for (unsigned i = 0; i < r->operands.length (); i++)
    dump_operand (f, r, &r->operands[i]);
  fputc ('\n', f);
}

static void
report (const region *r)
{
  const char *why = NULL;
  bool any = false;
  name_list read, unused;
  for (unsigned i = 0; i < r->operands.length (); i++)
    {
      const operand *op = &r->operands[i];
      const char *unknown = unknown_because (r, op);
      unsigned access = r->objects[op->about].access;
      any |= !unknown;
      if (!why)
	why = unknown;
      if (unknown || !r->what->body)
	continue;
      if (access == ACR_ACCESS_READ)
	read.add (name_of_reference (OMP_CLAUSE_DECL (op->clause)));
      if (access == ACR_ACCESS_NONE)
	unused.add (name_of_reference (OMP_CLAUSE_DECL (op->clause)));
    }
  copies_report (r, read, unused);
  if (!any && why)
    remark_missed (r->loc, "%s region: nothing known about its data: %s\n",
		   construct_words (r->what), why);
}

void
data_report (const region *r)
{
  if (dump_file)
    dump_block (dump_file, r);
  if (dump_enabled_p ())
    report (r);
}
