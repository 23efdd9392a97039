/* Regular sections: where they are, and whether two share a byte, against every byte of
   random ones, that of the borders of arrays among them.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#define _GNU_SOURCE /* memrchr */
#include "transfer/section.h"
#include "random.h"
#include "tap.h"

#include <limits.h>

enum
{
  BYTES = 4096, /* of memory, at BASE */
  BASE = 1 << 20,
  SLOTS = 6
};

/* What a region is launched with: an address, and numbers.  */
static struct acr_operand ops[SLOTS];
static struct acr_region region = { .ops = ops, .nops = SLOTS };
static CUdeviceptr words[SLOTS];
static struct acr_term terms[256];
static unsigned nterms;

static uint64_t
number (short value)
{
  static const unsigned char sizes[] = { 1, 2, 4, 8 };
  unsigned bits = 8 * sizes[value / 2 % 4];
  ops[value / 2].size = bits / 8;
  uint64_t high = words[value / 2] << (64 - bits);
  return value & 1 ? high >> (64 - bits)
                   : (uint64_t)((int64_t)high >> (64 - bits));
}

/* A sum that is N: a constant, or a constant and up to two numbers, one of them by
   another.  */
static struct acr_sum
sum_of (uint64_t n)
{
  struct acr_sum s = { terms + nterms, 1 };
  for (unsigned k = below (3); k; k--)
    {
      struct acr_term *t = &terms[nterms++];
      memset (t->value, -1, sizeof t->value);
      t->factor = 1 + below (3);
      uint64_t product = t->factor;
      for (unsigned i = 0; i < k; i++)
        {
          t->value[i] = 2 + below (2 * SLOTS - 2);
          product *= number (t->value[i]);
        }
      n -= product;
      s.n++;
    }
  struct acr_term *t = &terms[nterms++];
  memset (t->value, -1, sizeof t->value);
  t->factor = n;
  return s;
}

/* A loop with its numbers.  */
struct loop
{
  long long stride, first, bound, step;
};

/* Let TOUCHED be what S, a section of pieces of BYTES from AT on with N loops, is in
   memory.  False: not all of it is there.  */
static bool
touch (char touched[BYTES], long long at, unsigned bytes, const struct loop *l,
       unsigned n)
{
  bool in = true;
  if (!n)
    {
      in = at >= 0 && at + bytes <= BYTES;
      if (in)
        memset (touched + at, 1, bytes);
      return in;
    }
  for (long long i = l->first; l->step > 0 ? i < l->bound : i > l->bound;
       i += l->step)
    in &= touch (touched, at + l->stride * i, bytes, l + 1, n - 1);
  return in;
}

/* Loops and pieces: arbitrary ones.  */
static unsigned
random_loops (struct loop *l, unsigned *bytes)
{
  unsigned n = below (4);
  *bytes = 1 + below (12);
  for (unsigned i = 0; i < n; i++)
    {
      long long first = (int)below (20) - 10, count = below (6);
      long long step = 1 + (int)below (3);
      if (below (2))
        step = -step;
      l[i] = (struct loop){ .stride = (int)below (160) - 80,
                            .first = first,
                            .bound = first + step * count,
                            .step = step };
      /* Bounds that no number hits.  */
      if (step > 1 && count)
        l[i].bound -= below (step);
    }
  return n;
}

/* Those of a border: DEPTH rows or columns of a matrix of PITCH.  */
static unsigned
border_loops (struct loop *l, unsigned *bytes)
{
  long long pitch = 8 * (10 + below (2)), from = below (3);
  bool rows = below (2);
  *bytes = 8;
  l[0] = (struct loop){ rows ? 8 : pitch, from, from + below (9), 1 };
  l[1] = (struct loop){ rows ? pitch : 8, 0, 1 + below (2), 1 };
  if (below (2))
    l[1].stride = -l[1].stride;
  return 2;
}

/* A random section: TOUCHED and P are where it is.  False: not in memory.  */
static bool
make (char touched[BYTES], struct acr_pieces *p, bool *wrong)
{
  struct loop l[ACR_SECTION_LOOPS];
  unsigned bytes, n = (below (2) ? random_loops : border_loops) (l, &bytes);
  long long at = 600 + 8 * (int)below (100);
  memset (touched, 0, BYTES);
  if (!touch (touched, at, bytes, l, n))
    return false;
  nterms = 0;
  words[0] = BASE;
  for (unsigned i = 1; i < SLOTS; i++)
    words[i] = (uint64_t)below (INT_MAX) << 33 | (below (200) - 100);
  struct acr_section s = { .bytes = bytes, .nloops = n };
  /* Numbers of 8 bytes would go beyond 64 bits in products, which is no matter.  */
  s.at = sum_of (at);
  for (unsigned i = 0; i < n; i++)
    s.loop[i] = (struct acr_section_loop){
      .stride = sum_of (l[i].stride), .first = sum_of (l[i].first),
      .bound = sum_of (l[i].bound), .step = l[i].step
    };
  bool any = memchr (touched, 1, BYTES);
  *wrong |= !acr_section_place (&region, &s, words, p) || any != (p->n > 0);
  if (!any || *wrong)
    return false;
  char *from = memchr (touched, 1, BYTES), *to = memrchr (touched, 1, BYTES);
  *wrong |= p->base != (CUdeviceptr)(BASE + (from - touched))
            || p->n != (size_t)(to - from + 1);
  return true;
}

