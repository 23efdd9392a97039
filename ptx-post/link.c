/* ld: the linker that the accel compiler finds through -B.  It hands over to
   the stock one, without the libraries when the objects refer to nothing that
   they do not define themselves: then none of a library would be linked.

   The stock linker reads all of libgomp, libc and libgcc before it looks what
   is missing, and that takes longer than compiling most kernels.  Plain
   kernels (plugin/spmd/spmd.cc) rarely need any of them.

   Where they refer to what only the device's libm, libatomic or libgfortran
   have, that library is added: GCC links none of them by itself, whatever the
   program is linked with on the host.

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

/* Leave in S the names that nothing defines, each once.  */
static void
keep_undefined (struct symbols *s)
{
  struct symbol last = { "", 0, true };
  size_t n = 0;
  if (s->n)
    qsort (s->all, s->n, sizeof *s->all, compare);
  for (size_t i = 0; i < s->n; i++)
    {
      struct symbol x = s->all[i];
      bool first = i == 0 || x.len != last.len
		   || memcmp (x.name, last.name, x.len) != 0;
      last = x;
      if (first && !x.defined)
	s->all[n++] = x;
    }
  s->n = n;
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

/* Put the file of library NAME, in the first folder of ARGV's that has one,
   into PATH.  */
static bool
find_library (char **argv, const char *name, char path[PATH_MAX])
{
  for (int i = 1; argv[i]; i++)
    {
      const char *folder = value (argv, &i, 'L');
      if (folder
	  && snprintf (path, PATH_MAX, "%s/lib%s.a", folder, name) < PATH_MAX
	  && access (path, R_OK) == 0)
	return true;
    }
  return false;
}

static bool
names_library (char **argv, const char *name)
{
  for (int i = 1; argv[i]; i++)
    {
      const char *library = value (argv, &i, 'l');
      if (library && strcmp (library, name) == 0)
	return true;
    }
  return false;
}

/* Whether each library of ARGV exists.  A missing one is an error.  */
static bool
libraries_exist (char **argv)
{
  char path[PATH_MAX];
  for (int i = 1; argv[i]; i++)
    {
      const char *library = value (argv, &i, 'l');
      if (library && !find_library (argv, library, path))
	return false;
    }
  return true;
}

/* Leave in UNDEFINED what the objects of ARGV, with which gcc calls
   nvptx-none-ld: [-o FILE] [-v] [-L FOLDER]... [-l LIBRARY]... OBJECT...,
   want from libraries.  False when that is not understood.  */
static bool
read_objects (char **argv, struct symbols *undefined)
{
  int objects = 0;
  for (int i = 1; argv[i]; i++)
    {
      size_t len;
      if (argv[i][0] == '-')
	{
	  if (!value (argv, &i, 'L') && !value (argv, &i, 'o')
	      && !value (argv, &i, 'l') && strcmp (argv[i], "-v") != 0)
	    return false;
	  continue;
	}
      /* Kept, as symbols point into it.  */
      const char *text = read_all (argv[i], &len);
      if (!text || strlen (text) != len || !read_symbols (undefined, text))
	return false;
      objects++;
    }
  keep_undefined (undefined);
  return objects;
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

/* Does the archive TEXT of LEN bytes define one of UNDEFINED?  */
static bool
defines_any (const char *text, size_t len, const struct symbols *undefined)
{
  static const char *const kinds[] = { "FUNCTION", "VAR" };
  for (size_t i = 0; i < 2 * undefined->n; i++)
    {
      const struct symbol *s = &undefined->all[i / 2];
      char *mark;
      int n = asprintf (&mark, "\n// BEGIN GLOBAL %s DEF: %.*s\n", kinds[i % 2],
			(int) s->len, s->name);
      bool found = n > 0 && memmem (text, len, mark, n);
      if (n > 0)
	free (mark);
      if (found)
	return true;
    }
  return false;
}

/* Is library NAME of the device's wanted for one of UNDEFINED, and there?  */
static bool
library_wanted (char **argv, const char *name, const struct symbols *undefined)
{
  char path[PATH_MAX];
  size_t len;
  if (names_library (argv, name) || !find_library (argv, name, path))
    return false;
  /* Its members call libm's functions.  */
  if (strcmp (name, "m") == 0 && names_library (argv, "gfortran"))
    return true;
  char *text = read_all (path, &len);
  bool wanted = text && defines_any (text, len, undefined);
  free (text);
  return wanted;
}

/* ARGV with OPTION behind it.  */
static char **
with_option (char **argv, const char *option)
{
  size_t n = 0;
  while (argv[n])
    n++;
  char **more = calloc (n + 2, sizeof *more);
  if (!more)
    return argv;
  memcpy (more, argv, n * sizeof *more);
  more[n] = (char *) option;
  post_note ("accrete ld", "%s added", option);
  return more;
}

/* ARGV with those of the device's libraries that define one of UNDEFINED and
   that GCC has left out.  The linker looks into all libraries for each symbol:
   their order does not matter.  */
static char **
with_libraries (char **argv, const struct symbols *undefined)
{
  static const char *const options[] = { "-lgfortran", "-lm", "-latomic" };
  for (unsigned i = 0; i < sizeof options / sizeof *options; i++)
    if (library_wanted (argv, options[i] + strlen ("-l"), undefined))
      argv = with_option (argv, options[i]);
  return argv;
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
  struct symbols undefined = { 0 };
  bool known = read_objects (argv, &undefined);
  if (known && undefined.n)
    argv = with_libraries (argv, &undefined);
  else if (known && !disabled (LINK_libraries) && libraries_exist (argv))
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
