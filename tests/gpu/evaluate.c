/* Programs run on the host, a lane after the other where lanes do not meet; see
   program.h.  What single instructions compute comes from rows.c; the rest is
   written after PTX ISA 9.7.8 (memory), 9.7.13 (atomics, lanes) and 10.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <string.h>

#include "program.h"

typedef uint16_t u16;
typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef int64_t s64;

#define COUNT(array) (sizeof array / sizeof *array)

struct machine
{
  const struct program *p;
  struct image *m;
  struct trace *trace;
  u64 v[MAX_REGS][LANES];
  bool pred[MAX_PREDS][LANES];
  unsigned char scratch[SPACES][LANES][SCRATCH];
  unsigned warp;		/* first lane of the one that runs */
};

/* Call BODY with L the lanes of MASK.  */
#define EACH(l, mask)							      \
  for (unsigned l = e->warp; l < e->warp + WARP; l++)			      \
    if ((mask) >> (l - e->warp) & 1)

static u64
masked (u64 x, unsigned bytes)
{
  return bytes == 8 ? x : x & (((u64) 1 << 8 * bytes) - 1);
}

static u64
value (struct machine *e, const struct operand *o, unsigned lane)
{
  return o->imm ? o->bits : e->v[o->reg][lane];
}

/* ---- Tables of choices ---------------------------------------------------------- */

/* X is the old value, Y and Z the operands.  */
#define COMMUTING(A)							      \
  A ("add.u32", u32, x + y) A ("add.u64", u64, x + y)			      \
  A ("add.s32", u32, x + y) A ("and.b32", u32, x & y)			      \
  A ("and.b64", u64, x & y) A ("or.b32", u32, x | y)			      \
  A ("or.b64", u64, x | y) A ("xor.b32", u32, x ^ y)			      \
  A ("xor.b64", u64, x ^ y) A ("min.u32", u32, x < y ? x : y)		      \
  A ("min.s32", s32, x < y ? x : y) A ("min.u64", u64, x < y ? x : y)	      \
  A ("min.s64", s64, x < y ? x : y) A ("max.u32", u32, x > y ? x : y)	      \
  A ("max.s32", s32, x > y ? x : y) A ("max.u64", u64, x > y ? x : y)	      \
  A ("max.s64", s64, x > y ? x : y)
#define ATOMS(A)							      \
  COMMUTING (A)								      \
  A ("inc.u32", u32, x >= y ? 0 : x + 1)				      \
  A ("dec.u32", u32, x == 0 || x > y ? y : x - 1)			      \
  A ("exch.b32", u32, y) A ("exch.b64", u64, y)				      \
  A ("cas.b16", u16, x == y ? z : x) A ("cas.b32", u32, x == y ? z : x)	      \
  A ("cas.b64", u64, x == y ? z : x)

#define ATOM_ROW(name, T, expr) { name, sizeof (T) },
#define ONE(name, T, expr) + 1
const struct choice atom_choice[] = { ATOMS (ATOM_ROW) };
const unsigned n_atom_choice = COUNT (atom_choice);
const unsigned n_red_choice = COMMUTING (ONE);

/* The new value of operation N.  */
static u64
combine (unsigned n, u64 old, u64 b, u64 c)
{
#define STEP(name, T, expr)						      \
  if (n-- == 0)								      \
    {									      \
      T x = (T) old, y = (T) b, z = (T) c;				      \
      (void) x, (void) y, (void) z;					      \
      return masked ((u64) (expr), sizeof (T));				      \
    }
  ATOMS (STEP)
  return 0;
}

const struct choice shfl_choice[]
  = { { "up", 4 }, { "down", 4 }, { "bfly", 4 }, { "idx", 4 } };
const unsigned n_shfl_choice = COUNT (shfl_choice);
const struct choice vote_choice[]
  = { { "ballot", 4 }, { "all", 4 }, { "any", 4 }, { "uni", 4 } };
const unsigned n_vote_choice = COUNT (vote_choice);
const struct choice match_choice[]
  = { { "any.sync.b32", 4 }, { "any.sync.b64", 8 }, { "all.sync.b32", 4 },
      { "all.sync.b64", 8 } };
const unsigned n_match_choice = COUNT (match_choice);

