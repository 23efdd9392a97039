/* A unit of device code, and variants of its kernels; see split.h.

   Each part of a unit begins with a line of its own, "// BEGIN ...: NAME".
   Names are looked up in a hash; a name may have two parts, a declaration and
   a definition.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "abi/abi.h"
#include "base/hash.h"
#include "base/text.h"
#include "jit/split.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind
{
  PREAMBLE,
  FUNCTION,    /* defined here */
  DECLARATION, /* of a function */
  MEMORY,      /* of a block, anew in each launch */
  KERNEL,
  VARIANT,
  OTHER /* what a unit apart cannot have */
};

struct part
{
  const char *text, *name;
  size_t n, name_n;
  enum kind kind;
  unsigned form;     /* of a variant, else 0 */
  struct part *next; /* in the hash */
  unsigned taken;    /* for the unit of this number; or to be left out */
  char *instead;     /* what stands in its place in the base, or NULL */
};

/* Bytes side by side.  */
typedef signed char bytes __attribute__ ((vector_size (16)));

#define LETTERS 8

/* Bytes behind a name's first that are looked at with it.  */
#define AHEAD 3

struct unit
{
  const char *text, *end;
  struct part *parts, **hash;
  unsigned n, mask;
  uint64_t lengths[256]; /* of names, a set, by their first byte */
  size_t shortest;       /* name */
  char letters[LETTERS]; /* that names begin with */
  unsigned nletters;     /* more than there is room for: not known */
  unsigned turn;         /* number of the unit in the making */
};

enum
{
  LEFT_OUT = ~0u
};

/* ---- Parts ------------------------------------------------------------- */

static const char begin[] = ACR_TEXT_PART;

/* The line of the next part of U from FROM on, or U's end.  */
static const char *
next_line (const struct unit *u, const char *from)
{
  for (const char *p = from;
       (p = acr_find (p, u->end - p, begin, sizeof begin - 1)); p++)
    if (p == u->text || p[-1] == '\n')
      return p;
  return u->end;
}

/* Skip WORD at *P, up to END, if it is there.  */
static bool
skip (const char **p, const char *end, const char *word)
{
  bool there = acr_text_starts (*p, end, word);
  *p += there ? strlen (word) : 0;
  return there;
}

/* Letters, digits, _ and $.  */
static const bool word_char[256] = { ['0' ... '9'] = true,
                                     ['A' ... 'Z'] = true,
                                     ['a' ... 'z'] = true,
                                     ['_'] = true,
                                     ['$'] = true };

static bool
word_char_p (char c)
{
  return word_char[(unsigned char)c];
}

/* The number of a variant whose name is at NAME, of N bytes, else 0.  What
   comes before that is *KERNEL bytes.  */
static unsigned
form_of (const char *name, size_t n, size_t *kernel)
{
  static const char suffix[] = ACR_FORM_SUFFIX;
  const char *at = memmem (name, n, suffix, sizeof suffix - 1);
  unsigned form = 0;
  if (!at || at == name)
    return 0;
  *kernel = at - name;
  const char *p = at + sizeof suffix - 1;
  if (p == name + n || *p == '0')
    return 0;
  for (; p < name + n; p++)
    {
      if (!isdigit ((unsigned char)*p))
        return 0;
      form = 10 * form + *p - '0';
      if (form > ACR_FORMS)
        return 0;
    }
  return form;
}

/* Is the text from BODY, a brace, to END one block and nothing else?  */
static bool
is_block (const char *body, const char *end)
{
  while (end > body && isspace ((unsigned char)end[-1]))
    end--;
  return acr_text_block_end (body, end) == end;
}

/* What the definition of a function at P is, up to END.  */
static enum kind
kind_of_function (const char *p, const char *end)
{
  const char *body = memchr (p, '{', end - p);
  if (!body || !is_block (body, end))
    return OTHER;
  (void)skip (&p, end, ".visible ");
  return acr_text_starts (p, end, ".func ")    ? FUNCTION
         : acr_text_starts (p, end, ".entry ") ? KERNEL
                                               : OTHER;
}

static enum kind
kind_of_variable (const char *p, const char *end)
{
  (void)skip (&p, end, ".visible ");
  return acr_text_starts (p, end, ".shared ") ? MEMORY : OTHER;
}

