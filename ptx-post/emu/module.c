/* Modules: parse PTX units, link them and place their variables.

   Linking follows the driver's linker: a visible definition beats a weak one,
   which beats a common one; an extern symbol that nothing defines is an error
   when something uses it.  Functions stay undecoded until they are called.

   Shared variables of all units get one layout that every kernel of the
   module sees; those declared inside an entry overlay one another after it.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "check.h"
#include "machine.h"
#include "map.h"
#include "mem.h"
#include "ptx.h"
#include "unit.h"

enum
{
  POOL_BYTES = 64 << 20,	/* address space of the constants' rows */
  POOL_FIRST = 2 * ROW,		/* no operand is 0 */
  LEAD = 512,			/* bytes before a module's variables */
  FUNC_STEP = 16,		/* between addresses of functions */
  MAX_LOG = 64 << 10		/* bytes of complaints */
};

struct unit
{
  struct ptx_unit *ptx;
};

/* A definition that other units may refer to.  */
struct global
{
  const char *name;
  struct unit *unit;
  struct ptx_sym *sym;		/* NULL: a builtin */
  struct place place;
  struct global *next;		/* in its bucket */
};

/* What the decoder allocates.  */
struct chunk
{
  struct chunk *next;
  _Alignas (16) char data[];
};

enum { BUCKETS = 1024 };

struct emu_module
{
  struct unit *unit;
  unsigned nunits;
  struct emu_func **func;	/* by address */
  size_t nfuncs, maxfuncs;
  struct global *global[BUCKETS];
  struct map *place;		/* ptx_sym -> struct place * */
  struct chunk *chunks;
  uint64_t mem;			/* device memory of the variables, or 0 */
  size_t mem_bytes, const_bytes;
  size_t shared;		/* bytes of file-scope shared variables */
  pthread_mutex_t lock;		/* decoding: chunks, pool */
  char *pool;
  uint32_t pool_end;
  struct const_slot { uint64_t bits; opref ref; } *consts;
  size_t nconsts, maxconsts;	/* MAXCONSTS is a power of two */
  char *log;
  size_t log_len;
};

/* ---- Memory and messages --------------------------------------------------- */

void *
emu_module_alloc (struct emu_module *m, size_t bytes)
{
  struct chunk *c = calloc (1, sizeof *c + bytes);
  if (!c)
    return NULL;
  c->next = m->chunks;
  m->chunks = c;
  return c->data;
}

__attribute__ ((format (printf, 2, 3))) static void
message (struct emu_module *m, const char *fmt, ...)
{
  char line[512];
  va_list ap;
  va_start (ap, fmt);
  int n = vsnprintf (line, sizeof line, fmt, ap);
  va_end (ap);
  size_t len = n < 0 ? 0 : (size_t) n < sizeof line ? (size_t) n : sizeof line - 1;
  char *p = realloc (m->log, m->log_len + len + 2);
  if (!p)
    return;
  memcpy (p + m->log_len, line, len);
  m->log_len += len;
  p[m->log_len++] = '\n';
  p[m->log_len] = 0;
  m->log = p;
}

static unsigned
hash (const char *s)
{
  unsigned h = 5381;
  for (; *s; s++)
    h = h * 33 ^ (unsigned char) *s;
  return h % BUCKETS;
}

static struct global *
lookup (const struct emu_module *m, const char *name)
{
  for (struct global *g = m->global[hash (name)]; g; g = g->next)
    if (!strcmp (g->name, name))
      return g;
  return NULL;
}

/* ---- The constants ------------------------------------------------------------ */

char *
emu_pool (const struct emu_module *m)
{
  return m->pool;
}

static struct const_slot *
const_slot (const struct emu_module *m, uint64_t bits, bool wide)
{
  size_t h = (size_t) ((bits * 2 + wide) * 0x9e3779b97f4a7c15u >> 20);
  for (;; h++)
    {
      struct const_slot *s = &m->consts[h & (m->maxconsts - 1)];
      if (!s->ref || (s->bits == bits && !!(s->ref & ROW) == wide))
	return s;
    }
}

