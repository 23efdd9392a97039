/* PTX units in memory: what the parser makes, passes change and the printer
   writes.

   A unit is a flat list of statements in source order.  Each statement keeps
   the exact text it was read from, white space and comments before it
   included, so the texts of all statements tile the source: printing a unit
   that nobody changed gives back the source byte for byte, and a changed
   statement is the only one that is printed from its fields.

   An instruction is known by its mnemonic as written ("ld.global.nc.f32");
   the decoded fields (opcode, modifiers, types, state space) follow from it
   through the tables op.def, mod.def and type.def.  What the tables do not
   know is PTX_OP_OPAQUE: it prints back, and it stops every optimisation of
   the function it stands in, never the program.

   SPDX-License-Identifier: GPL-3.0-or-later

   References: PTX ISA 8.x/9.0, chapters 4 (syntax), 5 (state spaces and
   types), 9 (instructions), 10 (special registers), 11 (directives).  GCC's
   own comments ("// BEGIN FUNCTION DEF: f", "//:FUNC_MAP") are an ABI between
   GCC's assembler, linker and mkoffload, and survive as text.

   Ownership: a unit owns everything reachable from it, in one arena, and
   ptx_unit_free releases it.  Strings of a unit stay valid until then.
   Scopes: a name stands for its innermost declaration; each declaration is a
   symbol of its own, so passes need not think about scopes.

   Thread-safety: one unit belongs to one thread at a time while it is being
   changed; an unchanging unit may be read by many threads.
   Memory: these functions call abort when memory is exhausted (obstack's
   handler); a user of a possibly hostile unit limits its size first.  */

#ifndef ACCRETE_PTX_H
#define ACCRETE_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- Enumerations, from tables ------------------------------------------ */

enum ptx_type
{
  PTX_T_NONE,
#define PTX_TYPE(id, text, bytes, cls) PTX_T_##id,
#include "ptx/type.def"
  PTX_T_COUNT
};

/* Class of a type; bits of a set in op.def's checks.  */
enum ptx_type_class
{
  PTX_TC_BITS = 1, PTX_TC_UNSIGNED = 2, PTX_TC_SIGNED = 4, PTX_TC_FLOAT = 8,
  PTX_TC_PRED = 16, PTX_TC_PACKED = 32	/* f16x2 and alike */
};

enum ptx_space
{
  PTX_SP_NONE,		/* no suffix: generic address */
  PTX_SP_REG, PTX_SP_SREG, PTX_SP_CONST, PTX_SP_GLOBAL, PTX_SP_LOCAL,
  PTX_SP_PARAM, PTX_SP_SHARED, PTX_SP_TEX,
  PTX_SP_COUNT
};

/* Operation: the first component of the mnemonic, or the first two where
   op.def has a row for them ("bar.red").  */
enum ptx_op
{
  PTX_OP_OPAQUE,
#define PTX_OP(id, text, roles, classes, flags) PTX_OP_##id,
#include "ptx/op.def"
  PTX_OP_COUNT
};

/* Facts about an operation, op.def's FLAGS.  */
enum ptx_op_flag
{
  PTX_OF_READS_MEM = 1,		/* may read memory */
  PTX_OF_WRITES_MEM = 2,	/* may write memory */
  PTX_OF_CONTROL = 4,		/* branch, call, return, exit, trap */
  PTX_OF_CONVERGENT = 8,	/* meaning depends on the other lanes */
  PTX_OF_EFFECT = 16,		/* must stay even when the result is unused */
  PTX_OF_ADDRESS = 32,		/* has an operand that is an address */
  PTX_OF_CARRY_IN = 64		/* reads the carry flag; flag modifier CC
				   says that an instruction writes it */
};

/* Suffixes other than types, state spaces and vector widths.  Each belongs
   to one class; an instruction has at most one of a class, except of class
   PTX_MC_FLAG, which is a set.  */
enum ptx_mod_class
{
#define PTX_MOD_CLASS(id, letter) PTX_MC_##id,
#include "ptx/mod.def"
  PTX_MC_COUNT
};

enum ptx_mod
{
  PTX_M_NONE,
#define PTX_MOD(id, text, cls) PTX_M_##id,
#include "ptx/mod.def"
  PTX_M_COUNT,
  PTX_M_FIRST_FLAG = PTX_M_FTZ
};

