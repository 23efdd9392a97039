/* Variants of kernels with a number of registers; see limited.h.

   A kernel as it comes, and what is behind it then:

     // BEGIN FUNCTION DEF: k             // BEGIN FUNCTION DEF: k$form3
     .entry k (.param .u64 %in_ar0)       .entry k$form3 (.param .u64 %in_ar0) .maxnreg 64
     {                                    {
     // ACCRETE-LIMITED 3 64              .reg .u64 %r22;
     .reg .u64 %r22;                      ...
     ...

   The kernel's name is not replaced elsewhere: what a kernel launches on the device
   (nest-ptx.h) does the same in all variants.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "abi/abi.h"
#include "jit/limited.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "// " ACR_LIMITED_MAGIC " ", begin[] = ACR_TEXT_PART,
                  definition[] = ACR_TEXT_PART "FUNCTION DEF: ";

enum
{
  /* What a variant's text may have more than its kernel's: its number, in two places,
     the directive, and a line's end.  */
  MORE = 2 * (sizeof ACR_FORM_SUFFIX + 2) + sizeof " .maxnreg 255\n",
  MOST_REGISTERS = 255
};

/* A kernel with comments.  */
struct kernel
{
  const char *text, *end; /* with its mark, "// BEGIN ...", up to the next one */
  const char *name, *entry; /* where its name is: in the mark, in the header */
  const char *directives, *body; /* where they may be, and the brace */
  const char *comments, *rest; /* and what is behind them */
  const char *behind;          /* the block */
  size_t n, base; /* bytes of the name, and of that without a variant's number */
  unsigned variants;
};

/* ---- Reading ----------------------------------------------------------- */

static const char *
find (const char *from, const char *end, const char *what, size_t n)
{
  return acr_find (from, end - from, what, n);
}

/* The next line from FROM to END that begins with WHAT, of N bytes, or NULL.  There is
   a line in front of FROM.  */
static const char *
find_line (const char *from, const char *end, const char *what, size_t n)
{
  const char *p = from;
  while ((p = find (p, end, what, n)) && p[-1] != '\n')
    p++;
  return p;
}

/* The line in front of the one at P, of a text from FROM on, or NULL.  */
static const char *
line_before (const char *from, const char *p)
{
  const char *eol = p > from ? memrchr (from, '\n', p - 1 - from) : NULL;
  return p == from ? NULL : eol ? eol + 1 : from;
}

/* Read the comment at P: the NUMBER of a variant and how many REGISTERS it has.
   What is behind its line, or NULL.  */
static const char *
read_comment (const char *p, unsigned *number, unsigned *registers)
{
  char *behind;
  unsigned long n = strtoul (p + sizeof magic - 1, &behind, 10),
                r = strtoul (behind, &behind, 10);
  behind += strspn (behind, " \t\r");
  *number = n;
  *registers = r;
  return *behind == '\n' && n && n <= ACR_FORMS && r && r <= MOST_REGISTERS
             ? behind + 1
             : NULL;
}

static bool
is_comment (const char *p)
{
  return !strncmp (p, magic, sizeof magic - 1);
}

/* Find the mark of K, whose comments are there, in a text from FROM on, and read it.  */
static bool
read_mark (struct kernel *k, const char *from)
{
  static const char suffix[] = ACR_FORM_SUFFIX;
  k->text = k->comments;
  do
    k->text = line_before (from, k->text);
  while (k->text && strncmp (k->text, begin, sizeof begin - 1));
  if (!k->text || strncmp (k->text, definition, sizeof definition - 1))
    return false;
  k->name = k->text + sizeof definition - 1;
  k->n = strcspn (k->name, "\n");
  const char *at = memmem (k->name, k->n, suffix, sizeof suffix - 1);
  k->base = at ? (size_t)(at - k->name) : k->n;
  return k->base;
}

