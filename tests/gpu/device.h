/* A GPU, real or emulated, behind its libcuda.so.1: several may be open at a
   time, as nothing links against the driver.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_TESTS_GPU_DEVICE_H
#define ACCRETE_TESTS_GPU_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

struct gpu;

/* One launch; parameters are addresses of parts of the batch's data.  */
struct launch
{
  char kernel[16];
  unsigned grid, block;
  unsigned nparams;
  size_t param[4];		/* offsets into the data */
};

/* Store the address of ENTRY of driver LIB in the pointer at FN; false after a
   message on stderr.  */
bool gpu_entry (const char *lib, const char *entry, void *fn);

/* Open the first GPU of driver LIB; NULL after a message on stderr.  */
struct gpu *gpu_open (const char *lib, bool emulated);
void gpu_close (struct gpu *);
const char *gpu_name (const struct gpu *);
/* Whether it is the emulated one.  */
bool gpu_emulated (const struct gpu *);

/* Load TEXT, a PTX unit, at the driver's optimisation LEVEL (0 to 4), run its N
   launches one after another on DATA, copied there and back.  False after a
   message on stderr.  */
bool gpu_run (struct gpu *, const char *text, unsigned level,
	      const struct launch *launches, unsigned n, void *data,
	      size_t bytes);

#endif /* ACCRETE_TESTS_GPU_DEVICE_H */