/* Rows start at multiples of two rows; a wide one's operand is told apart in
   the dictionary only.  */
opref
emu_constant (struct emu_module *m, uint64_t bits, bool wide)
{
  if (!wide)
    bits = (uint32_t) bits;
  if (2 * m->nconsts >= m->maxconsts)
    {
      struct emu_module big = { .maxconsts = 2 * m->maxconsts };
      big.consts = calloc (big.maxconsts, sizeof *big.consts);
      if (!big.consts)
	return 0;
      for (size_t k = 0; k < m->maxconsts; k++)
	if (m->consts[k].ref)
	  *const_slot (&big, m->consts[k].bits, m->consts[k].ref & ROW)
	    = m->consts[k];
      free (m->consts);
      m->consts = big.consts;
      m->maxconsts = big.maxconsts;
    }
  struct const_slot *s = const_slot (m, bits, wide);
  if (!s->ref)
    {
      if (m->pool_end + 2 * ROW > POOL_BYTES)
	return 0;
      char *row = m->pool + m->pool_end;
      for (unsigned l = 0; l < LANES; l++)
	if (wide)
	  ((uint64_t *) row)[l] = bits;
	else
	  ((uint32_t *) row)[l] = (uint32_t) bits;
      *s = (struct const_slot){ bits, m->pool_end | (wide ? ROW : 0) };
      m->pool_end += 2 * ROW;
      m->nconsts++;
    }
  return (s->ref & ~(opref) ROW) | OB_POOL;
}

/* ---- Symbols -------------------------------------------------------------------- */

static bool
set_place (struct emu_module *m, const struct ptx_sym *sym, struct place p)
{
  struct place *copy = emu_module_alloc (m, sizeof *copy);
  if (!copy)
    return false;
  *copy = p;
  return map_put (m->place, sym, (uintptr_t) copy);
}

struct place
emu_place (const struct emu_func *f, const struct ptx_sym *sym)
{
  const struct emu_module *m = f->module;
  const struct place *p = (void *) (uintptr_t) map_get (m->place, sym);
  if (p)
    return *p;
  if (sym->linkage == PTX_LK_EXTERN || sym->kind == PTX_SYM_FUNC)
    {
      const struct global *g = lookup (m, sym->name);
      if (g)
	return g->place;
      /* extern .shared x[]: what the launch adds, after the rest.  */
      if (sym->space == PTX_SP_SHARED && sym->size == 0)
	return (struct place){ PLACE_SHARED, emu_dynamic_shared (f), NULL };
    }
  return (struct place){ PLACE_NONE, 0, NULL };
}

struct emu_func *
emu_func_at (const struct emu_module *m, uint64_t addr)
{
  uint64_t k = (addr - EMU_FUNC_WINDOW) / FUNC_STEP;
  return addr % FUNC_STEP == 0 && k < m->nfuncs ? m->func[k] : NULL;
}

static int
rank (const struct ptx_sym *s)
{
  return s->linkage == PTX_LK_VISIBLE ? 3
	 : s->linkage == PTX_LK_WEAK  ? 2
	 : s->linkage == PTX_LK_COMMON ? 1 : 0;
}

/* Enter the definition of SYM at *G, or keep the better one that is there.
   False when there are two equals.  */
static bool
define (struct emu_module *m, struct unit *u, struct ptx_sym *sym,
	bool *no_memory)
{
  struct global *g = lookup (m, sym->name);
  if (!g)
    {
      g = emu_module_alloc (m, sizeof *g);
      if (!g)
	{
	  *no_memory = true;
	  return true;
	}
      g->name = sym->name;
      unsigned h = hash (g->name);
      g->next = m->global[h];
      m->global[h] = g;
    }
  else if (rank (g->sym) == 3 && rank (sym) == 3)
    {
      message (m, "error   : Multiple definition of '%s' in '%s', "
		  "first defined in '%s'",
	       sym->name, u->ptx->name, g->unit->ptx->name);
      return false;
    }
  else if (rank (g->sym) > rank (sym)
	   || (rank (g->sym) == rank (sym)
	       && (rank (sym) != 1 || g->sym->size >= sym->size)))
    return true;
  g->sym = sym;
  g->unit = u;
  return true;
}

