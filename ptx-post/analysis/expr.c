/* Values as hash-consed sums of atoms, see analysis.h.

   The normal form makes equal what index arithmetic makes equal: sums are
   flat and sorted, products of sums are multiplied out, an extension moves
   into a sum that cannot overflow.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "analysis/analysis.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Longer sums and products become atoms; more terms than this are more than
   a kernel's addresses need.  */
enum { MAX_PARTS = 128, MAX_PRODUCT = 1024, MAX_NODES = 1 << 18 };

enum { BUCKETS = 1 << 14, CHUNK = 1 << 16 };

struct chunk { struct chunk *next; max_align_t data[]; };

struct expr_pool
{
  struct term *terms[BUCKETS];
  struct atom *atoms[BUCKETS];
  unsigned nodes;
  struct chunk *chunks;
  size_t used;			/* bytes of the first chunk */
};

struct expr_pool *
expr_pool_new (void)
{
  struct expr_pool *p = calloc (1, sizeof *p);
  if (!p)
    abort ();
  p->used = CHUNK;
  return p;
}

void
expr_pool_free (struct expr_pool *p)
{
  if (!p)
    return;
  for (struct chunk *c = p->chunks, *next; c; c = next)
    {
      next = c->next;
      free (c);
    }
  free (p);
}

bool
expr_exhausted (const struct expr_pool *p)
{
  return p->nodes >= MAX_NODES;
}

static void *
allocate (struct expr_pool *p, size_t bytes)
{
  bytes = (bytes + sizeof (max_align_t) - 1) & -sizeof (max_align_t);
  if (p->used + bytes > CHUNK)
    {
      struct chunk *c = malloc (sizeof *c + CHUNK);
      if (!c)
	abort ();
      c->next = p->chunks;
      p->chunks = c;
      p->used = 0;
    }
  void *r = (char *) p->chunks->data + p->used;
  p->used += bytes;
  return r;
}

static unsigned
mix (unsigned hash, uint64_t value)
{
  value = (value ^ hash) * 0x9e3779b97f4a7c15u;
  return value >> 32 ^ value;
}

static uint64_t
mask_of (unsigned width)
{
  return width >= 64 ? ~(uint64_t) 0 : ((uint64_t) 1 << width) - 1;
}

static int64_t
sign_extend (uint64_t value, unsigned width)
{
  unsigned shift = 64 - width;
  return (int64_t) (value << shift) >> shift;
}

int64_t
expr_signed (const struct term *t)
{
  return sign_extend (t->constant, t->width);
}

/* ---- Atoms ---- */

static bool
same_atom (const struct atom *a, const struct atom *b)
{
  if (a->kind != b->kind || a->width != b->width || a->id != b->id
      || a->option != b->option || a->sym != b->sym || a->nargs != b->nargs
      || a->uniform != b->uniform)
    return false;
  for (unsigned i = 0; i < a->nargs; i++)
    if (a->arg[i] != b->arg[i])
      return false;
  return a->mnemonic == b->mnemonic
	 || (a->mnemonic && b->mnemonic
	     && strcmp (a->mnemonic, b->mnemonic) == 0);
}

/* Whether A is the same in all active lanes.  Within a warp, the thread ids
   but for x are equal: see shuffle.c on blocks where they are not.  */
static bool
is_uniform (const struct atom *a)
{
  switch (a->kind)
    {
    case ATOM_SREG:
      switch (a->id)
	{
	case PTX_SR_TID:
	  return a->option != 'x';
	case PTX_SR_NTID:
	case PTX_SR_CTAID:
	case PTX_SR_NCTAID:
	  return true;
	default:
	  return false;
	}
    case ATOM_SYMBOL:
    case ATOM_LANE0:
    case ATOM_COUNT:
      return true;
    case ATOM_SIGN:
    case ATOM_ZERO:
    case ATOM_PRODUCT:
    case ATOM_OP:
    case ATOM_LOAD:
      for (unsigned i = 0; i < a->nargs; i++)
	if (!a->arg[i]->uniform)
	  return false;
      return true;
    case ATOM_PARAM:
    case ATOM_JOIN:
    case ATOM_FRESH:
      break;
    }
  return a->uniform;
}

