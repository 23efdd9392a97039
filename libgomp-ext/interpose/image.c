/* Images of device code; see image.h.

   Sources: config/nvptx/mkoffload.cc (process) and nvptx.cc of GCC 12 to 16,
   GOMP_offload_register_ver, the PTX ISA's section on syntax.  An OpenMP region is
   a function NAME$impl, which a kernel NAME calls; an OpenACC one, or an SPMD
   kernel, is the kernel.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/fork.h"
#include "base/text.h"
#include "interpose/image.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum
{
  OFFLOAD_NVPTX = 5, /* gomp-constants.h, and VERSION_NVIDIA_PTX */
  VERSION_NVPTX = 1,
  VERSION_LIB_SHIFT = 16,
  VERSION_REQUIRES = 2 /* of libgomp's, from GCC 13 on: with a word in front */
};

struct entry
{
  struct entry *next;
  const struct acr_image *data;
  void *const *functions; /* the host's */
  bool prints, looked;    /* some unit; whether that is known */
  bool recursive;         /* some function calls itself */
  bool variables, counted; /* static ones; whether that is known */
  struct acr_image_region regions[]; /* by kernel; facts 0: not looked */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *images;

ACR_FORK_KEEPS (lock)

static bool
name_char_p (char c)
{
  return isalnum ((unsigned char)c) || c == '_' || c == '$';
}

/* The end of the block at OPEN, or END.  */
static const char *
block_end (const char *open, const char *end)
{
  unsigned depth = 0;
  for (; open < end; open++)
    if (*open == '{')
      depth++;
    else if (*open == '}' && --depth == 0)
      break;
  return open;
}

/* Does a function of U name itself?  */
static bool
unit_recursive (const struct acr_unit *u)
{
  static const char word[] = ".func ";
  const char *end = u->code + u->bytes, *p = u->code;
  while ((p = acr_find (p, end - p, word, sizeof word - 1)))
    {
      p += sizeof word - 1;
      /* The result comes first.  */
      if (*p == '(' && (p = memchr (p, ')', end - p)))
        p += 2;
      if (!p)
        return false;
      size_t n = 0;
      while (p + n < end && name_char_p (p[n]))
        n++;
      const char *name = p, *body = p + n;
      while (body < end && *body != '{' && *body != ';')
        body++;
      if (n == 0 || body == end || *body == ';')
        continue;
      p = block_end (body, end);
      while ((body = acr_find (body, p - body, name, n)))
        {
          if (!name_char_p (body[-1]) && !name_char_p (body[n]))
            return true;
          body += n;
        }
    }
  return false;
}

static _Atomic bool seen;

bool
acr_image_seen (void)
{
  return seen;
}

/* The image in DATA, of VERSION: a word in front of it says what OpenMP features
   the program requires.  */
static const struct acr_image *
image_of (unsigned version, const void *data)
{
  return version >> VERSION_LIB_SHIFT >= VERSION_REQUIRES
             ? (const void *)((const uintptr_t *)data + 1)
             : data;
}

void
acr_image_register (unsigned version, const void *host_table, int target_type,
                    const void *target_data)
{
  seen |= target_type == OFFLOAD_NVPTX;
  /* Begin and end of the functions come first.  */
  void *const *const *table = host_table;
  const struct acr_image *data = image_of (version, target_data);
  if (target_type != OFFLOAD_NVPTX || (version & 0xffff) != VERSION_NVPTX
      || table[1] - table[0] != data->nkernels)
    return;
  struct entry *i
      = calloc (1, sizeof *i + data->nkernels * sizeof *i->regions);
  if (!i)
    return;
  i->data = data;
  i->functions = table[0];
  for (unsigned n = 0; n < data->nunits; n++)
    i->recursive |= unit_recursive (&data->units[n]);
  pthread_mutex_lock (&lock);
  i->next = images;
  images = i;
  pthread_mutex_unlock (&lock);
}

void
acr_image_unregister (unsigned version, const void *target_data)
{
  const struct acr_image *data = image_of (version, target_data);
  pthread_mutex_lock (&lock);
  struct entry **link = &images, *i;
  while ((i = *link) && i->data != data)
    link = &i->next;
  if (i)
    *link = i->next;
  pthread_mutex_unlock (&lock);
  free (i);
}

/* The body, with braces, of the function or kernel NAME in UNIT, or NULL.  Its
   length goes to *N.  */
static const char *
find_body (const struct acr_unit *u, const char *name, size_t *n)
{
  const char *end = u->code + u->bytes;
  size_t len = strlen (name);
  for (const char *p = u->code;
       (p = acr_find (p, end - p, name, len)); p += len)
    {
      const char *after = p + len;
      bool defined
          = (p - u->code >= 7 && !memcmp (p - 7, ".entry ", 7))
            || (p - u->code >= 6 && !memcmp (p - 6, ".func ", 6));
      if (!defined || after == end || name_char_p (*after))
        continue;
      while (after < end && *after != '{' && *after != ';')
        after++;
      if (after == end || *after == ';')
        continue;
      *n = block_end (after, end) - after;
      return after;
    }
  return NULL;
}

static bool
has_word (const char *text, size_t n, const char *word)
{
  size_t len = strlen (word);
  const char *end = text + n;
  for (const char *p = text; (p = acr_find (p, end - p, word, len)); p += len)
    if (p > text && isspace ((unsigned char)p[-1]))
      return true;
  return false;
}

/* Whether all functions that U takes from other units are among those that are
   known to print nothing.  */
static bool
calls_silent (const struct acr_unit *u)
{
  static const char *const silent[]
      = { "GOMP_",   "gomp_nvptx_main", "omp_get_", "omp_in_", "omp_is_",
          "malloc ", "free ",           "mem",      "abort" };
  static const char word[] = ".extern .func ";
  const char *end = u->code + u->bytes, *p = u->code;
  while ((p = acr_find (p, end - p, word, sizeof word - 1)))
    {
      p += sizeof word - 1;
      /* The result comes first.  */
      if (*p == '(' && (p = memchr (p, ')', end - p)))
        p += 2;
      unsigned i = 0, n = sizeof silent / sizeof *silent;
      while (p && i < n && strncmp (p, silent[i], strlen (silent[i])))
        i++;
      if (!p || i == n)
        return false;
    }
  return true;
}

static unsigned
look (struct entry *entry, unsigned k)
{
  const struct acr_image *d = entry->data;
  const char *name = d->kernels[k].name;
  char function[strlen (name) + sizeof "$impl"];
  stpcpy (stpcpy (function, name), "$impl");
  const char *kernel = NULL, *inner = NULL;
  size_t nkernel = 0, ninner = 0;
  bool silent = true;
  for (unsigned i = 0; i < d->nunits; i++)
    {
      const struct acr_unit *u = &d->units[i];
      entry->prints |= !entry->looked
                       && acr_find (u->code, u->bytes, "vprintf", 7);
      if (!kernel && (kernel = find_body (u, name, &nkernel)))
        silent = calls_silent (u);
      if (!inner)
        inner = find_body (u, function, &ninner);
    }
  entry->looked = true;
  bool returns = inner ? has_word (inner, ninner, "ret;")
                       : kernel && has_word (kernel, nkernel, "ret;");
  return ACR_REGION_KNOWN | (returns ? ACR_REGION_RETURNS : 0)
         | (silent || !entry->prints ? ACR_REGION_SILENT : 0);
}

struct acr_image_region *
acr_image_region (const void *fn)
{
  struct acr_image_region *r = NULL;
  pthread_mutex_lock (&lock);
  for (struct entry *i = images; i && !r; i = i->next)
    for (unsigned k = 0; k < i->data->nkernels && !r; k++)
      if (i->functions[k] == fn)
        {
          r = &i->regions[k];
          if (!r->facts)
            r->facts = look (i, k);
        }
  pthread_mutex_unlock (&lock);
  return r;
}

unsigned
acr_image_facts (const void *fn)
{
  struct acr_image_region *r = acr_image_region (fn);
  return r ? r->facts : 0;
}

bool
acr_image_recursive (void)
{
  bool recursive = false;
  pthread_mutex_lock (&lock);
  for (struct entry *i = images; i; i = i->next)
    recursive |= i->recursive;
  pthread_mutex_unlock (&lock);
  return recursive;
}

/* Whether D has static variables: a declaration has a blank behind the state
   space, an access a dot.  */
static bool
has_variables (const struct acr_image *d)
{
  static const char word[] = ".global .";
  for (unsigned i = 0; i < d->nunits; i++)
    if (acr_find (d->units[i].code, d->units[i].bytes, word, sizeof word - 1))
      return true;
  return d->nvariables;
}

bool
acr_image_variables (void)
{
  bool variables = false;
  pthread_mutex_lock (&lock);
  for (struct entry *i = images; i; i = i->next)
    {
      if (!i->counted)
        i->variables = has_variables (i->data);
      i->counted = true;
      variables |= i->variables;
    }
  pthread_mutex_unlock (&lock);
  return variables;
}
