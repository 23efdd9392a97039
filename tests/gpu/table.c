/* Every row of semantics.def on real GPUs: see compare.h.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "program.h"

enum { BATCH = 100 };

struct row_image
{
  uint64_t mask, in[ROW_CASES][3], out[ROW_CASES];
};

/* Whether G's results of R are right; else say which is not.  */
static bool
judge (const struct gpu *g, const struct row *r, const struct row_image *m)
{
  for (unsigned k = 0; k < ROW_CASES; k++)
    {
      uint64_t want = row_result (r, m->in[k]), got = 0;
      memcpy (&got, &m->out[k], row_result_bytes (r));
      if (!gpu_accepts (g, r, m->in[k], got, want))
	{
	  printf ("%s: %s: a=%#" PRIx64 " b=%#" PRIx64 " c=%#" PRIx64
		  ": got %#" PRIx64 ", want %#" PRIx64 "\n",
		  gpu_name (g), r->insn, m->in[k][0], m->in[k][1], m->in[k][2],
		  got, want);
	  return false;
	}
    }
  return true;
}

/* Rows FIRST up to END on G, those that it knows; how many were wrong.  *RAN
   is how many there were.  */
static unsigned
run_rows (struct gpu *g, unsigned first, unsigned end, unsigned *ran)
{
  static struct row_image image[BATCH];
  struct launch launches[BATCH];
  uint64_t state = 88172645463325252u;
  char *text = NULL;
  size_t len;
  FILE *f = open_memstream (&text, &len);
  row_print_header (90, f);
  unsigned n = 0;
  for (unsigned k = first; k < end; k++)
    {
      if (row_target (&rows[k]) > 90)
	continue;
      struct row_image *m = &image[k - first];
      struct launch *l = &launches[n++];
      *l = (struct launch){ .grid = ROW_CASES / 256, .block = 256, .nparams = 3 };
      snprintf (l->kernel, sizeof l->kernel, "r%u", k);
      size_t at = (k - first) * sizeof *m;
      l->param[0] = at + offsetof (struct row_image, in);
      l->param[1] = at + offsetof (struct row_image, out);
      l->param[2] = at + offsetof (struct row_image, mask);
      row_print_kernel (&rows[k], l->kernel, f);
      row_inputs (&rows[k], m->in, &state);
      m->mask = 0xffffffff;
    }
  fclose (f);
  unsigned wrong = 0;
  if (!gpu_run (g, text, 4, launches, n, image, (end - first) * sizeof *image))
    wrong = n;
  else
    for (unsigned k = first; k < end; k++)
      if (row_target (&rows[k]) <= 90)
	wrong += !judge (g, &rows[k], &image[k - first]);
  *ran += n;
  free (text);
  return wrong;
}

unsigned
compare_table (struct gpu *g)
{
  unsigned wrong = 0, ran = 0;
  for (unsigned k = 0; k < nrows; k += BATCH)
    wrong += run_rows (g, k, k + BATCH < nrows ? k + BATCH : nrows, &ran);
  printf ("%s: %u instruction forms on %u inputs each: %u differ\n",
	  gpu_name (g), ran, ROW_CASES, wrong);
  return wrong;
}
