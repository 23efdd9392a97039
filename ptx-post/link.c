/* ld: the linker that the accel compiler finds through -B.  It hands over to
   the stock one, without the libraries when the objects refer to nothing that
   they do not define themselves: then none of a library would be linked.

   The stock linker reads all of libgomp, libc and libgcc before it looks what
   is missing, and that takes longer than compiling most kernels.  Plain
   kernels (plugin/spmd/spmd.cc) rarely need any of them.

   Whatever is not understood, and every error, is left to stock.

   Behind it, machine code is added to the linked PTX where ACCRETE_AOT asks for
   that (aot.h).

   Source: nvptx-ld of nvptx-tools; write_fn_marker and write_var_marker in
   GCC's config/nvptx/nvptx.cc for the lines that make symbols known.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "aot.h"
#include "post.h"
#include "env.h"
#include "note.h"
#include "stock.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum option
{
#define OPT_LINK(id, name, alias, needs, help) LINK_##id,
#include "abi/optimisations.def"
};

/* ---- Symbols ---- */

/* A global symbol as one line makes it known.  */
struct symbol
{
  const char *name;		/* up to the end of the line */
  size_t len;
  bool defined;
};

struct symbols
{
  struct symbol *all;
  size_t n, room;
};

static bool
add (struct symbols *s, struct symbol symbol)
{
  if (s->n == s->room)
    {
      size_t room = s->room ? 2 * s->room : 64;
      struct symbol *all = realloc (s->all, room * sizeof *all);
      if (!all)
	return false;
      s->all = all;
      s->room = room;
    }
  s->all[s->n++] = symbol;
  return true;
}

/* By name, definitions first.  */
static int
compare (const void *a, const void *b)
{
  const struct symbol *x = a, *y = b;
  size_t len = x->len < y->len ? x->len : y->len;
  int order = memcmp (x->name, y->name, len);
  if (order == 0)
    order = (x->len > y->len) - (x->len < y->len);
  return order ? order : y->defined - x->defined;
}

/* Skip WORD at *P; whether it is there.  */
static bool
skip (const char **p, const char *word)
{
  size_t len = strlen (word);
  if (strncmp (*p, word, len) != 0)
    return false;
  *p += len;
  return true;
}

/* Add the global symbols of the object TEXT.  False when it is not
   understood.  */
static bool
read_symbols (struct symbols *s, const char *text)
{
  const char *p = text;
  if (!skip (&p, "// BEGIN PREAMBLE"))
    return false;
  while ((p = strstr (p, "\n// BEGIN ")))
    {
      p += strlen ("\n// BEGIN ");
      bool global = skip (&p, "GLOBAL ");
      if (!skip (&p, "FUNCTION ") && !skip (&p, "VAR "))
	return false;
      bool defined = skip (&p, "DEF: ");
      if (!defined && !skip (&p, "DECL: "))
	return false;
      struct symbol symbol = { p, strcspn (p, "\n"), defined };
      if (global && !add (s, symbol))
	return false;
    }
  return true;
}

/* Is each symbol defined?  */
static bool
all_defined (struct symbols *s)
{
  if (s->n)
    qsort (s->all, s->n, sizeof *s->all, compare);
  for (size_t i = 0; i < s->n; i++)
    {
      const struct symbol *x = &s->all[i], *before = x - 1;
      bool first = i == 0 || x->len != before->len
		   || memcmp (x->name, before->name, x->len) != 0;
      if (first && !x->defined)
	return false;
    }
  return true;
}

/* ---- The command line ---- */

/* The value of the option -LETTER at argument *I, which goes on to the last
   one of the option; NULL when it is another one.  */
static const char *
value (char **argv, int *i, char letter)
{
  const char *a = argv[*i];
  if (a[0] != '-' || a[1] != letter)
    return NULL;
  return a[2] ? a + 2 : argv[*i + 1] ? argv[++*i] : NULL;
}

/* Is there a library NAME in a folder of ARGV's?  A missing one is an
   error.  */
