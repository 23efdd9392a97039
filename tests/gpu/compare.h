/* Comparing GPUs with the host's evaluation.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_TESTS_GPU_COMPARE_H
#define ACCRETE_TESTS_GPU_COMPARE_H

#include "device.h"
#include "rows.h"

/* Whether G may compute GOT for R (IN) where the reference is WANT.  */
static inline bool
gpu_accepts (const struct gpu *g, const struct row *r, const uint64_t in[3],
	     uint64_t got, uint64_t want)
{
  return gpu_emulated (g) ? row_agrees (r, got, want)
			  : row_allowed (r, in, got, want);
}

/* table.c: all rows of semantics.def on G; how many were wrong.  */
unsigned compare_table (struct gpu *g);

/* errors.c: wrong input to driver LIB, which nothing in this process may have
   used before; how many kinds of it gave another result than they should.  */
unsigned compare_errors (const char *lib);

/* A driver, by name.  */
struct gpu_lib
{
  const char *path;
  bool emulated;
};

/* random.c: random programs with seeds from FIRST on, N of them, on the GPUs of
   all LIBS, which nothing in this process may have used before; how many
   differed, whether the driver optimises or not: what it alone gets wrong then
   is counted apart.  At most SHOW of a GPU's are printed.  */
unsigned compare_random (const struct gpu_lib *libs, unsigned nlibs,
			 uint64_t first, unsigned n, unsigned show);

#endif /* ACCRETE_TESTS_GPU_COMPARE_H */
