/* Lexer of PTX (PTX ISA 4.2-4.5).  Tokens are slices of the source; nothing
   is copied.  A mnemonic with all its suffixes is one token, and so is a
   special register with its component: the dots in them bind to what stands
   before.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "ptx/ptx-int.h"

#include <stdarg.h>
#include <string.h>

enum { SPACE = 1, ALPHA = 2, DIGIT = 4, START = 8 };

/* Classes of characters; START may begin a name.  */
static const unsigned char cclass[256] = {
  [' '] = SPACE, ['\t'] = SPACE, ['\r'] = SPACE, ['\f'] = SPACE,
  ['\v'] = SPACE,
  ['0' ... '9'] = DIGIT,
  ['a' ... 'z'] = ALPHA | START, ['A' ... 'Z'] = ALPHA | START,
  ['_'] = ALPHA | START, ['$'] = ALPHA | START, ['%'] = START
};

static inline bool
is (char c, unsigned set)
{
  return cclass[(unsigned char) c] & set;
}

void
ptx_lex_error (struct ptx_lexer *lx, const struct ptx_token *t,
	       const char *fmt, ...)
{
  const char *bol = t->text;
  while (bol > lx->start && bol[-1] != '\n')
    bol--;
  lx->error->line = t->line;
  lx->error->column = t->text - bol + 1;
  va_list ap;
  va_start (ap, fmt);
  vsnprintf (lx->error->message, sizeof lx->error->message, fmt, ap);
  va_end (ap);
  longjmp (*lx->fail, 1);
}

/* Skip white space and comments from S.  */
static const char *
skip_trivia (struct ptx_lexer *lx, const char *s)
{
  const char *end = lx->end;
  for (;;)
    {
      while (s < end && is (*s, SPACE))
	s++;
      if (s == end)
	return s;
      if (*s == '\n')
	{
	  lx->line++;
	  s++;
	}
      else if (*s == '/' && end - s > 1 && s[1] == '/')
	{
	  const char *nl = memchr (s, '\n', end - s);
	  s = nl ? nl : end;
	}
      else if (*s == '/' && end - s > 1 && s[1] == '*')
	{
	  struct ptx_token open = { PTX_TK_PUNCT, s, 2, lx->line };
	  for (s += 2;; s++)
	    if (end - s < 2)
	      ptx_lex_error (lx, &open, "comment without end");
	    else if (s[0] == '*' && s[1] == '/')
	      break;
	    else if (*s == '\n')
	      lx->line++;
	  s += 2;
	}
      else
	return s;
    }
}

static const char *
skip_name (const char *s, const char *end)
{
  while (s < end && is (*s, ALPHA | DIGIT))
    s++;
  return s;
}

/* S stands behind a dot: a word with "::" parts, as in L1::evict_last.  */
static const char *
skip_suffix (const char *s, const char *end)
{
  s = skip_name (s, end);
  while (end - s > 2 && s[0] == ':' && s[1] == ':' && is (s[2], ALPHA | DIGIT))
    s = skip_name (s + 2, end);
  return s;
}

/* A number: 017, 0x1fU, 0b101, 0f3f800000, 1.5e-3, 6.0.  */
static const char *
skip_number (const char *s, const char *end, enum ptx_token_kind *kind)
{
  *kind = PTX_TK_INT;
  if (end - s > 1 && *s == '0' && strchr ("fFdD", s[1]) && s[1])
    {
      *kind = PTX_TK_FLOAT;
      return skip_name (s, end);
    }
  bool hex = end - s > 1 && *s == '0' && (s[1] == 'x' || s[1] == 'X');
  for (; s < end; s++)
    if (*s == '.' && *kind == PTX_TK_INT && !hex)
      *kind = PTX_TK_FLOAT;
    else if ((*s == 'e' || *s == 'E') && !hex)
      {
	*kind = PTX_TK_FLOAT;
	if (end - s > 1 && (s[1] == '-' || s[1] == '+'))
	  s++;
      }
    else if (!is (*s, ALPHA | DIGIT))
      break;
  return s;
}

void
ptx_lex (struct ptx_lexer *lx, struct ptx_token *t)
{
  const char *end = lx->end;
  const char *s = skip_trivia (lx, lx->pos);
  t->text = s;
  t->line = lx->line;
  if (s == end)
    t->kind = PTX_TK_EOF;
  else if (is (*s, START))
    {
      t->kind = PTX_TK_WORD;
      s = skip_name (s + 1, end);
      while (end - s > 1 && *s == '.' && is (s[1], ALPHA | DIGIT))
	s = skip_suffix (s + 1, end);
    }
  else if (*s == '.' && end - s > 1 && is (s[1], START))
    {
      t->kind = PTX_TK_DOT;
      s = skip_suffix (s + 1, end);
    }
  else if (is (*s, DIGIT))
    s = skip_number (s, end, &t->kind);
  else if (*s == '"')
    {
      t->kind = PTX_TK_STRING;
      for (s++; s < end && *s != '"' && *s != '\n'; s++)
	if (*s == '\\' && end - s > 1 && s[1] != '\n')
	  s++;
      if (s == end || *s != '"')
	ptx_lex_error (lx, t, "string without end");
      s++;
    }
  else if (*s > ' ' && *s < 127 && !strchr ("`\\?'", *s))
    {
      t->kind = PTX_TK_PUNCT;
      s++;
    }
  else
    ptx_lex_error (lx, t, "stray byte 0x%02x", (unsigned char) *s);
  t->len = s - t->text;
  lx->pos = s;
}
