/* The tag: what the compiler plugin knows about one offloaded region, told
   to the PTX post-processor and to the runtime (docs/design.md, section 2).

   A tag is one line of text.  The plugin writes the same line to two places:

   (a) the PTX unit, as a C comment in the function that it is about (an asm
       statement; the host assembler skips it as well), for example

	 ACCRETE-TAG 1 fn=main._omp_fn.0.a1b2c3d4 src=j.c:7 kind=acc-parallel
	   dims=?,1,32 op=0,a,data,r,1,4 op=1,sum,data,?,2,4 loop=g,510
	   loop=v,510 red=+,sum

   (b) the host program, in a table that a constructor hands to
       acr_register_regions.

   Text, because it crosses three tools that only have text in common, and
   because an old reader can skip what it does not know.

   Grammar.  The magic word, the version, then fields KEY=VALUE, separated by
   single spaces, in any order; unknown keys are skipped.  fn, src, kind and
   dims are there exactly once.  Numbers are decimal, without a sign.  In
   names, every byte that is not alphanumeric or one of "_.$:/-+" is written
   %XX.

     fn=SYMBOL		assembler name of the outlined host function, unique
			in the program; in PTX each '.' of it is a '$'
     src=FILE:LINE	where the directive stands
     kind=KIND		see abi.def
     dims=G,W,V		gangs/teams, workers, vector length/threads; a number,
			or ? when open or not a constant
     op=SLOT,NAME,MAP,ACCESS,GROUP,SIZE
			one per slot of the kernel's argument block (an array
			of 8-byte slots): slots 0, 1, ... without a gap, or none
			NAME   the source's name, empty when it has none
			MAP    what the slot holds, see abi.def
			ACCESS what the region does to the slot's data: r, w,
			       rw, - (nothing), or ? (cannot tell)
			GROUP  alias group, or ?
			SIZE   bytes of one element, 0 when unknown
     loop=PAR,TRIP	one per loop of the nest, outermost first:
			PAR    any of g w v (gang, worker, vector; teams and
			       threads count as g and v), s (seq), a (auto)
			TRIP   a number, s (symbolic) or ? (unknown)
     red=OP,NAME	one per reduction
     spmd=TEAMS		at most once: the region is an SPMD kernel, TEAMS says
			what its construct passes as number of teams, see
			abi.def
     stock=G,W,V	at most once, of OpenACC's SPMD kernels: the gangs,
			workers and lanes that GCC's own form would be launched
			with; 0 where libgomp chooses, ? is what the construct
			passes, as is all when the field is missing
     row=N		at most once: the SPMD kernel's teams are rows of
			threads, those with the same y, of at most N
     sums=1		at most once: each thread of a row keeps sums, of which
			there are enough for what the plugin lets such kernels
			have when a row is of ACR_SUMS_ROW threads
     columns=N		at most once: a row takes ACR_COLUMNS iterations at a
			time; half as many, or a quarter, where the grid has
			rows for that; a thread begins N loads of a column
			together
     words=N		at most once: in all loops that threads of a row share,
			each of a row of a warp begins several iterations
			together, of which the loads are N words of 32 bits at
			the most
     coarse=N		at most once: in a block of ACR_COARSE_BLOCK threads
			each begins N iterations together, two at least, where
			the grid has fewer threads than there are iterations
     nest=N		at most once: the SPMD kernel's iterations are those of
			the outermost N loops, two at least; of one when the
			field is missing
     tiles=1		at most once: it goes through them in tiles
     exact=1		at most once: the SPMD kernel's results are the same to
			the last bit at every grid and block (it adds to
			nothing that threads share but integers, and asks nobody
			where it is); of a resident one: or the order of atomic
			accesses to integers tells them apart, which no grid
			fixes
     grids=1		at most once: the same at every grid of blocks of one
			shape, where it is not exact
     closed=1		at most once: all memory that the region accesses is
			its slots' data, variables of its own, and static
			variables of the device; and it stores no address of
			such memory, nor anything computed from one, but
			what a comparison or difference says
     compares=1		at most once: it compares such addresses, or subtracts
			them, which may tell them bit by bit
     ready=N		at most once: the host launches the kernel where
			acr_ready (N) has said that it may, and executes other
			regions in its place where not
     launches=N		the SPMD kernel has children that several threads may
			execute together (N = 1); or leave, some of them, in the
			runtime's queue (2; nest.h), where they may be launched
			again by those that are executed from there (3)
     resident=N		at most once: the SPMD kernel is a host loop over regions
			(N = 1), between which the host would wait for results
			(2), whose threads wait for those of all blocks: it is
			launched with a grid that the GPU holds whole, or not at
			all (acr_resident)
     chain=N		at most once, of a resident one: each of the loop's
			rounds is executed by one block, which has work for N
			threads at the most; it has at most ACR_CHAIN_BLOCKS
     section=SLOT,ACCESS,BYTES,AT[,STRIDE,FIRST,BOUND,STEP]...
			one per access, r or w, of the region to the data of the
			data slot SLOT: BYTES bytes at that address + AT + the
			sum of STRIDE * I over the loops that are told, at most
			ACR_SECTION_LOOPS, for values of their I from FIRST by
			STEP up to before BOUND
			STEP   a number, which has a u behind it where I is
			       without a sign and of 64 bits
			other words  sums TERM{+TERM} of products
			       [-]N{:VALUE}, of at most ACR_SECTION_VALUES; VALUE
			       is a slot that holds a value, of 1, 2, 4 or 8
			       bytes, which has a u behind it where it is
			       without a sign
     share=N		at most once: the region starts teams of libgomp's, and
			its construct passes the number of iterations of its
			loop over teams in place of theirs; a team can work on
			N at a time
     also=FILE:LINE	one per construct that the region was fused with (fuse.h of
			the plugin), in the source's order: it does what all of
			them do
     not=NAME,REASON	one per optimisation (optimisations.def) that the
			plugin has not applied, for people

   What the facts mean.  The data of a slot is the memory reached by adding
   offsets to an address, which is

     data, copy, devptr	what the slot holds;
     ptr		what the 8 bytes hold at the address in the slot;
     ptr2		the same, followed once more.

   Slots may be about the same data: GCC sends a Fortran array as a data slot,
   which the kernel does not look at, and a ptr slot, through which it works.

   - ACCESS is all that any thread of the region does to this data, called
     functions included, except through addresses that come from other slots
     in the same or an unknown GROUP.  Memory reached in other ways (loaded
     pointers, globals, values) is accounted for: a region that may store
     anywhere has ? in all slots.
   - Slots in different GROUPs do not conflict: no byte that the region
     accesses through the one is written through the other.  (Mere overlap of
     what is only read says nothing; restrict allows it.)  Nor does a copy
     with any other slot.
   - Hence data is constant during the region when its own slot does not write
     and every slot that may write is in another, known group:
     acr_region_constant is this test.
   - Unless ACCESS is ?, the pointers on the way of a ptr or ptr2 slot, and the
     descriptors they are in, are constant during the region.
   - Volatile and atomic accesses and reductions make ACCESS ?.
   - A value has no data: ACCESS is -, GROUP ?.  So has other, for readers.
   - A pointer variable mapped as such (data, 8 bytes) is data; what it points
     to belongs to no slot.
   - Where there are sections of a slot, all bytes of its data that the region
     accesses through it are in these, those that it writes in such as are w.  Sums
     are modulo 2^64, and so are addresses; values of an I that counts down or up are
     of 64 bits with a sign, so that nothing is known where one without a sign would be
     2^63 or more.
   - A tag without op fields says nothing about the region's data.
   - An SPMD kernel is an OpenMP region whose device function is a kernel of
     its own, not one that libgomp's device runtime calls.  It does the same
     at every grid (of one dimension) and block (at most 32 threads in y), and
     it holds idle the teams and threads beyond those that the clauses allow;
     so a launch is free to choose, and has no use for the stacks that the
     plugin allocates.  Where it reduces, launches children or has rows for
     teams, rows (threads with the same y) are whole warps, or one thread.
     Of rows wider than a warp a block has ACR_WIDE_ROWS at the most, or as many
     as the program says.
   - Where such a kernel goes through a nest in tiles (tiles=1), a block of one
     dimension takes tiles of ACR_TILE iterations of the innermost loop, another
     one as many as it has threads along x.  Where its threads queue launches, a
     block has ACR_QUEUEING threads at the most.
   - All of this is about the region while it runs.  It says nothing about
     other regions at the same time (async, nowait).

   A reader that meets another version, or a line it cannot parse, treats the
   region as untagged: as stock GCC would.

   Data constructs (acc data, omp target enter data, update, ...) have no
   outlined function and no tag.  The plugin writes a site record about each,
   for the report and the trace, to the host's table alone:

	 ACCRETE-SITE 1 src=j.c:5 kind=acc-data op=0,a,data,?,?,4

   src, kind and op are as above, in the order in which the construct maps its
   operands; fn and dims are not there.  Its row has in place of a function the
   address of the construct's kinds, an array that GCC makes for each
   directive: all copies of the directive (by inlining or cloning) share it,
   and libgomp's entries are called with it.  Where the array is not static,
   its row has the address that the program calls acr_site with.

   Thread-safety: these functions have no state.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_ABI_H
#define ACCRETE_ABI_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ACR_TAG_VERSION 1
#define ACR_TAG_MAGIC "ACCRETE-TAG"
#define ACR_SITE_MAGIC "ACCRETE-SITE" /* of the same version */

