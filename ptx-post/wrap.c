/* as: the assembler that the accel compiler finds through -B.  It runs the
   passes over the file and hands the result to the stock assembler.

   It never fails where stock would not.  The passes run in a child, and
   what the child does not bring to a good end, or stock refuses, is assembled
   as it came.  Only SPMD kernels (abi.h) cannot be: they need the pass entry,
   which is then run alone.  Errors are always those of stock over the user's own
   file.  What went wrong with the passes is one warning; why, and all else that we
   have to say, is said when ACCRETE_DEBUG is 1 or more.

   It also mends what stock leaves broken: nvptx-none-as has ptxas verify its
   output, for sm_35 where GCC says nothing else, and a ptxas that no longer
   knows this architecture (CUDA 12 and later) makes every build fail.  Then
   the oldest architecture that it knows verifies the code.  This costs
   nothing where stock works.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"
#include "env.h"
#include "note.h"
#include "stock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Seconds of CPU time after which the passes are given up, and bytes of the file that
   give them another one.  Of CloverLeaf, whose file has 2 MB, they took 22 on a slow
   machine.  */
enum
{
  MAX_SECONDS = 30,
  BYTES_A_SECOND = 32 << 10
};

#define note(...) post_note ("accrete as", __VA_ARGS__)

static void
complain (const char *where, const char *what, size_t len)
{
  post_complain ("accrete as", where, what, len);
}

/* ---- The command line ---- */

struct command
{
  char **argv;
  int argc;
  int input;			/* index of the input file, or 0 */
};

/* Understand what gcc calls nvptx-none-as with: [-m TARGET] [-o FILE]
   [--verify] [--no-verify] [-v] [--] FILE.  False for anything else.  */
static bool
parse_command (struct command *c, int argc, char **argv)
{
  bool options = true;
  *c = (struct command) { argv, argc, 0 };
  for (int i = 1; i < argc; i++)
    if (options && strcmp (argv[i], "--") == 0)
      options = false;
    else if (options
	     && (strcmp (argv[i], "-m") == 0 || strcmp (argv[i], "-o") == 0))
      i++;
    else if (options && argv[i][0] == '-' && argv[i][1])
      {
	if (strcmp (argv[i], "-v") != 0 && strcmp (argv[i], "--verify") != 0
	    && strcmp (argv[i], "--no-verify") != 0
	    && strncmp (argv[i], "-o", 2) != 0
	    && strncmp (argv[i], "-m", 2) != 0)
	  return false;
      }
    else if (c->input || strcmp (argv[i], "-") == 0)
      return false;
    else
      c->input = i;
  return c->input != 0;
}

/* The arguments for one run: FILE in place of the input, and, when there is
   an OPTION, it (with VALUE) in place of what says how to verify.  */
static char **
arguments (const struct command *c, const char *stock, const char *file,
	   const char *option, const char *value)
{
  char **args = calloc (c->argc + 4, sizeof *args);
  int n = 0;
  if (!args)
    return NULL;
  args[n++] = (char *) stock;
  if (option)
    args[n++] = (char *) option;
  if (value)
    args[n++] = (char *) value;
  bool options = true;
  for (int i = 1; i < c->argc; i++)
    {
      char *a = c->argv[i];
      options &= strcmp (a, "--") != 0;
      if (i == c->input)
	args[n++] = (char *) file;
      else if (!options || !option)
	args[n++] = a;
      else if (strcmp (a, "-o") == 0)
	{
	  args[n++] = a;
	  args[n++] = c->argv[++i];
	}
      else if (strcmp (a, "-m") == 0)
	i++;
      else if (strncmp (a, "-m", 2) != 0 && strcmp (a, "--verify") != 0)
	args[n++] = a;
    }
  return args;
}

/* ---- Runs ---- */

struct result
{
  int status;			/* as from waitpid; -1: could not be run */
  char *message;		/* what it wrote to standard error */
  const char *newer;		/* architecture that stock would not have
				   taken, or NULL */
};