static const struct atom *
intern_atom (struct expr_pool *p, const struct atom *model)
{
  struct atom key = *model;
  key.uniform = is_uniform (model);
  unsigned h = mix (key.kind * 67 + key.width, key.id * 257 + key.option);
  h = mix (h, (uintptr_t) key.sym);
  for (unsigned i = 0; i < key.nargs; i++)
    h = mix (h, (uintptr_t) key.arg[i]);
  for (const char *c = key.mnemonic; c && *c; c++)
    h = h * 31 + *c;
  key.hash = h;
  struct atom **bucket = &p->atoms[h % BUCKETS];
  for (struct atom *a = *bucket; a; a = a->next)
    if (a->hash == h && same_atom (a, &key))
      return a;
  struct atom *a = allocate (p, sizeof *a);
  *a = key;
  a->serial = p->nodes++;
  a->next = *bucket;
  return *bucket = a;
}

/* ---- Terms ---- */

/* A sum that is being put together.  */
struct sum
{
  unsigned width, n;
  uint64_t constant;
  struct part part[2 * MAX_PARTS];
};

/* Begin S.  Not by an initializer, which sets all the parts, mostly more of them
   than the sum gets.  */
static void
sum_begin (struct sum *s, unsigned width, uint64_t constant)
{
  s->width = width;
  s->n = 0;
  s->constant = constant;
}

bool
expr_of_lane (const struct atom *a)
{
  return a->kind == ATOM_SREG
	 && (a->id == PTX_SR_LANEID
	     || (a->id == PTX_SR_TID && a->option == 'x'));
}

/* How A differs from one lane to the next.  */
static bool
stride_of (const struct atom *a, int64_t *stride)
{
  *stride = 0;
  if (a->uniform)
    return true;
  if (expr_of_lane (a))
    {
      *stride = 1;
      return true;
    }
  if (a->kind == ATOM_SIGN || a->kind == ATOM_ZERO)
    {
      *stride = a->arg[0]->stride;
      return a->arg[0]->linear;
    }
  return false;
}

static const struct term *
intern (struct expr_pool *p, struct sum *s)
{
  uint64_t mask = mask_of (s->width);
  unsigned n = 0, h = mix (s->width, s->constant &= mask);
  for (unsigned i = 0; i < s->n; i++)
    if (s->part[i].coefficient & mask)
      {
	s->part[n] = s->part[i];
	s->part[n].coefficient &= mask;
	h = mix (h, s->part[n].coefficient);
	h = mix (h, (uintptr_t) s->part[n++].atom);
      }
  struct term **bucket = &p->terms[h % BUCKETS];
  for (struct term *t = *bucket; t; t = t->next)
    if (t->hash == h && t->width == s->width && t->constant == s->constant
	&& t->nparts == n
	&& memcmp (t->part, s->part, n * sizeof *t->part) == 0)
      return t;
  struct term *t = allocate (p, sizeof *t + n * sizeof *t->part);
  *t = (struct term) { .width = s->width, .constant = s->constant, .nparts = n,
		       .hash = h, .next = *bucket, .uniform = true,
		       .linear = true };
  uint64_t stride = 0;
  for (unsigned i = 0; i < n; i++)
    {
      int64_t one;
      t->part[i] = s->part[i];
      t->uniform &= s->part[i].atom->uniform;
      t->linear &= stride_of (s->part[i].atom, &one);
      stride += s->part[i].coefficient * one;
    }
  t->stride = sign_extend (stride, t->width);
  p->nodes++;
  return *bucket = t;
}

const struct term *
expr_constant (struct expr_pool *p, unsigned width, uint64_t value)
{
  struct sum s;
  sum_begin (&s, width, value);
  return intern (p, &s);
}

const struct term *
expr_of (struct expr_pool *p, const struct atom *a)
{
  struct sum s;
  sum_begin (&s, a->width, 0);
  s.part[s.n++] = (struct part) { 1, a };
  return intern (p, &s);
}

const struct term *
expr_atom (struct expr_pool *p, const struct atom *model)
{
  return expr_of (p, intern_atom (p, model));
}

/* The operation MNEMONIC on A and B as an atom.  */
static const struct term *
opaque (struct expr_pool *p, unsigned width, const char *mnemonic,
	const struct term *a, const struct term *b)
{
  struct atom model = { .kind = ATOM_OP, .width = width, .mnemonic = mnemonic,
			.nargs = 2, .arg = { a, b } };
  return expr_atom (p, &model);
}

