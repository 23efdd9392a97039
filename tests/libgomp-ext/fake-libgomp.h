/* The last call of a libgomp entry; see fake-libgomp.c.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stddef.h>
#include <stdint.h>

struct call
{
  const char *name;
  unsigned nwords;
  uintptr_t words[4096];
};

extern struct call last_call;
