/* The tags of a unit: comments that the compiler plugin left (abi.h).

   A region's body is the entry that carries the tag's function name, or, for
   OpenMP, the function NAME$impl that the entry hands to gomp_nvptx_main; or a
   form of the entry (forms.c).
   Both get the address of the argument block as first parameter.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include <stdlib.h>
#include <string.h>

struct tag
{
  struct acr_region *region;
  char *name;			/* of the function, as PTX spells it */
  bool ambiguous;		/* another tag of this name says else */
  const char *text;
  size_t len;
};

struct tags
{
  struct tag *tag;
  size_t n, room;
};

static void
add (struct tags *t, const char *text, size_t len)
{
  struct acr_region *r = acr_tag_parse (text, len);
  if (!r)
    return;
  char *name = strdup (r->fn);
  if (t->n == t->room)
    {
      t->room = t->room ? 2 * t->room : 8;
      t->tag = realloc (t->tag, t->room * sizeof *t->tag);
    }
  if (!name || !t->tag)
    abort ();
  for (char *c = name; *c; c++)
    if (*c == '.')
      *c = '$';
  struct tag *new = &t->tag[t->n++];
  *new = (struct tag) { r, name, false, text, len };
  for (size_t i = 0; i + 1 < t->n; i++)
    if (strcmp (t->tag[i].name, name) == 0
	&& (t->tag[i].len != len || memcmp (t->tag[i].text, text, len) != 0))
      t->tag[i].ambiguous = new->ambiguous = true;
}

/* Tags in the comments of TEXT.  One ends where its comment or line does.  */
static void
scan (struct tags *t, const char *text, size_t len)
{
  const char *end = text + len, *at;
  size_t n = strlen (ACR_TAG_MAGIC);
  while ((at = memmem (text, end - text, ACR_TAG_MAGIC, n)))
    {
      const char *stop = memchr (at, '\n', end - at);
      stop = stop ? stop : end;
      const char *close = memmem (at, stop - at, "*/", 2);
      add (t, at, (close ? close : stop) - at);
      text = stop;
    }
}

struct tags *
tags_read (const struct ptx_unit *u)
{
  struct tags *t = calloc (1, sizeof *t);
  if (!t)
    abort ();
  for (const struct ptx_stmt *s = u->first; s; s = s->next)
    scan (t, s->text, s->lead);
  scan (t, u->tail, u->tail_len);
  return t;
}

void
tags_free (struct tags *t)
{
  for (size_t i = 0; i < t->n; i++)
    {
      free (t->tag[i].region);
      free (t->tag[i].name);
    }
  free (t->tag);
  free (t);
}

const struct acr_region *
tags_find (const struct tags *t, const struct ptx_func *f)
{
  const char *name = f->sym->name;
  size_t len = strlen (name);
  if (!f->is_entry)
    {
      if (len < 5 || memcmp (name + len - 5, "$impl", 5) != 0)
	return NULL;
      len -= 5;
    }
  const char *form = strstr (name, ACR_FORM_SUFFIX);
  len = form ? (size_t) (form - name) : len;
  if (!f->params || f->params->size != 8)
    return NULL;
  for (size_t i = 0; i < t->n; i++)
    if (!t->tag[i].ambiguous && strlen (t->tag[i].name) == len
	&& memcmp (t->tag[i].name, name, len) == 0)
      return t->tag[i].region;
  return NULL;
}

bool
tags_is_kernel (const struct tags *t, const struct ptx_func *f)
{
  const struct acr_region *region = f->is_entry ? tags_find (t, f) : NULL;
  return region && region->spmd != ACR_SPMD_NO;
}

bool
tags_is_spmd (const struct tags *t, const struct ptx_func *f)
{
  return tags_is_kernel (t, f)
	 && tags_find (t, f)->kind == ACR_KIND_OMP_TARGET;
}