/* Find out what P is, whose line and text it has.  False when a part like that
   is not known.  */
static bool
read_part (struct part *p)
{
  const char *at = p->text + sizeof begin - 1, *end = p->text + p->n;
  const char *eol = memchr (at, '\n', end - at);
  size_t kernel;
  if (!eol)
    return false;
  p->kind = OTHER;
  if (acr_text_starts (at, eol, "PREAMBLE"))
    {
      p->kind = PREAMBLE;
      return true;
    }
  (void)skip (&at, eol, "GLOBAL ");
  bool function = skip (&at, eol, "FUNCTION ");
  if (!function && !skip (&at, eol, "VAR "))
    return false;
  bool defined = skip (&at, eol, "DEF: ");
  if (!defined && !skip (&at, eol, "DECL: "))
    return false;
  p->name = at;
  p->name_n = eol - at;
  at = eol + 1;
  if (function && !defined)
    p->kind = DECLARATION;
  else if (function)
    p->kind = kind_of_function (at, end);
  else if (defined)
    p->kind = kind_of_variable (at, end);
  if (function && defined && (p->form = form_of (p->name, p->name_n, &kernel)))
    p->kind = p->kind == KERNEL ? VARIANT : OTHER;
  return true;
}

/* ---- Names ------------------------------------------------------------- */

static struct part **
slot_of (const struct unit *u, const char *name, size_t n)
{
  uint64_t h = acr_hash (n, name, n);
  return &u->hash[(h ^ h >> 20) & u->mask];
}

/* The next part with that NAME from P on.  */
static struct part *
named (struct part *p, const char *name, size_t n)
{
  while (p && (p->name_n != n || memcmp (p->name, name, n)))
    p = p->next;
  return p;
}

static struct part *
find (const struct unit *u, const char *name, size_t n)
{
  return named (*slot_of (u, name, n), name, n);
}

static void
unit_free (struct unit *u)
{
  for (unsigned i = 0; u->parts && i < u->n; i++)
    free (u->parts[i].instead);
  free (u->parts);
  free (u->hash);
}

/* Length N as an element of a set.  */
static uint64_t
length (size_t n)
{
  return UINT64_C (1) << (n < 63 ? n : 63);
}

/* Note the NAME of a part of U.  */
static void
note_name (struct unit *u, const char *name, size_t n)
{
  uint64_t *set = &u->lengths[(unsigned char)*name];
  if (!*set && u->nletters < LETTERS)
    u->letters[u->nletters++] = *name;
  else if (!*set)
    u->nletters = LETTERS + 1;
  *set |= length (n);
  if (!u->shortest || n < u->shortest)
    u->shortest = n;
}

static unsigned
count_parts (const struct unit *u)
{
  unsigned n = 0;
  for (const char *p = u->text; (p = next_line (u, p)) < u->end; p++)
    n++;
  return n;
}

/* Read the parts of U, whose text is there.  */
static bool
read_parts (struct unit *u)
{
  unsigned n = count_parts (u), slots = 64;
  while (slots < 2 * n)
    slots *= 2;
  u->mask = slots - 1;
  u->parts = calloc (n ? n : 1, sizeof *u->parts);
  u->hash = calloc (slots, sizeof *u->hash);
  bool ok = u->parts && u->hash && next_line (u, u->text) == u->text;
  for (const char *p = u->text, *next; ok && p < u->end; p = next)
    {
      struct part *part = &u->parts[u->n++];
      next = next_line (u, p + 1);
      part->text = p;
      part->n = next - p;
      ok = read_part (part);
      if (!ok || !part->name)
        continue;
      struct part **slot = slot_of (u, part->name, part->name_n);
      part->next = *slot;
      *slot = part;
      note_name (u, part->name, part->name_n);
    }
  ok = ok && u->n && u->parts[0].kind == PREAMBLE;
  if (!ok)
    unit_free (u);
  return ok;
}

/* ---- What a unit apart needs ------------------------------------------- */

static bool take (struct unit *u, struct part *p);

/* Whether the name at AT of P is called there.  */
static bool
is_called (const struct part *p, const char *at)
{
  static const char call[] = "call";
  const char *line = memrchr (p->text, '\n', at - p->text);
  return line && memmem (line, at - line, call, sizeof call - 1);
}