static bool
is_definition (const struct ptx_sym *s)
{
  return s->linkage != PTX_LK_EXTERN
	 && (s->kind == PTX_SYM_VAR
	     || (s->kind == PTX_SYM_FUNC && s->func && s->func->has_body
		 && s->func->sym == s));
}

static CUresult
define_all (struct emu_module *m)
{
  bool unique = true, no_memory = false;
  for (unsigned k = 0; k < m->nunits; k++)
    {
      struct unit *u = &m->unit[k];
      for (struct ptx_sym *s = u->ptx->vars; s; s = s->next)
	if (is_definition (s) && s->linkage != PTX_LK_NONE)
	  unique &= define (m, u, s, &no_memory);
      for (struct ptx_func *f = u->ptx->funcs; f; f = f->next)
	if (f->has_body && (f->sym->linkage != PTX_LK_NONE || f->is_entry)
	    && f->sym->linkage != PTX_LK_EXTERN)
	  unique &= define (m, u, f->sym, &no_memory);
      for (struct ptx_alias *a = u->ptx->aliases; a; a = a->next)
	if (a->name->kind == PTX_SYM_FUNC && a->name->linkage != PTX_LK_EXTERN
	    && a->name->linkage != PTX_LK_NONE)
	  unique &= define (m, u, a->name, &no_memory);
    }
  return no_memory ? CUDA_ERROR_OUT_OF_MEMORY
	 : unique  ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
}

/* Whether SYM is the definition its name stands for.  */
static bool
wins (const struct emu_module *m, const struct ptx_sym *sym)
{
  if (sym->linkage == PTX_LK_NONE)
    return true;
  const struct global *g = lookup (m, sym->name);
  return g && g->sym == sym;
}

/* ---- Functions --------------------------------------------------------------------- */

static unsigned
chunks (const struct ptx_sym *s)
{
  unsigned n = 0;
  for (; s; s = s->next)
    n += (unsigned) (((s->kind == PTX_SYM_REG ? ptx_type_info[s->type].bytes
					      : s->size) + 3) / 4);
  return n;
}

static struct emu_func *
new_func (struct emu_module *m, const char *name)
{
  if (m->nfuncs == m->maxfuncs)
    {
      size_t max = m->maxfuncs ? 2 * m->maxfuncs : 64;
      struct emu_func **p = realloc (m->func, max * sizeof *p);
      if (!p)
	return NULL;
      m->func = p;
      m->maxfuncs = max;
    }
  struct emu_func *f = emu_module_alloc (m, sizeof *f);
  if (!f)
    return NULL;
  f->name = name;
  f->module = m;
  m->func[m->nfuncs++] = f;
  return f;
}

static uint64_t
func_addr (const struct emu_module *m)
{
  return EMU_FUNC_WINDOW + (m->nfuncs - 1) * FUNC_STEP;
}

static bool
add_func (struct emu_module *m, struct unit *u, struct ptx_func *p)
{
  struct emu_func *f = new_func (m, p->sym->name);
  if (!f)
    return false;
  f->unit = u;
  f->ptx = p;
  f->ret_chunks = chunks (p->rets);
  f->arg_chunks = chunks (p->params);
  for (unsigned k = 0; k < p->nregs; k++)
    f->reg_bytes += p->regs[k] ? ptx_type_info[p->regs[k]->type].bytes : 0;
  f->maxntid = 1;
  for (int k = 0; k < 3; k++)
    {
      f->reqntid[k] = p->reqntid[k];
      f->maxntid *= p->maxntid[k] ? p->maxntid[k] : 1;
    }
  if (!p->maxntid[0])
    f->maxntid = 0;
  if (p->is_entry)
    for (const struct ptx_sym *s = p->params; s; s = s->next)
      f->params = ((f->params + s->align - 1) & -(size_t) s->align) + s->size;
  struct place place = { PLACE_FUNC, func_addr (m), f };
  struct global *g = lookup (m, p->sym->name);
  if (g && g->sym == p->sym)
    g->place = place;
  return set_place (m, p->sym, place);
}

