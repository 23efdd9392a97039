/* Instructions and their operands (PTX ISA 4.3.2, 6).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "ptx/ptx-int.h"

#include <stdlib.h>
#include <string.h>

/* Operands of one instruction or elements of one operand; more is not
   PTX.  */
enum { MAX_OPERANDS = 8, MAX_LIST = 4096, MAX_NESTING = 4 };

static struct ptx_opnd *
new_opnd (struct ptx_parser *p, enum ptx_opnd_kind kind)
{
  struct ptx_opnd *o = ptx_arena_alloc (p->arena, sizeof *o);
  o->kind = kind;
  return o;
}

/* ---- Literals ---- */

/* Value of the integer token T.  */
static bool
integer_value (const struct ptx_token *t, uint64_t *value)
{
  const char *s = t->text, *end = s + t->len;
  unsigned base = 10;
  if (end > s && (end[-1] == 'U' || end[-1] == 'u'))
    end--;
  if (end - s > 1 && *s == '0')
    {
      base = s[1] == 'x' || s[1] == 'X' ? 16 : s[1] == 'b' || s[1] == 'B' ? 2
								     : 8;
      s += base == 8 ? 1 : 2;
    }
  if (s == end)
    return false;
  uint64_t v = 0;
  for (; s < end; s++)
    {
      unsigned d = *s >= '0' && *s <= '9'   ? *s - '0'
		   : *s >= 'a' && *s <= 'f' ? *s - 'a' + 10
		   : *s >= 'A' && *s <= 'F' ? *s - 'A' + 10
					    : 99;
      if (d >= base || __builtin_mul_overflow (v, base, &v)
	  || __builtin_add_overflow (v, d, &v))
	return false;
    }
  *value = v;
  return true;
}

/* Value of the floating-point token T into O.  */
static bool
float_value (const struct ptx_token *t, struct ptx_opnd *o)
{
  char buf[64];
  if (t->len >= sizeof buf)
    return false;
  memcpy (buf, t->text, t->len);
  buf[t->len] = 0;
  char *end;
  o->kind = PTX_O_FLOAT;
  char form = t->len > 1 && buf[0] == '0' ? buf[1] | 32 : 0;
  if (form == 'f' || form == 'd')
    {
      o->ftype = form == 'f' ? PTX_T_F32 : PTX_T_F64;
      o->bits = strtoull (buf + 2, &end, 16);
      return t->len == 2 + 2 * ptx_type_info[o->ftype].bytes && !*end;
    }
  double d = strtod (buf, &end);
  o->ftype = PTX_T_F64;
  memcpy (&o->bits, &d, sizeof d);
  return !*end;
}

bool
ptx_parse_literal (struct ptx_parser *p, struct ptx_opnd *o)
{
  bool minus = false, invert = false;
  if (ptx_accept (p, '-'))
    minus = true;
  else if (ptx_accept (p, '~'))
    invert = true;
  else
    ptx_accept (p, '+');
  if (p->tok.kind == PTX_TK_INT)
    {
      o->kind = PTX_O_INT;
      if (!integer_value (&p->tok, &o->bits))
	return false;
      if (minus)
	o->bits = -o->bits;
      if (invert)
	o->bits = ~o->bits;
    }
  else if (p->tok.kind == PTX_TK_FLOAT && !invert)
    {
      if (!float_value (&p->tok, o))
	return false;
      if (minus)
	o->bits ^= o->ftype == PTX_T_F32 ? (uint64_t) 1 << 31
					 : (uint64_t) 1 << 63;
    }
  else
    return false;
  ptx_next (p);
  return true;
}

bool
ptx_parse_integer (struct ptx_parser *p, int64_t *value)
{
  struct ptx_opnd o = { 0 };
  if (!ptx_parse_literal (p, &o) || o.kind != PTX_O_INT)
    return false;
  *value = o.bits;
  return true;
}

/* ---- Operands ---- */

static struct ptx_opnd *parse_operand (struct ptx_parser *, char role,
				       unsigned depth);

/* Elements up to CLOSE, whose opening bracket was read, into O; CLOSE is 0
   for a list without brackets.  */
static bool
parse_list (struct ptx_parser *p, struct ptx_opnd *o, char close, char role,
	    unsigned depth)
{
  unsigned room = 0;
  if (close && ptx_accept (p, close))
    return true;
  do
    {
      if (o->nelt == room)
	{
	  room = room ? 2 * room : 4;
	  struct ptx_opnd **elt
	    = ptx_arena_alloc (p->arena, room * sizeof *elt);
	  if (o->nelt)
	    memcpy (elt, o->elt, o->nelt * sizeof *elt);
	  o->elt = elt;
	}
      if (o->nelt == MAX_LIST
	  || !(o->elt[o->nelt++] = parse_operand (p, role, depth + 1)))
	return false;
    }
  while (ptx_accept (p, ','));
  return !close || ptx_accept (p, close);
}

