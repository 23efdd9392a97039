/* Choices on disk: what is kept is found, and nothing else, whatever has become
   of the file and whoever else writes it.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"

#include "ext.h"
#include "jit/jit-disk.h"
#include "launch/choice.h"
#include "tap.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- What the tested part needs from the rest of the runtime ----------- */

struct acr_env acr_env = { .jit_cache_max = 1 << 20 };
struct acr_counters acr_counters;

void
acr_warn (const char *fmt, ...)
{
  (void)fmt;
}

/* ---- Tests ------------------------------------------------------------- */

enum
{
  NONE = -1
};

static const struct acr_choice_key key = { "test 1", 77, { 5, 6 }, 0x25 };

static int
found (struct acr_choice_key k)
{
  unsigned choice = 99;
  return acr_choice_find (&k, &choice) ? (int)choice : NONE;
}

static void
test_keys (void)
{
  struct acr_choice_key what = key, code = key, of = key, set = key, out = key;
  strcpy (what.what, "test 2");
  code.code++;
  of.of[1]++;
  set.set |= 2;
  out.code = 99;
  ok (found (key) == NONE, "nothing is known at first");
  acr_choice_keep (&key, 5);
  ok (found (key) == 5, "what is kept is found");
  acr_choice_keep (&key, 2);
  ok (found (key) == 2, "the last one");
  ok (found (what) == NONE && found (code) == NONE && found (of) == NONE
          && found (set) == NONE,
      "only for all of the key");
  acr_choice_keep (&out, 3);
  ok (found (out) == NONE, "a choice that is not of the set is none");
  acr_choice_keep (&out, 0);
  ok (found (out) == 0, "the first one is one");
}

/* The only file of FOLDER.  */
static void
its_file (const char *folder, char path[PATH_MAX])
{
  DIR *dir = opendir (folder);
  for (struct dirent *e; dir && (e = readdir (dir));)
    if (e->d_name[0] != '.')
      snprintf (path, PATH_MAX, "%s/%s", folder, e->d_name);
  if (dir)
    closedir (dir);
}

static void
put (const char *path, const void *bytes, size_t n)
{
  int fd = open (path, O_WRONLY | O_TRUNC);
  if (write (fd, bytes, n) != (ssize_t)n)
    abort ();
  close (fd);
}

/* Every byte changed, and every length.  */
static void
test_damage (const char *folder)
{
  char path[PATH_MAX] = "", whole[512], bytes[512];
  struct acr_choice_key more = key;
  acr_choice_keep (&key, 5);
  its_file (folder, path);
  int fd = open (path, O_RDONLY);
  ssize_t n = read (fd, whole, sizeof whole);
  close (fd);
  ok (n > 0 && n < (ssize_t)sizeof whole, "there is a file");
  unsigned wrong = 0;
  more.set = ~0ull;
  for (ssize_t i = 0; i < n; i++)
    for (int bit = 0; bit < 8; bit++)
      {
        memcpy (bytes, whole, n);
        bytes[i] ^= 1 << bit;
        put (path, bytes, n);
        wrong += found (key) != NONE || found (more) != NONE;
      }
  ok (!wrong, "a changed bit, wherever, is noticed");
  for (ssize_t i = 0; i < n; i++)
    {
      put (path, whole, i);
      wrong += found (key) != NONE;
    }
  memset (bytes, 0, sizeof bytes);
  memcpy (bytes, whole, n);
  put (path, bytes, n + 1);
  ok (!wrong && found (key) == NONE, "a length that is wrong, whichever, is");
  acr_choice_keep (&key, 5);
  ok (found (key) == 5, "it can be kept again");
}

/* Another process keeps CHOICE for K.  */
static void
keep_elsewhere (struct acr_choice_key k, unsigned choice)
{
  int status = 1;
  if (fork () == 0)
    _exit (!acr_choice_keep (&k, choice));
  wait (&status);
  if (status)
    abort ();
}

/* Once the folder was listed, nothing is looked for that was not there.  */
static void
test_list (void)
{
  struct acr_choice_key others = key, own = key, next = key;
  others.code = 78;
  own.code = 79;
  next.code = 80;
  keep_elsewhere (next, 2);
  acr_jit_disk_list ();
  ok (found (next) == 2, "what was listed is found");
  keep_elsewhere (others, 5);
  ok (found (others) == NONE, "what came behind the list is not looked for");
  acr_choice_keep (&own, 5);
  ok (found (own) == 5, "but what this process keeps");
  acr_jit_disk_list ();
  ok (found (others) == 5, "a new list has that");
}

/* Processes that keep other choices all the time, and such that look.  */
static void
test_concurrency (void)
{
  enum
  {
    PROCESSES = 6,
    TIMES = 200
  };
  static const unsigned member[] = { 0, 2, 5 };
  unsigned wrong = 0;
  for (int p = 0; p < PROCESSES; p++)
    if (fork () == 0)
      {
        for (int i = 0; i < TIMES; i++)
          {
            int now = found (key);
            if (now == NONE || !(key.set >> now & 1))
              _exit (1);
            if (p % 2)
              acr_choice_keep (&key, member[(p + i) % 3]);
          }
        _exit (0);
      }
  for (int p = 0; p < PROCESSES; p++)
    {
      int status = 1;
      wait (&status);
      wrong += status != 0;
    }
  ok (!wrong, "whoever looks while others keep finds a whole one");
}

int
main (void)
{
  char cache[] = "/tmp/acr-choice-XXXXXX", folder[80], command[80];
  if (!mkdtemp (cache))
    return 99;
  setenv ("XDG_CACHE_HOME", cache, 1);
  test_keys ();
  snprintf (command, sizeof command, "rm -r %s/accrete", cache);
  if (system (command))
    return 99;
  snprintf (folder, sizeof folder, "%s/accrete", cache);
  test_damage (folder);
  test_list ();
  test_concurrency ();
  snprintf (command, sizeof command, "rm -r %s", cache);
  if (system (command))
    return 99;
  return done_testing ();
}
