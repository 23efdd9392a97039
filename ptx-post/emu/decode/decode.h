/* Inside the decoder: from a function's statements to an array of struct
   insn (decode.c: the body, labels; decode-operand.c: frame, operands;
   decode-insn.c and the files it names: instructions).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_EMU_DECODE_H
#define ACCRETE_EMU_DECODE_H

#include <setjmp.h>

#include "machine/machine.h"
#include "machine/map.h"
#include "ptx/ptx.h"

enum
{
  MAX_VEC = 4,			/* data rows of a load or store */
  MAX_ELEMENTS = 8,		/* of a vector of PTX */
  MAX_AFTER = 8
};

/* Where in a row the value of a lane is.  */
enum layout
{
  LAYOUT_WORD,			/* the lane's 4 bytes (of two rows: chunks) */
  LAYOUT_LONG,			/* its 8 bytes */
  LAYOUT_PRED,			/* its bit */
  LAYOUTS
};

struct fixup
{
  size_t at;			/* instruction that jumps */
  const struct ptx_sym *label;
};

/* ---- decode-order.c --------------------------------------------------- */

/* A block from its label to the branch that ends it, and the first label in the text
   that it goes to; and those of a function that are decoded in front of that, in the
   order of the text.  */
struct dec_block
{
  const struct ptx_stmt *first, *last;
  const struct ptx_sym *to;
};
struct dec_away
{
  struct dec_block *block;	/* free () it */
  size_t n;
};
void dec_find_away (struct dec_away *, const struct ptx_func *f);
/* The next block behind BEFORE, the first one behind NULL, that goes back to LABEL.  */
const struct dec_block *dec_away_to (const struct dec_away *,
				     const struct dec_block *before,
				     const struct ptx_sym *label);

struct decoder
{
  struct emu_func *f;
  struct insn *code;
  size_t n, max;
  opref *reg;			/* by ptx_sym.index; 0: none yet */
  struct dec_use *use;		/* by ptx_sym.index, see decode-check.c */
  opref pred_row;		/* where the next predicate goes, */
  unsigned pred_left;		/* in a row with room for this many */
  uint32_t frame;		/* bytes so far */
  uint32_t local;		/* bytes of local variables so far */
  struct map *place;		/* parameters: opref; local variables: offset
				   plus 1; labels: index plus 1 */
  struct call *calls;		/* by next */
  struct fixup *fixup;
  size_t nfixup, maxfixup;
  struct dec_away away;
  /* The instruction in work.  */
  const struct ptx_stmt *stmt;
  opref guard;
  uint32_t guard_xor;
  opref temp[LAYOUTS][24];	/* kept between instructions */
  unsigned ntemp[LAYOUTS];	/* in use by this one */
  struct insn after[MAX_AFTER];	/* conversions of its results */
  unsigned nafter;
  jmp_buf unknown;		/* this instruction is not emulated */
  jmp_buf no_memory;
};

/* Give up on the instruction in work.  */
_Noreturn void dec_unknown (struct decoder *);

/* ---- decode-operand.c -------------------------------------------------- */

/* Append FN to the code; the pointer is good until the next one.  */
struct insn *dec_emit (struct decoder *, emu_handler *fn);
/* The same with the handler named NAME, a printf format.  */
struct insn *dec_emit_named (struct decoder *, const char *fmt, ...)
  __attribute__ ((format (printf, 2, 3)));
emu_handler *dec_handler (struct decoder *, const char *fmt, ...)
  __attribute__ ((format (printf, 2, 3)));
void dec_jump (struct decoder *, size_t at, const struct ptx_sym *label);

/* A row for a T that lives until the end of the instruction.  Lanes may wait in
   the middle of one while others go through the next, so no row serves types
   whose values of a lane lie at different places.  */
opref dec_temp (struct decoder *, enum ptx_type t);
opref dec_const (struct decoder *, uint64_t bits, bool wide);

/* Row to read operand O as a value of type T, converted when the register is
   wider or narrower.  */
opref dec_src (struct decoder *, const struct ptx_opnd *o, enum ptx_type t);
/* Row to write a result of type T to.  */
opref dec_dst (struct decoder *, const struct ptx_opnd *o, enum ptx_type t);
/* The first of the two 64-bit rows of O, of type b128.  */
opref dec_b128 (struct decoder *, const struct ptx_opnd *o);
/* Element K of N of O, a list in braces or a vector register.  */
struct ptx_opnd dec_element (struct decoder *, const struct ptx_opnd *o,
			     unsigned n, unsigned k);