/* A builtin for the declaration S that nothing defines.  */
static bool
add_builtin (struct emu_module *m, struct unit *u, const struct ptx_sym *s)
{
  emu_builtin *fn = emu_find_builtin (s->name);
  struct global *g = fn ? emu_module_alloc (m, sizeof *g) : NULL;
  struct emu_func *f = g ? new_func (m, s->name) : NULL;
  if (!f)
    return !fn;
  f->builtin = fn;
  *g = (struct global){ .name = s->name, .unit = u,
			.place = { PLACE_FUNC, func_addr (m), f } };
  unsigned h = hash (g->name);
  g->next = m->global[h];
  m->global[h] = g;
  return true;
}

/* The symbol that operand O uses and that nothing defines, or NULL.  */
static const struct ptx_sym *
undefined_in (const struct emu_func *f, const struct ptx_opnd *o)
{
  const struct ptx_sym *s = o->sym;
  if (o->kind == PTX_O_SYM && s
      && (s->kind == PTX_SYM_UNKNOWN
	  || s->kind == PTX_SYM_FUNC
	  || (s->kind == PTX_SYM_VAR && s->linkage == PTX_LK_EXTERN))
      && emu_place (f, s).kind == PLACE_NONE)
    return s;
  for (unsigned k = 0; k < o->nelt; k++)
    if ((s = undefined_in (f, o->elt[k])))
      return s;
  return NULL;
}

/* Complain about what functions use and nobody defines.  */
static CUresult
check_uses (struct emu_module *m)
{
  CUresult r = CUDA_SUCCESS;
  for (size_t k = 0; k < m->nfuncs; k++)
    {
      const struct emu_func *f = m->func[k];
      if (!f->ptx)
	continue;
      for (const struct ptx_stmt *s = f->ptx->first; s && s != f->ptx->last;
	   s = s->next)
	for (unsigned n = 0; s->insn && n < s->insn->nopnds; n++)
	  {
	    const struct ptx_sym *u = undefined_in (f, s->insn->opnd[n]);
	    if (!u)
	      continue;
	    if (u->kind == PTX_SYM_UNKNOWN)
	      message (m, "ptxas %s, line %u; error   : Unknown symbol '%s'",
		       f->unit->ptx->name, s->line, u->name);
	    else
	      message (m, "error   : Undefined reference to '%s' in '%s'",
		       u->name, f->unit->ptx->name);
	    r = CUDA_ERROR_INVALID_PTX;
	    if (m->log_len > MAX_LOG)
	      return r;
	  }
    }
  return r;
}

/* Put A's name where its target is.  What is no function of this module stays
   undefined, and a use of it is reported.  */
static bool
add_alias (struct emu_module *m, const struct ptx_alias *a)
{
  const struct emu_func any = { .module = m };
  const struct place to = emu_place (&any, a->target);
  if (to.kind != PLACE_FUNC || !wins (m, a->name))
    return true;
  struct global *g = lookup (m, a->name->name);
  if (g && g->sym == a->name)
    g->place = to;
  return set_place (m, a->name, to);
}

