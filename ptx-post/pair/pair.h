/* Horizontal fusion: two kernels as one, side by side in each block (thread
   partition) or in blocks of their own (block partition).

   The result is PTX text: both units, then for each side copies of the
   functions whose meaning depends on the block they run in, then the entry.
   Nothing here changes a unit.  What cannot be paired is refused with the
   reason (pair_refuse), never paired wrong.

   Invariants.  Sides are whole warps, so what lanes of a warp do together
   stays within a side.  All names that are made begin with pair.prefix, which
   occurs in neither unit.

   Paper: Li, Zheng, Pekhimenko, Long, "Automatic Horizontal Fusion for GPU
   Kernels" (CGO 2022), which works on CUDA's source.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_PAIR_H
#define ACCRETE_PAIR_H

#include "post.h"

enum { PAIR_SIDES = 2, PAIR_BARRIERS = 16, PAIR_WARP = 32 };
/* The most threads of a block, and bytes of parameters before and from PTX 8.1
   for sm_70.  */
enum { PAIR_THREADS = 1024, PAIR_PARAMS = 4096, PAIR_PARAMS_81 = 32764 };
/* From this architecture on, lanes of a warp go their own ways.  */
enum { PAIR_LANES_SM = 70 };

enum pair_partition
{
  PAIR_THREAD,			/* blocks' sizes are launch parameters */
  PAIR_SHARES,			/* shares of the launch's block */
  PAIR_BLOCK
};

/* What the user asks for.  */
struct pair_options
{
  const char *input[PAIR_SIDES];	/* FILE:KERNEL */
  enum pair_partition partition;
  unsigned share[PAIR_SIDES];		/* PAIR_SHARES */
  unsigned block[PAIR_SIDES][3];	/* x 0: not fixed */
  unsigned registers;			/* 0: no bound */
  FILE *explain;
};

/* Values that a kernel reads of its geometry, values.def.  */
enum pair_value
{
#define PAIR_VALUE(id, sreg, name, slot) PAIR_V_##id,
#include "pair/values.def"
  PAIR_VALUES
};

/* Slots of a side's record, 4 bytes each, behind those of values.def.  */
enum { PAIR_SLOT_FIRST = 10, PAIR_SLOT_COUNT, PAIR_SLOT_OFFSET, PAIR_SLOTS };

/* Words of a text that are to be written otherwise.  */
struct pair_name { const char *from, *to; struct pair_name *next; };
struct pair_names
{
  struct pair_name *first;
  const struct pair_names *outer;	/* asked next, or NULL */
};

struct pair_func;
struct pair_call { struct pair_func *to; struct pair_call *next; };

/* A function that a side may execute; the kernel is one.  */
struct pair_func
{
  const struct ptx_func *f;
  char *copy;			/* its name for the side; NULL: none yet */
  unsigned reads;		/* set of enum pair_value */
  bool shared;			/* names shared variables that have a size */
  bool dynamic;			/* names shared memory that has none */
  bool barriers;
  bool full;			/* has a barrier of the whole block */
  const struct ptx_stmt *exit;	/* ends the thread, or NULL */
  struct pair_call *calls;
  bool needs_copy, full_below;	/* it, or what it calls */
  struct pair_func *next;
};

/* A shared variable of the unit that a side uses.  */
struct pair_var { const struct ptx_sym *sym; struct pair_var *next; };

struct pair_side
{
  unsigned index;
  const struct ptx_unit *unit;
  char *file, *name;			/* of the kernel */
  const struct ptx_func *kernel;
  struct pair_func *funcs;		/* the kernel first */
  struct pair_var *vars;
  struct pair_names names;
  unsigned block[3];			/* x 0: known at launch only */
  bool id_used[PAIR_BARRIERS];
  bool id_counted[PAIR_BARRIERS];	/* used with a count */
  unsigned id[PAIR_BARRIERS];		/* its barriers in the pair */
  int full_id;				/* of barriers of the whole block; -1 */
  bool several_full;			/* more than one such id */
  const struct ptx_stmt *red;		/* a reduction over the whole block */
  bool unaligned;			/* one whose lanes come alone */
  bool indirect;			/* calls by address */
  unsigned align;			/* of its dynamic shared memory */
  bool dynamic;				/* knows of dynamic shared memory */
  bool drains;				/* who leaves keeps to barriers */
  bool record;				/* functions read the geometry */
};

struct pair
{
  const struct pair_options *opt;
  struct ptx_unit *unit[PAIR_SIDES];	/* the second is NULL when it is the
					   first again */
  struct pair_side side[PAIR_SIDES];
  char *prefix, *entry;
  struct pair_names renamed;		/* names of the second unit */
  unsigned version;
  char *target;
  bool moves_dynamic;			/* two pieces of dynamic memory */
  FILE *out;
};

/* ---- pair.c ---- */

/* The pair that OPT describes as text for free, its length in *LEN; NULL:
   said on standard error why not.  */
char *pair_run (const struct pair_options *opt, size_t *len);
/* Say that the pair is refused because of what SIDE has at S (NULL: nowhere
   in particular).  False.  */
bool pair_refuse (const struct pair_side *side, const struct ptx_stmt *s,
		  const char *why, ...)
  __attribute__ ((format (printf, 3, 4)));
static inline bool
pair_by_threads (const struct pair *p)
{
  return p->opt->partition != PAIR_BLOCK;
}
char *pair_text (const char *format, ...)
  __attribute__ ((format (printf, 1, 2)));

/* ---- settle.c ---- */

/* Settle all that the text needs.  False: the pair is refused.  */
bool pair_settle (struct pair *);

/* ---- option.c ---- */