#define REDUXES(R)							      \
  R ("add.u32", u32, x + y) R ("add.s32", s32, (s32) ((u32) x + (u32) y))     \
  R ("min.u32", u32, x < y ? x : y) R ("min.s32", s32, x < y ? x : y)	      \
  R ("max.u32", u32, x > y ? x : y) R ("max.s32", s32, x > y ? x : y)	      \
  R ("and.b32", u32, x & y) R ("or.b32", u32, x | y) R ("xor.b32", u32, x ^ y)
const struct choice redux_choice[] = { REDUXES (ATOM_ROW) };
const unsigned n_redux_choice = COUNT (redux_choice);

static u32
reduce (unsigned n, u32 a, u32 b)
{
#define REDUCE(name, T, expr)						      \
  if (n-- == 0)								      \
    {									      \
      T x = (T) a, y = (T) b;						      \
      return (u32) (expr);						      \
    }
  REDUXES (REDUCE)
  return 0;
}

/* L is the thread of the grid.  */
#define SREGS(S)							      \
  S ("%tid.x", l % THREADS) S ("%tid.y", 0) S ("%ntid.x", THREADS)	      \
  S ("%ntid.z", 1) S ("%ctaid.x", l / THREADS) S ("%nctaid.x", BLOCKS)	      \
  S ("%laneid", l % WARP) S ("%lanemask_eq", 1u << l % WARP)		      \
  S ("%lanemask_lt", (1u << l % WARP) - 1)				      \
  S ("%lanemask_le", (2u << l % WARP) - 1)				      \
  S ("%lanemask_gt", ~((2u << l % WARP) - 1))				      \
  S ("%lanemask_ge", ~((1u << l % WARP) - 1))
#define SREG_ROW(name, expr) { name, 4 },
const struct choice sreg_choice[] = { SREGS (SREG_ROW) };
const unsigned n_sreg_choice = COUNT (sreg_choice);

static u32
special (unsigned n, unsigned l)
{
#define SREG_VALUE(name, expr)						      \
  if (n-- == 0)								      \
    return (expr);
  SREGS (SREG_VALUE)
  return 0;
}

/* ---- Statements ------------------------------------------------------------------- */

/* What print.c does to NaNs whose bits PTX leaves open.  */
static u64
clean (const struct row *r, u64 bits)
{
  if (r->d->class != 'f' || r->error != ROW_EXACT)
    return bits;
  static const struct { u64 inf, nan; } of[]
    = { { 0x7c00, 0x7fff }, { 0x7f80, 0x7fff }, { 0x7f800000, 0x7fffffff },
	{ (u64) 0x7ff << 52, (u64) 0x7ff8 << 48 } };
  unsigned t = r->d->bytes == 8 ? 3 : r->d->bytes == 4 ? 2 : r->d->brain;
  u64 sign = (u64) 1 << (8 * r->d->bytes - 1);
  return (bits & ~sign) > of[t].inf ? of[t].nan : bits;
}

static void
run_row (struct machine *e, const struct stmt *s, u32 mask)
{
  EACH (l, mask)
    {
      u64 in[3];
      for (unsigned k = 0; k < 3; k++)
	in[k] = value (e, &s->src[k], l);
      e->v[s->dst[0]][l] = clean (s->row, row_result (s->row, in));
      memcpy (e->trace->in[s->dst[0]][l], in, sizeof in);
    }
}

static unsigned char *
place (struct machine *e, const struct stmt *s, unsigned lane)
{
  unsigned all = s->bytes * s->vec;
  u64 at = s->offset;
  if (s->index)
    at += e->v[s->index - 1][lane] & (SCRATCH - 1) & ~(all - 1);
  return e->scratch[s->space][lane] + at;
}

static void
run_access (struct machine *e, const struct stmt *s, u32 mask)
{
  EACH (l, mask)
    {
      unsigned char *at = place (e, s, l);
      for (unsigned k = 0; k < s->vec; k++, at += s->bytes)
	if (s->kind == S_STORE)
	  {
	    u64 x = value (e, &s->src[k], l);
	    memcpy (at, &x, s->bytes);
	  }
	else
	  {
	    unsigned shift = 64 - 8 * s->bytes;
	    u64 x = 0;
	    memcpy (&x, at, s->bytes);
	    if (s->is_signed)
	      x = (u64) ((s64) (x << shift) >> shift);
	    e->v[s->dst[k]][l] = masked (x, e->p->reg[s->dst[k]].bytes);
	  }
    }
}

