/* mkoffload: what GCC's lto-wrapper calls for device code, found below the
   folder that -B gives.  It hands over to the stock one, and tells it which of
   -fopenacc and -fopenmp is meant where files were compiled with both.

   Stock refuses both: the device's compiler has two models of threads, and one
   image is of one of them.  But few programs have regions of both kinds; with
   both flags most have OpenACC's regions on the device, and OpenMP's threads on
   the host.  Which regions an object has is told from the entries of libgomp
   that it calls.  Regions of both kinds are stock's error, after a line of
   ours.

   It also says that device code is not position-independent, as stock makes it where
   the program does not say of itself which of both it is (-fPIE, -fno-pie).  In a
   shared library another one's function may take the place of a global function, so
   that GCC inlines none; on a device no image sees another's functions.

   Where there is no stock one, GCC compiles for the host alone: then the object
   is empty.

   Source: mkoffload.cc, lto-wrapper.cc (compile_offload_image) and
   decl_replaceable_p (varasm.cc) of GCC;
   expandargv and buildargv of libiberty for files of arguments.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"
#include "stock.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char name[] = "accel/nvptx-none/mkoffload";

/* ---- Arguments ---- */

struct words
{
  char **all;
  size_t n, room;
};

static void
add (struct words *w, char *word)
{
  if (w->n + 1 >= w->room)
    {
      w->room = 2 * w->room + 64;
      w->all = realloc (w->all, w->room * sizeof *w->all);
      if (!w->all)
	abort ();
    }
  w->all[w->n++] = word;
  w->all[w->n] = NULL;
}

static const char blanks[] = " \t\n\r";

/* Take the word at P, which is written over, with its quotes and backslashes
   read; returns what is behind it.  */
static char *
read_word (char *p, char **word)
{
  char *to = *word = p, quote = 0;
  for (; *p && (quote || !strchr (blanks, *p)); p++)
    if (*p == '\\' && p[1] && quote != '\'')
      *to++ = *++p;
    else if (*p == quote)
      quote = 0;
    else if (!quote && (*p == '\'' || *p == '"'))
      quote = *p;
    else
      *to++ = *p;
  p += *p != 0;
  *to = 0;
  return p;
}

/* ARGV with the words of @FILE in its place.  */
static struct words
expand (char **argv)
{
  struct words w = { 0 };
  for (; *argv; argv++)
    {
      size_t len;
      char *p = **argv == '@' ? read_all (*argv + 1, &len) : NULL, *word;
      if (!p)
	add (&w, *argv);
      while (p && *(p += strspn (p, blanks)))
	{
	  p = read_word (p, &word);
	  add (&w, word);
	}
    }
  return w;
}

/* ARGV as it is.  */
static struct words
copy (char **argv)
{
  struct words w = { 0 };
  for (; *argv; argv++)
    add (&w, *argv);
  return w;
}

static bool
has (const struct words *w, const char *option)
{
  for (size_t i = 1; i < w->n; i++)
    if (strcmp (w->all[i], option) == 0)
      return true;
  return false;
}

static void
leave_out (struct words *w, const char *option)
{
  size_t n = 0;
  for (size_t i = 0; i < w->n; i++)
    if (strcmp (w->all[i], option) != 0)
      w->all[n++] = w->all[i];
  w->n = n;
  w->all[n] = NULL;
}

/* ---- Objects ---- */

struct kinds
{
  bool acc, omp;
};

/* Add what the object in TEXT of LEN bytes calls.  */
static void
look (struct kinds *k, const char *text, size_t len)
{
  static const char acc[] = "GOACC_parallel_keyed", omp[] = "GOMP_target_ext";
  k->acc |= memmem (text, len, acc, sizeof acc) != NULL;
  k->omp |= memmem (text, len, omp, sizeof omp) != NULL;
}

/* The size of the member of an archive that begins AT bytes behind TEXT.  */
static size_t
member_size (const char *text, size_t len, size_t at)
{
  enum { HEADER = 60, SIZE_AT = 48 };
  if (at < HEADER || at > len)
    return 0;
  unsigned long size = strtoul (text + at - HEADER + SIZE_AT, NULL, 10);
  return size < len - at ? size : len - at;
}