/* Take the parts called NAME, which P has at AT, for the unit in the making. A
   declaration alone is of something that is elsewhere.  */
static bool
take_named (struct unit *u, const struct part *p, const char *at,
            struct part *named_so)
{
  const char *name = named_so->name;
  size_t n = named_so->name_n;
  bool defined = false;
  for (struct part *q = named_so; q; q = named (q->next, name, n))
    {
      defined |= q->kind == FUNCTION || q->kind == MEMORY;
      if (q->kind != MEMORY && !is_called (p, at))
        return false;
      if (!take (u, q))
        return false;
    }
  return defined;
}

/* Whether a name of U's may begin at AT.  What registers and directives are called
   begins with another byte.  */
static bool
may_begin (const struct unit *u, const char *at)
{
  return u->lengths[(unsigned char)*at] && !word_char_p (at[-1])
         && at[-1] != '%' && at[-1] != '.';
}

static bytes
load (const char *p)
{
  bytes b;
  memcpy (&b, p, sizeof b);
  return b;
}

/* C as often as bytes are side by side.  */
static bytes
each (char c)
{
  return (bytes){ 0 } + (signed char)c;
}

/* Whether a name of U's may begin at one of as many bytes from P on: its first byte
   is one of U's letters, that before it is in no word, and AHEAD bytes on it has not
   ended.  Operations (mov.u64) are shorter than most names.  */
static bool
may_have_name (const struct unit *u, const char *p)
{
  bytes here = load (p), before = load (p - 1), ahead = load (p + AHEAD);
  bytes first = each (0);
  for (unsigned i = 0; i < u->nletters; i++)
    first |= here == each (u->letters[i]);
  bytes hit = first & ((before < each ('a')) | (before > each ('z')))
              & ((ahead >= each ('0')) | (ahead == each ('$')));
  uint64_t any[sizeof hit / sizeof (uint64_t)];
  memcpy (any, &hit, sizeof any);
  return any[0] | any[1];
}

/* Take what P refers to from *FROM to STOP.  *FROM is then behind the last word that
   begins there.  */
static bool
take_some_references (struct unit *u, const struct part *p,
                      const char **from, const char *stop)
{
  const char *end = p->text + p->n, *at = *from;
  for (; at < stop; at++)
    if (may_begin (u, at))
      {
        const char *word = at;
        while (at < end && word_char_p (*at))
          at++;
        size_t n = at - word;
        struct part *q = u->lengths[(unsigned char)*word] & length (n)
                             ? find (u, word, n)
                             : NULL;
        if (q && !take_named (u, p, word, q))
          return false;
      }
  *from = at;
  return true;
}

/* Take all that the body of P refers to.  */
static bool
take_references (struct unit *u, const struct part *p)
{
  const char *end = p->text + p->n, *at = memchr (p->text, '{', p->n);
  bool skips = u->nletters <= LETTERS && u->shortest > AHEAD;
  while (at && at < end)
    if (skips && (size_t)(end - at) >= sizeof (bytes) + AHEAD)
      {
        const char *stop = at + sizeof (bytes);
        if (!may_have_name (u, at))
          at = stop;
        else if (!take_some_references (u, p, &at, stop))
          return false;
      }
    else if (!take_some_references (u, p, &at, end))
      return false;
  return true;
}

/* Take P for the unit in the making.  */
static bool
take (struct unit *u, struct part *p)
{
  if (p->kind == OTHER || p->kind == VARIANT || p->kind == KERNEL)
    return false;
  if (p->taken == u->turn)
    return true;
  p->taken = u->turn;
  return p->kind != FUNCTION || take_references (u, p);
}

/* Begin another unit.  */
static void
begin_unit (struct unit *u)
{
  u->parts[0].taken = ++u->turn;
}

/* The unit in the making, as text; its code is NULL for want of memory.  */
static struct acr_unit
end_unit (const struct unit *u)
{
  struct acr_unit own = { NULL, 0 };
  size_t n = 1;
  for (unsigned i = 0; i < u->n; i++)
    n += u->parts[i].taken == u->turn ? u->parts[i].n : 0;
  char *code = malloc (n), *to = code;
  for (unsigned i = 0; code && i < u->n; i++)
    if (u->parts[i].taken == u->turn)
      to = mempcpy (to, u->parts[i].text, u->parts[i].n);
  if (!code)
    return own;
  *to = '\0';
  return (struct acr_unit){ code, n };
}