/* "+ 8", "+-8" or "-8" after a name.  */
static bool
parse_offset (struct ptx_parser *p, int64_t *off)
{
  if (!ptx_at (p, '+') && !ptx_at (p, '-'))
    return true;
  bool plus = ptx_accept (p, '+');
  int64_t value;
  if (plus && ptx_at (p, '+'))
    return false;
  if (!ptx_parse_integer (p, &value))
    return false;
  *off += value;
  return true;
}

/* "[...]", the bracket was read.  */
static struct ptx_opnd *
parse_address (struct ptx_parser *p, unsigned depth)
{
  struct ptx_opnd *o = new_opnd (p, PTX_O_ADDR);
  if (p->tok.kind == PTX_TK_WORD)
    {
      o->elt = ptx_arena_alloc (p->arena, sizeof *o->elt);
      struct ptx_opnd *base = o->elt[0] = parse_operand (p, 'a', depth + 1);
      if (!base || (base->kind != PTX_O_REG && base->kind != PTX_O_SYM))
	return NULL;
      o->nelt = 1;
      o->off = base->off;
      base->off = 0;
    }
  else if (!ptx_parse_integer (p, &o->off))
    return NULL;
  return ptx_accept (p, ']') ? o : NULL;
}

/* The suffix of register O, S: a component or a video selector.  */
static bool
parse_component (struct ptx_parser *p, struct ptx_opnd *o, const char *s,
		 size_t len)
{
  static const char names[] = "xyzwrgba";
  const char *c = len == 1 ? memchr (names, *s, 8) : NULL;
  if (c)
    o->comp = names[(c - names) & 3];
  else if (o->kind == PTX_O_REG && len > 1 && len < 6
	   && (*s == 'b' || *s == 'h'))
    o->sel = ptx_arena_strdup (p->arena, s, len);
  else
    return false;
  return true;
}

/* The name at P->tok.  */
static struct ptx_opnd *
parse_name (struct ptx_parser *p, char role)
{
  const char *s = p->tok.text;
  const char *dot = memchr (s, '.', p->tok.len);
  size_t len = dot ? (size_t) (dot - s) : p->tok.len;
  struct ptx_opnd *o = new_opnd (p, PTX_O_SYM);
  if (len == 1 && *s == '_' && !dot)
    o->kind = PTX_O_SINK;
  else if (role == 'l')
    /* An inner label may still come and hide an outer one.  */
    ptx_resolve_later (p, &o->sym, s, len);
  else if ((o->sym = ptx_scope_get (p->arena, p->scope, s, len)))
    o->kind = o->sym->kind == PTX_SYM_REG ? PTX_O_REG : PTX_O_SYM;
  else if (*s == '%' && (o->sreg = ptx_sreg_of (s, len)))
    o->kind = PTX_O_SREG;
  else if (len == 7 && memcmp (s, "WARP_SZ", 7) == 0)
    {
      o->kind = PTX_O_INT;
      o->bits = 32;
    }
  else
    ptx_resolve_later (p, &o->sym, s, len);

  if (dot
      && ((o->kind != PTX_O_REG && o->kind != PTX_O_SREG)
	  || !parse_component (p, o, dot + 1, p->tok.len - len - 1)))
    return NULL;
  ptx_next (p);
  if (o->kind == PTX_O_SYM || role == 'a')
    return parse_offset (p, &o->off) ? o : NULL;
  return o;
}

