/* The device's malloc and free; see device-malloc.h.

   Source: newlib/libc/machine/nvptx/{malloc,free,calloc,realloc}.c; PTX ISA,
   activemask (6.2).

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "jit/device-malloc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char functions[] =
#include "malloc-ptx.h"
    ;

/* First GPUs whose lanes may wait for each other at different places.  */
#define MIN_MAJOR 7

#define PTX_VERSION ".version "
#define LAYER ".func acr_heap_free "

/* The driver's functions, what is called in their place, and how they are
   declared.  */
static const struct
{
  const char *name, *with, *declared, *declaration;
} replaced[] = {
  { "malloc", "acr_heap_malloc", ") malloc ",
    ".extern .func (.param .u64 %value_out) malloc (.param .u64 %in_ar0);\n" },
  { "free", "acr_heap_free", ".func free ",
    ".extern .func free (.param .u64 %in_ar0);\n" },
};

enum
{
  REPLACED = sizeof replaced / sizeof *replaced
};

/* Is the name at AT, of N bytes, in T what a call calls?  */
static bool
called_p (const struct acr_text *t, const char *at, size_t n)
{
  const char *end = t->p + t->n, *before = at, *after = at + n;
  while (before > t->p && (before[-1] == ' ' || before[-1] == '\t'))
    before--;
  while (after < end && (*after == ' ' || *after == '\t'))
    after++;
  bool operand = before > t->p && before[-1] == ',' && before - 1 > t->p
                 && before[-2] == ')';
  return (operand
          || (before - t->p >= 4 && before < at
              && !memcmp (before - 4, "call", 4)))
         && after < end && *after == ',';
}

/* The next use of NAME as a word in T from FROM on, or NULL.  */
static const char *
next_word (const struct acr_text *t, size_t from, const char *name)
{
  size_t n = strlen (name);
  const char *at;
  for (; (at = acr_text_find (t, from, name)); from = at - t->p + 1)
    if (at > t->p && !acr_text_in_name (at[-1]) && at + n < t->p + t->n
        && !acr_text_in_name (at[n]))
      return at;
  return NULL;
}

/* The next call of NAME in T from FROM on, or NULL.  */
static const char *
next_call (const struct acr_text *t, size_t from, const char *name)
{
  const char *at;
  for (; (at = next_word (t, from, name)); from = at - t->p + 1)
    if (called_p (t, at, strlen (name)))
      return at;
  return NULL;
}

/* Does T use NAME, a function, but for calling and declaring it?  */
static bool
takes_address (const struct acr_text *t, const char *name)
{
  size_t n = strlen (name);
  const char *at = t->p, *end = t->p + t->n;
  for (size_t from = 0; (at = next_word (t, from, name)); from = at - t->p + 1)
    {
      const char *after = at + n;
      while (after < end && *after == ' ')
        after++;
      if (after < end && (*after == ';' || *after == '+' || *after == '}'))
        return true;
    }
  return false;
}

/* Whether T may have to do with allocation: all names below have one of these.  Most
   units have none.  */
static bool
may_allocate (const struct acr_text *t)
{
  return acr_text_find (t, 0, "alloc") || acr_text_find (t, 0, "free")
         || acr_text_find (t, 0, "strdup");
}

/* Let T say that it is PTX 6.2, if it says 6.0 or 6.1.  False when it is older.  */
static bool
raise_version (struct acr_text *t)
{
  const char *at = acr_text_find (t, 0, PTX_VERSION);
  int major, minor;
  if (!at)
    return false;
  at += strlen (PTX_VERSION);
  if (sscanf (at, "%d.%d", &major, &minor) != 2 || major < 6)
    return false;
  if (major == 6 && minor < 2)
    acr_text_splice (t, at, strlen ("6.0"), "6.2");
  return true;
}

/* Add malloc.ptx to T, before the first function, and declarations that T
   lacks.  */
