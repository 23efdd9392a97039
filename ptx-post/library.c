/* Reading the device's libraries: archives whose members are PTX.

   The libraries lie beside the compiler that runs us, else where the configured
   one has them.

   Source: ar(5); write_fn_marker and write_var_marker in GCC's
   config/nvptx/nvptx.cc for the lines that make symbols known.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "library.h"
#include "post.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 60, SIZE_AT = 48, SIZE_LEN = 10 };
static const char magic[] = "!<arch>\n";

/* A member that has been asked for.  */
struct object
{
  const char *text;
  const struct ptx_unit *unit;
  struct object *next;
};

static struct archive
{
  const char *name;
  bool read;
  const char *text;		/* or NULL */
  size_t len;
  struct object *objects;
} archives[LIBRARY_COUNT] = {
  [LIBRARY_M] = { .name = "libm.a" },
  [LIBRARY_GCC] = { .name = "libgcc.a" },
  [LIBRARY_C] = { .name = "libc.a" }
};

static char *
read_beside (const char *folder, size_t folder_len, const char *name,
	     size_t *len)
{
  char path[PATH_MAX];
  int n = snprintf (path, sizeof path, "%.*s/%s", (int) folder_len, folder,
		    name);
  return n > 0 && (size_t) n < sizeof path ? read_all (path, len) : NULL;
}

static void
read_archive (struct archive *a)
{
  static const char below[] = "mgomp/";
  char name[sizeof below + 10];
  const char *lto = getenv ("COLLECT_LTO_WRAPPER");
  const char *slash = lto ? strrchr (lto, '/') : NULL;
  snprintf (name, sizeof name, "%s%s", below, a->name);
  a->read = true;
  if (slash)
    a->text = read_beside (lto, slash - lto, name, &a->len);
  if (!a->text)
    a->text = read_beside (ACR_NVPTX_LIBRARIES, strlen (ACR_NVPTX_LIBRARIES),
			   name, &a->len);
  if (a->text && strncmp (a->text, magic, sizeof magic - 1) != 0)
    a->text = NULL;
}

/* The unit of the member [TEXT, TEXT + LEN) of A, or NULL.  */
static const struct ptx_unit *
object_unit (struct archive *a, const char *text, size_t len)
{
  struct ptx_error e;
  for (struct object *o = a->objects; o; o = o->next)
    if (o->text == text)
      return o->unit;
  struct object *o = malloc (sizeof *o);
  if (!o)
    return NULL;
  /* Members are padded with a NUL, or a newline.  */
  while (len && text[len - 1] == '\0')
    len--;
  *o = (struct object) { text, ptx_parse (a->name, text, len, &e),
			 a->objects };
  a->objects = o;
  return o->unit;
}

/* The member of A with the line MARK.  */
static const struct ptx_unit *
find_in (struct archive *a, const char *mark)
{
  if (!a->read)
    read_archive (a);
  const char *end = a->text ? a->text + a->len : NULL;
  const char *at = a->text ? memmem (a->text, a->len, mark, strlen (mark))
			   : NULL;
  if (!at)
    return NULL;
  for (const char *p = a->text + sizeof magic - 1; end - p >= HEADER;)
    {
      unsigned long size = strtoul (p + SIZE_AT, NULL, 10);
      const char *text = p + HEADER;
      if (size > (size_t) (end - text))
	return NULL;
      if (at >= text && at < text + size)
	return object_unit (a, text, size);
      p = text + size + size % 2;
    }
  return NULL;
}

static const struct ptx_unit *
find (const char *kind, const char *name, enum library *from)
{
  char mark[300];
  int n = snprintf (mark, sizeof mark, "\n// BEGIN GLOBAL %s DEF: %s\n", kind,
		    name);
  if (n <= 0 || (size_t) n >= sizeof mark)
    return NULL;
  for (*from = 0; *from < LIBRARY_COUNT; ++*from)
    {
      const struct ptx_unit *u = find_in (&archives[*from], mark);
      if (u)
	return u;
    }
  return NULL;
}

const struct ptx_unit *
library_function (const char *name, enum library *from)
{
  return find ("FUNCTION", name, from);
}

const struct ptx_unit *
library_variable (const char *name, enum library *from)
{
  return find ("VAR", name, from);
}
