/* A fuzzing engine for any compiler: PROGRAM [-n RUNS] [-s SEED] FILE... tries
   mutations of the files, the same ones for the same seed.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

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
#include "ptx/op.def"
#define PTX_MOD(id, text, cls) "." text,
#include "ptx/mod.def"
#define PTX_TYPE(id, text, bytes, cls) "." text,
#include "ptx/type.def"
#define PTX_SREG(id, text, type, vec, version, sm) text,
#include "ptx/sreg.def"
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

/* What FILE begins with.  */
static struct text
read_text (const char *file)
{
  struct text t = { malloc (MAX_SIZE), 0 };
  FILE *f = fopen (file, "r");
  if (!f || !t.s)
    {
      perror (file);
      exit (99);
    }
  t.len = fread (t.s, 1, MAX_SIZE, f);
  fclose (f);
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

