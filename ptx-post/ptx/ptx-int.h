/* What the files of the PTX library share with each other only.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_PTX_INT_H
#define ACCRETE_PTX_INT_H

#include <config.h>

#include <setjmp.h>

#include "ptx/ptx.h"

/* ---- arena.c: memory of a unit, zeroed, released all at once ---- */

struct ptx_arena;
struct ptx_arena *ptx_arena_new (void);
void ptx_arena_free (struct ptx_arena *);
void *ptx_arena_alloc (struct ptx_arena *, size_t bytes);
char *ptx_arena_strdup (struct ptx_arena *, const char *, size_t len);

/* ---- lex.c: tokens are slices of the source ---- */

enum ptx_token_kind
{
  PTX_TK_EOF,
  PTX_TK_WORD,		/* name, or mnemonic with its suffixes, or %tid.x */
  PTX_TK_DOT,		/* .word */
  PTX_TK_INT,
  PTX_TK_FLOAT,
  PTX_TK_STRING,
  PTX_TK_PUNCT		/* one character */
};

struct ptx_token
{
  enum ptx_token_kind kind;
  const char *text;
  size_t len;
  unsigned line;
};

struct ptx_lexer
{
  const char *start, *pos, *end;
  unsigned line;
  struct ptx_error *error;
  jmp_buf *fail;	/* where a lexical or structural error goes */
};

void ptx_lex (struct ptx_lexer *, struct ptx_token *);
/* Describe an error at TOKEN in LX->error and jump to LX->fail.  */
_Noreturn void ptx_lex_error (struct ptx_lexer *, const struct ptx_token *,
			      const char *fmt, ...)
  __attribute__ ((format (printf, 3, 4)));

/* ---- scope.c: names ---- */

struct ptx_scope *ptx_scope_new (struct ptx_arena *, struct ptx_scope *parent,
				 struct ptx_func *);
/* Registers that S makes from a range belong to the function.  */
void ptx_scope_set_func (struct ptx_scope *, struct ptx_func *);
struct ptx_scope *ptx_scope_parent (const struct ptx_scope *);
struct ptx_sym *ptx_scope_get (struct ptx_arena *, struct ptx_scope *,
			       const char *name, size_t len);
/* Like ptx_scope_get, in this scope only.  */
struct ptx_sym *ptx_scope_get_here (struct ptx_arena *, struct ptx_scope *,
				    const char *name, size_t len);
/* Declare SYM; it hides an older symbol of its name.  */
void ptx_scope_put (struct ptx_arena *, struct ptx_scope *, struct ptx_sym *);
/* Declare the COUNT names MODEL->name0, 1, ...: each gets a symbol like MODEL
   when it is first looked up.  */
void ptx_scope_put_range (struct ptx_arena *, struct ptx_scope *,
			  const struct ptx_sym *model, uint64_t count);
/* Give register SYM the next index in its function F.  */
void ptx_func_add_reg (struct ptx_arena *, struct ptx_func *f,
		       struct ptx_sym *sym);

/* Append a variable or call parameter to F->locals.  */
void ptx_func_add_local (struct ptx_func *f, struct ptx_sym *sym);

/* ---- parse.c ---- */

/* A use of a name that could not be resolved yet.  */
struct ptx_fixup
{
  struct ptx_sym **slot;
  const char *name;
  size_t len;
  struct ptx_scope *scope;
  struct ptx_fixup *next;
};

struct ptx_mnemonic
{
  size_t len;
  struct ptx_insn insn;		/* fields that follow from the mnemonic */
  struct ptx_mnemonic *next;
};

struct ptx_parser
{
  struct ptx_unit *unit;
  struct ptx_arena *arena;
  struct ptx_lexer lexer;
  struct ptx_token tok;		/* look-ahead */
  const char *prev_end;		/* end of the token before TOK */
  struct ptx_scope *scope;
  unsigned depth;		/* open braces */
  unsigned func_depth;		/* DEPTH inside FUNC's outermost ones */
  struct ptx_func *func;	/* whose body we are in, or NULL */
  struct ptx_func *pending;	/* header read, body comes next */
  const struct ptx_loc *loc;
  struct ptx_stmt *stmt;	/* being read */
  struct ptx_stmt *first, *last;	/* read so far */
  struct ptx_fixup *fixups;
};

void ptx_next (struct ptx_parser *);
/* Consume the token if it is punctuation C, else false.  */
bool ptx_accept (struct ptx_parser *, char c);
/* Same for the word or dotted word TEXT.  */
bool ptx_accept_word (struct ptx_parser *, const char *text);
bool ptx_token_is (const struct ptx_token *, const char *text);
static inline bool
ptx_at (const struct ptx_parser *p, char c)
{
  return p->tok.kind == PTX_TK_PUNCT && p->tok.text[0] == c;
}
/* The mnemonic S decoded; owned by the unit.  */
const struct ptx_insn *ptx_mnemonic (struct ptx_parser *, const char *s,
				     size_t len);
void ptx_resolve_later (struct ptx_parser *, struct ptx_sym **slot,
			const char *name, size_t len);
/* Read all statements of the lexer's text; jumps to lexer.fail on error.  */
void ptx_parse_statements (struct ptx_parser *);
/* Settle the fixups; what has no declaration becomes PTX_SYM_UNKNOWN.  */
void ptx_settle (struct ptx_parser *);

/* ---- decl.c: declarations; each returns false when it does not
   understand, and parse.c then makes the statement RAW ---- */

/* A declaration of registers, variables or a function, at its first token. */
bool ptx_parse_decl (struct ptx_parser *);
/* The rest of "SYM: .callprototype ..." behind that word.  */
bool ptx_parse_prototype (struct ptx_parser *, struct ptx_sym *);

/* ---- operand.c: likewise ---- */

/* An instruction up to its ';'.  True with PTX_OP_OPAQUE when only the
   mnemonic and guard are known.  */
bool ptx_parse_insn (struct ptx_parser *);
/* The list behind "SYM: .branchtargets".  */
bool ptx_parse_targets (struct ptx_parser *, struct ptx_sym *);
bool ptx_parse_integer (struct ptx_parser *, int64_t *);
/* An integer or floating-point literal with its sign.  */
bool ptx_parse_literal (struct ptx_parser *, struct ptx_opnd *);

/* ---- decode.c ---- */

/* The enumerator whose text is S (no dot), or the zero one.  */
enum ptx_type ptx_type_of (const char *s, size_t len);
enum ptx_space ptx_space_of (const char *s, size_t len);
enum ptx_sreg ptx_sreg_of (const char *s, size_t len);
/* Whether an instruction of OP may have N operands.  */
bool ptx_roles_fit (enum ptx_op op, unsigned n);

#endif /* ACCRETE_PTX_INT_H */