static CUresult
add_functions (struct emu_module *m)
{
  for (unsigned k = 0; k < m->nunits; k++)
    for (struct ptx_func *f = m->unit[k].ptx->funcs; f; f = f->next)
      if (f->has_body && wins (m, f->sym) && !add_func (m, &m->unit[k], f))
	return CUDA_ERROR_OUT_OF_MEMORY;
  for (unsigned k = 0; k < m->nunits; k++)
    for (struct ptx_alias *a = m->unit[k].ptx->aliases; a; a = a->next)
      if (!add_alias (m, a))
	return CUDA_ERROR_OUT_OF_MEMORY;
  for (unsigned k = 0; k < m->nunits; k++)
    for (struct ptx_func *f = m->unit[k].ptx->funcs; f; f = f->next)
      if (!f->has_body && !lookup (m, f->sym->name)
	  && !add_builtin (m, &m->unit[k], f->sym))
	return CUDA_ERROR_OUT_OF_MEMORY;
  return CUDA_SUCCESS;
}

/* ---- Variables ------------------------------------------------------------------------ */

typedef bool var_fn (struct emu_module *m, struct emu_func *f,
		     const struct ptx_sym *s);

/* Call FN for every variable that is not in a register or a frame, with the
   function it stands in, or NULL.  */
static bool
each_var (struct emu_module *m, var_fn *fn)
{
  for (unsigned k = 0; k < m->nunits; k++)
    for (const struct ptx_sym *s = m->unit[k].ptx->vars; s; s = s->next)
      if (is_definition (s) && wins (m, s) && !fn (m, NULL, s))
	return false;
  for (size_t k = 0; k < m->nfuncs; k++)
    if (m->func[k]->ptx)
      for (const struct ptx_sym *s = m->func[k]->ptx->locals; s; s = s->next)
	if (s->kind == PTX_SYM_VAR && s->linkage != PTX_LK_EXTERN
	    && !fn (m, m->func[k], s))
	  return false;
  return true;
}

/* Lay S out: PLACE.addr is an offset in the module's memory until place_all
   knows where that is.  */
static bool
lay_out (struct emu_module *m, struct emu_func *f, const struct ptx_sym *s)
{
  uint64_t align = s->align ? s->align : 1;
  struct place p = { PLACE_MEM, 0, NULL };
  if (s->space == PTX_SP_SHARED)
    {
      bool own = f && f->ptx->is_entry;
      uint64_t at = own ? f->shared : m->shared;
      p.kind = PLACE_SHARED;
      p.addr = (at + align - 1) & -align;
      if (s->size > UINT32_MAX - p.addr)
	return false;
      if (own)
	f->shared = (uint32_t) (p.addr + s->size);
      else
	m->shared = p.addr + s->size;
    }
  else if (s->space == PTX_SP_GLOBAL || s->space == PTX_SP_CONST)
    {
      p.addr = (m->mem_bytes + align - 1) & -align;
      if (s->size > ((size_t) 1 << 46) - p.addr)
	return false;
      m->mem_bytes = p.addr + s->size;
      if (s->space == PTX_SP_CONST)
	m->const_bytes += s->size;
    }
  else
    return true;
  struct global *g = lookup (m, s->name);
  if (g && g->sym == s)
    g->place = p;
  return set_place (m, s, p);
}

static bool
relocate (struct emu_module *m, struct emu_func *f, const struct ptx_sym *s)
{
  struct place *p = (void *) (uintptr_t) map_get (m->place, s);
  if (!p)
    return true;
  if (p->kind == PLACE_MEM)
    p->addr += m->mem;
  else if (f && f->ptx->is_entry)
    p->addr += m->shared;
  struct global *g = lookup (m, s->name);
  if (g && g->sym == s)
    g->place = *p;
  return true;
}

static bool
initialise (struct emu_module *m, struct emu_func *f, const struct ptx_sym *s)
{
  const struct place *p = (void *) (uintptr_t) map_get (m->place, s);
  const struct emu_func any = { .module = m };
  if (!p || p->kind != PLACE_MEM)
    return true;
  for (const struct ptx_init *v = s->init; v; v = v->next)
    {
      uint64_t bits = v->bits;
      if (v->sym)
	{
	  struct place to = emu_place (f ? f : &any, v->sym);
	  if (to.kind == PLACE_NONE)
	    {
	      message (m, "error   : Undefined reference to '%s' in '%s'",
		       v->sym->name, s->name);
	      return false;
	    }
	  bits += to.addr;
	  if (to.kind == PLACE_SHARED && v->generic)
	    bits += EMU_SHARED_WINDOW;
	  if (v->mask)
	    bits = (bits & v->mask) >> __builtin_ctzll (v->mask);
	}
      if (v->size <= 8 && v->offset <= s->size && v->size <= s->size - v->offset)
	memcpy ((char *) (uintptr_t) p->addr + v->offset, &bits, v->size);
    }
  return true;
}