/* Predicate to read, and to write; a sink gives a temporary.  */
opref dec_pred (struct decoder *, const struct ptx_opnd *o);
opref dec_pred_dst (struct decoder *, const struct ptx_opnd *o);
/* Row with the address of O without its offset, which goes to *OFF.  */
opref dec_addr (struct decoder *, const struct ptx_opnd *o, int64_t *off);
/* Address of symbol SYM in its own state space, plus OFF.  */
opref dec_sym_addr (struct decoder *, const struct ptx_sym *sym, int64_t off);

/* If O is an address in the parameters of a device function or of a call:
   their first row, else 0.  */
opref dec_fparam (struct decoder *, const struct ptx_opnd *o);
/* Whether O names a parameter of the entry that is decoded.  */
bool dec_kparam (const struct decoder *, const struct ptx_opnd *o,
		 uint64_t *offset);

/* The type of handlers for the bits of T: "u32" for b32, f32, s32.  */
const char *dec_bits (enum ptx_type t);
bool dec_wide (enum ptx_type t);
bool dec_is_float (enum ptx_type t);

/* Modifier of class C of an instruction, and type T, as text.  */
const char *dec_mod (const struct ptx_insn *, enum ptx_mod_class c);
const char *dec_type (enum ptx_type t);
/* Fail unless there are N or more operands.  */
void dec_need (struct decoder *, const struct ptx_insn *, unsigned n);
/* Append handler NAME.T or NAME with these operands.  */
struct insn *dec_emit1 (struct decoder *, const char *name, enum ptx_type t,
			opref to, opref a);
struct insn *dec_emit2 (struct decoder *, const char *name, opref to, opref a,
			opref b);
/* Give I its operands; 0: none.  */
static inline struct insn *
dec_operands (struct insn *i, opref to, opref a, opref b, opref c)
{
  i->d = to;
  i->a = a;
  i->b = b;
  i->c = c;
  return i;
}

/* The handler of NAME for T; the unsigned one where that is the same.  */
emu_handler *dec_typed_handler (struct decoder *, const char *name,
				enum ptx_type t);

/* Give the instruction in work the guard of IN.  */
void dec_guard (struct decoder *, const struct ptx_insn *in);
/* Give parameters and results their rows, at the start of the frame.  */
void dec_params (struct decoder *);
/* Results in registers, before a return (old calling convention).  */
void dec_reg_results (struct decoder *);
/* LABEL is at the next instruction.  */
void dec_label (struct decoder *, const struct ptx_sym *label);

/* ---- decode-insn.c ----------------------------------------------------- */

/* Emit the code of D->stmt's instruction.  */
void dec_insn (struct decoder *);
/* Decoders of one form of instruction each.  */
typedef void decode_fn (struct decoder *, const struct ptx_insn *);
extern decode_fn dec_arith, dec_dp, dec_testp, dec_lop3; /* decode-alu.c */
extern decode_fn dec_set, dec_setp, dec_selp, dec_slct; /* decode-compare.c */
extern decode_fn dec_mov; /* decode-move.c */
extern decode_fn dec_cvt, dec_cvt_pack; /* decode-cvt.c */
extern decode_fn dec_video; /* decode-video.c */
extern decode_fn dec_cvta, dec_isspacep, dec_stack, dec_ld, dec_st, dec_atom,
  dec_red; /* decode-mem.c */
extern decode_fn dec_hint, dec_bra, dec_brx, dec_call, dec_ret, dec_simple,
  dec_bar, dec_bar_warp, dec_vote, dec_match, dec_activemask, dec_redux,
  dec_elect, dec_shfl; /* decode-control.c */

/* ---- decode-alu.c ------------------------------------------------------ */

/* ROW of type T as the instruction wants to see it: subnormals flushed, without
   a sign.  */
opref dec_prepared (struct decoder *, const struct ptx_insn *, enum ptx_type t,
		    opref row);
/* The common end of floating-point results of type T in TO.  */
void dec_finish_float (struct decoder *, const struct ptx_insn *,
		       enum ptx_type t, opref to);
/* Whether .ftz means anything for T: conversions keep subnormal f16.  */
bool dec_flushes (const struct ptx_insn *, enum ptx_type t);
/* ROW of T times 2^48 or, with INVERSE, by it.  */
opref dec_scaled (struct decoder *, enum ptx_type t, opref row, bool inverse);

/* When checking, put the look at the access with these flags (check.h) in
   front of the instruction emitted last, and what it orders behind it
   (decode-check.c).  */
void dec_checked (struct decoder *, unsigned flags);
/* Whether there is a fence right before store or behind load S.  */
bool dec_fenced (const struct ptx_stmt *s, bool store);

#endif /* ACCRETE_EMU_DECODE_H */