/* "thread", "thread:A/B" or "block".  */
bool pair_parse_partition (const char *, struct pair_options *);
/* "X[,Y[,Z]]/X[,Y[,Z]]"; a side may be empty.  */
bool pair_parse_blocks (const char *, struct pair_options *);

/* ---- words.c ---- */

/* A name in PTX: of a variable, function, label, register or special register,
   with its component; an instruction too, without suffixes.  */
struct pair_word { const char *text; size_t len, base; };
/* The next one in [*POS, END), *POS behind it.  Comments, strings, numbers and
   words that a dot precedes are none.  */
bool pair_next_word (const char **pos, const char *end, struct pair_word *);
bool pair_word_is (const struct pair_word *, const char *name);
/* What is written for NAME.  */
const char *pair_name (const struct pair_names *, const char *name);
void pair_add_name (struct pair_names *, const char *from, char *to);
/* Write [TEXT, END) to OUT with these names.  */
void pair_write (FILE *out, const char *text, const char *end,
		 const struct pair_names *);

/* ---- unit.c: the two units as one ---- */

/* Choose .version and .target.  */
bool pair_choose_target (struct pair *);
/* Choose the prefix, and names where the units' collide.  */
bool pair_choose_names (struct pair *);
void pair_write_units (const struct pair *);

/* ---- accept.c ---- */

/* May instruction S stand in a pair?  */
bool pair_accepts (const struct pair *, const struct pair_side *,
		   const struct ptx_stmt *s);
/* What word W of S reads of the geometry, added to *READS, if it is a special
   register.  False: that is refused.  */
bool pair_accepts_word (const struct pair_side *, const struct ptx_stmt *s,
			const struct pair_word *w, unsigned *reads);
/* May the function NAME, whose body is not here, be called?  */
bool pair_accepts_outside (const char *name);

/* ---- reach.c ---- */

/* Find what SIDE executes, and whether it can be paired.  */
bool pair_reach (const struct pair *, struct pair_side *);
/* Find which functions SIDE has copies of, and give it its names.  */
void pair_name_side (const struct pair *, struct pair_side *);
/* Does the copy of F need values of the side's record?  */
bool pair_reads_record (const struct pair *, const struct pair_side *,
			const struct pair_func *f);
bool pair_is_shared (const struct ptx_sym *);
/* Is the variable shared memory whose size a launch says?  */
bool pair_is_dynamic (const struct ptx_sym *var);
/* The operand of INSN that is the address of such, as a value, or NULL.  */
const struct ptx_opnd *pair_dynamic_operand (const struct ptx_insn *insn);
/* What SYM stands for in U: an alias's target, or itself.  */
const struct ptx_sym *pair_behind_alias (const struct ptx_unit *u,
					 const struct ptx_sym *sym);
struct pair_func *pair_find_func (const struct pair_side *,
				  const struct ptx_func *);

/* ---- leave.c ---- */

/* May threads of SIDE's block leave while others still meet at barriers of the
   whole block?  */
bool pair_leaves_early (const struct pair_side *side);

/* ---- barrier.c ---- */

bool pair_is_barrier (const struct ptx_insn *);
/* Does it wait for the whole block?  */
bool pair_is_full (const struct ptx_insn *);
/* Note barrier S of SIDE, which stands in F.  */
bool pair_add_barrier (struct pair_side *, const struct ptx_func *f,
		       const struct ptx_stmt *s);
/* Give the sides barriers of their own.  */
bool pair_assign_barriers (struct pair *);
/* Write barrier S as the pair has it.  */
void pair_write_barrier (const struct pair *, const struct pair_side *,
			 const struct ptx_stmt *s);
/* Write what a thread of SIDE does at its end where others may still wait for
   it, and the label which leads there.  */
void pair_write_drain (const struct pair *, const struct pair_side *);

/* ---- geometry.c ---- */

/* Threads of SIDE's block; 0: known at launch only.  */
unsigned pair_threads (const struct pair_side *);
static inline unsigned
pair_warps_up (unsigned threads)
{
  return (threads + PAIR_WARP - 1) / PAIR_WARP * PAIR_WARP;
}
/* Is the size of SIDE's block a parameter?  */
bool pair_block_is_param (const struct pair *, const struct pair_side *);
/* Must SIDE's block, a parameter, be whole warps?  */
bool pair_wants_warps (const struct pair *, const struct pair_side *);
/* Declare the registers for the geometry.  */
void pair_declare_values (const struct pair *);
/* How the entry begins: who works for which side.  */
void pair_write_split (const struct pair *);
/* How SIDE begins in the entry, and in function F of its own.  */
void pair_write_begin (const struct pair *, const struct pair_side *);
void pair_write_begin_func (const struct pair *, const struct pair_side *,
			    const struct pair_func *f);

/* Write the line of PTX FORMAT, in which '#' begins a register of the pair and
   '$' another name of it.  */
void pair_emit (const struct pair *, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));
/* Are both blocks fixed, so that the pair's has one size (.reqntid)?  */
bool pair_is_exact (const struct pair *);
/* The most threads that a block of the pair has; 0: not known.  */
unsigned pair_most_threads (const struct pair *);

/* ---- protocol.c ---- */

/* Write how the pair is launched, each line behind LEAD.  */
void pair_write_protocol (const struct pair *, FILE *out, const char *lead);
/* Of the dynamic shared memory of both.  */
unsigned pair_alignment (const struct pair *);

/* ---- write.c ---- */

/* Begin a line with the guard of I.  */
void pair_write_guard (const struct pair *, const struct pair_side *,
		       const struct ptx_insn *i);

/* Write the pair to P->out.  */
void pair_write_all (struct pair *);

#endif /* ACCRETE_PAIR_H */
