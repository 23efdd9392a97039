/* Random choices of test programs, the same for the same seed.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_RANDOM_H
#define ACCRETE_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* Not 0.  */
static uint64_t state = 0x9E3779B97F4A7C15;

/* Below N, by xorshift64*.  */
static unsigned
below (unsigned n)
{
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (state * 0x2545F4914F6CDD1D >> 33) % n;
}

__attribute__ ((unused)) static bool
chance (unsigned percent)
{
  return below (100) < percent;
}

__attribute__ ((unused)) static const char *
pick (const char *const *of, unsigned n)
{
  return of[below (n)];
}
#define PICK(...)                                                             \
  pick ((const char *const[]){ __VA_ARGS__ },                                 \
        sizeof ((const char *const[]){ __VA_ARGS__ }) / sizeof (char *))

#endif /* ACCRETE_RANDOM_H */
