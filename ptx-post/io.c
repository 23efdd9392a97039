/* Files: read whole, written whole or not at all.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *
read_all (const char *file, size_t *len)
{
  int fd = strcmp (file, "-") == 0 ? STDIN_FILENO : open (file, O_RDONLY);
  if (fd < 0)
    return NULL;
  struct stat st;
  size_t room = 1 << 16, n = 0;
  if (fstat (fd, &st) == 0 && S_ISREG (st.st_mode))
    room = st.st_size + 2;
  char *text = malloc (room);
  ssize_t got = 1;
  while (text && got > 0)
    {
      got = read (fd, text + n, room - n - 1);
      if (got > 0 && (n += got) + 1 == room)
	{
	  char *larger = realloc (text, room *= 2);
	  if (!larger)
	    free (text);
	  text = larger;
	}
    }
  int error = errno;
  if (fd != STDIN_FILENO)
    close (fd);
  if (text && got < 0)
    {
      free (text);
      text = NULL;
    }
  errno = error;
  if (!text)
    return NULL;
  text[n] = 0;
  *len = n;
  return text;
}

struct ptx_unit *
read_unit (const char *file)
{
  size_t len;
  struct ptx_error e;
  char *text = read_all (file, &len);
  if (!text)
    {
      fprintf (stderr, "ptx-post: %s: %s\n", file, strerror (errno));
      return NULL;
    }
  struct ptx_unit *u = ptx_parse (file, text, len, &e);
  if (!u)
    ptx_error_print (stderr, file, text, len, &e);
  free (text);
  return u;
}

static bool
write_fd (int fd, const char *text, size_t len)
{
  while (len)
    {
      ssize_t n = write (fd, text, len);
      if (n < 0 && errno == EINTR)
	continue;
      if (n < 0)
	return false;
      text += n;
      len -= n;
    }
  return true;
}

/* Write TEXT into a new file beside FILE and give it FILE's name.  */
static bool
replace (const char *file, mode_t mode, const char *text, size_t len)
{
  size_t size = strlen (file) + sizeof ".XXXXXX";
  char *temp = malloc (size);
  if (!temp)
    return false;
  snprintf (temp, size, "%s.XXXXXX", file);
  int fd = mkstemp (temp);
  bool ok = fd >= 0;
  if (ok)
    {
      ok = write_fd (fd, text, len) && fchmod (fd, mode) == 0;
      ok &= close (fd) == 0;
      ok = ok && rename (temp, file) == 0;
      if (!ok)
	{
	  int error = errno;
	  unlink (temp);
	  errno = error;
	}
    }
  free (temp);
  return ok;
}

bool
write_all (const char *file, const char *text, size_t len)
{
  if (strcmp (file, "-") == 0)
    return write_fd (STDOUT_FILENO, text, len);
  struct stat st;
  if (stat (file, &st) != 0)
    {
      mode_t mask = umask (0);
      umask (mask);
      return replace (file, 0666 & ~mask, text, len);
    }
  if (S_ISREG (st.st_mode))
    {
      /* A link keeps pointing where it does.  */
      char *real = realpath (file, NULL);
      bool ok = real && replace (real, st.st_mode & 0777, text, len);
      free (real);
      return ok;
    }
  int fd = open (file, O_WRONLY);
  if (fd < 0)
    return false;
  bool ok = write_fd (fd, text, len);
  return close (fd) == 0 && ok;
}
