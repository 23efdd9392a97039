/* Variants of kernels that are compiled when somebody wants them; see
   variant.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/hash.h"
#include "ext.h"
#include "jit/aot.h"
#include "jit/build.h"
#include "jit/key.h"
#include "jit/split.h"
#include "jit/variant.h"
#include "launch/geometry/geometry-word.h"
#include "launch/nest/nest-mode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct acr_variants
{
  struct acr_variants *next;
  char *kernel;
  CUcontext ctx;
  struct acr_jit_conditions conditions;
  const struct acr_unit *aot; /* machine code that comes with it, or NULL */
  unsigned n;
  struct acr_unit unit[ACR_FORMS + 1]; /* of the kernel itself, or none; and of N */
  unsigned instead, rows; /* as in struct acr_variant_code */
  bool absent;
};

enum
{
  ITSELF
};

/* ---- Taking out -------------------------------------------------------- */

bool
acr_variants_may_wait (void)
{
  bool pinned = acr_env.form != FORM_DEFAULT && acr_env.form != 0;
  return !acr_opt_off (ACR_OPT_lazy) && !pinned
         && !acr_word_has (acr_env.geometry, ACR_WORD_ALL)
         && !acr_nest_device ().form;
}

/* The variants from FIRST on that are of the same kernel, whose code is then
   theirs.  Their number goes to *N.  NULL for want of memory.  */
static struct acr_variants *
of_kernel (struct acr_variant_code *first, unsigned most, unsigned *n)
{
  struct acr_variants *v = calloc (1, sizeof *v);
  *n = 0;
  if (!v || !(v->kernel = strndup (first->kernel, first->n)))
    {
      free (v);
      return NULL;
    }
  if (first->form == ITSELF)
    {
      v->unit[ITSELF] = first->unit;
      v->instead = first->instead;
      v->rows = first->rows;
      v->absent = first->absent;
      ++*n;
    }
  while (*n < most && first[*n].form == v->n + 1)
    v->unit[++v->n] = first[(*n)++].unit;
  return v;
}

/* Put the variants of S before *LIST, and let S be without them.  False, with
   all of it undone, for want of memory.  */
static bool
to_list (struct acr_split *s, struct acr_variants **list)
{
  struct acr_variants *before = *list;
  for (unsigned i = 0, n; i < s->nvariants; i += n)
    {
      struct acr_variants *v
          = of_kernel (&s->variants[i], s->nvariants - i, &n);
      if (!v)
        {
          /* Their code is still S's.  */
          while (*list != before)
            {
              v = *list;
              *list = v->next;
              free (v->kernel);
              free (v);
            }
          return false;
        }
      v->next = *list;
      *list = v;
    }
  s->nvariants = 0;
  return true;
}

/* Is the driver to compile first what it compiles soonest?  Machine code that comes with
   the program is of the kernels themselves; and where nothing is measured nobody finds
   out when a kernel has run so long that more may pay.  */
static bool
has_tiers (const struct acr_unit *aot)
{
  return !acr_opt_off (ACR_OPT_tiers) && !acr_opt_off (ACR_OPT_tune) && !aot
         && acr_env.form == FORM_DEFAULT;
}

/* Can the host do without KERNEL, a name of N bytes?  It executes the loop that a resident
   one does, and asks before it launches another one, unless the user has said something
   of it.  */
static bool
may_be_missed (const char *kernel, size_t n)
{
  char name[n + 1];
  *(char *)mempcpy (name, kernel, n) = '\0';
  struct acr_region *r = acr_region_of_kernel (name);
  struct acr_word w;
  bool may = r && (r->resident || r->ready) && !acr_word_pins (acr_env.geometry, name, &w);
  free (r);
  return may;
}