/* Special registers (%tid ...).  */
enum ptx_sreg
{
  PTX_SR_NONE,
#define PTX_SREG(id, text, type, vec, version, sm) PTX_SR_##id,
#include "ptx/sreg.def"
  PTX_SR_COUNT
};

struct ptx_type_info { const char *text; unsigned bytes; unsigned cls; };
struct ptx_op_info
{
  const char *text, *roles, *classes;
  unsigned flags;
};
struct ptx_mod_info { const char *text; enum ptx_mod_class cls; };
struct ptx_sreg_info { const char *text; enum ptx_type type; bool vec; };
extern const struct ptx_type_info ptx_type_info[PTX_T_COUNT];
extern const struct ptx_op_info ptx_op_info[PTX_OP_COUNT];
extern const struct ptx_mod_info ptx_mod_info[PTX_M_COUNT];
extern const struct ptx_sreg_info ptx_sreg_info[PTX_SR_COUNT];
extern const char *const ptx_space_text[PTX_SP_COUNT];

/* ---- Symbols ------------------------------------------------------------ */

enum ptx_sym_kind
{
  PTX_SYM_REG, PTX_SYM_VAR, PTX_SYM_PARAM, PTX_SYM_LABEL, PTX_SYM_FUNC,
  PTX_SYM_PROTO,	/* .callprototype */
  PTX_SYM_TABLE,	/* .branchtargets, .calltargets */
  PTX_SYM_UNKNOWN	/* used but never declared: passes leave it alone */
};

enum ptx_linkage
{
  PTX_LK_NONE, PTX_LK_EXTERN, PTX_LK_VISIBLE, PTX_LK_WEAK, PTX_LK_COMMON
};

struct ptx_sym
{
  enum ptx_sym_kind kind;
  const char *name;
  enum ptx_linkage linkage;
  enum ptx_space space;		/* of a variable or parameter */
  enum ptx_type type;		/* of a register, or of one array element */
  unsigned vec;			/* 1, 2 or 4 */
  unsigned align;		/* bytes; natural when not given */
  bool is_array;		/* [] or [n]... */
  uint64_t nelem;		/* elements (product of dimensions); 0 for [] */
  uint64_t size;		/* bytes */
  const struct ptx_init *init;	/* initialiser, or NULL: zero */
  struct ptx_func *func;	/* PTX_SYM_FUNC: the definition when there is
				   one in the unit, else a declaration;
				   PTX_SYM_PROTO: a function with parameters
				   only */
  struct ptx_opnd *targets;	/* PTX_SYM_TABLE: PTX_O_LIST of PTX_O_SYM,
				   or NULL when that is not understood */
  struct ptx_stmt *stmt;	/* declaring statement (label: the label) */
  unsigned index;		/* PTX_SYM_REG: dense within the function;
				   PTX_SYM_PARAM: position; else 0 */
  struct ptx_sym *next;		/* in order of declaration: parameters, vars
				   of a unit, locals of a function */
};

/* One value of a variable's initialiser, in address order.  Gaps are zero. */
struct ptx_init
{
  uint64_t offset;		/* bytes from the variable's start */
  unsigned size;		/* bytes */
  uint64_t bits;		/* value, or addend when SYM */
  struct ptx_sym *sym;		/* address of SYM (+ BITS), or NULL */
  bool generic;			/* generic(sym) */
  uint64_t mask;		/* mask(sym) operator's mask, or 0 */
  const struct ptx_init *next;
};

/* ---- Operands ----------------------------------------------------------- */

enum ptx_opnd_kind
{
  PTX_O_REG,		/* sym */
  PTX_O_SREG,		/* sreg, comp */
  PTX_O_INT,		/* bits (two's complement, sign-extended) */
  PTX_O_FLOAT,		/* bits: pattern of type ftype (0f..., 0d..., 1.5) */
  PTX_O_SYM,		/* sym: variable, label, function, prototype; + off */
  PTX_O_ADDR,		/* [base + off], base in elt[0] or none (nelt 0) */
  PTX_O_VEC,		/* {elt...} */
  PTX_O_PAIR,		/* elt[0] | elt[1]  (setp p|q, shfl d|p) */
  PTX_O_LIST,		/* (elt...): arguments or results of a call */
  PTX_O_SINK		/* _ */
};