const struct term *
expr_add (struct expr_pool *p, const struct term *a, const struct term *b,
	  uint64_t factor)
{
  struct sum s;
  sum_begin (&s, a->width, a->constant + factor * b->constant);
  unsigned i = 0, k = 0;
  while (i < a->nparts || k < b->nparts)
    {
      unsigned x = i < a->nparts ? a->part[i].atom->serial : UINT_MAX;
      unsigned y = k < b->nparts ? b->part[k].atom->serial : UINT_MAX;
      struct part *to = &s.part[s.n++];
      *to = (struct part) { 0, x <= y ? a->part[i].atom : b->part[k].atom };
      if (x <= y)
	to->coefficient += a->part[i++].coefficient;
      if (y <= x)
	to->coefficient += factor * b->part[k++].coefficient;
    }
  if (s.n <= MAX_PARTS)
    return intern (p, &s);
  if (factor != 1)
    b = expr_add (p, expr_constant (p, a->width, 0), b, factor);
  return opaque (p, a->width, "add", a, b);
}

bool
expr_distance (const struct term *a, const struct term *b, int64_t *distance)
{
  *distance = sign_extend (a->constant - b->constant, a->width);
  return a->width == b->width && a->nparts == b->nparts
	 && memcmp (a->part, b->part, a->nparts * sizeof *a->part) == 0;
}

/* The product of two atoms as a term; the order does not matter.  */
static const struct term *
product (struct expr_pool *p, unsigned width, const struct atom *a,
	 const struct atom *b)
{
  bool swap = a->serial > b->serial;
  struct atom model = { .kind = ATOM_PRODUCT, .width = width, .nargs = 2 };
  model.arg[swap] = expr_of (p, a);
  model.arg[!swap] = expr_of (p, b);
  return expr_atom (p, &model);
}

const struct term *
expr_multiply (struct expr_pool *p, const struct term *a, const struct term *b)
{
  const struct term *r = expr_constant (p, a->width, 0);
  if (expr_is_constant (a))
    return expr_add (p, r, b, a->constant);
  if (expr_is_constant (b))
    return expr_add (p, r, a, b->constant);
  if (a->nparts * b->nparts > MAX_PRODUCT)
    return opaque (p, a->width, "mul.lo", a, b);
  r = expr_add (p, r, a, b->constant);
  r = expr_add (p, r, b, a->constant);
  r = expr_add (p, r, expr_constant (p, a->width, 1),
		-(a->constant * b->constant));
  for (unsigned i = 0; i < a->nparts; i++)
    for (unsigned k = 0; k < b->nparts; k++)
      r = expr_add (p, r,
		    product (p, a->width, a->part[i].atom, b->part[k].atom),
		    a->part[i].coefficient * b->part[k].coefficient);
  return r;
}

/* ---- Ranges and extensions ---- */

/* PTX ISA 10.  */
bool
expr_sreg_range (const struct atom *a, int64_t *high)
{
  switch (a->id)
    {
    case PTX_SR_TID:
      *high = 1023;
      return true;
    case PTX_SR_NTID:
      *high = 1024;
      return true;
    case PTX_SR_LANEID:
      *high = 31;
      return true;
    case PTX_SR_CTAID:
    case PTX_SR_NCTAID:
      *high = a->option == 'x' ? INT_MAX : 65535;
      return true;
    default:
      return false;
    }
}

static void
atom_range (const struct atom *a, bool is_signed, int64_t *low, int64_t *high)
{
  unsigned width = a->width;
  *low = 0;
  if (a->kind == ATOM_SREG && expr_sreg_range (a, high))
    return;
  if (a->kind == ATOM_ZERO)
    width = a->arg[0]->width;
  else if (a->kind == ATOM_SIGN && is_signed)
    {
      if (expr_range (a->arg[0], true, low, high))
	return;
      width = a->arg[0]->width;
      *low = -((int64_t) 1 << (width - 1));
      *high = ~*low;
      return;
    }
  if (width < 63)
    {
      *high = ((int64_t) 1 << width) - 1;
      if (width == a->width && is_signed)
	{
	  *low = -((int64_t) 1 << (width - 1));
	  *high = ~*low;
	}
      return;
    }
  *low = is_signed ? INT64_MIN : 0;
  *high = INT64_MAX;
}

