/* Link the PTX files named as arguments into one module, decode every
   function and print the instructions that are not emulated.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"
#include "ptx/ptx.h"

static char *
read_file (const char *name, size_t *len)
{
  FILE *f = fopen (name, "r");
  if (!f)
    return NULL;
  size_t size = 1 << 16, n = 0, got;
  char *p = malloc (size);
  while (p && (got = fread (p + n, 1, size - n, f)) > 0)
    if ((n += got) == size)
      p = realloc (p, size *= 2);
  fclose (f);
  *len = n;
  return p;
}

/* Take the files that LOG names as using or defining symbols wrongly out of
   the N at SRC: a library's members do not all fit in one program.  */
static unsigned
drop_blamed (struct emu_source *src, unsigned n, const char *log)
{
  unsigned left = 0;
  for (unsigned k = 0; k < n; k++)
    {
      char quoted[600];
      snprintf (quoted, sizeof quoted, " in '%s'", src[k].name);
      if (!strstr (log, quoted))
	src[left++] = src[k];
    }
  return left;
}

int
main (int argc, char **argv)
{
  unsigned n = (unsigned) argc - 1, dropped = 0;
  struct emu_source *src = calloc (n + 1, sizeof *src);
  for (unsigned k = 0; k < n; k++)
    {
      src[k].name = argv[k + 1];
      src[k].text = read_file (argv[k + 1], &src[k].len);
      if (!src[k].text)
	{
	  perror (argv[k + 1]);
	  return 2;
	}
    }
  struct emu_module *m;
  char *log;
  while (emu_module_load (&m, src, n, &log) != CUDA_SUCCESS)
    {
      unsigned left = drop_blamed (src, n, log);
      if (left == n)
	{
	  fputs (log, stderr);
	  return 2;
	}
      dropped += n - left;
      n = left;
      free (log);
    }
  unsigned long funcs = 0, insns = 0, unknown = 0;
  struct emu_func *f;
  for (uint64_t at = EMU_FUNC_WINDOW; (f = emu_func_at (m, at)); at += 16)
    if (f->ptx)
      {
	const struct insn *code = emu_func_code (f);
	funcs++;
	if (!code)
	  {
	    fprintf (stderr, "%s: not decoded\n", f->name);
	    unknown++;
	    continue;
	  }
	insns += f->ncode;
	for (size_t k = 0; k < f->ncode; k++)
	  if (code[k].fn == emu_find_handler ("unknown")
	      && code[k].stmt->insn->op != PTX_OP_BRX)
	    {
	      const struct ptx_stmt *s = code[k].stmt;
	      unknown++;
	      printf ("%s:%u: %s: %.*s\n", s->func->unit->name, s->line,
		      f->name, (int) (s->len - s->lead), s->text + s->lead);
	    }
      }
  printf ("%u files (%u left out), %lu functions, %lu instructions, "
	  "%lu not emulated\n", n, dropped, funcs, insns, unknown);
  return unknown != 0;
}