struct ptx_opnd
{
  enum ptx_opnd_kind kind;
  bool neg;			/* !p (predicate) or -r */
  struct ptx_sym *sym;
  enum ptx_sreg sreg;
  char comp;			/* 0, or component x y z w (r g b a are
				   stored as x y z w) */
  const char *sel;		/* PTX_O_REG of a video instruction: selector
				   "b0" "h1" "b3210" ...; else NULL */
  enum ptx_type ftype;		/* PTX_O_FLOAT: F32 or F64 */
  uint64_t bits;
  int64_t off;			/* PTX_O_ADDR, PTX_O_SYM: byte offset */
  unsigned nelt;
  struct ptx_opnd **elt;
};

/* ---- Statements --------------------------------------------------------- */

enum ptx_stmt_kind
{
  PTX_S_DIRECTIVE,	/* .version .target .file .loc .pragma .section ... */
  PTX_S_DECL,		/* registers, variables */
  PTX_S_FUNC,		/* header of .entry or .func, up to '{' or ';' */
  PTX_S_OPEN,		/* { */
  PTX_S_CLOSE,		/* } */
  PTX_S_LABEL,		/* name: */
  PTX_S_INSN,
  PTX_S_RAW		/* not understood; kills knowledge of its function */
};

struct ptx_insn
{
  const char *mnemonic;		/* as written, e.g. "setp.lt.and.f32.ftz" */
  struct ptx_sym *guard;	/* @p, or NULL */
  bool guard_neg;		/* @!p */
  enum ptx_op op;
  enum ptx_space space;		/* first state space suffix */
  bool to;			/* cvta.to.SPACE */
  unsigned vec;			/* .v2 .v4 .v8: 2, 4, 8; else 1 */
  unsigned ntypes;
  enum ptx_type type[4];	/* type suffixes in order */
  uint8_t mod[PTX_MC_COUNT];	/* enum ptx_mod per class, or PTX_M_NONE */
  uint64_t flags;		/* set of PTX_MC_FLAG mods, ptx_flag_bit;
				   mod[PTX_MC_FLAG] is unused */
  unsigned nopnds;
  struct ptx_opnd **opnd;
};

struct ptx_stmt
{
  enum ptx_stmt_kind kind;
  struct ptx_stmt *prev, *next;
  const char *text;		/* source text, trivia in front included */
  size_t len;			/* of TEXT; 0: not from source */
  size_t lead;			/* bytes of TEXT before the first token */
  bool changed;			/* an instruction to print from INSN, not
				   from TEXT */
  unsigned line;		/* of the first token; 0: not from source */
  struct ptx_func *func;	/* function this stands in, or NULL */
  const struct ptx_loc *loc;	/* latest .loc before it, or NULL */
  struct ptx_insn *insn;	/* PTX_S_INSN */
  struct ptx_sym *sym;		/* PTX_S_LABEL: the label; PTX_S_DECL: first
				   declared; PTX_S_FUNC: the function */
  struct ptx_sym **syms;	/* PTX_S_DECL: all that it declares; a range
				   like %r<10> makes its symbols when they are
				   first used and has none here */
  unsigned nsyms;
  struct ptx_scope *scope;	/* names known behind it, for edit.c */
  const char *directive;	/* PTX_S_DIRECTIVE: ".version" ... */
};

struct ptx_loc { unsigned file, line, column; };

struct ptx_func
{
  struct ptx_sym *sym;
  struct ptx_unit *unit;
  bool is_entry, has_body;
  unsigned nparams, nrets;
  struct ptx_sym *params, *rets;	/* lists through ptx_sym.next */
  struct ptx_stmt *header;
  struct ptx_stmt *first, *last;	/* OPEN and CLOSE of the body, or NULL */
  unsigned nregs;			/* ptx_sym.index < nregs */
  struct ptx_sym **regs;		/* by index */
  struct ptx_sym *locals;		/* variables and call parameters of
					   the body, through ptx_sym.next */
  struct ptx_sym *last_local;
  struct ptx_scope *scope;		/* names of the whole body */
  unsigned maxntid[3], reqntid[3];	/* 0: not given */
  unsigned minnctapersm;
  bool noreturn;
  bool opaque;				/* has a RAW or OPAQUE inside */
  struct ptx_func *next;
};