/* The unit of V, a variant; its code is NULL when there can be none.  */
static struct acr_unit
unit_of (struct unit *u, struct part *v)
{
  begin_unit (u);
  if (!take_references (u, v))
    return (struct acr_unit){ NULL, 0 };
  v->taken = u->turn;
  return end_unit (u);
}

/* ---- Variants in the place of kernels ---------------------------------- */

/* The variant, of FORMS, with the fewest rows of the kernel K, which has *ROWS; 0 where
   none has fewer, or that is not known.  */
static unsigned
fewest_rows (const struct part *k, unsigned forms, unsigned *rows)
{
  static const char magic[] = ACR_ROWS_MAGIC;
  const char *at = memmem (k->text, k->n, magic, sizeof magic - 1);
  const char *eol = at ? memchr (at, '\n', k->text + k->n - at) : NULL;
  char line[128];
  int used;
  if (!eol || (size_t)(eol - at) >= sizeof line)
    return 0;
  *stpncpy (line, at, eol - at) = '\0';
  const char *p = line + sizeof magic - 1;
  if (sscanf (p, "%*s %u%n", rows, &used) != 1)
    return 0;
  unsigned best = 0, least = *rows;
  for (unsigned i = 1, n; i <= forms && sscanf (p += used, "%u%n", &n, &used) == 1;
       i++)
    if (n < least)
      {
        best = i;
        least = n;
      }
  return best;
}

/* The text of V, a variant of K, under K's name; NULL for want of memory.  */
static char *
renamed (const struct part *v, const struct part *k)
{
  char *text = malloc (v->n + 1), *to = text;
  const char *p = v->text, *end = p + v->n, *at;
  for (; text && (at = memmem (p, end - p, v->name, v->name_n));
       p = at + v->name_n)
    {
      bool is_name = at + v->name_n == end || !word_char_p (at[v->name_n]);
      to = mempcpy (to, p, at - p);
      to = mempcpy (to, v->name, is_name ? k->name_n : v->name_n);
    }
  if (text)
    *(char *)mempcpy (to, p, end - p) = '\0';
  return text;
}

/* K, of which nothing is left but its name and parameters; NULL for want of memory.  */
static char *
emptied (const struct part *k)
{
  static const char body[] = "{\nret;\n}\n";
  size_t n = (const char *)memchr (k->text, '{', k->n) - k->text;
  char *text = malloc (n + sizeof body);
  if (text)
    memcpy (mempcpy (text, k->text, n), body, sizeof body);
  return text;
}

/* ---- The split --------------------------------------------------------- */

/* The kernel NAME, of N bytes, when it is defined once, and may be apart.  */
static struct part *
kernel_apart (struct unit *u, const char *name, size_t n)
{
  struct part *k = NULL;
  for (struct part *p = find (u, name, n); p; p = named (p->next, name, n))
    if (p->kind == KERNEL && !k)
      k = p;
    else if (p->kind != DECLARATION)
      return NULL;
  return k;
}

/* Let one of the FORMS variants PART stand in the place of the kernel NAME, of N bytes,
   or nothing where the kernel is to be ABSENT, and put the kernel before them, which are
   to TO from number AT on, where that can be.  */
static void
split_itself (struct unit *u, struct part *const *part, unsigned forms,
              const char *name, size_t n, bool absent, struct acr_split *to,
              unsigned at)
{
  unsigned rows = 0;
  struct part *k = kernel_apart (u, name, n);
  unsigned form = k ? fewest_rows (k, forms, &rows) : 0;
  if (!k || (!form && !absent))
    return;
  struct acr_unit own = unit_of (u, k);
  if (own.code
      && !(k->instead = absent ? emptied (k) : renamed (part[form - 1], k)))
    free ((void *)own.code);
  if (!k->instead)
    return;
  struct acr_variant_code *v = &to->variants[at];
  memmove (v + 1, v, forms * sizeof *v);
  *v = (struct acr_variant_code){ name, n, 0, own, form, rows, absent };
  to->nvariants++;
}