bool
expr_range (const struct term *t, bool is_signed, int64_t *low, int64_t *high)
{
  if (t->width > 32)
    return false;
  int64_t min = is_signed ? -((int64_t) 1 << (t->width - 1)) : 0;
  int64_t max = is_signed ? ~min : (int64_t) mask_of (t->width);
  *low = *high = is_signed || t->nparts ? expr_signed (t)
				       : (int64_t) t->constant;
  for (unsigned i = 0; i < t->nparts; i++)
    {
      int64_t l, h, c = sign_extend (t->part[i].coefficient, t->width);
      atom_range (t->part[i].atom, is_signed, &l, &h);
      if (__builtin_mul_overflow (l, c, &l) || __builtin_mul_overflow (h, c, &h)
	  || __builtin_add_overflow (*low, c < 0 ? h : l, low)
	  || __builtin_add_overflow (*high, c < 0 ? l : h, high))
	return false;
    }
  return *low >= min && *high <= max;
}

/* X, whose term does not overflow, in more bits.  */
static const struct term *
extend (struct expr_pool *p, const struct atom *x, unsigned width,
	bool is_signed)
{
  int64_t low, high;
  atom_range (x, is_signed, &low, &high);
  struct atom model = { .kind = low < 0 ? ATOM_SIGN : ATOM_ZERO,
			.width = width, .nargs = 1, .arg = { expr_of (p, x) } };
  return expr_atom (p, &model);
}

/* The low bits of X.  */
static const struct term *
cut (struct expr_pool *p, const struct atom *x, unsigned width)
{
  struct atom model = { .kind = ATOM_OP, .width = width, .mnemonic = EXPR_CUT,
			.nargs = 1 };
  switch (x->kind)
    {
    case ATOM_SIGN:
    case ATOM_ZERO:
      return expr_resize (p, x->arg[0], width, x->kind == ATOM_SIGN);
    case ATOM_PRODUCT:
      return expr_multiply (p, expr_resize (p, x->arg[0], width, false),
			    expr_resize (p, x->arg[1], width, false));
    case ATOM_COUNT:
      model = *x;
      model.width = width;
      break;
    default:
      model.arg[0] = expr_of (p, x);
    }
  return expr_atom (p, &model);
}

const struct term *
expr_resize (struct expr_pool *p, const struct term *a, unsigned width,
	     bool is_signed)
{
  if (width == a->width)
    return a;
  int64_t low, high;
  if (width > a->width && !expr_range (a, is_signed, &low, &high))
    {
      struct atom model = { .kind = is_signed ? ATOM_SIGN : ATOM_ZERO,
			    .width = width, .nargs = 1, .arg = { a } };
      return expr_atom (p, &model);
    }
  /* Part by part, which is exact: nothing overflows, or overflow is what
     cutting takes away.  */
  const struct term *r = expr_constant (
    p, width, is_signed || a->nparts ? (uint64_t) expr_signed (a) : a->constant);
  for (unsigned i = 0; i < a->nparts; i++)
    {
      const struct atom *x = a->part[i].atom;
      const struct term *part = width < a->width ? cut (p, x, width)
						 : extend (p, x, width, is_signed);
      r = expr_add (p, r, part,
		    sign_extend (a->part[i].coefficient, a->width));
    }
  return r;
}

/* Comparison A for equality in lane 0; NULL when it is open.  */
static const struct term *
comparison_lane0 (struct expr_pool *p, const struct atom *a, bool *assumes)
{
  bool ne = strncmp (a->mnemonic, "setp.ne.", 8) == 0;
  if (a->nargs != 2 || a->arg[0]->width != a->arg[1]->width
      || (!ne && strncmp (a->mnemonic, "setp.eq.", 8) != 0))
    return NULL;
  const struct term *d
    = expr_add (p, expr_lane0 (p, a->arg[0], assumes),
		expr_lane0 (p, a->arg[1], assumes), -1);
  return expr_is_constant (d) ? expr_constant (p, 1, (d->constant != 0) == ne)
			      : NULL;
}

/* A in lane 0; A is not uniform.  What puts a value together from others
   keeps its form.  */
