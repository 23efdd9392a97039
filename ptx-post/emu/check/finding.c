/* The checker's reports, on stderr:

     accrete-emu: check: KIND: what
       details ...

   One for each kind and instruction; at exit, how many.  With
   ACCRETE_EMU_CHECK=2 a process with findings exits with status 99.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "check/check.h"
#include "machine/map.h"
#include "ptx/ptx.h"

enum { EXIT_FINDINGS = 99 };

static const char *const kinds[] = {
#define X(id, text) text,
  EMU_FINDINGS (X)
#undef X
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* all below */
static struct map *reported;	/* statement -> set of kinds */
static unsigned long findings;
static FILE *out;		/* report in work, to TEXT */
static char *text;
static size_t text_len;

static int level;

static void
read_level (void)
{
  level = (int) emu_env_number (EMU_ENV_CHECK, 2, 0);
}

bool
emu_checking (void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once (&once, read_level);
  return level;
}

FILE *
emu_finding (enum emu_finding kind, const struct ptx_stmt *at)
{
  pthread_mutex_lock (&lock);
  if (!reported)
    reported = map_new ();
  uint64_t bit = (uint64_t) 1 << kind;
  uint64_t before = at && reported ? map_get (reported, at) : 0;
  if (!(before & bit) && (!at || (reported && map_put (reported, at, before | bit)))
      && (out = open_memstream (&text, &text_len)))
    {
      findings++;
      fprintf (out, "accrete-emu: check: %s: ", kinds[kind]);
      return out;
    }
  pthread_mutex_unlock (&lock);
  return NULL;
}

void
emu_finding_end (void)
{
  if (!fclose (out))
    fputs (text, stderr);
  free (text);
  text = NULL;
  pthread_mutex_unlock (&lock);
}

void
emu_finding_thread (FILE *f, const char *verb, const struct launch *launch,
		    const struct ptx_stmt *at, uint64_t cta, unsigned warp,
		    unsigned lane)
{
  const unsigned *g = launch->l->grid, *b = launch->l->block;
  unsigned t = warp * LANES + lane;
  fprintf (f, "  %s ", verb);
  emu_print_place (f, at,
		   (unsigned[]){ (unsigned) (cta % g[0]),
				 (unsigned) (cta / g[0] % g[1]),
				 (unsigned) (cta / g[0] / g[1]) },
		   (unsigned[]){ t % b[0], t / b[0] % b[1], t / b[0] / b[1] });
  fprintf (f, ", kernel %s", launch->func->name);
  if (at->func != launch->func->ptx)
    fprintf (f, ", function %s", at->func->sym->name);
  fputc ('\n', f);
}

void
emu_check_unload (void)
{
  if (!emu_checking ())
    return;
  pthread_mutex_lock (&lock);
  map_free (reported);
  reported = NULL;
  pthread_mutex_unlock (&lock);
}

void
emu_check_at_exit (void)
{
  if (!findings)
    return;
  fprintf (stderr, "accrete-emu: check: %lu finding%s\n", findings,
	   findings == 1 ? "" : "s");
  if (level < 2)
    return;
  fflush (NULL);
  _exit (EXIT_FINDINGS);
}