static void
test_random (void)
{
  static char a[BYTES], b[BYTES];
  struct acr_pieces p, q;
  bool wrong = false;
  unsigned made = 0, met = 0, apart = 0, missed = 0, cautious = 0;
  while (made < 20000 && !wrong)
    {
      if (!make (a, &p, &wrong) || !make (b, &q, &wrong))
        continue;
      made++;
      bool meets = false;
      for (unsigned i = 0; i < BYTES; i++)
        meets |= a[i] && b[i];
      bool said = acr_pieces_overlap (&p, &q);
      met += meets;
      apart += !meets && p.base < q.base + q.n && q.base < p.base + p.n;
      missed += meets && !said;
      cautious += !meets && said;
      if (said != acr_pieces_overlap (&q, &p))
        missed++;
    }
  ok (!wrong, "%u pairs of sections are where they should be", made);
  ok (met > 1000 && apart > 1000, "%u meet, %u are apart in each other", met,
      apart);
  ok_int (missed, 0, "no byte is missed");
  ok (cautious < apart / 20, "%u that are apart may meet", cautious);
}

/* What is not known.  */
static void
test_unknown (void)
{
  static struct acr_term one = { 1, { -1, -1, -1, -1 } }, minus = { -1, { -1, -1, -1, -1 } },
                         eight = { 8, { -1, -1, -1, -1 } },
                         large = { LLONG_MAX / 16, { -1, -1, -1, -1 } };
  struct acr_sum a = { &one, 1 }, b = { &minus, 1 }, c = { &eight, 1 }, d = { &large, 1 };
  struct acr_section s = { .bytes = 8, .at = a, .nloops = 1 };
  struct acr_pieces p;
  words[0] = BASE;
  s.loop[0] = (struct acr_section_loop){ c, b, c, 1, false };
  ok (acr_section_place (&region, &s, words, &p) && p.n == 72 && p.base == BASE - 7,
      "from -1 to 8");
  s.loop[0].natural = true;
  ok (!acr_section_place (&region, &s, words, &p), "from 2^64 - 1 to 8");
  s.loop[0] = (struct acr_section_loop){ c, a, b, 1, true };
  ok (!acr_section_place (&region, &s, words, &p), "up to 2^64 - 1");
  s.loop[0].natural = false;
  ok (acr_section_place (&region, &s, words, &p) && !p.n, "up to -1: nothing");
  s.loop[0] = (struct acr_section_loop){ c, a, d, 1, false };
  ok (!acr_section_place (&region, &s, words, &p), "more than memory has");
  s.loop[0] = (struct acr_section_loop){ d, a, c, 1, false };
  ok (!acr_section_place (&region, &s, words, &p), "strides of more");
}

/* Rows and columns, of which a corner may be in both.  */
static void
test_corners (void)
{
  enum
  {
    PITCH = 80
  };
  for (unsigned side = 0; side < 2; side++)
    for (int more = -1; more < 2; more++)
      {
        /* Two rows from line 5 on, of columns 2 to 7; columns 8 and 9, or 0 and 1 or one
           more than that, of lines 0 to 9.  */
        struct acr_pieces rows = { BASE + 5 * PITCH + 16, PITCH + 48, 48, 1,
                                   { { PITCH, 1 } } };
        struct acr_pieces columns
            = { BASE + (side ? 64 - 8 * (more > 0) : 0), 9 * PITCH + 16, 16, 1,
                { { PITCH, 9 } } };
        if (!side && more > 0)
          columns.piece += 8, columns.n += 8;
        if (more < 0)
          columns.piece -= 8, columns.n -= 8;
        ok (acr_pieces_overlap (&rows, &columns) == (more > 0)
                && acr_pieces_overlap (&columns, &rows) == (more > 0),
            "%s: %s", side ? "right" : "left",
            more > 0 ? "a corner" : "beside each other");
      }
}

int
main (void)
{
  for (unsigned i = 0; i < SLOTS; i++)
    ops[i].slot = i;
  test_random ();
  test_unknown ();
  test_corners ();
  return done_testing ();
}