static const struct term *
atom_lane0 (struct expr_pool *p, const struct atom *a, bool *assumes)
{
  struct atom model = { .kind = ATOM_LANE0, .width = a->width, .nargs = 1 };
  const struct term *r;
  switch (a->kind)
    {
    case ATOM_SREG:
      if (a->id == PTX_SR_TID)
	*assumes = true;
      else if (a->id != PTX_SR_LANEID)
	break;
      return expr_constant (p, a->width, 0);
    case ATOM_SIGN:
    case ATOM_ZERO:
      return expr_resize (p, expr_lane0 (p, a->arg[0], assumes), a->width,
			  a->kind == ATOM_SIGN);
    case ATOM_PRODUCT:
      return expr_multiply (p, expr_lane0 (p, a->arg[0], assumes),
			    expr_lane0 (p, a->arg[1], assumes));
    case ATOM_JOIN:
      if (a->nargs == 0)
	break;
      *assumes = true;
      return a->arg[0];
    case ATOM_OP:
      if ((r = comparison_lane0 (p, a, assumes)))
	return r;
      if (a->nargs != 1)
	break;
      r = expr_lane0 (p, a->arg[0], assumes);
      if (strcmp (a->mnemonic, EXPR_CUT) == 0)
	return expr_resize (p, r, a->width, false);
      model = *a;
      model.arg[0] = r;
      return expr_atom (p, &model);
    default:
      break;
    }
  model.arg[0] = expr_of (p, a);
  return expr_atom (p, &model);
}

const struct term *
expr_lane0 (struct expr_pool *p, const struct term *a, bool *assumes)
{
  /* Terms are the pool's own, so that it may note there what it knows of them.  */
  struct term *t = (struct term *) a;
  if (a->uniform)
    return a;
  if (!t->lane0)
    {
      const struct term *r = expr_constant (p, a->width, a->constant);
      for (unsigned i = 0; i < a->nparts; i++)
	{
	  const struct atom *x = a->part[i].atom;
	  r = expr_add (p, r,
			x->uniform ? expr_of (p, x)
				   : atom_lane0 (p, x, &t->lane0_assumes),
			a->part[i].coefficient);
	}
      t->lane0 = r;
    }
  if (assumes)
    *assumes |= t->lane0_assumes;
  return t->lane0;
}

/* ---- Printing ---- */

static void
print_atom (FILE *f, const struct atom *a)
{
  switch (a->kind)
    {
    case ATOM_SREG:
      fputs (ptx_sreg_info[a->id].text, f);
      if (a->option)
	fprintf (f, ".%c", a->option);
      return;
    case ATOM_PARAM:
      fprintf (f, "param(%s%+d)", a->sym->name, a->id);
      return;
    case ATOM_SYMBOL:
      fputs (a->sym->name, f);
      return;
    case ATOM_JOIN:
      fprintf (f, "%s@block%d", a->sym->name, a->option);
      return;
    case ATOM_COUNT:
      fprintf (f, "loop%d", a->id);
      return;
    case ATOM_FRESH:
      fprintf (f, "%s@%d", a->sym ? a->sym->name : "value", a->id);
      return;
    case ATOM_SIGN:
      fputs ("sext", f);
      break;
    case ATOM_ZERO:
      fputs ("zext", f);
      break;
    case ATOM_LANE0:
      fputs ("lane0", f);
      break;
    case ATOM_PRODUCT:
      fputs ("mul", f);
      break;
    case ATOM_OP:
    case ATOM_LOAD:
      fputs (a->mnemonic, f);
      break;
    }
  /* The state of memory says little to a reader.  */
  unsigned n = a->kind == ATOM_LOAD ? 1 : a->nargs;
  for (unsigned i = 0; i < n; i++)
    {
      fputs (i ? ", " : "(", f);
      expr_print (f, a->arg[i]);
    }
  fputc (')', f);
}

static uint64_t
magnitude (int64_t c)
{
  return c < 0 ? -(uint64_t) c : (uint64_t) c;
}

void
expr_print (FILE *f, const struct term *t)
{
  for (unsigned i = 0; i < t->nparts; i++)
    {
      int64_t c = sign_extend (t->part[i].coefficient, t->width);
      if (i || c < 0)
	fputs (c < 0 ? i ? " - " : "-" : " + ", f);
      if (c != 1 && c != -1)
	fprintf (f, "%" PRIu64 "*", magnitude (c));
      print_atom (f, t->part[i].atom);
    }
  int64_t c = expr_signed (t);
  if (t->nparts == 0)
    fprintf (f, "%" PRId64, c);
  else if (c)
    fprintf (f, " %c %" PRIu64, c < 0 ? '-' : '+', magnitude (c));
}
