/* Regular sections; see section.h.

   Why two of them are apart.  The byte U of a piece of A is the byte V of one of B
   where, for numbers I and J of their rows,

     A.base + sum of A.stride * I + U = B.base + sum of B.stride * J + V

   so that a sum of strides, each times a number between two known ones, is between two
   others (B's numbers count as negative; rows of both with one stride are one, of
   I - J).  The search tries, for the largest stride first, the numbers with which what
   the others can add may still get there.  Where none is left, none is right: no byte is
   shared.  Where there are many, it gives up, and they may meet.

   What a launch passes, and numbers from a loop's first to its last, are known as the
   source's arithmetic has them: sums modulo 2^64, where addresses are.  What is too
   large for a device's memory is not known.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "transfer/section.h"

#include <stdint.h>

enum
{
  STEPS = 64
};

/* More than memory has.  */
static const uint64_t most = (uint64_t)1 << 48;

/* ---- Where it is ------------------------------------------------------- */

/* The value in the slot that VALUE tells (abi.h).  */
static uint64_t
value_of (const struct acr_region *r, const CUdeviceptr *words, short value)
{
  unsigned bits = 8 * r->ops[value / 2].size;
  uint64_t high = words[value / 2] << (64 - bits);
  return value & 1 ? high >> (64 - bits)
                   : (uint64_t)((int64_t)high >> (64 - bits));
}

static uint64_t
sum_of (const struct acr_region *r, const CUdeviceptr *words,
        const struct acr_sum *s)
{
  uint64_t sum = 0;
  for (unsigned i = 0; i < s->n; i++)
    {
      const struct acr_term *t = &s->term[i];
      uint64_t product = t->factor;
      for (int k = 0; k < ACR_SECTION_VALUES && t->value[k] >= 0; k++)
        product *= value_of (r, words, t->value[k]);
      sum += product;
    }
  return sum;
}

/* Put ROW in its place among those of P.  */
static void
insert (struct acr_pieces *p, struct acr_repeat row)
{
  unsigned n = p->nrows++;
  for (; n && p->row[n - 1].stride > row.stride; n--)
    p->row[n] = p->row[n - 1];
  p->row[n] = row;
}

/* Add the numbers of loop L to P.  False: they are not known.  *ANY is not kept where
   there are none.  */
static bool
add_loop (struct acr_pieces *p, const struct acr_region *r,
          const struct acr_section_loop *l, const CUdeviceptr *words, bool *any)
{
  int64_t first = sum_of (r, words, &l->first);
  int64_t bound = sum_of (r, words, &l->bound);
  uint64_t stride = sum_of (r, words, &l->stride) * (uint64_t)l->step, extent;
  if (l->natural && (first < 0 || bound < 0))
    return false;
  if (l->step > 0 ? first >= bound : first <= bound)
    {
      *any = false;
      return true;
    }
  uint64_t distance = l->step > 0 ? (uint64_t)bound - first
                                  : (uint64_t)first - bound;
  uint64_t step = l->step > 0 ? (uint64_t)l->step : -(uint64_t)l->step;
  struct acr_repeat row = { stride, (distance - 1) / step };
  p->base += sum_of (r, words, &l->stride) * (uint64_t)first;
  if ((int64_t)stride < 0)
    {
      row.stride = -stride;
      p->base -= row.stride * row.last;
    }
  if (__builtin_mul_overflow (row.stride, row.last, &extent) || extent >= most)
    return false;
  if (extent)
    insert (p, row);
  return true;
}

/* Let pieces that leave no gap be one.  */
static void
join_pieces (struct acr_pieces *p)
{
  unsigned k = 0;
  for (unsigned i = 0; i < p->nrows; i++)
    if (!k && p->row[i].stride <= p->piece)
      p->piece += p->row[i].stride * p->row[i].last;
    else
      p->row[k++] = p->row[i];
  p->nrows = k;
}

bool
acr_section_place (const struct acr_region *r, const struct acr_section *s,
                   const CUdeviceptr *words, struct acr_pieces *p)
{
  bool any = true;
  *p = acr_pieces_whole (words[s->slot] + sum_of (r, words, &s->at), s->bytes);
  for (unsigned i = 0; i < s->nloops; i++)
    if (!add_loop (p, r, &s->loop[i], words, &any))
      return false;
  join_pieces (p);
  p->n = any ? p->piece : 0;
  for (unsigned i = 0; any && i < p->nrows; i++)
    p->n += p->row[i].stride * p->row[i].last;
  return p->base + p->n >= p->base;
}

/* ---- Whether two meet -------------------------------------------------- */

/* STRIDE times a number from LOW to HIGH; what all behind it add is from LEAST to
   MOST.  */
struct level
{
  int64_t stride, low, high, least, most;
};

struct search
{
  struct level level[2 * ACR_SECTION_LOOPS];
  unsigned n, steps;
};

static int64_t
divide_down (int64_t a, int64_t b)
{
  return a / b - (a % b < 0);
}

/* Whether all levels from K on may add something from LOW to HIGH.  */
static bool
may_add (struct search *s, unsigned k, int64_t low, int64_t high)
{
  if (k == s->n)
    return low <= 0 && high >= 0;
  const struct level *l = &s->level[k];
  int64_t from = -divide_down (l->most - low, l->stride);
  int64_t to = divide_down (high - l->least, l->stride);
  from = from < l->low ? l->low : from;
  to = to > l->high ? l->high : to;
  for (int64_t x = from; x <= to; x++)
    if (s->steps++ == STEPS
        || may_add (s, k + 1, low - l->stride * x, high - l->stride * x))
      return true;
  return false;
}

/* Add the rows of A and B, the largest stride first.  */
static void
add_rows (struct search *s, const struct acr_pieces *a, const struct acr_pieces *b)
{
  unsigned i = a->nrows, k = b->nrows;
  while (i || k)
    {
      uint64_t x = i ? a->row[i - 1].stride : 0;
      uint64_t y = k ? b->row[k - 1].stride : 0;
      struct level *l = &s->level[s->n++];
      *l = (struct level){ .stride = x > y ? x : y };
      if (x >= y)
        l->high = a->row[--i].last;
      if (y >= x)
        l->low = -(int64_t)b->row[--k].last;
    }
  for (unsigned m = s->n; m-- > 1;)
    {
      const struct level *l = &s->level[m];
      s->level[m - 1].least = l->least + l->stride * l->low;
      s->level[m - 1].most = l->most + l->stride * l->high;
    }
}

bool
acr_pieces_meet (const struct acr_pieces *a, const struct acr_pieces *b)
{
  struct search s = { .n = 0 };
  int64_t distance = b->base - a->base;
  add_rows (&s, a, b);
  return may_add (&s, 0, distance - (int64_t)(a->piece - 1),
                  distance + (int64_t)(b->piece - 1));
}