/* FILE may be ARCHIVE@OFFSET.  */
static void
look_into (struct kinds *k, const char *file)
{
  size_t len, at = 0, size;
  const char *sign = strrchr (file, '@');
  char *whole = read_all (file, &len);
  if (whole)
    size = len;
  else if (sign)
    {
      char *archive = strndup (file, sign - file);
      whole = archive ? read_all (archive, &len) : NULL;
      free (archive);
      at = strtoul (sign + 1, NULL, 0);
      size = whole ? member_size (whole, len, at) : 0;
    }
  if (whole)
    look (k, whole + at, size);
  free (whole);
}

/* Whether ARG takes the next argument along.  */
static bool
takes_another (const char *arg)
{
  return strcmp (arg, "-o") == 0 || strcmp (arg, "-dumpbase") == 0
	 || strcmp (arg, "-dumpdir") == 0;
}

static struct kinds
look_into_all (const struct words *w)
{
  struct kinds k = { 0 };
  for (size_t i = 1; i < w->n; i++)
    if (takes_another (w->all[i]))
      i++;
    else if (w->all[i][0] != '-')
      look_into (&k, w->all[i]);
  return k;
}

/* ---- Runs ---- */

/* Put the mkoffload of the first folder of *LIST, GCC's search path, into PATH,
   and take the folder off.  */
static bool
next_in (const char **list, char path[PATH_MAX])
{
  size_t len = strcspn (*list, ":");
  int n = snprintf (path, PATH_MAX, "%.*s/%s", (int) len, *list, name);
  *list += len + ((*list)[len] == ':');
  return n < PATH_MAX && access (path, X_OK) == 0;
}

/* The next mkoffload behind the last place of this one in GCC's search path,
   where other installed trees may have theirs, several times: each hands over
   to a later one.  NULL if there is none.  */
static const char *
find_stock (void)
{
  static char path[PATH_MAX], found[PATH_MAX];
  const char *list = getenv ("COMPILER_PATH");
  bool behind = false;
  while (list && *list)
    if (!next_in (&list, path))
      continue;
    else if (!stock_is_other (path))
      {
	behind = true;
	found[0] = 0;
      }
    else if (behind && !found[0])
      strcpy (found, path);
  return found[0] ? found : NULL;
}

/* Compile nothing for the host into what W says is to be written.  */
static int
write_empty (const struct words *w)
{
  const char *gcc = getenv ("COLLECT_GCC"), *to = NULL;
  for (size_t i = 1; i + 1 < w->n; i++)
    if (strcmp (w->all[i], "-o") == 0)
      to = w->all[i + 1];
  if (!gcc || !to)
    return 1;
  execlp (gcc, gcc, "-xc", "-c", "-o", to, "/dev/null", NULL);
  return 1;
}

/* The assembler's wrapper complains about the environment.  */
static void
leave_to_as (const char *where, const char *what, size_t len)
{
  (void) where, (void) what, (void) len;
}

/* Have GCC inline global functions, unless that is not wanted.  */
static void
let_inline (struct words *w)
{
  static char option[] = "-fno-pic";
  struct post_options opt;
  post_options_init (&opt, leave_to_as);
  if (opt.passes & 1u << POST_PASS_inline)
    add (w, option);
}

int
main (int argc, char **argv)
{
  (void) argc;
  const char *stock = find_stock ();
  struct words w = expand (argv), handed = copy (argv);
  if (!stock)
    return write_empty (&w);
  if (has (&w, "-fopenacc") && has (&w, "-fopenmp"))
    {
      struct kinds k = look_into_all (&w);
      if (k.acc && k.omp)
	fputs ("accrete mkoffload: OpenACC and OpenMP regions cannot be in one"
	       " program or library; a shared library may have those of the"
	       " other kind\n",
	       stderr);
      else
	{
	  leave_out (&w, k.acc ? "-fopenmp" : "-fopenacc");
	  handed = w;
	}
    }
  let_inline (&handed);
  execv (stock, handed.all);
  fprintf (stderr, "accrete mkoffload: %s: %s\n", stock, strerror (errno));
  return 127;
}