/* .alias NAME, TARGET: NAME, declared without a body, is TARGET.  */
struct ptx_alias
{
  struct ptx_sym *name, *target;
  struct ptx_alias *next;
};

struct ptx_unit
{
  const char *name;		/* file name, for diagnostics */
  const char *text;		/* the source, owned */
  size_t len;
  const char *tail;		/* white space after the last statement */
  size_t tail_len;
  unsigned version;		/* 60 for 6.0; 0: none seen */
  unsigned target;		/* 30 for sm_30; 0: none seen */
  const char *target_text;	/* "sm_30" or "sm_90a, debug" as written */
  unsigned address_size;
  struct ptx_stmt *first, *last;
  struct ptx_stmt *version_stmt, *target_stmt;
  struct ptx_func *funcs;	/* in order of first mention */
  struct ptx_func *last_func;
  struct ptx_alias *aliases;
  struct ptx_sym *vars;		/* file-scope variables, in order */
  struct ptx_sym *last_var;
  const char **files;		/* .file table by number, or NULL entries */
  unsigned nfiles;
  struct ptx_arena *arena;
  struct ptx_scope *scope;	/* file scope, for lookups */
  struct ptx_mnemonic *memo[256];	/* mnemonics decoded so far, hashed */
};

/* ---- Diagnostics -------------------------------------------------------- */

struct ptx_error
{
  unsigned line, column;	/* from 1 */
  char message[200];
};

/* Print E as "NAME:LINE:COLUMN: error: MESSAGE", the source line and a caret. */
void ptx_error_print (FILE *to, const char *name, const char *text, size_t len,
		      const struct ptx_error *e);

/* ---- Functions ---------------------------------------------------------- */

/* parse.c */

/* Parse TEXT (LEN bytes, copied) named NAME.  NULL on a lexical or structural
   error (unbalanced braces, end of file inside a statement ...), described in
   *E.  What is well-formed but unknown becomes RAW or OPAQUE.  */
struct ptx_unit *ptx_parse (const char *name, const char *text, size_t len,
			    struct ptx_error *e);
void ptx_unit_free (struct ptx_unit *);

/* File-scope symbol, or NULL.  */
struct ptx_sym *ptx_lookup (const struct ptx_unit *, const char *name);

/* decode.c */

/* Decode MNEMONIC into the fields of INSN that follow from it.  False when
   it is not in the tables: INSN->op is then PTX_OP_OPAQUE.  */
bool ptx_decode_mnemonic (const char *mnemonic, struct ptx_insn *insn);
/* The bit of flag modifier M (class PTX_MC_FLAG) in ptx_insn.flags.  */
static inline uint64_t
ptx_flag_bit (enum ptx_mod m)
{
  return (uint64_t) 1 << (m - PTX_M_FIRST_FLAG);
}
static inline bool
ptx_insn_has (const struct ptx_insn *insn, enum ptx_mod m)
{
  return (insn->flags & ptx_flag_bit (m)) != 0;
}

/* need.c */

/* The oldest .version (60 for 6.0) and .target (30 for sm_30) that know an
   instruction; 0: any that have 64-bit addresses.  */
struct ptx_need { unsigned version, sm; };
/* Of an opaque one nothing is known.  */
struct ptx_need ptx_insn_need (const struct ptx_insn *);
/* The same of what MNEMONIC says alone.  */
struct ptx_need ptx_mnemonic_need (const char *mnemonic);
/* The .version from which on .targets from SM on lack it; 0: none.  */
struct ptx_need ptx_insn_lost (const struct ptx_insn *);
/* Whether there is a .target sm_SM, and the oldest .version that has it.  */
bool ptx_target_known (unsigned sm, unsigned *version);
/* Whether a load or store of one value has a type that its register may have (PTX ISA
   9.4): bits go with every one, integers and floating-point numbers with their like.
   Sizes are not compared.  True of everything else.  */
