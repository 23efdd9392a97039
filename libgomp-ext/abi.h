/* The tag: what the compiler plugin knows about one offloaded region, told
   to the PTX post-processor and to the runtime (design.md, section 2).

   A tag is one line of text.  The plugin writes the same line to two places:

   (a) the PTX unit, as a C comment at file level (a toplevel asm; the host
       assembler skips it as well), for example

	 ACCRETE-TAG 1 fn=main._omp_fn.0.a1b2c3d4 src=j.c:7 kind=acc-parallel
	   dims=?,1,32 op=0,a,data,r,1,4 loop=g,510 loop=v,510 red=+,sum

   (b) the host program, in a table that a constructor hands to
       acr_register_regions.

   Text, because it crosses three tools that only have text in common, and
   because an old reader can skip what it does not know.

   Grammar.  Fields are KEY=VALUE, separated by single spaces, in any order;
   unknown keys are skipped.  In names, every byte that is not alphanumeric
   or one of "_.$:/-+" is written %XX.

     fn=SYMBOL		assembler name of the outlined host function, unique
			in the program; in PTX each '.' of it is a '$'
     src=FILE:LINE	where the directive stands
     kind=KIND		see abi.def
     dims=G,W,V		gangs/teams, workers, vector length/threads; a number,
			or ? when open or not a constant
     op=SLOT,NAME,MAP,ACCESS,GROUP,SIZE
			one per mapped operand, in slot order:
			SLOT   index into the kernel's argument block (the
			       block is an array of 8-byte slots)
			MAP    what the slot holds, see abi.def
			ACCESS what the region does to the mapped data: r, w,
			       rw, - (nothing), or ? (cannot tell)
			GROUP  alias group: data of operands in different
			       groups never overlaps.  ? may overlap anything
			SIZE   bytes of one element, 0 when unknown
     loop=PAR,TRIP	one per loop of the nest, outermost first:
			PAR    any of g w v (gang, worker, vector; teams and
			       threads count as g and v), s (seq), a (auto)
			TRIP   a number, s (symbolic) or ? (unknown)
     red=OP,NAME	one per reduction

   A reader that meets another version, or a line it cannot parse, treats the
   region as untagged: as stock GCC would.

   Thread-safety: these functions have no state.  Licence: GPL-3.0-or-later
   with the GCC Runtime Library Exception 3.1.  */

#ifndef ACCRETE_ABI_H
#define ACCRETE_ABI_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ACR_TAG_VERSION 1
#define ACR_TAG_MAGIC "ACCRETE-TAG"

enum acr_kind
{
#define ACR_KIND(id, text) ACR_KIND_##id,
#include "abi.def"
  ACR_KIND_COUNT
};

/* What the argument block's slot holds.  */
enum acr_map
{
#define ACR_MAP(id, text) ACR_MAP_##id,
#include "abi.def"
  ACR_MAP_COUNT
};

/* ACCESS is a set; UNKNOWN has every bit, so that "may it be written?" is
   one test.  */
enum acr_access
{
  ACR_ACCESS_NONE = 0,
  ACR_ACCESS_READ = 1,
  ACR_ACCESS_WRITE = 2,
  ACR_ACCESS_UNKNOWN = 7
};

#define ACR_ALIAS_ANY (-1)	/* acr_operand.group: may overlap anything */
#define ACR_DIM_OPEN (-1)	/* acr_region.dims: open or not constant */
#define ACR_TRIP_SYMBOLIC (-1)
#define ACR_TRIP_UNKNOWN (-2)

struct acr_operand
{
  const char *name;
  int slot;
  enum acr_map map;
  enum acr_access access;
  int group;			/* or ACR_ALIAS_ANY */
  unsigned size;		/* bytes of one element, 0 unknown */
};

struct acr_loop
{
  char par[8];			/* subset of "gwvsa" */
  long long trip;		/* count, or ACR_TRIP_* */
};

struct acr_reduction
{
  const char *op, *name;
};

struct acr_region
{
  const char *fn;
  const char *file;
  unsigned line;
  enum acr_kind kind;
  int dims[3];			/* or ACR_DIM_OPEN */
  unsigned nops, nloops, nreds;
  struct acr_operand *ops;
  struct acr_loop *loops;
  struct acr_reduction *reds;
};

/* Texts of the enumerators, as in the tag line.  */
const char *acr_kind_name (enum acr_kind);
const char *acr_map_name (enum acr_map);

/* The tag line of R, without comment marks or newline; to be freed by the
   caller.  NULL when out of memory.  */
char *acr_tag_format (const struct acr_region *r);

/* Read the tag line TEXT of LEN bytes (it may have blanks around it).
   Returns a region in one block, to be released with one free (), or NULL
   when it is no tag, has another version, is malformed, or memory is out.  */
struct acr_region *acr_tag_parse (const char *text, size_t len);

/* The operand of R in argument block slot SLOT, or NULL.  */
const struct acr_operand *acr_region_slot (const struct acr_region *r,
					   int slot);

/* One row of the host table.  FN is what the program passes to libgomp's
   launch entries.  */
struct acr_host_entry
{
  const void *fn;
  const char *tag;
};

/* Called by a constructor the plugin adds to each translation unit that has
   regions, before main or dlopen returns, and its pair by a destructor.  The
   table stays the caller's.  Weak in the program: without libgomp-ext nothing
   happens.  Thread-safe.  Defined in libgomp-ext/region.c.  */
void acr_register_regions (const struct acr_host_entry *table, size_t n);
void acr_unregister_regions (const struct acr_host_entry *table, size_t n);

#ifdef __cplusplus
}
#endif
#endif /* ACCRETE_ABI_H */