static void
add_functions (struct acr_text *t)
{
  static const struct
  {
    const char *what;
    unsigned n;
  } numbers[] = {
    { "ACR_SLOT_MASK", ACR_HEAP_NSLOTS - 1 },
    { "ACR_SLOTS", 8 * ACR_HEAP_SLOTS },
    { "ACR_HEAD", 8 * ACR_HEAP_HEAD },
    { "ACR_PIECES", 8 * ACR_HEAP_PIECES },
    { "ACR_NEXT", 8 * ACR_HEAP_COUNTS + 4 },
    { "ACR_COUNT", 8 * ACR_HEAP_COUNTS },
    { "ACR_CHUNK_BITS", ACR_HEAP_CHUNK_BITS },
    { "ACR_CHUNK", ACR_HEAP_CHUNK },
    { "ACR_PIECE", ACR_HEAP_PIECE },
    { "ACR_UNIT_BITS", ACR_HEAP_CHUNK_BITS - 8 },
  };
  struct acr_text to = { .p = functions, .n = sizeof functions - 1 };
  char number[16];
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    {
      snprintf (number, sizeof number, "%u", numbers[i].n);
      acr_text_replace (&to, 0, numbers[i].what, number);
    }
  for (unsigned i = 0; i < REPLACED; i++)
    acr_text_splice (&to, to.p, 0, replaced[i].declaration);
  const char *at = acr_text_find (t, 0, "FUNCTION DEF: ");
  while (at && at > t->p && at[-1] != '\n')
    at--;
  t->failed |= to.failed;
  if (at && !t->failed)
    {
      char *text = strndup (to.p, to.n);
      t->failed |= !text;
      if (text)
        acr_text_splice (t, at, 0, text);
      free (text);
    }
  free (to.own);
}

/* Let T call the functions of malloc.ptx; how many calls it has.  */
static unsigned
replace_calls (struct acr_text *t)
{
  unsigned calls = 0;
  const char *at;
  for (unsigned i = 0; i < REPLACED; i++)
    for (size_t from = 0;
         !t->failed && (at = next_call (t, from, replaced[i].name)); calls++)
      {
        from = at - t->p;
        acr_text_splice (t, at, strlen (replaced[i].name), replaced[i].with);
      }
  return calls;
}

void
acr_device_malloc_edit (struct acr_text *t, int major)
{
  if (major < MIN_MAJOR || !may_allocate (t)
      || !acr_text_find (t, 0, "FUNCTION DEF: ")
      || acr_text_find (t, 0, LAYER))
    return;
  bool calls = false;
  for (unsigned i = 0; i < REPLACED; i++)
    {
      calls |= next_call (t, 0, replaced[i].name) != NULL;
      if (takes_address (t, replaced[i].name))
        return;
    }
  if (calls && raise_version (t) && replace_calls (t))
    add_functions (t);
}

enum acr_device_malloc
acr_device_malloc_look (const struct acr_text *t)
{
  static const char *const allocators[]
      = { "acr_heap_malloc", "__nvptx_malloc", "__nvptx_realloc", "calloc",
          "strdup" };
  if (!may_allocate (t))
    return ACR_MALLOC_NONE;
  /* The layer itself calls each once.  */
  bool layer = acr_text_find (t, 0, LAYER);
  for (unsigned i = 0; i < REPLACED; i++)
    {
      const char *at = next_call (t, 0, replaced[i].name);
      if ((at && !layer) || takes_address (t, replaced[i].name)
          || (at && next_call (t, at - t->p + 1, replaced[i].name)))
        return ACR_MALLOC_DRIVER;
    }
  if (acr_text_find (t, 0, ".entry "))
    for (size_t i = 0; i < sizeof allocators / sizeof *allocators; i++)
      if (next_call (t, 0, allocators[i]))
        return ACR_MALLOC_WANTED;
  return layer ? ACR_MALLOC_LAYER : ACR_MALLOC_NONE;
}