/* Beside the kernel NAME a module may have others that do the same at another
   speed, NAME$form1 and so on without a gap; the tag is also theirs.  */
#define ACR_FORM_SUFFIX "$form"
enum { ACR_FORMS = 15 };

/* Behind the brace of the kernel NAME, or of NAME$formK, comments "ACCRETE-LIMITED N R",
   a line each, stand for kernels NAME$formN: as that one, but for a thread that has R
   registers at the most (jit/limited.h).  */
#define ACR_LIMITED_MAGIC "ACCRETE-LIMITED"

/* In a kernel that only loads from its argument block, the register of this name,
   with the bytes of the block that it loads behind it, has the block's address, and
   only loads use it (ptx-post's pass params, jit/params.h).  */
#define ACR_ARGS_REG "%acr_args"
enum { ACR_ARGS_MAX = 4000 }; /* of 4 KiB, libgomp's other parameters have some */

/* Where there is a variable NAME$stack, the threads of NAME's blocks should lie along
   y: only those with x = z = 0 have a stack (ptx-post's pass entry).  */
#define ACR_STACK_SUFFIX "$stack"

/* Where there is a variable NAME$soft, NAME uses soft stacks of libgomp's as well, the
   one of its block's number; above this many the numbers begin anew.  */
#define ACR_SOFT_SUFFIX "$soft"
enum { ACR_SOFT_STACKS = 8192 };

