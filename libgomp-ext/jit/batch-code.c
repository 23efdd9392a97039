/* Code of kernels of which several can be launched as one; see batch-code.h.

   Parts of a unit begin with lines as split.c knows them.  A body is a block of PTX: its
   registers and labels are its own (PTX ISA, "Identifiers" and "Directives"), so that
   bodies of several kernels stand one behind the other.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "jit/batch-code.h"

#include "base/text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes from P to END.  */
struct span
{
  const char *p, *end;
};

/* ---- Words ------------------------------------------------------------- */

static bool
starts (struct span s, const char *with)
{
  return acr_text_starts (s.p, s.end, with);
}

static const char *
find (struct span s, const char *what)
{
  return acr_find (s.p, s.end - s.p, what, strlen (what));
}

static bool
is (struct span word, const char *what)
{
  return (size_t)(word.end - word.p) == strlen (what) && starts (word, what);
}

/* Let *WORD be the next one from *AT on, and *AT behind it; comments have none.  */
static bool
next_word (const char **at, const char *end, struct span *word)
{
  const char *p = *at;
  while (p < end && !acr_text_in_name (*p))
    if (*p == '/' && end - p > 1 && p[1] == '/')
      {
        p = memchr (p, '\n', end - p);
        p = p ? p : end;
      }
    else
      p++;
  word->p = p;
  while (p < end && acr_text_in_name (*p))
    p++;
  *at = word->end = p;
  return word->p < p;
}

/* ---- What may be in a batch -------------------------------------------- */

/* Special registers of which a batch has its own, and all others that are of a thread
   in its block, of the block or of the warp.  */
static const char *const numbers[]
    = { "%tid", "%ntid", "%ctaid", "%nctaid", "%laneid", "%clock", "%clock64" };

/* A word that is as GCC's and ptx-post's registers are called, such as %r1: PTX has no
   special register of that name.  */
static bool
is_own_register (struct span word)
{
  static const char *const begins[]
      = { "%r", "%rd", "%p", "%f", "%fd", "%ar", "%in_ar" };
  for (unsigned i = 0; i < sizeof begins / sizeof *begins; i++)
    if (starts (word, begins[i])
        && isdigit ((unsigned char)word.p[strlen (begins[i])]))
      return true;
  return starts (word, "%acr_") || is (word, "%frame") || is (word, "%stack");
}

static bool
is_number (struct span word, const char *end)
{
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (is (word, numbers[i]))
      return i >= 4
             || (end - word.end > 1 && word.end[0] == '.'
                 && word.end[1] >= 'x' && word.end[1] <= 'z');
  return false;
}

/* Is what stands behind the operation at WORD a type of floating-point numbers, without a
   rounding mode?  */
static bool
is_unrounded (struct span word, const char *end)
{
  struct span behind = { word.end, end };
  return starts (behind, ".f") || starts (behind, ".sat.f")
         || starts (behind, ".bf");
}

/* Can BODY be in a batch?  */
static bool
may_batch (struct span body)
{
  static const char *const refused[]
      = { "call", "shared", "loc", "cluster", "griddepcontrol", "setmaxnreg",
          "wgmma", "tcgen05", "brkpt" };
  bool product = false, sum = false;
  struct span word;
  for (const char *at = body.p; next_word (&at, body.end, &word);)
    {
      for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++)
        if (is (word, refused[i]))
          return false;
      if (*word.p == '%' && !is_own_register (word)
          && !is_number (word, body.end))
        return false;
      if (is_unrounded (word, body.end))
        {
          product |= is (word, "mul");
          sum |= is (word, "add") || is (word, "sub");
        }
    }
  return !(product && sum);
}

/* ---- Reading ----------------------------------------------------------- */

static const char begin[] = ACR_TEXT_PART;

/* The part of TEXT that begins next, up to where another one begins; empty: none
   does.  */
static struct span
next_part (struct span text)
{
  struct span none = { text.end, text.end };
  const char *p = find (text, begin);
  if (!p)
    return none;
  const char *next = find ((struct span){ p + 1, text.end }, begin);
  return (struct span){ p, next ? next : text.end };
}

