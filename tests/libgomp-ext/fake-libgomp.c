/* A libgomp.so.1 that only notes what its entries are called with, for
   entry.c.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "fake-libgomp.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

struct call last_call;

static void
note (const char *name, unsigned n, ...)
{
  va_list ap;
  last_call.name = name;
  last_call.nwords = n;
  va_start (ap, n);
  for (unsigned i = 0; i < n; i++)
    last_call.words[i] = va_arg (ap, uintptr_t);
  va_end (ap);
}

static void
note_ints (va_list ap, int n)
{
  while (n-- > 0)
    last_call.words[last_call.nwords++] = va_arg (ap, int);
}

#define W(x) (uintptr_t) (x)
#define MAPS size_t n, void **h, size_t *s, unsigned short *k
#define MAP_WORDS W (n), W (h), W (s), W (k)

void
GOMP_target_ext (int device, void (*fn) (void *), MAPS, unsigned flags,
                 void **depend, void **args)
{
  note ("GOMP_target_ext", 9, W (device), W (fn), MAP_WORDS, W (flags),
        W (depend), W (args));
}

void
GOMP_target_end_data (void)
{
  note ("GOMP_target_end_data", 0);
}

void
GOACC_parallel_keyed (int flags, void (*fn) (void *), MAPS, ...)
{
  va_list ap;
  unsigned tag;
  note ("GOACC_parallel_keyed", 6, W (flags), W (fn), MAP_WORDS);
  va_start (ap, k);
  while ((tag = va_arg (ap, unsigned)))
    {
      last_call.words[last_call.nwords++] = tag;
      unsigned op = tag & 0xffff;
      note_ints (ap, tag >> 28 == 1   ? __builtin_popcount (op)
                     : tag >> 28 == 2 ? op == 0xffff
                                      : (int)op);
    }
  va_end (ap);
}

#define WAITS(name)                                                           \
  void name (int flags, MAPS, int async, int num_waits, ...)                  \
  {                                                                           \
    va_list ap;                                                               \
    note (#name, 7, W (flags), MAP_WORDS, W (async), W (num_waits));          \
    va_start (ap, num_waits);                                                 \
    note_ints (ap, num_waits);                                                \
    va_end (ap);                                                              \
  }
WAITS (GOACC_update)
WAITS (GOACC_enter_data)
WAITS (GOACC_exit_data)
WAITS (GOACC_enter_exit_data)

void
GOACC_parallel (int flags, void (*fn) (void *), MAPS, int gangs, int workers,
                int vector, int async, int num_waits, ...)
{
  va_list ap;
  note ("GOACC_parallel", 11, W (flags), W (fn), MAP_WORDS, W (gangs),
        W (workers), W (vector), W (async), W (num_waits));
  va_start (ap, num_waits);
  note_ints (ap, num_waits);
  va_end (ap);
}

void
GOACC_wait (int async, int num_waits, ...)
{
  va_list ap;
  note ("GOACC_wait", 2, W (async), W (num_waits));
  va_start (ap, num_waits);
  note_ints (ap, num_waits);
  va_end (ap);
}