struct acr_unit *
acr_variants_take_out (const struct acr_unit *unit, struct acr_unit *adapted,
                       unsigned n, const struct acr_unit *aot,
                       const struct acr_jit_conditions *c,
                       struct acr_variants **list)
{
  CUcontext ctx;
  struct acr_unit *to = adapted;
  if (!acr_variants_may_wait () || acr_driver.ctx_get_current (&ctx))
    return adapted;
  for (unsigned i = 0; i < n; i++)
    {
      struct acr_split s;
      bool tiers = has_tiers (aot);
      if (!acr_split (to ? &to[i] : &unit[i], tiers,
                      tiers ? may_be_missed : NULL, &s))
        continue;
      if (!to && (to = malloc (n * sizeof *to)))
        memcpy (to, unit, n * sizeof *to);
      if (to && to_list (&s, list))
        {
          if (to[i].code != unit[i].code)
            free ((void *)to[i].code);
          to[i] = s.base;
        }
      else
        free ((void *)s.base.code);
      acr_split_free (&s);
    }
  for (struct acr_variants *v = *list; v; v = v->next)
    {
      v->conditions = *c;
      v->ctx = ctx;
      v->aot = aot;
    }
  return to;
}

struct acr_variants *
acr_variants_pick (struct acr_variants **list, const char *kernel)
{
  while (*list && strcmp ((*list)->kernel, kernel))
    list = &(*list)->next;
  struct acr_variants *v = *list;
  if (v)
    {
      *list = v->next;
      v->next = NULL;
    }
  return v;
}

void
acr_variants_free (struct acr_variants *v)
{
  for (struct acr_variants *next; v; v = next)
    {
      next = v->next;
      for (unsigned i = 0; i <= v->n; i++)
        free ((void *)v->unit[i].code);
      free (v->kernel);
      free (v);
    }
}

unsigned
acr_variants_count (const struct acr_variants *v)
{
  return v->n;
}

uint64_t
acr_variants_code (const struct acr_variants *v)
{
  uint64_t h = v->n;
  for (unsigned i = 0; i <= v->n; i++)
    if (v->unit[i].code)
      h = acr_hash (h, v->unit[i].code, v->unit[i].bytes);
  return h;
}

unsigned
acr_variants_instead (const struct acr_variants *v, uint64_t *trips)
{
  *trips = (uint64_t)v->rows * ACR_ROWS_THREADS;
  return v->instead;
}

bool
acr_variants_absent (const struct acr_variants *v)
{
  return v->absent;
}

/* ---- Compiling --------------------------------------------------------- */

/* Load the machine code of U that comes with the program.  */
static bool
load_aot (const struct acr_variants *v, const struct acr_unit *u,
          CUmodule *module)
{
  const struct acr_jit_conditions *c = &v->conditions;
  if (!v->aot || acr_opt_off (ACR_OPT_aot) || c->noptions)
    return false;
  size_t bytes;
  void *code
      = acr_aot_find (v->aot, c->major, c->minor, acr_aot_hash (u, 1), &bytes);
  bool ok = code && !acr_driver.module_load_data (module, code);
  free (code);
  acr_count (aot, ok);
  return ok;
}

/* The same in the current context.  */
static CUresult
load (const struct acr_variants *v, unsigned form, CUmodule *module,
      CUfunction *fn)
{
  const struct acr_unit *u = &v->unit[form];
  if (!load_aot (v, u, module))
    {
      bool found;
      CUresult r
          = acr_jit_build (&v->conditions, u, v->kernel, module, &found);
      if (r)
        return r;
      acr_count (variants_found, found);
      acr_count (variants_compiled, !found);
    }
  char name[strlen (v->kernel) + sizeof ACR_FORM_SUFFIX + 10];
  snprintf (name, sizeof name, form == ITSELF ? "%s" : "%s" ACR_FORM_SUFFIX "%u",
            v->kernel, form);
  CUresult r = acr_driver.module_get_function (fn, *module, name);
  if (r)
    (void)acr_driver.module_unload (*module);
  return r;
}

size_t
acr_variant_bytes (const struct acr_variants *v, unsigned form)
{
  return v->unit[form].bytes;
}

bool
acr_variant_is_kept (const struct acr_variants *v, unsigned form)
{
  return acr_jit_build_is_kept (&v->conditions, &v->unit[form]);
}

CUresult
acr_variant_load (const struct acr_variants *v, unsigned form,
                  CUmodule *module, CUfunction *fn)
{
  double begin = acr_now_us ();
  CUresult r = acr_driver.ctx_push_current (v->ctx);
  if (r)
    return r;
  CUcontext out;
  r = load (v, form, module, fn);
  (void)acr_driver.ctx_pop_current (&out);
  acr_debug (1, "variant %u of %s: %s, %.1f ms", form, v->kernel,
             r ? acr_cuda_error (r) : "there", (acr_now_us () - begin) * 1e-3);
  return r;
}