static int
wait_for (pid_t pid)
{
  int status;
  while (waitpid (pid, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return status;
}

static struct result
run (char **args)
{
  struct result r = { .status = -1 };
  int fd = memfd_create ("stderr", MFD_CLOEXEC);
  pid_t pid = fd >= 0 && args ? fork () : -1;
  if (pid == 0)
    {
      dup2 (fd, STDERR_FILENO);
      execvp (args[0], args);
      fprintf (stderr, "accrete as: %s: %s\n", args[0], strerror (errno));
      _exit (127);
    }
  if (pid > 0)
    {
      r.status = wait_for (pid);
      off_t len = lseek (fd, 0, SEEK_END);
      if (len >= 0 && (r.message = malloc (len + 1)))
	{
	  ssize_t got = pread (fd, r.message, len, 0);
	  r.message[got > 0 ? got : 0] = 0;
	}
    }
  if (fd >= 0)
    close (fd);
  free (args);
  return r;
}

/* "ptxas fatal   : Value 'sm_35' is not defined for option 'gpu-name'"  */
static bool
ptxas_lacks_target (const struct result *r)
{
  return r->status != 0 && r->message
	 && strstr (r->message, "is not defined for option 'gpu-name'");
}

/* Assemble FILE, which stands for the input; for a newer architecture if
   ptxas wants one.  */
static struct result
assemble (const struct command *c, const char *stock, const char *file)
{
  /* The oldest architectures of CUDA 12, 13 and what may follow.  */
  static const char *const newer[] = { "sm_50", "sm_75", "sm_80", "sm_90",
				       "sm_100" };
  struct result r = run (arguments (c, stock, file, NULL, NULL));
  for (unsigned i = 0;
       ptxas_lacks_target (&r) && i < sizeof newer / sizeof *newer; i++)
    {
      free (r.message);
      r = run (arguments (c, stock, file, "-m", newer[i]));
      r.newer = newer[i];
      if (r.status == 0)
	note ("verified for %s, as ptxas lacks older targets", newer[i]);
    }
  return r;
}

/* ---- The passes ---- */

/* In the child: run OPT's passes over FILE and write the result to FD.
   Returns its exit status: 0 for a result, 2 for nothing to change.  */
static int
rewrite (const char *file, int fd, const struct post_options *opt)
{
  size_t len;
  struct ptx_error e;
  char *text = read_all (file, &len);
  if (!text)
    {
      note ("%s: %s", file, strerror (errno));
      return 1;
    }
  struct ptx_unit *u = ptx_parse (file, text, len, &e);
  if (!u)
    {
      note ("%s:%u:%u: not optimised: %s", file, e.line, e.column, e.message);
      return 1;
    }
  unsigned taken = post_run (u, opt);
  if (!taken)
    return 2;
  FILE *out = fdopen (fd, "w");
  if (!out)
    return 1;
  ptx_print (u, out);
  if (fclose (out) != 0)
    {
      note ("%s: not optimised: %s", file, strerror (errno));
      return 1;
    }
  note ("%s: %u changes", file, taken);
  return 0;
}

/* What is handed to the assembler.  */
static char optimised[PATH_MAX];

static void
remove_optimised (void)
{
  unlink (optimised);
}

/* Open it: a file in memory, or, where /proc is not mounted by which others
   could read that one, a file that goes when this process ends.  */
static int
open_optimised (void)
{
  int fd = memfd_create ("optimised.s", 0);
  snprintf (optimised, sizeof optimised, "/proc/self/fd/%d", fd);
  if (fd < 0 || access (optimised, R_OK) == 0)
    return fd;
  close (fd);
  const char *where = getenv ("TMPDIR");
  if ((size_t) snprintf (optimised, sizeof optimised, "%s/accrete-XXXXXX.s",
			 where ? where : P_tmpdir)
      >= sizeof optimised)
    return -1;
  fd = mkstemps (optimised, 2);
  if (fd >= 0)
    atexit (remove_optimised);
  return fd;
}

/* How much CPU time the passes may take over FILE.  */
static struct rlimit
time_for (const char *file)
{
  struct stat s;
  rlim_t seconds = MAX_SECONDS;
  if (stat (file, &s) == 0 && s.st_size > 0)
    seconds += s.st_size / BYTES_A_SECOND;
  return (struct rlimit) { seconds, seconds };
}

/* What went wrong with the passes, by no fault of the program, or NULL.  */
static const char *fault;

/* The name of a file with the text of FILE after those of the PASSES that are
   on, or NULL.  */
static const char *
optimise (const char *file, unsigned passes)
{
  static int fd = -1;
  if (fd < 0)
    fd = open_optimised ();
  if (fd < 0 || ftruncate (fd, 0) || lseek (fd, 0, SEEK_SET))
    return NULL;
  struct post_options opt;
  post_options_init (&opt, complain);
  opt.passes &= passes;
  opt.limited_later = true;
  if (post_debug () >= 2)
    opt.explain = stderr;
  fflush (stderr);
  pid_t pid = fork ();
  if (pid == 0)
    {
      const struct rlimit cpu = time_for (file), core = { 0, 0 };
      setrlimit (RLIMIT_CPU, &cpu);
      setrlimit (RLIMIT_CORE, &core);
      /* A failed assertion is no message for the user of a build.  */
      if (post_debug () < 1)
	{
	  int null = open ("/dev/null", O_WRONLY);
	  dup2 (null, STDERR_FILENO);
	}
      int status = rewrite (file, fd, &opt);
      fflush (stderr);
      _exit (status);
    }
  int status = pid > 0 ? wait_for (pid) : -1;
  if (status == 0)
    return optimised;
  if (status < 0 || !WIFEXITED (status))
    fault = "the passes failed";
  return NULL;
}

/* Does FILE have SPMD kernels of OpenMP ("teams", "team" or "trips" in the tag), which
   do not run without the pass entry?  */
static bool
has_plain_kernels (const char *file)
{
  size_t len;
  char *text = read_all (file, &len);
  bool found = text && strstr (text, ACR_TAG_MAGIC)
	       && (strstr (text, " spmd=team") || strstr (text, " spmd=trips"));
  free (text);
  return found;
}

/* Say what R's assembler said of INPUT and end as it did.  A program that is not
   optimised runs, so that nobody would see it; one that is refused anyway has
   messages enough.  */
static int
finish (struct result *r, const char *input)
{
  if (r->status == 0 && fault)
    fprintf (stderr, "accrete as: warning: %s: not optimised: %s\n", input,
	     fault);
  if (r->status == -1)
    fputs ("accrete as: cannot run the assembler\n", stderr);
  if (r->message)
    fputs (r->message, stderr);
  free (r->message);
  if (r->status != -1 && WIFEXITED (r->status))
    return WEXITSTATUS (r->status);
  return 1;
}

int
main (int argc, char **argv)
{
  const char *said = post_env (POST_ENV_AS);
  const char *stock = stock_program ("as", said, ACR_NVPTX_AS);
  if (said && strcmp (said, stock) != 0)
    fprintf (stderr, "accrete as: warning: %s: no other assembler: %s\n",
	     post_env_name (POST_ENV_AS), said);
  struct command c;
  if (!parse_command (&c, argc, argv))
    {
      argv[0] = (char *) stock;
      execvp (stock, argv);
      fprintf (stderr, "accrete as: %s: %s\n", stock, strerror (errno));
      return 127;
    }

  post_check_variables ("accrete as");
  const char *input = argv[c.input];
  /* All passes; should that go wrong, only what must be.  */
  bool must = has_plain_kernels (input);
  for (int attempt = 0; attempt <= must; attempt++)
    {
      const char *file = optimise (input, attempt ? 1u << POST_PASS_entry : ~0u);
      if (!file)
	continue;
      struct result r = assemble (&c, stock, file);
      if (r.status == 0 || attempt)
	return finish (&r, input);
      fault = "the assembler refuses the result";
      note ("%s: %s refuses the result:\n%s", input, stock,
	    r.message ? r.message : "");
      free (r.message);
    }
  if (must)
    {
      fprintf (stderr,
	       "accrete as: %s: SPMD kernels cannot be completed; compile"
	       " with -fplugin-arg-accrete-disable=spmd\n",
	       input);
      return 1;
    }
  struct result r = assemble (&c, stock, input);
  if (r.status != 0 && r.newer)
    {
      /* Nothing that this ptxas verifies; the driver may still take it.  */
      struct result last
	= run (arguments (&c, stock, input, "--no-verify", NULL));
      if (last.status == 0)
	fprintf (stderr, "%saccrete as: warning: %s is not verified\n",
		 r.message && !ptxas_lacks_target (&r) ? r.message : "", input);
      free (r.message);
      r = last;
    }
  return finish (&r, input);
}