/* Put the variants of the kernel NAME, of N bytes, behind those of TO, and let
   them be left out; all or none.  There may be none of a kernel that is to be ABSENT.  */
static void
split_kernel (struct unit *u, const char *name, size_t n, bool instead,
              bool absent, struct acr_split *to)
{
  struct part *part[ACR_FORMS + 1];
  unsigned forms = 0, before = to->nvariants;
  char full[n + sizeof ACR_FORM_SUFFIX + 10];
  bool ok = true;
  memcpy (full, name, n);
  for (; forms < ACR_FORMS; forms++)
    {
      int k = snprintf (full + n, sizeof full - n, ACR_FORM_SUFFIX "%u",
                        forms + 1);
      part[forms] = find (u, full, n + k);
      if (!part[forms])
        break;
      ok = ok && part[forms]->kind == VARIANT
           && !named (part[forms]->next, full, n + k);
    }
  for (unsigned i = 0; ok && i < forms; i++)
    {
      struct acr_unit own = unit_of (u, part[i]);
      ok = own.code;
      if (ok)
        to->variants[to->nvariants++]
            = (struct acr_variant_code){ .kernel = name, .n = n, .form = i + 1,
                                         .unit = own };
    }
  if (ok && (instead || absent))
    split_itself (u, part, forms, name, n, absent, to, before);
  for (unsigned i = 0; ok && i < forms; i++)
    part[i]->taken = LEFT_OUT;
  while (!ok && to->nvariants > before)
    free ((void *)to->variants[--to->nvariants].unit.code);
}

/* U without what is left out, and with what stands in the place of kernels.  */
static struct acr_unit
base_of (const struct unit *u)
{
  size_t n = 1;
  for (unsigned i = 0; i < u->n; i++)
    n += u->parts[i].taken == LEFT_OUT ? 0
         : u->parts[i].instead         ? strlen (u->parts[i].instead)
                                       : u->parts[i].n;
  char *code = malloc (n), *to = code;
  for (unsigned i = 0; code && i < u->n; i++)
    if (u->parts[i].taken != LEFT_OUT && u->parts[i].instead)
      to = stpcpy (to, u->parts[i].instead);
    else if (u->parts[i].taken != LEFT_OUT)
      to = mempcpy (to, u->parts[i].text, u->parts[i].n);
  if (code)
    *to = '\0';
  return (struct acr_unit){ code, n };
}

static unsigned
count_kernels (const struct unit *u)
{
  unsigned n = 0;
  for (unsigned i = 0; i < u->n; i++)
    n += u->parts[i].kind == KERNEL || u->parts[i].kind == VARIANT;
  return n;
}

/* Has the kernel NAME, of N bytes, variants in U?  */
static bool
has_variants (const struct unit *u, const char *name, size_t n)
{
  static const char first[] = ACR_FORM_SUFFIX "1";
  char full[n + sizeof first];
  memcpy (mempcpy (full, name, n), first, sizeof first);
  return find (u, full, n + sizeof first - 1);
}

static bool
is_in (const struct acr_unit *unit, const char *what)
{
  return acr_find (unit->code, unit->bytes, what, strlen (what));
}

bool
acr_split (const struct acr_unit *unit, bool instead, acr_split_missable *missable,
           struct acr_split *to)
{
  struct unit u = { .text = unit->code, .end = unit->code + unit->bytes };
  *to = (struct acr_split){ .nvariants = 0 };
  if (!is_in (unit, ACR_FORM_SUFFIX) && !(missable && is_in (unit, ".entry ")))
    return false;
  if (u.end == u.text || *--u.end || !read_parts (&u))
    return false;
  unsigned n = count_kernels (&u);
  to->variants = malloc ((n ? n : 1) * sizeof *to->variants);
  for (unsigned i = 0; to->variants && i < u.n; i++)
    {
      const struct part *p = &u.parts[i];
      size_t kernel;
      if (p->form == 1 && p->kind == VARIANT
          && form_of (p->name, p->name_n, &kernel))
        split_kernel (&u, p->name, kernel, instead,
                      missable && missable (p->name, kernel), to);
      else if (p->kind == KERNEL && missable && missable (p->name, p->name_n)
               && !has_variants (&u, p->name, p->name_n))
        split_kernel (&u, p->name, p->name_n, false, true, to);
    }
  if (to->nvariants)
    to->base = base_of (&u);
  unit_free (&u);
  if (!to->base.code)
    acr_split_free (to);
  return to->base.code;
}

