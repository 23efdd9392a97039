/* Fuzzing of the PTX library and the passes.

   Property: any bytes either are an error with place and message, or a unit
   that prints back byte for byte; every pass ends, and what it leaves is a
   unit again that has no new statement it does not understand.

   Two ways to run it:
   - as it is built here, ptx-parse [-n RUNS] [-s SEED] FILE...: mutations of
     the files, the same ones for the same seed;
   - under libFuzzer, from a build tree configured with CC=clang:
       clang -fsanitize=fuzzer,address -DFUZZ_ENGINE -I. -I../ptx-post ...
     with the sources of libptx, libpost and libabi; see run-libfuzzer.sh.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
require (bool cond, const char *what)
{
  if (cond)
    return;
  fprintf (stderr, "ptx-parse: violated: %s\n", what);
  abort ();
}

static char *
print (const struct ptx_unit *u, size_t *len)
{
  char *text;
  FILE *f = open_memstream (&text, len);
  if (!f)
    abort ();
  ptx_print (u, f);
  fclose (f);
  return text;
}

static void
count (struct ptx_sym *reg, void *n)
{
  *(unsigned *) n += reg->kind == PTX_SYM_REG;
}

/* Statements that are not understood; touches everything on the way.  */
static unsigned
walk (const struct ptx_unit *u)
{
  unsigned unknown = 0, registers = 0;
  const struct ptx_stmt *prev = NULL;
  for (const struct ptx_stmt *s = u->first; s; prev = s, s = s->next)
    {
      require (s->prev == prev, "statements are linked both ways");
      unknown += s->kind == PTX_S_RAW;
      if (s->kind != PTX_S_INSN)
	continue;
      unknown += s->insn->op == PTX_OP_OPAQUE;
      ptx_insn_defs (s->insn, count, &registers);
      ptx_insn_uses (s->insn, count, &registers);
    }
  require (u->last == prev, "the last statement is the last");
  for (const struct ptx_func *f = u->funcs; f; f = f->next)
    {
      require (f->has_body == (f->first != NULL)
		 && f->has_body == (f->last != NULL),
	       "a body has two ends");
      for (unsigned i = 0; i < f->nregs; i++)
	require (f->regs[i]->index == i, "registers know their index");
    }
  return unknown;
}

static void
ignore (const char *where, const char *what, size_t len)
{
  (void) where;
  (void) what;
  (void) len;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  struct ptx_error e = { 0 };
  struct ptx_unit *u = ptx_parse ("fuzz", (const char *) data, size, &e);
  if (!u)
    {
      require (e.line > 0 && e.column > 0 && e.message[0], "errors say where");
      return 0;
    }
  size_t len;
  char *text = print (u, &len);
  require (len == size && memcmp (text, data, size) == 0, "prints back");
  free (text);
  unsigned unknown = walk (u);

  struct post_options opt;
  post_options_init (&opt, ignore);
  post_run (u, &opt);
  require (walk (u) <= unknown, "passes add nothing that is unknown");
  text = print (u, &len);
  struct ptx_unit *again = ptx_parse ("fuzz", text, len, &e);
  require (again, "the result of the passes is a unit");
  require (walk (again) <= unknown, "and as well understood as before");
  ptx_unit_free (again);
  free (text);
  ptx_unit_free (u);
  return 0;
}

#ifndef FUZZ_ENGINE

/* ---- Mutations ---- */

enum { MAX_SIZE = 1 << 16 };

static uint64_t seed = 1;

/* xorshift64*  */
static uint32_t
random_below (uint32_t n)
{
  seed ^= seed >> 12;
  seed ^= seed << 25;
  seed ^= seed >> 27;
  return (uint32_t) ((seed * 0x2545F4914F6CDD1D) >> 32) % n;
}

struct text { char *s; size_t len; };