static struct ptx_opnd *
parse_operand (struct ptx_parser *p, char role, unsigned depth)
{
  struct ptx_opnd *o;
  if (depth > MAX_NESTING)
    return NULL;
  if (ptx_accept (p, '['))
    return parse_address (p, depth);
  if (ptx_accept (p, '{'))
    {
      o = new_opnd (p, PTX_O_VEC);
      return parse_list (p, o, '}', role, depth) ? o : NULL;
    }
  if (ptx_accept (p, '!'))
    {
      if (p->tok.kind != PTX_TK_WORD || !(o = parse_name (p, role)))
	return NULL;
      o->neg = true;
    }
  else if (p->tok.kind == PTX_TK_WORD)
    o = parse_name (p, role);
  else
    {
      /* "-%r" exists for operands of video instructions only.  */
      struct ptx_token minus = p->tok;
      o = new_opnd (p, PTX_O_INT);
      if (ptx_parse_literal (p, o))
	return o;
      if (*minus.text != '-' || p->tok.kind != PTX_TK_WORD
	  || !(o = parse_name (p, role)))
	return NULL;
      o->neg = true;
    }
  if (o && depth == 0 && ptx_accept (p, '|'))
    {
      struct ptx_opnd *pair = new_opnd (p, PTX_O_PAIR);
      pair->nelt = 2;
      pair->elt = ptx_arena_alloc (p->arena, 2 * sizeof *pair->elt);
      pair->elt[0] = o;
      pair->elt[1] = parse_operand (p, role, depth + 1);
      return pair->elt[1] ? pair : NULL;
    }
  return o;
}

bool
ptx_parse_targets (struct ptx_parser *p, struct ptx_sym *sym)
{
  struct ptx_opnd *list = new_opnd (p, PTX_O_LIST);
  if (!parse_list (p, list, 0, 'l', 0) || !ptx_at (p, ';'))
    return false;
  sym->targets = list;
  return true;
}

/* ---- Instructions ---- */

/* Operands of a call: [(results),] target [, (arguments) [, prototype]].  */
static bool
parse_call (struct ptx_parser *p, struct ptx_opnd **opnd, unsigned *n)
{
  bool target = false, arguments = false;
  do
    {
      struct ptx_opnd *o;
      if (ptx_accept (p, '('))
	{
	  if (arguments || (*n == 1 && !target))
	    return false;
	  arguments = target;
	  o = new_opnd (p, PTX_O_LIST);
	  if (!parse_list (p, o, ')', 's', 0))
	    return false;
	}
      else
	{
	  if (p->tok.kind != PTX_TK_WORD || *n == MAX_OPERANDS
	      || !(o = parse_operand (p, 's', 0)))
	    return false;
	  target = true;
	}
      opnd[(*n)++] = o;
    }
  while (*n < 4 && ptx_accept (p, ','));
  return target;
}

static bool
parse_operands (struct ptx_parser *p, struct ptx_insn *insn)
{
  struct ptx_opnd *opnd[MAX_OPERANDS];
  unsigned n = 0;
  if (insn->op == PTX_OP_CALL)
    {
      if (!parse_call (p, opnd, &n))
	return false;
    }
  else if (!ptx_at (p, ';'))
    {
      const char *r = ptx_op_info[insn->op].roles;
      do
	{
	  if (n == MAX_OPERANDS || !*r
	      || !(opnd[n++] = parse_operand (p, *r, 0)))
	    return false;
	  r += r[1] == '?' ? 2 : 1;
	}
      while (ptx_accept (p, ','));
    }
  if (!ptx_at (p, ';')
      || (insn->op != PTX_OP_CALL && !ptx_roles_fit (insn->op, n)))
    return false;
  if (n)
    {
      insn->opnd = ptx_arena_alloc (p->arena, n * sizeof *opnd);
      memcpy (insn->opnd, opnd, n * sizeof *opnd);
      insn->nopnds = n;
    }
  return true;
}

/* "@p" or "@!p".  */
static bool
parse_guard (struct ptx_parser *p, struct ptx_insn *insn)
{
  insn->guard_neg = ptx_accept (p, '!');
  if (p->tok.kind != PTX_TK_WORD)
    return false;
  insn->guard
    = ptx_scope_get (p->arena, p->scope, p->tok.text, p->tok.len);
  if (!insn->guard)
    ptx_resolve_later (p, &insn->guard, p->tok.text, p->tok.len);
  ptx_next (p);
  return true;
}

bool
ptx_parse_insn (struct ptx_parser *p)
{
  struct ptx_insn *insn = ptx_arena_alloc (p->arena, sizeof *insn);
  if (ptx_accept (p, '@') && !parse_guard (p, insn))
    return false;
  if (p->tok.kind != PTX_TK_WORD)
    return false;
  const struct ptx_insn *known = ptx_mnemonic (p, p->tok.text, p->tok.len);
  const struct ptx_insn guarded = *insn;
  *insn = *known;
  insn->guard = guarded.guard;
  insn->guard_neg = guarded.guard_neg;
  p->stmt->kind = PTX_S_INSN;
  p->stmt->insn = insn;
  ptx_next (p);
  if (insn->op && !parse_operands (p, insn))
    {
      insn->op = PTX_OP_OPAQUE;
      insn->nopnds = 0;
    }
  return true;
}