/* How many parameters stand in PARAMS.  */
static unsigned
count_params (struct span params)
{
  unsigned n = 0;
  for (const char *p = params.p; (p = find ((struct span){ p, params.end }, ".param"));
       p++)
    n++;
  return n;
}

static char *
append (char *to, struct span s)
{
  return mempcpy (to, s.p, s.end - s.p);
}

/* The code of the kernel that PART defines, in the unit with PREAMBLE; NULL: there is
   none.  */
static struct acr_batch_code *
read_kernel (struct span part, struct span preamble)
{
  static const char entry[] = ".entry ";
  const char *at = find (part, entry);
  const char *open = at ? find ((struct span){ at, part.end }, "(") : NULL;
  const char *close = open ? find ((struct span){ open, part.end }, ")") : NULL;
  const char *brace = close ? find ((struct span){ close, part.end }, "{") : NULL;
  const char *behind = brace ? acr_text_block_end (brace, part.end) : NULL;
  if (!behind)
    return NULL;
  struct span name = { at + strlen (entry), open },
              params = { open, close + 1 }, body = { brace, behind };
  while (name.end > name.p && isspace ((unsigned char)name.end[-1]))
    name.end--;
  size_t n = (preamble.end - preamble.p) + (params.end - params.p)
             + (body.end - body.p);
  struct acr_batch_code *c = calloc (1, sizeof *c + n);
  if (!c || !(c->name = strndup (name.p, name.end - name.p)))
    {
      free (c);
      return NULL;
    }
  char *to = c->text;
  c->preamble = to;
  c->preamble_n = preamble.end - preamble.p;
  c->params = to = append (to, preamble);
  c->params_n = params.end - params.p;
  c->body = to = append (to, params);
  c->body_n = body.end - body.p;
  append (to, body);
  c->nparams = count_params (params);
  return c;
}

/* Put the kernels of U in front of LIST.  */
static struct acr_batch_code *
read_unit (const struct acr_unit *u, struct acr_batch_code *list)
{
  struct span text = { u->code, u->code + strnlen (u->code, u->bytes) };
  struct span preamble = next_part (text);
  if (preamble.p != text.p)
    return list;
  for (struct span part = { preamble.p, preamble.end };
       (part = next_part ((struct span){ part.end, text.end })).p < text.end;)
    {
      struct acr_batch_code *c = read_kernel (part, preamble);
      if (!c)
        continue;
      c->next = list;
      list = c;
    }
  return list;
}

struct acr_batch_code *
acr_batch_read (const struct acr_unit *u, unsigned n)
{
  struct acr_batch_code *list = NULL;
  for (unsigned i = 0; i < n; i++)
    list = read_unit (&u[i], list);
  return list;
}

bool
acr_batch_can (struct acr_batch_code *c)
{
  enum acr_fact now = atomic_load_explicit (&c->may, memory_order_relaxed);
  if (now == ACR_FACT_UNKNOWN)
    {
      bool may = may_batch ((struct span){ c->body, c->body + c->body_n });
      now = may ? ACR_FACT_YES : ACR_FACT_NO;
      atomic_store_explicit (&c->may, now, memory_order_relaxed);
    }
  return now == ACR_FACT_YES;
}

struct acr_batch_code *
acr_batch_pick (struct acr_batch_code **list, const char *kernel)
{
  while (*list && strcmp ((*list)->name, kernel))
    list = &(*list)->next;
  struct acr_batch_code *c = *list;
  if (c)
    {
      *list = c->next;
      c->next = NULL;
    }
  return c;
}

void
acr_batch_free (struct acr_batch_code *c)
{
  for (struct acr_batch_code *next; c; c = next)
    {
      next = c->next;
      free (c->name);
      free (c);
    }
}

/* ---- Making ------------------------------------------------------------ */

/* The name of the parameter that is declared last in DECL.  */
static struct span
param_name (struct span decl)
{
  const char *open = find (decl, "[");
  const char *end = open ? open : decl.end;
  while (end > decl.p && !acr_text_in_name (end[-1]))
    end--;
  const char *p = end;
  while (p > decl.p && acr_text_in_name (p[-1]))
    p--;
  return (struct span){ p, end };
}