static void
run_atom (struct machine *e, const struct stmt *s, u32 mask)
{
  EACH (l, mask)
    {
      unsigned char *at = place (e, s, l);
      u64 old = 0;
      memcpy (&old, at, s->bytes);
      u64 new = combine (s->choice, old, value (e, &s->src[0], l),
			 value (e, &s->src[1], l));
      memcpy (at, &new, s->bytes);
      e->v[s->dst[0]][l] = old;
    }
}

static void
run_red (struct machine *e, const struct stmt *s, u32 mask)
{
  unsigned bytes = atom_choice[s->choice].bytes;
  EACH (l, mask)
    {
      u64 *cell = &e->m->cells[s->bits];
      u64 new = combine (s->choice, *cell, value (e, &s->src[0], l), 0);
      memcpy (cell, &new, bytes);
    }
}

/* PTX ISA 9.7.9.6.  */
static void
run_shfl (struct machine *e, const struct stmt *s, u32 mask)
{
  u32 got[WARP] = { 0 };
  bool ok[WARP] = { 0 };
  EACH (l, mask)
    {
      unsigned lane = l - e->warp, b = (unsigned) __builtin_ctz (mask);
      if (!s->leader)
	b = (unsigned) e->v[s->src[1].reg][l] & 31;
      unsigned c = s->bits & 31, seg = s->bits >> 8 & 31;
      unsigned low = lane & seg, high = low | (c & ~seg);
      int j = s->choice == 0   ? (int) lane - (int) b
	      : s->choice == 1 ? (int) (lane + b)
	      : s->choice == 2 ? (int) (lane ^ b)
			       : (int) (low | (b & ~seg));
      ok[lane] = s->choice == 0 ? j >= (int) high : j <= (int) high;
      got[lane] = (u32) e->v[s->src[0].reg][e->warp + (ok[lane] ? (unsigned) j
								: lane)];
    }
  EACH (l, mask)
    {
      e->v[s->dst[0]][l] = got[l - e->warp];
      if (s->pdst)
	e->pred[s->pdst - 1][l] = ok[l - e->warp];
    }
}

static void
run_vote (struct machine *e, const struct stmt *s, u32 mask)
{
  u32 set = 0;
  EACH (l, mask)
    if (e->v[s->src[0].reg][l] & s->bits)
      set |= 1u << (l - e->warp);
  u32 result = s->choice == 0	? set
	       : s->choice == 1 ? set == mask
	       : s->choice == 2 ? set != 0
				: set == mask || set == 0;
  EACH (l, mask)
    e->v[s->dst[0]][l] = result;
}

static void
run_match (struct machine *e, const struct stmt *s, u32 mask)
{
  u64 keep = s->bits ? 1 : ~(u64) 0;
  EACH (l, mask)
    {
      u32 same = 0;
      EACH (n, mask)
	if (!((e->v[s->src[0].reg][n] ^ e->v[s->src[0].reg][l]) & keep))
	  same |= 1u << (n - e->warp);
      e->v[s->dst[0]][l] = s->choice < 2 || same == mask ? same : 0;
    }
}

static void
run_redux (struct machine *e, const struct stmt *s, u32 mask)
{
  u32 sum = 0;
  bool first = true;
  EACH (l, mask)
    {
      u32 x = (u32) e->v[s->src[0].reg][l];
      sum = first ? x : reduce (s->choice, sum, x);
      first = false;
    }
  EACH (l, mask)
    e->v[s->dst[0]][l] = sum;
}

static void run_body (struct machine *e, const struct stmt *s, u32 mask);

static void
run_call (struct machine *e, const struct stmt *s, u32 mask)
{
  const struct func *f = &e->p->func[s->choice];
  EACH (l, mask)
    {
      for (unsigned k = f->arg[0]; k < e->p->nregs && e->p->reg[k].in_func; k++)
	e->v[k][l] = 0;
      for (unsigned k = 0; k < f->nargs; k++)
	e->v[f->arg[k]][l] = value (e, &s->src[k], l);
    }
  run_body (e, f->body, mask);
  EACH (l, mask)
    e->v[s->dst[0]][l] = e->v[f->result][l];
}