/* The copy of a function NAME that SPMD kernels call is called NAME$localN
   (ptx-post's pass clone).  */
#define ACR_LOCAL_SUFFIX "$local"

/* In an SPMD kernel whose threads can compute several rows of a nest, a
   comment "ACCRETE-ROWS REGISTER N N..." stands where REGISTER has become the
   first N.  It may as well become any other one, the same in all threads.  A thread
   computes so many where there are ACR_ROWS_THREADS times as many iterations at least,
   which keep a large GPU busy, else one.  */
#define ACR_ROWS_MAGIC "ACCRETE-ROWS"
#define ACR_ROWS_THREADS (1 << 17)

enum acr_kind
{
#define ACR_KIND(id, text) ACR_KIND_##id,
#include "abi/abi.def"
  ACR_KIND_COUNT
};

/* What a slot of the argument block holds.  */
enum acr_map
{
#define ACR_MAP(id, text) ACR_MAP_##id,
#include "abi/abi.def"
  ACR_MAP_COUNT
};

/* A set of bits; UNKNOWN has every bit, so that "may it be written?" is one
   test.  */
enum acr_access
{
#define ACR_ACCESS(id, value, text) ACR_ACCESS_##id = value,
#include "abi/abi.def"
};

/* Is the region an SPMD kernel, and what stands for the number of teams?  */
enum acr_spmd
{
#define ACR_SPMD(id, text) ACR_SPMD_##id,
#include "abi/abi.def"
  ACR_SPMD_COUNT
};

/* Rows of a block that may be wider than a warp.  */
#define ACR_WIDE_ROWS 4
/* Threads of a block that have several iterations each, so many apart.  */
#define ACR_COARSE_BLOCK 256
/* Threads of a row that keep sums.  */
#define ACR_SUMS_ROW 512
/* Iterations that a row takes at a time where they are columns, at the most and at the
   least: of floats, 128 bytes, which a warp loads best, and 32, of which memory gives
   no fewer.  */
#define ACR_COLUMNS 32
#define ACR_FEW_COLUMNS 8
/* Iterations of a tile of a block of one dimension, and the logarithm.  */
#define ACR_TILE_LOG 6
#define ACR_TILE (1 << ACR_TILE_LOG)
/* Threads of a block that queue launches.  */
#define ACR_QUEUEING 256