static bool
library_exists (char **argv, const char *name)
{
  for (int i = 1; argv[i]; i++)
    {
      char path[PATH_MAX];
      const char *folder = value (argv, &i, 'L');
      if (folder
	  && (size_t) snprintf (path, sizeof path, "%s/lib%s.a", folder, name)
	       < sizeof path
	  && access (path, R_OK) == 0)
	return true;
    }
  return false;
}

/* Whether the objects of what gcc calls nvptx-none-ld with,
   [-o FILE] [-v] [-L FOLDER]... [-l LIBRARY]... OBJECT..., need no library.
   */
static bool
complete (char **argv)
{
  struct symbols symbols = { 0 };
  int objects = 0;
  for (int i = 1; argv[i]; i++)
    {
      size_t len;
      const char *library = value (argv, &i, 'l');
      if (library)
	{
	  if (!library_exists (argv, library))
	    return false;
	}
      else if (argv[i][0] == '-')
	{
	  if (!value (argv, &i, 'L') && !value (argv, &i, 'o')
	      && strcmp (argv[i], "-v") != 0)
	    return false;
	}
      else
	{
	  /* Kept, as symbols point into it.  */
	  const char *text = read_all (argv[i], &len);
	  if (!text || strlen (text) != len || !read_symbols (&symbols, text))
	    return false;
	  objects++;
	}
    }
  return objects && all_defined (&symbols);
}

/* as has warned already.  */
static void
ignore (const char *where, const char *name, size_t len)
{
  (void) where, (void) name, (void) len;
}

/* Does ACCRETE_DISABLE leave OPTION out?  */
static bool
disabled (enum option option)
{
  const char *list = post_env (POST_ENV_DISABLE);
  return list
	 && acr_optimisations_named (ACR_PART_LINK, list, true,
				     post_env_name (POST_ENV_DISABLE), ignore)
	      >> option & 1;
}

/* Leave the libraries of ARGV out.  */
static void
elide_libraries (char **argv)
{
  int n = 1;
  for (int i = 1; argv[i]; i++)
    {
      int first = i;
      if (!value (argv, &i, 'l'))
	for (int k = first; k <= i; k++)
	  argv[n++] = argv[k];
    }
  argv[n] = NULL;
}

/* The file that ARGV says is to be written, or NULL.  */
static const char *
output (char **argv)
{
  const char *last = NULL;
  for (int i = 1; argv[i]; i++)
    {
      const char *file = value (argv, &i, 'o');
      if (file)
	last = file;
    }
  return last;
}

static int
run_stock (const char *stock, char **argv)
{
  argv[0] = (char *) stock;
  execvp (stock, argv);
  fprintf (stderr, "accrete ld: %s: %s\n", stock, strerror (errno));
  return 127;
}

/* Run STOCK, and then add machine code for ARCHS to FILE.  Its status.  */
static int
run_and_compile (const char *stock, char **argv, const char *file,
		 const char *archs)
{
  int status;
  pid_t pid = fork ();
  if (pid < 0)
    return run_stock (stock, argv);
  if (pid == 0)
    _exit (run_stock (stock, argv));
  while (waitpid (pid, &status, 0) < 0)
    if (errno != EINTR)
      return 1;
  if (!WIFEXITED (status))
    return 1;
  if (WEXITSTATUS (status) == 0)
    aot_add_to (file, archs);
  return WEXITSTATUS (status);
}

int
main (int argc, char **argv)
{
  (void) argc;
  if (!disabled (LINK_libraries) && complete (argv))
    {
      elide_libraries (argv);
      post_note ("accrete ld", "no libraries needed");
    }
  const char *stock = stock_program ("ld", NULL, ACR_NVPTX_LD);
  const char *archs = post_env (POST_ENV_AOT), *file = output (argv);
  if (!archs || !*archs || !file)
    return run_stock (stock, argv);
  return run_and_compile (stock, argv, file, archs);
}