static void
run_branch (struct machine *e, const struct stmt *s, u32 mask)
{
  if (s->kind == S_IF)
    {
      u32 yes = 0;
      EACH (l, mask)
	if (e->v[s->src[0].reg][l] & s->bits)
	  yes |= 1u << (l - e->warp);
      run_body (e, s->body, yes);
      run_body (e, s->other, mask & ~yes);
      return;
    }
  u64 times[LANES] = { 0 };
  EACH (l, mask)
    times[l] = e->v[s->src[0].reg][l] & s->bits;
  for (u64 n = 0; mask; n++)
    {
      EACH (l, mask)
	if (n >= times[l])
	  mask &= ~(1u << (l - e->warp));
      run_body (e, s->body, mask);
    }
}

static void
run_stmt (struct machine *e, const struct stmt *s, u32 mask)
{
  u32 on = mask;
  if (s->guard)
    EACH (l, mask)
      if (e->pred[s->guard - 1][l] == s->guard_neg)
	on &= ~(1u << (l - e->warp));
  switch (s->kind)
    {
    case S_ROW:
      run_row (e, s, on);
      break;
    case S_SREG:
      EACH (l, mask)
	e->v[s->dst[0]][l] = special (s->choice, l);
      break;
    case S_PRED:
      EACH (l, mask)
	e->pred[s->pdst - 1][l] = (e->v[s->src[0].reg][l] & s->bits) != 0;
      break;
    case S_IF:
    case S_LOOP:
      run_branch (e, s, mask);
      break;
    case S_LOAD:
    case S_STORE:
      run_access (e, s, on);
      break;
    case S_ATOM:
      run_atom (e, s, on);
      break;
    case S_RED:
      run_red (e, s, on);
      break;
    case S_SHFL:
      run_shfl (e, s, mask);
      break;
    case S_VOTE:
      run_vote (e, s, mask);
      break;
    case S_MATCH:
      run_match (e, s, mask);
      break;
    case S_REDUX:
      run_redux (e, s, mask);
      break;
    case S_CALL:
      run_call (e, s, mask);
      break;
    default:			/* S_EXCHANGE is not of one warp */
      break;
    }
}

static void
run_body (struct machine *e, const struct stmt *s, u32 mask)
{
  for (; s && mask; s = s->next)
    if (!s->off)
      run_stmt (e, s, mask);
}

static void
run_exchange (struct machine *e, const struct stmt *s)
{
  u64 old[LANES];
  memcpy (old, e->v[s->src[0].reg], sizeof old);
  for (unsigned l = 0; l < LANES; l++)
    e->v[s->dst[0]][l]
      = old[l / THREADS * THREADS + (l + s->choice) % THREADS];
}

void
program_evaluate (const struct program *p, struct image *m, struct trace *trace)
{
  static struct machine machine;
  struct machine *e = &machine;
  memset (e, 0, sizeof *e);
  e->p = p;
  e->m = m;
  e->trace = trace;
  memcpy (e->v, m->in, sizeof m->in);
  for (unsigned s = 0; s < SPACES; s++)
    memcpy (e->scratch[s], m->scratch, sizeof m->scratch);
  for (const struct stmt *s = p->body; s; s = s->next)
    if (s->off)
      continue;
    else if (s->kind == S_EXCHANGE)
      run_exchange (e, s);
    else
      for (e->warp = 0; e->warp < LANES; e->warp += WARP)
	run_stmt (e, s, 0xffffffff);
  for (unsigned k = INPUTS; k < p->nregs; k++)
    if (!p->reg[k].in_func)
      memcpy (m->out[k], e->v[k], sizeof e->v[k]);
  for (unsigned l = 0; l < LANES; l++)
    for (unsigned k = 0; k < p->npreds; k++)
      m->out[MAX_REGS][l] |= (u64) e->pred[k][l] << k;
  memcpy (m->scratch, e->scratch[SP_GLOBAL], sizeof m->scratch);
}