/* Is WORD a parameter's of C?  */
static bool
is_param (const struct acr_batch_code *c, struct span word)
{
  struct span params = { c->params + 1, c->params + c->params_n - 1 };
  for (const char *p = params.p; p < params.end;)
    {
      const char *comma = memchr (p, ',', params.end - p);
      comma = comma ? comma : params.end;
      struct span name = param_name ((struct span){ p, comma });
      if (name.end - name.p == word.end - word.p
          && !memcmp (name.p, word.p, word.end - word.p))
        return true;
      p = comma + 1;
    }
  return false;
}

/* Write what is between words, from FROM to END, without comments.  */
static void
write_between (FILE *to, const char *from, const char *end)
{
  for (; from && from < end; from++)
    if (end - from > 1 && from[0] == '/' && from[1] == '/')
      {
        from = memchr (from, '\n', end - from);
        if (!from)
          break;
        putc ('\n', to);
      }
    else
      putc (*from, to);
}

/* Write TEXT of C, kernel I of the batch.  */
static void
write_text (FILE *to, const struct acr_batch_code *c, unsigned i,
            struct span text)
{
  struct span word;
  const char *from = text.p;
  for (const char *at = text.p; next_word (&at, text.end, &word); from = at)
    {
      write_between (to, from, word.p);
      bool along_x = starts ((struct span){ at, text.end }, ".x");
      if (is_param (c, word))
        fprintf (to, "%.*s_%u", (int)(word.end - word.p), word.p, i);
      else if (along_x && (is (word, "%ctaid") || is (word, "%nctaid")))
        {
          fputs (is (word, "%ctaid") ? "%acr_block" : "%acr_blocks", to);
          at += strlen (".x");
        }
      else
        fwrite (word.p, 1, word.end - word.p, to);
    }
  write_between (to, from, text.end);
}

/* Write kernel I, C: what has a block number below its number of blocks is its; other
   blocks go on with the numbers that are left.  */
static void
write_kernel (FILE *to, const struct acr_batch_code *c, unsigned i)
{
  fprintf (to,
           "ld.param.u32 %%acr_blocks,[acr_blocks_%u];\n"
           "setp.ge.u32 %%acr_other,%%acr_block,%%acr_blocks;\n"
           "@%%acr_other bra $acr_next_%u;\n",
           i, i);
  write_text (to, c, i, (struct span){ c->body, c->body + c->body_n });
  fprintf (to,
           "\nret;\n"
           "$acr_next_%u:\n"
           "sub.u32 %%acr_block,%%acr_block,%%acr_blocks;\n",
           i);
}

struct acr_unit
acr_batch_make (const struct acr_batch_code *const *c, unsigned n)
{
  struct acr_unit none = { NULL, 0 };
  char *code = NULL;
  size_t bytes;
  for (unsigned i = 1; i < n; i++)
    if (c[i]->preamble_n != c[0]->preamble_n
        || memcmp (c[i]->preamble, c[0]->preamble, c[0]->preamble_n))
      return none;
  FILE *to = open_memstream (&code, &bytes);
  if (!to)
    return none;
  fprintf (to, "%.*s", (int)c[0]->preamble_n, c[0]->preamble);
  fputs (ACR_TEXT_PART "GLOBAL FUNCTION DEF: " ACR_BATCH_NAME "\n"
         ".visible .entry " ACR_BATCH_NAME " (",
         to);
  for (unsigned i = 0; i < n; i++)
    {
      write_text (to, c[i], i,
                  (struct span){ c[i]->params + 1,
                                 c[i]->params + c[i]->params_n - 1 });
      fputs (",\n", to);
    }
  for (unsigned i = 0; i < n; i++)
    fprintf (to, ".param .u32 acr_blocks_%u%s", i, i + 1 < n ? ",\n" : ")\n");
  fputs ("{\n"
         ".reg .u32 %acr_block;\n"
         ".reg .u32 %acr_blocks;\n"
         ".reg .pred %acr_other;\n"
         "mov.u32 %acr_block,%ctaid.x;\n",
         to);
  for (unsigned i = 0; i < n; i++)
    write_kernel (to, c[i], i);
  fputs ("ret;\n}\n", to);
  if (fclose (to))
    {
      free (code);
      return none;
    }
  return (struct acr_unit){ code, bytes + 1 };
}
