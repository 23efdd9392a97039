/* Two kernels as one: see pair.h.

   load, for each side -> settle -> write_all

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pair/pair.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Reading ---- */

static bool
same_file (const char *a, const char *b)
{
  struct stat x, y;
  return stat (a, &x) == 0 && stat (b, &y) == 0 && x.st_dev == y.st_dev
	 && x.st_ino == y.st_ino;
}

/* Find the kernel of SIDE, which is called NAME, or "" when it is the only
   one.  */
static bool
find_kernel (struct pair_side *side, const char *name)
{
  unsigned n = 0;
  for (const struct ptx_func *f = side->unit->funcs; f; f = f->next)
    if (f->is_entry && f->has_body
	&& (!*name || strcmp (f->sym->name, name) == 0))
      {
	side->kernel = f;
	n++;
      }
  if (n != 1)
    return pair_refuse (side, NULL, "%s kernel %s", n ? "more than one" : "no",
			name);
  side->name = pair_text ("%s", side->kernel->sym->name);
  return true;
}

/* Read what INPUT, FILE:KERNEL, says for side I.  */
static bool
load (struct pair *p, unsigned i, const char *input)
{
  struct pair_side *side = &p->side[i];
  const char *colon = strrchr (input, ':');
  size_t len = colon ? (size_t) (colon - input) : strlen (input);
  side->index = i;
  side->file = pair_text ("%.*s", (int) len, input);
  if (i && same_file (p->side[0].file, side->file))
    side->unit = p->unit[0];
  else
    side->unit = p->unit[i] = read_unit (side->file);
  return side->unit && find_kernel (side, colon ? colon + 1 : "");
}

/* ---- The pair ---- */

static void
free_names (struct pair_names *names)
{
  for (struct pair_name *n = names->first, *next; n; n = next)
    {
      next = n->next;
      free ((char *) n->to);
      free (n);
    }
}

static void
free_side (struct pair_side *side)
{
  for (struct pair_func *f = side->funcs, *next; f; f = next)
    {
      next = f->next;
      for (struct pair_call *c = f->calls, *after; c; c = after)
	{
	  after = c->next;
	  free (c);
	}
      free (f->copy);
      free (f);
    }
  for (struct pair_var *v = side->vars, *next; v; v = next)
    {
      next = v->next;
      free (v);
    }
  free_names (&side->names);
  free (side->file);
  free (side->name);
}

char *
pair_run (const struct pair_options *opt, size_t *len)
{
  struct pair p = { .opt = opt };
  char *text = NULL;
  if (load (&p, 0, opt->input[0]) && load (&p, 1, opt->input[1])
      && pair_settle (&p))
    {
      p.out = open_memstream (&text, len);
      if (!p.out)
	abort ();
      pair_write_all (&p);
      if (fclose (p.out) != 0)
	abort ();
      if (opt->explain)
	pair_write_protocol (&p, opt->explain, "ptx-post: ");
    }
  for (unsigned i = 0; i < PAIR_SIDES; i++)
    {
      free_side (&p.side[i]);
      ptx_unit_free (p.unit[i]);
    }
  free_names (&p.renamed);
  free (p.prefix);
  free (p.entry);
  free (p.target);
  return text;
}
