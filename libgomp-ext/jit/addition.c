/* Additions of doubles to memory; see addition.h.

   Source: PTX ISA, red.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "abi/addition.h"
#include "jit/addition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The architecture that has the instruction, and the PTX that names it.  */
#define FIRST "60"
#define FIRST_VERSION 5

#define TARGET "\n.target sm_"
#define PTX_VERSION "\n.version "

/* Characters of a register's name.  */
#define REGISTER                                                              \
  "%_$0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

enum
{
  NAME = 32 /* of a register */
};

/* State spaces that the loop may name.  */
static const char *const spaces[] = { ".global", ".shared", "" };

/* A register's name, which AFTER comes before and END behind, somewhere in the
   lines at AT.  */
static bool
read_name (char name[NAME], const char *at, const char *after, char end)
{
  const char *from = strstr (at, after), *to;
  if (!from)
    return false;
  from += strlen (after);
  to = from + strspn (from, REGISTER);
  if (*to != end || to - from >= NAME)
    return false;
  *(char *)mempcpy (name, from, to - from) = '\0';
  return true;
}

/* Is there a loop at AT, of N bytes?  Its length, and to TO the instruction in
   its place.  */
static size_t
read_loop (const char *at, size_t n, const char *space, char to[4 * NAME])
{
  char lines[600], loop[600], address[NAME], value[NAME];
  size_t most = n < sizeof lines ? n : sizeof lines - 1;
  *(char *)mempcpy (lines, at, most) = '\0';
  if (!read_name (address, lines, "%acr_seen,[", ']')
      || !read_name (value, lines, "%acr_sum,%acr_sum,", ';'))
    return 0;
  size_t len = snprintf (loop, sizeof loop, ACR_ADDITION_LOOP, space, address,
                         value);
  if (len >= sizeof loop)
    return 0;
  /* Assemblers of nvptx-tools from 2024 on leave out the blank behind @.  */
  char *blank = strstr (loop, "\n@ ");
  if (strncmp (lines, loop, len) && blank)
    {
      blank += strlen ("\n@");
      memmove (blank, blank + 1, strlen (blank));
      len--;
    }
  if (strncmp (lines, loop, len))
    return 0;
  snprintf (to, 4 * NAME, "red%s%s [%s],%s;\n", space,
            ACR_ADDITION + strlen ("red"), address, value);
  return len;
}

/* Let T, which is owned, have the instruction for each loop that names SPACE;
   how many.  */
static unsigned
edit_loops (struct acr_text *t, const char *space)
{
  char begin[64], with[4 * NAME];
  unsigned found = 0;
  char *out = t->own;
  const char *rest = t->own, *end = t->own + t->n, *at;
  snprintf (begin, sizeof begin, "ld.volatile%s.b64 %%acr_seen,[", space);
  for (size_t from = 0; (at = acr_text_find (t, from, begin));)
    {
      size_t len = read_loop (at, end - at, space, with);
      from = at - t->p + (len ? len : 1);
      if (!len)
        continue;
      memmove (out, rest, at - rest);
      out = mempcpy (out + (at - rest), with, strlen (with));
      rest = at + len;
      found++;
    }
  memmove (out, rest, end - rest);
  t->n = out + (end - rest) - t->own;
  return found;
}

/* Where T names the architecture that it is for, when that lacks the instruction
   but T's PTX knows those that have it; or NULL.  */
static const char *
old_target (const struct acr_text *t, size_t *digits)
{
  const char *at = acr_text_find (t, 0, TARGET);
  const char *version = acr_text_find (t, 0, PTX_VERSION);
  if (!at || !version || atoi (version + strlen (PTX_VERSION)) < FIRST_VERSION)
    return NULL;
  at += strlen (TARGET);
  *digits = strspn (at, "0123456789");
  return *digits == 2 && strncmp (at, FIRST, 2) < 0 ? at : NULL;
}

/* Let T be owned.  */
static bool
own (struct acr_text *t)
{
  if (!t->own && (t->own = malloc (t->n)))
    t->p = memcpy (t->own, t->p, t->n);
  t->failed |= !t->own;
  return !t->failed;
}

unsigned
acr_addition_edit (struct acr_text *t, int major)
{
  size_t digits;
  unsigned found = 0;
  if (major < ACR_ADDITION_MAJOR || t->failed || !old_target (t, &digits)
      || !acr_text_find (t, 0, "$acr_again:\nmov.b64 %acr_old") || !own (t))
    return 0;
  for (unsigned i = 0; i < sizeof spaces / sizeof *spaces; i++)
    found += edit_loops (t, spaces[i]);
  if (found)
    acr_text_splice (t, old_target (t, &digits), digits, FIRST);
  return found;
}
