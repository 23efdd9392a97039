/* Reading the text form of a kernel-vector graph; the grammar is in
   plan-text.h.  The file is held as a whole, words are slices of it.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"
#include "planner/plan-text.h"

#include <errno.h>
#include <search.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A word; empty at the end of a line.  */
struct word
{
  const char *text;
  size_t len;
};

/* A vector or kernel in a tree of names.  */
struct name
{
  struct word word;
  unsigned index;
};

struct reader
{
  const char *file;
  char *text, *end;
  const char *next;        /* what follows the last word */
  void *vectors, *kernels; /* trees of names */
  struct word *wanted;     /* of each vector: its EXIT, or empty */
  struct plan_text *out;
  jmp_buf failed;
};

/* Errors.  */

__attribute__ ((noreturn, format (printf, 3, 4))) static void
fail_at (struct reader *r, struct word w, const char *fmt, ...)
{
  unsigned line = 1;
  const char *bol = r->text, *eol = w.text;
  for (const char *p = r->text; p < w.text; p++)
    if (*p == '\n')
      line++, bol = p + 1;
  while (eol < r->end && *eol != '\n')
    eol++;

  fprintf (stderr, "%s:%u:%d: error: ", r->file, line,
           (int)(w.text - bol) + 1);
  va_list ap;
  va_start (ap, fmt);
  vfprintf (stderr, fmt, ap);
  va_end (ap);
  fprintf (stderr, "\n%.*s\n", (int)(eol - bol), bol);
  for (const char *p = bol; p < w.text; p++)
    putc (*p == '\t' ? '\t' : ' ', stderr);
  fputs ("^\n", stderr);
  longjmp (r->failed, 1);
}

__attribute__ ((noreturn)) static void
fail (struct reader *r, const char *why)
{
  fprintf (stderr, "%s: %s\n", r->file, why);
  longjmp (r->failed, 1);
}

static void *
check (struct reader *r, void *p)
{
  if (!p)
    fail (r, acr_plan_strerror (ACR_PLAN_NOMEM));
  return p;
}

/* Words.  */

static struct word
get_word (struct reader *r)
{
  const char *p = r->next;
  while (p < r->end && (*p == ' ' || *p == '\t' || *p == '\r'))
    p++;
  struct word w = { p, 0 };
  if (p < r->end && *p != '#')
    w.len = strcspn (p, " \t\r\n#");
  r->next = p + w.len;
  return w;
}

static void
end_line (struct reader *r)
{
  struct word w = get_word (r);
  if (w.len)
    fail_at (r, w, "unexpected '%.*s'", (int)w.len, w.text);
  r->next += strcspn (r->next, "\n");
  if (r->next < r->end)
    r->next++;
}

static bool
is (struct word w, const char *text)
{
  return w.len == strlen (text) && !memcmp (w.text, text, w.len);
}

/* Names.  */

static int
compare_names (const void *a, const void *b)
{
  const struct name *x = a, *y = b;
  if (x->word.len != y->word.len)
    return x->word.len < y->word.len ? -1 : 1;
  return memcmp (x->word.text, y->word.text, x->word.len);
}

static const struct name *
find_name (void *const *tree, struct word w)
{
  struct name key = { w, 0 };
  struct name **found = tfind (&key, tree, compare_names);
  return found ? *found : NULL;
}

/* Read a new name, number INDEX, for a KIND into *TREE and *TEXT.  */
static struct word
define_name (struct reader *r, const char *kind, void **tree, char ***text,
             unsigned index)
{
  struct word w = get_word (r);
  if (!w.len)
    fail_at (r, w, "expected the name of a %s", kind);
  if (is (w, "->") || is (w, ":"))
    fail_at (r, w, "expected the name of a %s, not '%.*s'", kind, (int)w.len,
             w.text);
  if (find_name (tree, w))
    fail_at (r, w, "%s '%.*s' is defined twice", kind, (int)w.len, w.text);

  struct name *name = check (r, malloc (sizeof *name));
  *name = (struct name){ w, index };
  if (!tsearch (name, tree, compare_names))
    {
      free (name);
      check (r, NULL);
    }
  /* Doubled when INDEX is a power of two; a zero ends the array.  */
  if ((index & (index - 1)) == 0)
    {
      size_t room = index ? 2 * (size_t)index : 1;
      *text = check (r, reallocarray (*text, room + 1, sizeof **text));
    }
  (*text)[index + 1] = NULL;
  (*text)[index] = strndup (w.text, w.len);
  check (r, (*text)[index]);
  return w;
}

/* Directives.  */

bool
plan_text_bytes (const char *text, size_t len, size_t *bytes)
{
  static const char units[] = "KMG";
  const char *end = text + len, *unit;
  if (text == end || *text < '0' || *text > '9')
    return false;
  for (*bytes = 0; text < end && *text >= '0' && *text <= '9'; text++)
    if (__builtin_mul_overflow (*bytes, 10, bytes)
        || __builtin_add_overflow (*bytes, (size_t)(*text - '0'), bytes))
      return false;
  if (text + 1 == end && *text && (unit = strchr (units, *text)))
    {
      size_t factor = (size_t)1 << 10 * (unit - units + 1);
      return !__builtin_mul_overflow (*bytes, factor, bytes);
    }
  return text == end;
}

static enum acr_where
parse_where (struct reader *r, struct word w)
{
  if (is (w, "host"))
    return ACR_HOST;
  if (is (w, "device"))
    return ACR_DEVICE;
  if (is (w, "host+device"))
    return ACR_BOTH;
  if (!w.len)
    fail_at (r, w, "expected host, device or host+device");
  fail_at (r, w, "expected host, device or host+device, not '%.*s'",
           (int)w.len, w.text);
}