void
acr_split_free (struct acr_split *s)
{
  for (unsigned i = 0; i < s->nvariants; i++)
    free ((void *)s->variants[i].unit.code);
  free (s->variants);
  s->variants = NULL;
  s->nvariants = 0;
}

/* ---- Chunks ------------------------------------------------------------ */

/* Can K be in a unit apart: is it a kernel, defined once, that needs nothing
   which cannot?  */
static bool
can_part (struct unit *u, const struct part *k)
{
  for (struct part *p = find (u, k->name, k->name_n); p;
       p = named (p->next, k->name, k->name_n))
    if (p != k && p->kind != DECLARATION)
      return false;
  u->turn++;
  return take_references (u, k);
}

/* Let all that is called as K be left out: its declaration as well.  */
static void
leave_out (const struct unit *u, const struct part *k)
{
  for (struct part *p = find (u, k->name, k->name_n); p;
       p = named (p->next, k->name, k->name_n))
    p->taken = LEFT_OUT;
}

/* Whether K is large enough to be apart from N bytes of kernels in front, and these
   worth a link.  */
static bool
is_apart (const struct part *k, size_t n, size_t least)
{
  return n >= least / 4 && k->kind == KERNEL && k->n >= least;
}

/* Make a chunk of LEAST bytes of kernels, those of U from *FROM on.  */
static struct acr_unit
make_chunk (struct unit *u, unsigned *from, size_t least)
{
  size_t n = 0;
  unsigned first = *from, kernels = 0;
  for (; *from < u->n && n < least; ++*from)
    {
      struct part *k = &u->parts[*from];
      if (is_apart (k, n, least))
        break;
      if (k->kind == KERNEL && !can_part (u, k))
        k->kind = OTHER;
      n += k->kind == KERNEL ? k->n : 0;
    }
  begin_unit (u);
  for (unsigned i = first; i < *from; i++)
    if (u->parts[i].kind == KERNEL && take_references (u, &u->parts[i]))
      {
        u->parts[i].taken = u->turn;
        kernels++;
      }
  struct acr_unit chunk = { NULL, 0 };
  if (kernels)
    chunk = end_unit (u);
  for (unsigned i = first; chunk.code && i < *from; i++)
    if (u->parts[i].kind == KERNEL)
      leave_out (u, &u->parts[i]);
  return chunk;
}

/* Where the kernels end that stay, of LEAST bytes: a link has something to
 * link.  */
static unsigned
skip_kernels (const struct unit *u, size_t least)
{
  unsigned i = 0;
  for (size_t n = 0;
       i < u->n && n < least && !is_apart (&u->parts[i], n, least); i++)
    n += u->parts[i].kind == KERNEL ? u->parts[i].n : 0;
  return i;
}

static void
free_chunks (struct acr_chunk_code *to)
{
  while (to->nchunks)
    free ((void *)to->chunks[--to->nchunks].code);
  free (to->chunks);
  to->chunks = NULL;
}

bool
acr_split_chunks (const struct acr_unit *unit, size_t least,
                  struct acr_chunk_code *to)
{
  struct unit u = { .text = unit->code, .end = unit->code + unit->bytes };
  *to = (struct acr_chunk_code){ .nchunks = 0 };
  if (unit->bytes < 2 * least || *--u.end || !read_parts (&u))
    return false;
  /* Of two, one behind the other, one at least is as large.  */
  to->chunks = malloc (2 * (unit->bytes / least + 1) * sizeof *to->chunks);
  for (unsigned at = skip_kernels (&u, least); to->chunks && at < u.n;)
    {
      struct acr_unit chunk = make_chunk (&u, &at, least);
      if (chunk.code)
        to->chunks[to->nchunks++] = chunk;
    }
  if (to->nchunks)
    to->base = base_of (&u);
  unit_free (&u);
  if (!to->base.code)
    free_chunks (to);
  return to->base.code;
}
