/* passes FILE...: what the post-processor costs on one large unit, made of
   all FILEs in a row: best of some runs in milliseconds, and the peak of
   resident memory of this process.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include "../stopwatch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { RUNS = 9, STAGES = 3 };

static void
ignore (const char *where, const char *what, size_t len)
{
  (void) where;
  (void) what;
  (void) len;
}

int
main (int argc, char **argv)
{
  char *text = malloc (1);
  size_t len = 0;
  for (int i = 1; i < argc; i++)
    {
      size_t n;
      char *part = read_all (argv[i], &n);
      if (!part || !(text = realloc (text, len + n)))
	{
	  perror (argv[i]);
	  return 1;
	}
      memcpy (text + len, part, n);
      len += n;
      free (part);
    }

  double best[STAGES] = { 1e9, 1e9, 1e9 };
  unsigned taken = 0, statements = 0;
  for (unsigned run = 0; run < RUNS; run++)
    {
      struct ptx_error e;
      double t[STAGES + 1] = { 1e3 * stopwatch_seconds () };
      struct ptx_unit *u = ptx_parse ("benchmark", text, len, &e);
      if (!u)
	{
	  ptx_error_print (stderr, "benchmark", text, len, &e);
	  return 1;
	}
      t[1] = 1e3 * stopwatch_seconds ();
      struct post_options opt;
      post_options_init (&opt, ignore);
      taken = post_run (u, &opt);
      t[2] = 1e3 * stopwatch_seconds ();
      char *out;
      size_t out_len;
      FILE *f = open_memstream (&out, &out_len);
      ptx_print (u, f);
      fclose (f);
      t[3] = 1e3 * stopwatch_seconds ();
      for (unsigned i = 0; i < STAGES; i++)
	if (t[i + 1] - t[i] < best[i])
	  best[i] = t[i + 1] - t[i];
      statements = 0;
      for (struct ptx_stmt *s = u->first; s; s = s->next)
	statements++;
      free (out);
      ptx_unit_free (u);
    }

  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  printf ("%zu bytes, %u statements, %u changes\n", len, statements, taken);
  printf ("parse %.1f ms (%.0f MB/s), passes %.1f ms, print %.1f ms; "
	  "peak %ld MiB\n",
	  best[0], len / best[0] / 1e3, best[1], best[2],
	  usage.ru_maxrss / 1024);
  free (text);
  return 0;
}