bool ptx_access_fits (const struct ptx_insn *);

/* print.c */

void ptx_print (const struct ptx_unit *, FILE *);
/* One instruction from its fields, in one line, without newline.  */
void ptx_print_insn (const struct ptx_insn *, FILE *);
/* A statement with what stands in front of it.  */
void ptx_print_stmt (const struct ptx_stmt *, FILE *);

/* edit.c: how passes change a unit. */

/* MNEMONIC must be in the tables and take the operands that are there.  */
void ptx_set_mnemonic (struct ptx_unit *, struct ptx_stmt *,
		       const char *mnemonic);
/* Raise ".version" and ".target" to at least VERSION (31 for 3.1) and SM.  */
void ptx_set_target (struct ptx_unit *, unsigned version, unsigned sm);
/* Write TEXT, which declares more parameters (", .param.u64 %b"), behind the
   last parameter of the entry F, in its definition and all declarations.  They
   are for the caller; to passes the entry has the parameters that it had.  */
void ptx_add_params (struct ptx_unit *, struct ptx_func *f, const char *text);
/* Write TEXT, a performance directive (" .maxnreg 64"), in front of the body of the
   entry F.  */
void ptx_add_directive (struct ptx_unit *, struct ptx_func *f,
			const char *text);
/* Take out a statement that is no brace and no function header.  Comments in
   front of it stay.  */
void ptx_remove (struct ptx_unit *, struct ptx_stmt *);
/* Take out the function F, its declarations and GCC's marks in front of them.
   Nothing may mention F.  */
void ptx_remove_func (struct ptx_unit *, struct ptx_func *f);
/* Take out the declarations of the functions with bodies that WHICH says, and
   GCC's marks in front of them.  Nothing may mention these functions.  */
void ptx_remove_decls (struct ptx_unit *,
		       bool (*which) (const struct ptx_func *f, void *closure),
		       void *closure);
/* Parse TEXT, one or more statements with balanced braces, as if it stood
   after AFTER in function F (NULL: at file level), and insert it there.
   False on a syntax error, in *E: no statement is inserted then, though names
   it declared may stay known.  */
bool ptx_insert_after (struct ptx_unit *, struct ptx_func *f,
		       struct ptx_stmt *after, const char *text,
		       struct ptx_error *e);
/* Add behind the entry F, which has a body, a copy of it, as it is now, called
   NAME.  NULL when that is no name, or not a new one.  */
struct ptx_func *ptx_copy_entry (struct ptx_unit *, const struct ptx_func *f,
				 const char *name);
/* The same with DIRECTIVE (" .maxnreg 64") in front of its body, as text for the
   printer that is not parsed: afterwards nobody may look for functions.  */
void ptx_write_copy (struct ptx_unit *, const struct ptx_func *f,
		     const char *name, const char *directive);
/* Write TEXT, a comment, on a line of its own behind the brace that the body of F begins
   with, and behind others that were written there: for the printer as well.  */
void ptx_write_comment (struct ptx_unit *, const struct ptx_func *f,
			const char *text);
/* Zeroed memory that lives as long as the unit.  */
void *ptx_alloc (struct ptx_unit *, size_t bytes);
char *ptx_strdup (struct ptx_unit *, const char *, size_t len);

/* ---- Operand roles (op.def) ---------------------------------------------- */

/* op.def's ROLES has one letter per operand, in source order; a letter may be
   followed by '?' (may be missing).
     d	written register (or pair, vector)
     s	read register, immediate, special register
     a	address that is read through or computed with
     v	variable, function or label as a name (mov of an address: s)
     l	label
     c	call (results list?, target, arguments list?, prototype?): checked by
	the parser
     m	register both read and written
   The accessors below use it, so that no analysis has its own idea of what
   an instruction reads and writes.  */

/* Call FN for every register INSN writes (guard excluded) or reads (guard
   and address bases included).  */
typedef void ptx_reg_fn (struct ptx_sym *reg, void *closure);
void ptx_insn_defs (const struct ptx_insn *, ptx_reg_fn *, void *closure);
void ptx_insn_uses (const struct ptx_insn *, ptx_reg_fn *, void *closure);

#endif /* ACCRETE_PTX_H */
