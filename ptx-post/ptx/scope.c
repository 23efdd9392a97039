/* Names of a unit: nested scopes, each a small hash table.  Scopes outlive
   the reading of their text, because a use may stand before its declaration
   (labels).  GCC opens a scope for each call, so an empty one is cheap.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "ptx/ptx-int.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct entry
{
  struct ptx_sym *sym;
  uint32_t hash;
  uint32_t len;
  struct entry *next;
};

/* Registers or call parameters declared as %r<COUNT>.  */
struct range
{
  const struct ptx_sym *model;
  size_t len;			/* of the name without number */
  uint64_t count;
  struct range *next;
};

enum { FIRST_BUCKETS = 4 };

struct ptx_scope
{
  struct ptx_scope *parent;
  struct ptx_func *func;
  unsigned count, nbuckets;	/* a power of 2 */
  struct entry **buckets;
  struct entry *first[FIRST_BUCKETS];
  struct range *ranges;
};

static uint32_t
hash_name (const char *s, size_t len)
{
  uint32_t h = 2166136261u;	/* FNV-1a */
  for (size_t i = 0; i < len; i++)
    h = (h ^ (unsigned char) s[i]) * 16777619u;
  return h ^ h >> 15;
}

struct ptx_scope *
ptx_scope_new (struct ptx_arena *a, struct ptx_scope *parent,
	       struct ptx_func *func)
{
  struct ptx_scope *s = ptx_arena_alloc (a, sizeof *s);
  s->parent = parent;
  s->func = func;
  s->nbuckets = FIRST_BUCKETS;
  s->buckets = s->first;
  return s;
}

struct ptx_scope *
ptx_scope_parent (const struct ptx_scope *s)
{
  return s->parent;
}

void
ptx_scope_set_func (struct ptx_scope *s, struct ptx_func *func)
{
  s->func = func;
}

static void
rehash (struct ptx_arena *a, struct ptx_scope *s)
{
  unsigned n = s->nbuckets * 4;
  struct entry **to = ptx_arena_alloc (a, n * sizeof *to);
  for (unsigned i = 0; i < s->nbuckets; i++)
    {
      /* Keep the order within a bucket: the newest hides the others.  */
      struct entry *rev = NULL;
      for (struct entry *e = s->buckets[i], *next; e; e = next)
	{
	  next = e->next;
	  e->next = rev;
	  rev = e;
	}
      for (struct entry *e = rev, *next; e; e = next)
	{
	  next = e->next;
	  struct entry **b = &to[e->hash & (n - 1)];
	  e->next = *b;
	  *b = e;
	}
    }
  s->buckets = to;
  s->nbuckets = n;
}

void
ptx_scope_put (struct ptx_arena *a, struct ptx_scope *s, struct ptx_sym *sym)
{
  if (++s->count > 2 * s->nbuckets)
    rehash (a, s);
  struct entry *e = ptx_arena_alloc (a, sizeof *e);
  e->sym = sym;
  e->len = strlen (sym->name);
  e->hash = hash_name (sym->name, e->len);
  struct entry **b = &s->buckets[e->hash & (s->nbuckets - 1)];
  e->next = *b;
  *b = e;
}

void
ptx_scope_put_range (struct ptx_arena *a, struct ptx_scope *s,
		     const struct ptx_sym *model, uint64_t count)
{
  struct range *r = ptx_arena_alloc (a, sizeof *r);
  *r = (struct range) { model, strlen (model->name), count, s->ranges };
  s->ranges = r;
}

void
ptx_func_add_reg (struct ptx_arena *a, struct ptx_func *f, struct ptx_sym *sym)
{
  if ((f->nregs & (f->nregs - 1)) == 0)	/* full: sizes are powers of 2 */
    {
      size_t n = f->nregs ? 2 * (size_t) f->nregs : 1;
      struct ptx_sym **regs = ptx_arena_alloc (a, n * sizeof *regs);
      if (f->nregs)
	memcpy (regs, f->regs, f->nregs * sizeof *regs);
      f->regs = regs;
    }
  sym->index = f->nregs;
  f->regs[f->nregs++] = sym;
}

void
ptx_func_add_local (struct ptx_func *f, struct ptx_sym *sym)
{
  *(f->last_local ? &f->last_local->next : &f->locals) = sym;
  f->last_local = sym;
}

/* Make the symbol of NAME if a range of S declares it.  */
static struct ptx_sym *
get_in_range (struct ptx_arena *a, struct ptx_scope *s, const char *name,
	      size_t len)
{
  for (struct range *r = s->ranges; r; r = r->next)
    {
      if (len <= r->len || memcmp (name, r->model->name, r->len) != 0)
	continue;
      size_t ndigits = len - r->len;
      const char *digits = name + r->len;
      if (ndigits > 18 || (digits[0] == '0' && ndigits > 1))
	continue;
      uint64_t n = 0;
      size_t i;
      for (i = 0; i < ndigits && digits[i] >= '0' && digits[i] <= '9'; i++)
	n = n * 10 + (digits[i] - '0');
      if (i < ndigits || n >= r->count)
	continue;
      struct ptx_sym *sym = ptx_arena_alloc (a, sizeof *sym);
      *sym = *r->model;
      sym->name = ptx_arena_strdup (a, name, len);
      if (s->func && sym->kind == PTX_SYM_REG)
	ptx_func_add_reg (a, s->func, sym);
      else if (s->func)
	ptx_func_add_local (s->func, sym);
      ptx_scope_put (a, s, sym);
      return sym;
    }
  return NULL;
}

static struct ptx_sym *
find (struct ptx_arena *a, struct ptx_scope *s, const char *name, size_t len,
      uint32_t hash)
{
  for (struct entry *e = s->buckets[hash & (s->nbuckets - 1)]; e; e = e->next)
    if (e->hash == hash && e->len == len
	&& memcmp (e->sym->name, name, len) == 0)
      return e->sym;
  return s->ranges ? get_in_range (a, s, name, len) : NULL;
}

struct ptx_sym *
ptx_scope_get_here (struct ptx_arena *a, struct ptx_scope *s, const char *name,
		    size_t len)
{
  return find (a, s, name, len, hash_name (name, len));
}

struct ptx_sym *
ptx_scope_get (struct ptx_arena *a, struct ptx_scope *s, const char *name,
	       size_t len)
{
  uint32_t hash = hash_name (name, len);
  struct ptx_sym *sym = NULL;
  for (; s && !sym; s = s->parent)
    sym = find (a, s, name, len, hash);
  return sym;
}