static CUresult
place_all (struct emu_module *m)
{
  /* Programs get away with a little before a variable on the hardware, where
     the driver's own data lies.  */
  m->mem_bytes = LEAD;
  if (!each_var (m, lay_out))
    return CUDA_ERROR_OUT_OF_MEMORY;
  m->shared = (m->shared + 15) & -(size_t) 16;
  if (m->mem_bytes > LEAD)
    {
      CUresult r = emu_mem_alloc (&m->mem, m->mem_bytes);
      if (r != CUDA_SUCCESS)
	return r;
      memset ((void *) (uintptr_t) m->mem, 0, m->mem_bytes);
      emu_check_defined (m->mem, m->mem_bytes);
    }
  each_var (m, relocate);
  return each_var (m, initialise) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
}

uint64_t
emu_dynamic_shared (const struct emu_func *f)
{
  size_t end = f->module->shared;
  /* A device function does not know its kernel: the dynamic part starts after
     the largest one's variables.  */
  for (size_t k = 0; k < f->module->nfuncs; k++)
    if (f->module->shared + f->module->func[k]->shared > end)
      end = f->module->shared + f->module->func[k]->shared;
  return (end + 15) & -(size_t) 16;
}

/* ---- Loading ------------------------------------------------------------------------------ */

static CUresult
parse_all (struct emu_module *m, const struct emu_source *src, unsigned n)
{
  m->unit = calloc (n, sizeof *m->unit);
  if (!m->unit)
    return CUDA_ERROR_OUT_OF_MEMORY;
  for (m->nunits = 0; m->nunits < n; m->nunits++)
    {
      struct ptx_unit *u;
      char *log;
      CUresult r = emu_unit_parse (&src[m->nunits], &u, &log);
      if (log)
	message (m, "%.*s", (int) strcspn (log, "\n"), log);
      free (log);
      if (r)
	return r;
      m->unit[m->nunits].ptx = u;
    }
  return CUDA_SUCCESS;
}