/* Words that PTX is made of.  */
static const char *const words[] = {
#define PTX_OP(id, text, roles, classes, flags) text,
#include "op.def"
#define PTX_MOD(id, text, cls) "." text,
#include "mod.def"
#define PTX_TYPE(id, text, bytes, cls) "." text,
#include "type.def"
#define PTX_SREG(id, text, type, vec) text,
#include "sreg.def"
  ".reg", ".global", ".shared", ".local", ".param", ".const", ".entry",
  ".func", ".extern", ".visible", ".align", ".v2", ".v4", ".loc 1 2 3\n",
  ".file 1 \"a\"\n", ".section .x {", ".pragma \"x\";", ".callprototype",
  ".branchtargets", ".maxntid 1,2", "@%p", "@!", "{", "}", "(", ")", "[", "]",
  "<9>", ",", ";", ":", "+", "-", "!", "|", "_", "%r1", "0x7fffffffffffffff",
  "0f7F800000", "0d", "1.5e9", "/*", "*/", "//", "\n", "\"", "generic(",
  "ACCRETE-TAG 1 fn=f src=a:1 kind=acc-parallel dims=1,1,1 op=0,a,data,r,1,4",
};

/* Replace the N bytes at AT by the M bytes at S.  */
static void
splice (struct text *t, size_t at, size_t n, const char *s, size_t m)
{
  if (t->len - n + m > MAX_SIZE)
    return;
  memmove (t->s + at + m, t->s + at + n, t->len - at - n);
  memcpy (t->s + at, s, m);
  t->len += m - n;
}

static void
mutate (struct text *t, const struct text *corpus, unsigned ncorpus)
{
  size_t at = random_below (t->len + 1), left = t->len - at;
  size_t n = left ? random_below (left < 64 ? left : 64) : 0;
  const struct text *other = &corpus[random_below (ncorpus)];
  size_t from = random_below (other->len + 1);
  size_t m = other->len - from < 200 ? other->len - from
				     : random_below (200);
  const char *word = words[random_below (sizeof words / sizeof *words)];
  char byte = random_below (256);
  switch (random_below (8))
    {
    case 0:
      splice (t, at, left ? 1 : 0, &byte, 1);
      break;
    case 1:
      splice (t, at, n, "", 0);
      break;
    case 2:
    case 3:
      splice (t, at, 0, word, strlen (word));
      break;
    case 4:
      splice (t, at, n, word, strlen (word));
      break;
    case 5:
      splice (t, at, n, other->s + from, m);
      break;
    case 6:
      splice (t, at, 0, other->s + from, m);
      break;
    case 7:
      if (random_below (8) == 0)
	t->len = at;
      break;
    }
}

static struct text
read_text (const char *file)
{
  struct text t;
  t.s = read_all (file, &t.len);
  if (!t.s)
    {
      perror (file);
      exit (99);
    }
  if (t.len > MAX_SIZE)
    t.len = MAX_SIZE;
  return t;
}

int
main (int argc, char **argv)
{
  unsigned long runs = 20000;
  for (int c; (c = getopt (argc, argv, "n:s:")) != -1;)
    if (c == 'n')
      runs = strtoul (optarg, NULL, 0);
    else if (c == 's')
      seed = strtoull (optarg, NULL, 0) | 1;
    else
      return 99;
  unsigned n = argc - optind;
  struct text *corpus = calloc (n, sizeof *corpus);
  struct text t = { malloc (MAX_SIZE), 0 };
  if (!n || !corpus || !t.s)
    return 99;
  for (unsigned i = 0; i < n; i++)
    corpus[i] = read_text (argv[optind + i]);

  for (unsigned long run = 0; run < runs; run++)
    {
      const struct text *start = &corpus[random_below (n)];
      memcpy (t.s, start->s, start->len);
      t.len = start->len;
      /* Most get a few changes, so that much of the text stays PTX.  */
      for (unsigned i = 1 + random_below (6); i; i--)
	mutate (&t, corpus, n);
      LLVMFuzzerTestOneInput ((uint8_t *) t.s, t.len);
    }
  printf ("%lu runs\n", runs);
  for (unsigned i = 0; i < n; i++)
    free (corpus[i].s);
  free (corpus);
  free (t.s);
  return 0;
}

#endif
