/* Argument blocks as parameters: the edit of PTX; see params.h.

   The text is read once, from one mention of the register to the next, and
   written to a copy.  Mentions are, in each kernel,

     .reg .u64 %acr_args32;                 stays
     ld.param.u64 %acr_args32,[NAME];       mov.u64 %acr_args32,NAME;
     ld.global.nc.u64 X,[%acr_args32+8];    ld.param.u64 X,[%acr_args32+8];

   and in front of them is the kernel's header, with ".param .u64 NAME", which
   becomes ".param .align 8 .b8 NAME[32]".

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "abi/abi.h"
#include "jit/params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An edit of a text: what comes before IN is in OUT, which has N of ROOM bytes.  */
struct edit
{
  const char *in, *end;
  char *out;
  size_t n, room;
  bool failed; /* for want of memory */
};

static const char reg[] = ACR_ARGS_REG;

static const char *
find (const char *from, const char *end, const char *what)
{
  return acr_find (from, end - from, what, strlen (what));
}

/* The last WHAT from FROM to END, or NULL.  */
static const char *
find_last (const char *from, const char *end, const char *what)
{
  const char *last = NULL;
  while ((from = find (from, end, what)))
    last = from++;
  return last;
}

static void
append (struct edit *e, const char *p, size_t n)
{
  if (!e->failed && n > e->room - e->n)
    {
      char *to = realloc (e->out, 2 * (e->n + n));
      e->failed = !to;
      e->out = to ? to : e->out;
      e->room = to ? 2 * (e->n + n) : e->room;
    }
  if (e->failed)
    return;
  memcpy (e->out + e->n, p, n);
  e->n += n;
}

static void
copy_to (struct edit *e, const char *p)
{
  append (e, e->in, p - e->in);
  e->in = p;
}

/* Write WITH in place of what is up to P.  */
static void
put (struct edit *e, const char *with, const char *p)
{
  append (e, with, strlen (with));
  e->in = p;
}

static size_t
name_length (const char *p)
{
  return strcspn (p, " \t\n(,)[];+");
}

/* The kernel whose body has its register first at AT has a block of BYTES, and
   the first parameter NAME: write its header.  Its name is *KERNEL.  */
static bool
edit_header (struct edit *e, const char *at, const char *name, size_t n,
             size_t bytes, const char **kernel)
{
  static const char param[] = ".param";
  const char *entry = find_last (e->in, at, ".entry ");
  const char *first = entry ? find (entry, at, param) : NULL;
  if (!first)
    return false;
  *kernel = entry + strlen (".entry ");
  const char *type = first + strlen (param);
  type += strspn (type, " \t");
  const char *own = type + strcspn (type, " \t");
  own += strspn (own, " \t");
  if (strncmp (type, ".u64", 4) || name_length (own) != n
      || memcmp (own, name, n))
    return false;
  char size[32];
  snprintf (size, sizeof size, "[%zu]", bytes);
  copy_to (e, first);
  put (e, ".param .align 8 .b8 ", own);
  copy_to (e, own + n);
  put (e, size, own + n);
  return true;
}

/* The load of the parameter at AT, of which the register is at AT_REG: edit it
   and the header.  */
static bool
edit_start (struct edit *e, const char *at, const char *at_reg,
            struct acr_params_kernel *k)
{
  char *behind;
  const char *kernel;
  k->bytes = strtoul (at_reg + strlen (reg), &behind, 10);
  const char *open = find (behind, e->end, "[");
  if (*behind != ',' || !open)
    return false;
  const char *name = open + 1;
  size_t n = name_length (name);
  if (name[n] != ']' || !k->bytes
      || !edit_header (e, at, name, n, k->bytes, &kernel))
    return false;
  k->name = strndup (kernel, name_length (kernel));
  copy_to (e, at);
  put (e, "mov.u64 ", at_reg);
  copy_to (e, behind);
  put (e, ",", name);
  copy_to (e, name + n);
  e->in = name + n + 1;
  return k->name;
}

/* The same of a load from the block, whose address is at AT_REG.  */
static bool
edit_load (struct edit *e, const char *at_reg)
{
  static const char *const suffixes[] = { ".global", ".nc" };
  const char *at = find_last (e->in, at_reg, "ld.");
  if (!at || memchr (at, ';', at_reg - at))
    return false;
  copy_to (e, at);
  put (e, "ld.param", at + strlen ("ld"));
  for (unsigned i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    if (!strncmp (e->in, suffixes[i], strlen (suffixes[i])))
      e->in += strlen (suffixes[i]);
  copy_to (e, at_reg + strlen (reg));
  return true;
}

/* Add K to LIST, unless it is a variant of one: that is asked for by the kernel's
   name.  */
static bool
add (struct acr_params *list, struct acr_params_kernel k)
{
  if (strstr (k.name, ACR_FORM_SUFFIX))
    {
      free (k.name);
      return true;
    }
  if (list->n == list->room)
    {
      unsigned room = list->room ? 2 * list->room : 16;
      void *to = realloc (list->kernel, room * sizeof *list->kernel);
      if (!to)
        return false;
      list->kernel = to;
      list->room = room;
    }
  list->kernel[list->n++] = k;
  return true;
}

/* Edit at the register's mention at P.  */
static bool
edit_mention (struct edit *e, const char *p, unsigned unit,
              struct acr_params *list)
{
  static const char decl[] = ".reg .u64 ", load[] = "ld.param.u64 ";
  size_t before = p - e->in;
  if (before >= strlen (decl)
      && !memcmp (p - strlen (decl), decl, strlen (decl)))
    return true;
  if (p[-1] == '[')
    return edit_load (e, p);
  struct acr_params_kernel k = { .unit = unit };
  if (before < strlen (load)
      || memcmp (p - strlen (load), load, strlen (load))
      || !edit_start (e, p - strlen (load), p, &k) || !add (list, k))
    {
      free (k.name);
      return false;
    }
  return true;
}

void
acr_params_edit (struct acr_text *t, unsigned unit, struct acr_params *list)
{
  struct acr_params none = { 0 }, *to = list ? list : &none;
  struct edit e = { .in = t->p, .end = t->p + t->n };
  const char *p = find (e.in, e.end, reg);
  /* The text grows by less: a header by some bytes, while loads become shorter.  */
  e.room = t->n + t->n / 8;
  if (t->failed || !p || !(e.out = malloc (e.room)))
    return;
  bool ok = true;
  for (; ok && p; p = find (p + 1 > e.in ? p + 1 : e.in, e.end, reg))
    ok = edit_mention (&e, p, unit, to);
  copy_to (&e, e.end);
  if (ok && !e.failed)
    {
      free (t->own);
      t->p = t->own = e.out;
      t->n = e.n;
    }
  else
    {
      free (e.out);
      acr_params_drop (to, unit);
    }
  acr_params_free (&none);
}

size_t
acr_params_of (const struct acr_params *list, const char *name)
{
  for (unsigned i = 0; i < list->n; i++)
    if (!strcmp (list->kernel[i].name, name))
      return list->kernel[i].bytes;
  return 0;
}

void
acr_params_drop (struct acr_params *list, unsigned unit)
{
  unsigned n = 0;
  for (unsigned i = 0; i < list->n; i++)
    if (list->kernel[i].unit == unit)
      free (list->kernel[i].name);
    else
      list->kernel[n++] = list->kernel[i];
  list->n = n;
}

void
acr_params_free (struct acr_params *list)
{
  for (unsigned i = 0; i < list->n; i++)
    free (list->kernel[i].name);
  free (list->kernel);
  *list = (struct acr_params){ 0 };
}