static void
parse_vector (struct reader *r)
{
  struct plan_text *out = r->out;
  enum acr_where entry = ACR_NOWHERE, exit = ACR_NOWHERE;
  unsigned index = acr_graph_vectors (out->graph);
  struct word wanted = { r->text, 0 };
  size_t bytes;

  define_name (r, "vector", &r->vectors, &out->vector, index);
  struct word size = get_word (r), w;
  if (!plan_text_bytes (size.text, size.len, &bytes) || bytes == 0)
    fail_at (r, size, "expected a size in bytes");
  w = get_word (r);
  if (w.len && !is (w, "->"))
    {
      entry = parse_where (r, w);
      w = get_word (r);
    }
  if (is (w, "->"))
    {
      wanted = get_word (r);
      exit = parse_where (r, wanted);
    }
  else if (w.len)
    fail_at (r, w, "expected '->', not '%.*s'", (int)w.len, w.text);

  enum acr_plan_status s
      = acr_graph_vector (out->graph, bytes, entry, exit, &index);
  if (s)
    fail_at (r, size, "%s", acr_plan_strerror (s));
  r->wanted
      = check (r, reallocarray (r->wanted, index + 1, sizeof *r->wanted));
  r->wanted[index] = wanted;
}

static void
parse_kernel (struct reader *r)
{
  struct plan_text *out = r->out;
  unsigned index = acr_graph_kernels (out->graph);
  struct word first;
  bool reading = true;

  define_name (r, "kernel", &r->kernels, &out->kernel, index);
  struct word where = get_word (r), w = get_word (r);
  if (!is (where, "host") && !is (where, "device"))
    fail_at (r, where, "expected host or device");
  if (!is (w, ":"))
    fail_at (r, w, "expected ':'");
  enum acr_plan_status s = acr_graph_kernel (
      out->graph, is (where, "host") ? ACR_HOST : ACR_DEVICE);
  if (s)
    fail_at (r, where, "%s", acr_plan_strerror (s));

  /* Names since FIRST are those of this list.  */
  for (first = w; (w = get_word (r)).len;)
    {
      if (is (w, "->") && reading)
        {
          reading = false;
          first = w;
          continue;
        }
      const struct name *v = find_name (&r->vectors, w);
      if (!v)
        fail_at (r, w, "unknown vector '%.*s'", (int)w.len, w.text);
      const char *here = r->next;
      for (r->next = first.text + first.len; r->next < w.text;)
        {
          struct word o = get_word (r);
          if (o.text < w.text && o.len == w.len
              && !memcmp (o.text, w.text, w.len))
            fail_at (r, w, "vector '%.*s' is listed twice", (int)w.len,
                     w.text);
        }
      r->next = here;
      s = acr_graph_operand (out->graph, v->index,
                             reading ? ACR_ACCESS_READ : ACR_ACCESS_WRITE);
      if (s == ACR_PLAN_UNDEFINED)
        fail_at (r, w, "vector '%.*s' is read before it has a value",
                 (int)w.len, w.text);
      if (s)
        fail_at (r, w, "%s", acr_plan_strerror (s));
    }
}

static void
parse (struct reader *r)
{
  while (r->next < r->end)
    {
      struct word w = get_word (r);
      if (is (w, "vector"))
        parse_vector (r);
      else if (is (w, "kernel"))
        parse_kernel (r);
      else if (w.len)
        fail_at (r, w, "expected 'vector' or 'kernel', not '%.*s'", (int)w.len,
                 w.text);
      end_line (r);
    }
  for (unsigned v = 0; v < acr_graph_vectors (r->out->graph); v++)
    if (r->wanted[v].len && !acr_graph_defined (r->out->graph, v))
      fail_at (r, r->wanted[v], "vector '%s' is wanted but never written",
               r->out->vector[v]);
}

/* Files.  */

static void
slurp (struct reader *r)
{
  bool is_stdin = !strcmp (r->file, "-");
  FILE *in = is_stdin ? stdin : fopen (r->file, "r");
  size_t used = 0, room = 1 << 12, got;
  bool bad = !in;
  while (!bad)
    {
      char *more = realloc (r->text, room + 1);
      if (!more)
        break;
      r->text = more;
      got = fread (r->text + used, 1, room - used, in);
      used += got;
      r->end = r->text + used;
      if (used < room)
        {
          bad = ferror (in);
          break;
        }
      room *= 2;
    }
  int error = errno;
  if (in && !is_stdin)
    fclose (in);
  if (bad)
    fail (r, strerror (error));
  check (r, r->text);
  *r->end = '\0';
  r->next = r->text;
  char *zero = memchr (r->text, '\0', used);
  if (zero)
    fail_at (r, (struct word){ zero, 1 }, "null character");
}

static void
read_into (struct reader *r)
{
  if (setjmp (r->failed))
    {
      plan_text_free (r->out);
      r->out = NULL;
      return;
    }
  r->out = check (r, calloc (1, sizeof *r->out));
  r->out->graph = check (r, acr_graph_new ());
  slurp (r);
  parse (r);
}

struct plan_text *
plan_text_read (const char *file)
{
  struct reader r = { .file = file };
  read_into (&r);
  tdestroy (r.vectors, free);
  tdestroy (r.kernels, free);
  free (r.wanted);
  free (r.text);
  return r.out;
}

static void
free_names (char **name)
{
  if (name)
    for (char **n = name; *n; n++)
      free (*n);
  free (name);
}

void
plan_text_free (struct plan_text *t)
{
  if (!t)
    return;
  acr_graph_free (t->graph);
  free_names (t->vector);
  free_names (t->kernel);
  free (t);
}