CUresult
emu_module_load (struct emu_module **module, const struct emu_source *src,
		 unsigned n, char **log)
{
  struct emu_module *m = calloc (1, sizeof *m);
  CUresult r = CUDA_ERROR_OUT_OF_MEMORY;
  *module = NULL;
  if (log)
    *log = NULL;
  if (!m)
    return r;
  pthread_mutex_init (&m->lock, NULL);
  emu_mem_init ();
  m->place = map_new ();
  m->maxconsts = 256;
  m->consts = calloc (m->maxconsts, sizeof *m->consts);
  m->pool_end = POOL_FIRST;
  m->pool = mmap (NULL, POOL_BYTES, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (m->pool == MAP_FAILED)
    m->pool = NULL;
  if (m->place && m->consts && m->pool
      && (r = parse_all (m, src, n)) == CUDA_SUCCESS
      && (r = define_all (m)) == CUDA_SUCCESS
      && (r = add_functions (m)) == CUDA_SUCCESS
      && (r = place_all (m)) == CUDA_SUCCESS)
    r = check_uses (m);
  if (log)
    {
      *log = m->log;
      m->log = NULL;
    }
  if (r == CUDA_SUCCESS)
    *module = m;
  else
    emu_module_unload (m);
  return r;
}

void
emu_module_unload (struct emu_module *m)
{
  if (!m)
    return;
  emu_check_unload ();
  for (size_t k = 0; k < m->nfuncs; k++)
    free (m->func[k]->code);
  for (unsigned k = 0; k < m->nunits; k++)
    if (m->unit[k].ptx)
      ptx_unit_free (m->unit[k].ptx);
  if (m->mem)
    emu_mem_free (m->mem);
  if (m->pool)
    munmap (m->pool, POOL_BYTES);
  while (m->chunks)
    {
      struct chunk *c = m->chunks;
      m->chunks = c->next;
      free (c);
    }
  pthread_mutex_destroy (&m->lock);
  map_free (m->place);
  free (m->consts);
  free (m->unit);
  free (m->func);
  free (m->log);
  free (m);
}

CUresult
emu_module_func (struct emu_module *m, const char *name, struct emu_func **f)
{
  const struct global *g = lookup (m, name);
  if (!g || g->place.kind != PLACE_FUNC || !g->place.func->ptx
      || !g->place.func->ptx->is_entry)
    return CUDA_ERROR_NOT_FOUND;
  *f = g->place.func;
  return CUDA_SUCCESS;
}

/* A variable that is visible, or else one of a unit's own.  */
CUresult
emu_module_global (struct emu_module *m, const char *name, uint64_t *addr,
		   size_t *bytes)
{
  const struct global *g = lookup (m, name);
  const struct ptx_sym *s = g ? g->sym : NULL;
  for (unsigned k = 0; !g && !s && k < m->nunits; k++)
    for (s = m->unit[k].ptx->vars; s; s = s->next)
      if (s->linkage == PTX_LK_NONE && !strcmp (s->name, name))
	break;
  const struct place *p
    = s ? (void *) (uintptr_t) map_get (m->place, s) : NULL;
  if (!p || p->kind != PLACE_MEM)
    return CUDA_ERROR_NOT_FOUND;
  if (addr)
    *addr = p->addr;
  if (bytes)
    *bytes = s->size;
  return CUDA_SUCCESS;
}

/* ---- Functions as the driver sees them -------------------------------------------------- */

void
emu_func_info (const struct emu_func *f, struct emu_func_info *info)
{
  const struct emu_gpu *gpu = emu_gpu ();
  /* PTX names values, not registers: a quarter of them live at once, within
     what compilers usually end at.  */
  int regs = (int) (f->reg_bytes / 16);
  regs = regs < 16 ? 16 : regs > 64 ? 64 : (regs + 7) & -8;
  int threads = gpu->regs_per_block / regs & -LANES;
  if (threads > gpu->max_threads_per_block)
    threads = gpu->max_threads_per_block;
  if (f->maxntid && (int) f->maxntid < threads)
    threads = (int) f->maxntid;
  size_t local = 0;
  for (const struct ptx_sym *s = f->ptx->locals; s; s = s->next)
    if (s->kind == PTX_SYM_VAR && s->space == PTX_SP_LOCAL)
      local += s->size;
  *info = (struct emu_func_info){
    .name = f->name,
    .regs = regs,
    .shared = f->module->shared + f->shared,
    .local = local,
    .constant = f->module->const_bytes,
    .nparams = f->ptx->nparams,
    .params = f->params,
    .max_threads = threads,
  };
}

CUresult
emu_func_param (const struct emu_func *f, unsigned i, size_t *offset,
		size_t *size)
{
  size_t at = 0;
  for (const struct ptx_sym *s = f->ptx->params; s; s = s->next)
    {
      at = (at + s->align - 1) & -(size_t) s->align;
      if (i-- == 0)
	{
	  *offset = at;
	  *size = s->size;
	  return CUDA_SUCCESS;
	}
      at += s->size;
    }
  return CUDA_ERROR_INVALID_VALUE;
}

const struct insn *
emu_func_code (struct emu_func *f)
{
  struct insn *code = __atomic_load_n (&f->code, __ATOMIC_ACQUIRE);
  if (code)
    return code;
  pthread_mutex_lock (&f->module->lock);
  if (f->code || emu_decode (f))
    code = f->code;
  pthread_mutex_unlock (&f->module->lock);
  return code;
}