#define ACR_ALIAS_ANY (-1)	/* acr_operand.group: may overlap anything */
#define ACR_DIM_OPEN (-1)	/* acr_region.dims: open or not constant */
#define ACR_TRIP_SYMBOLIC (-1)
#define ACR_TRIP_UNKNOWN (-2)

struct acr_operand
{
  const char *name;
  int slot;			/* index into the argument block */
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

/* Regular sections: bytes of a slot's data.  */
enum
{
  ACR_SECTION_LOOPS = 4,
  ACR_SECTION_VALUES = 4
};

/* FACTOR times values: of slots, times 2, and 1 more where one has no sign; -1: none.  */
struct acr_term
{
  long long factor;
  short value[ACR_SECTION_VALUES];
};

struct acr_sum
{
  const struct acr_term *term;
  unsigned n;
};

struct acr_section_loop
{
  struct acr_sum stride, first, bound;
  long long step;		/* not 0 */
  bool natural;			/* no sign, 64 bits */
};

struct acr_section
{
  int slot;
  bool write;			/* else it reads */
  unsigned bytes;		/* not 0 */
  struct acr_sum at;
  unsigned nloops;
  struct acr_section_loop loop[ACR_SECTION_LOOPS];
};

/* An optimisation that was not applied.  */
struct acr_refusal
{
  const char *name, *why;
};

/* A region, or the site of a data construct, which has file, line, kind and
   operands alone.  */
struct acr_region
{
  const char *fn;		/* NULL: a site */
  const char *file;
  unsigned line;
  enum acr_kind kind;
  int dims[3];			/* or ACR_DIM_OPEN */
  enum acr_spmd spmd;
  int stock[3];			/* or ACR_DIM_OPEN; of OpenACC's kernels */
  int row;			/* most threads of a row, 0: rows mean nothing */
  bool sums;			/* which threads of a row keep */
  int columns;			/* loads of one, of which a row takes some at a
				   time; 0: it does not */
  int words;			/* loaded together in a row, 0: one by one */
  int coarse;			/* iterations that a thread begins together, 0: one */
  int nest;			/* loops that are one, 0: less than two */
  bool tiles;			/* which the kernel goes through in tiles */
  bool exact;			/* an SPMD kernel, exact at every geometry */
  bool grids;			/* the same, at every grid of the same blocks */
  bool closed;			/* accesses no other memory */
  bool compares;		/* compares or subtracts addresses */
  bool addresses;		/* of what is read: has an operand ACR_MAP_DEVPTR */
  int resident;			/* all blocks wait for each other: 1, 2 */
  int chain;			/* threads of a round, 0: rounds are all blocks' */
  int ready;			/* number for acr_ready, 0: launched unasked */
  int launches;			/* has children for several threads: 1, 2, 3 */
  int share;			/* iterations for a team, 0: no word on that */
  unsigned nops, nloops, nreds, nrefused, nalso, nsections;
  struct acr_operand *ops;
  struct acr_loop *loops;
  struct acr_reduction *reds;
  struct acr_refusal *refused;
  struct acr_section *sections;
  struct acr_term *terms;	/* of the next section, while they are read */
  const char **also;		/* FILE:LINE of constructs fused with it */
};

/* Does a construct of KIND have a region, or does it only map data?  */
static inline bool
acr_kind_computes (enum acr_kind kind)
{
  return kind <= ACR_KIND_ACC_SERIAL;
}

/* Texts of the enumerators, as in the tag line.  */
const char *acr_kind_name (enum acr_kind);
const char *acr_map_name (enum acr_map);
const char *acr_access_name (enum acr_access);

/* The tag line or site record of R, without comment marks or newline; to be
   freed by the caller.  NULL when out of memory.  */
char *acr_tag_format (const struct acr_region *r);

/* Read the tag line or site record TEXT of LEN bytes (it may have blanks
   around it).  Returns a region in one block, to be released with one free (),
   or NULL when it is no tag, has another version, is malformed, or memory is
   out.  */
struct acr_region *acr_tag_parse (const char *text, size_t len);

/* Is TEXT, a whole line, a site record, in whatever version?  */
bool acr_tag_site_p (const char *text);

/* The operand of R in argument block slot SLOT, or NULL.  */
const struct acr_operand *acr_region_slot (const struct acr_region *r,
					   int slot);

/* Is the data of slot SLOT proved to stay as it is while the region R runs?  */
bool acr_region_constant (const struct acr_region *r, int slot);

/* One row of the host table.  FN is what the program passes to libgomp's
   launch entries; of a site record, the kinds that it passes to the others, or
   what it passes to acr_site.  */
struct acr_host_entry
{
  const void *fn;
  const char *tag;
};

/* Called by a constructor the plugin adds to each translation unit that has
   regions, before main or dlopen returns, and its pair by a destructor.  The
   table stays the caller's.  Weak in the program: without libgomp-ext nothing
   happens.  Thread-safe.  Defined in libgomp-ext/interpose/region.c.  */
void acr_register_regions (const struct acr_host_entry *table, size_t n);
void acr_unregister_regions (const struct acr_host_entry *table, size_t n);

/* In the flags of a construct's public entry (inverted in OpenACC's): from its
   end on, the program touches no memory that a construct may map, and calls no
   function but acr_look and such as touch no memory, before another construct
   begins or acr_look has been called for that memory.  libgomp ignores it.  */
#define ACR_UNSEEN (1 << 16)

/* The program is about to look at the N bytes at P, or to change them; NULL and
   SIZE_MAX are all memory, and other code; NULL and 0 are none: the construct
   that the thread begins next, at an entry without flags, is as one with
   ACR_UNSEEN.  Weak in the program, which passes ACR_UNSEEN only where this is
   defined.  Thread-safe.  Defined in libgomp-ext/transfer/late.c.  */
void acr_look (const void *p, size_t n);

/* The region of the construct that the calling thread begins next stores N bytes
   at AT + the sum of STRIDE * I over LOOPS loops, for all values of their I at
   once: FIRST, FIRST + STEP, ... before BOUND.  For each loop follow four longs,
   STRIDE, FIRST, BOUND and STEP, which is not 0.  Addresses are the host's, where
   operands are on the host.  Said by the program as acr_look is; what exceeds
   ACR_STORES calls a construct or ACR_STORE_LOOPS loops is not kept.  Defined in
   libgomp-ext/transfer/overwrite.c.  */
enum
{
  ACR_STORES = 16,
  ACR_STORE_LOOPS = 8
};
void acr_overwrite (const void *at, size_t n, unsigned loops, ...);

/* The construct that the calling thread begins next has the site record that
   is found by SITE.  Said by the program as acr_look is.  Defined in
   libgomp-ext/interpose/region.c.  */
void acr_site (const void *site);

/* May the program launch the kernels whose regions have READY=N?  The answer is 0 where
   one of them is not compiled yet, which is then wanted.  Said by the program as acr_look
   is, and 0 without the runtime.  Defined in libgomp-ext/launch/ready.c.  */
int acr_ready (int n);

/* The host loop that the program has come to may be executed by one kernel, which
   is launched with a grid that the GPU holds whole.  STATE, cleared before, is
   mapped by the construct of that kernel, and by no other one:

     [0]	the kernel's barriers count here, or rounds that have let others go on,
	in 32 bits; above, as the construct begins, how many threads the loop's
	largest region has work for, 0 where that is not known
     [1]	0; 1 (TRY) when acr_resident lets the program try; 3 (RAN) and the number
	of the regions that were executed, when the kernel has been, and
	CHAINED where each round was a block's
     [2]...	values of the host's variables behind the loop

   Called again behind the construct, acr_resident notes what the kernel did; where
   that has not run, the program executes the loop.  Is 2 (TIMED) in [1] then,
   acr_resident is called once more behind the loop.  Said by the program as acr_look
   is.  Defined in libgomp-ext/launch/resident/resident.c.  */
enum
{
  ACR_RESIDENT_COUNT,
  ACR_RESIDENT_DONE,
  ACR_RESIDENT_VALUES,
  ACR_RESIDENT_TRY = 1,
  ACR_RESIDENT_TIMED = 2,
  ACR_RESIDENT_RAN = 3,
  /* Blocks of a chain (chain=N), at the most.  */
  ACR_CHAIN_BLOCKS = 256
};
#define ACR_RESIDENT_CHAINED (1ull << 63)
void acr_resident (unsigned long long *state);

#ifdef __cplusplus
}
#endif
#endif /* ACCRETE_ABI_H */