/* Read the header of K, whose mark was read.  */
static bool
read_header (struct kernel *k)
{
  static const char entry[] = ".entry ";
  const char *from = k->name + k->n;
  k->body = memchr (from, '{', k->comments - from);
  const char *at
      = k->body ? find (from, k->body, entry, sizeof entry - 1) : NULL;
  if (!at)
    return false;
  k->entry = at + sizeof entry - 1;
  k->directives = k->body;
  while (strchr (" \t\r\n", k->directives[-1]))
    k->directives--;
  k->behind = acr_text_block_end (k->body, k->end);
  return k->behind && k->behind > k->rest
         && k->directives - k->entry > (ptrdiff_t)k->n
         && !memcmp (k->entry, k->name, k->n)
         && strchr (" \t\r\n(", k->entry[k->n]);
}

/* Read the kernel with comments from AT on, in a text from FROM to END.  Where it ends
   is known in any case.  */
static bool
read_kernel (struct kernel *k, const char *from, const char *end,
             const char *at)
{
  unsigned number, registers;
  const char *next = find_line (at, end, begin, sizeof begin - 1);
  *k = (struct kernel){ .end = next ? next : end - 1, .comments = at };
  for (k->rest = at; is_comment (k->rest); k->variants++)
    if (!(k->rest = read_comment (k->rest, &number, &registers)))
      return false;
  return k->end[-1] == '\n' && read_mark (k, from) && read_header (k);
}

/* ---- Writing ----------------------------------------------------------- */

static char *
copy (char *to, const char *from, const char *end)
{
  return mempcpy (to, from, end - from);
}

/* Copy the name of K's variant FORM.  */
static char *
copy_name (char *to, const struct kernel *k, unsigned form)
{
  to = mempcpy (to, k->name, k->base);
  return to + sprintf (to, ACR_FORM_SUFFIX "%u", form);
}

static char *
write_variant (char *to, const struct kernel *k, unsigned form,
               unsigned registers)
{
  to = copy (to, k->text, k->name);
  to = copy_name (to, k, form);
  to = copy (to, k->name + k->n, k->entry);
  to = copy_name (to, k, form);
  to = copy (to, k->entry + k->n, k->directives);
  to += sprintf (to, " .maxnreg %u", registers);
  to = copy (to, k->directives, k->comments);
  to = copy (to, k->rest, k->behind);
  *to++ = '\n';
  return to;
}

/* Write K and its variants.  */
static char *
write_kernel (char *to, const struct kernel *k)
{
  unsigned form, registers;
  to = copy (to, k->text, k->comments);
  to = copy (to, k->rest, k->end);
  for (const char *p = k->comments; p < k->rest;)
    {
      p = read_comment (p, &form, &registers);
      to = write_variant (to, k, form, registers);
    }
  return to;
}

/* The kernels of T that have comments, and to *N how many: as far as there is memory.  */
static struct kernel *
find_kernels (const struct acr_text *t, unsigned *n)
{
  const char *end = t->p + t->n, *p = t->p + 1;
  struct kernel *all = NULL;
  unsigned room = 0;
  *n = 0;
  while ((p = find_line (p, end, magic, sizeof magic - 1)))
    {
      if (*n == room)
        {
          room = 2 * room + 8;
          struct kernel *to = realloc (all, room * sizeof *to);
          if (!to)
            break;
          all = to;
        }
      struct kernel *k = &all[*n];
      *n += read_kernel (k, t->p, end, p);
      p = k->end;
    }
  return all;
}

void
acr_limited_write (struct acr_text *t)
{
  unsigned n;
  if (t->failed || t->n < 2 || t->p[t->n - 1])
    return;
  struct kernel *all = find_kernels (t, &n);
  size_t room = t->n;
  for (unsigned i = 0; i < n; i++)
    room += all[i].variants * (all[i].end - all[i].text + MORE);
  char *own = n ? malloc (room) : NULL, *to = own;
  const char *from = t->p;
  for (unsigned i = 0; own && i < n; i++)
    {
      to = copy (to, from, all[i].text);
      to = write_kernel (to, &all[i]);
      from = all[i].end;
    }
  if (own)
    {
      to = copy (to, from, t->p + t->n);
      free (t->own);
      t->p = t->own = own;
      t->n = to - own;
    }
  free (all);
}
