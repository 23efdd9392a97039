/* Linked device code on disk; see jit-disk.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/hash.h"
#include "ext.h"
#include "jit/jit-disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SUFFIX ".jit"
#define UNFINISHED ".tmp-XXXXXX"
#define ABANDONED                                                             \
  3600 /* seconds after which nobody writes a file any more                   \
        */

/* A file: this, the key, the image.  */
struct head
{
  char magic[16];
  uint64_t key, image; /* bytes */
  uint64_t hash;       /* of both */
};

static const char magic[16] = "accrete jit 1";

/* ---- The folder -------------------------------------------------------- */

/* Make the folder PATH and those above it.  Not where the first of them would be
   in another user's: root may have that one's HOME, and what root leaves there
   is in the way later.  */
static bool
make_folder (char *path)
{
  struct stat s;
  char *name = strrchr (path, '/');
  const char *parent = name == path ? "/" : path;
  *name = '\0';
  bool may = (!stat (parent, &s) || (make_folder (path) && !stat (parent, &s)))
             && (s.st_uid == geteuid () || !s.st_uid);
  *name = '/';
  return may && (!mkdir (path, 0700) || errno == EEXIST);
}

/* PATH as a folder of this user's.  -1: it is not.  */
static int
open_own (const char *path)
{
  struct stat s;
  int fd = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0 && (fstat (fd, &s) || s.st_uid != geteuid ()))
    {
      close (fd);
      return -1;
    }
  return fd;
}

/* Open the folder, and MAKE it when it is not there.  -1: there is none.  */
static int
open_folder (bool make)
{
  char path[PATH_MAX];
  const char *base = secure_getenv ("XDG_CACHE_HOME"), *below = "";
  if (!base || base[0] != '/')
    {
      base = secure_getenv ("HOME");
      below = "/.cache";
    }
  if (!base || base[0] != '/'
      || snprintf (path, sizeof path, "%s%s/accrete", base, below)
             >= (int)sizeof path)
    return -1;
  int fd = open_own (path);
  return fd < 0 && make && errno == ENOENT && make_folder (path)
             ? open_own (path)
             : fd;
}

static bool
has_suffix (const char *name, const char *suffix)
{
  size_t n = strlen (name), k = strlen (suffix);
  return n >= k && !strcmp (name + n - k, suffix);
}

struct file
{
  char name[NAME_MAX + 1];
  struct timespec used;
  off_t bytes;
};

/* Look at all files of the folder FD: their size together, and the one not
   used for longest.  What writers have left behind is removed.  */
static off_t
survey (int fd, struct file *oldest)
{
  int copy = openat (fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *dir = copy < 0 ? NULL : fdopendir (copy);
  off_t total = 0;
  oldest->name[0] = '\0';
  if (!dir)
    {
      if (copy >= 0)
        close (copy);
      return 0;
    }
  time_t now = time (NULL);
  for (struct dirent *e; (e = readdir (dir));)
    {
      struct stat s;
      if (fstatat (fd, e->d_name, &s, AT_SYMLINK_NOFOLLOW)
          || !S_ISREG (s.st_mode))
        continue;
      if (!strncmp (e->d_name, UNFINISHED, strlen (UNFINISHED) - 6)
          && now - s.st_mtime > ABANDONED)
        unlinkat (fd, e->d_name, 0);
      if (!has_suffix (e->d_name, SUFFIX))
        continue;
      total += s.st_size;
      if (!oldest->name[0] || s.st_mtim.tv_sec < oldest->used.tv_sec
          || (s.st_mtim.tv_sec == oldest->used.tv_sec
              && s.st_mtim.tv_nsec < oldest->used.tv_nsec))
        {
          strcpy (oldest->name, e->d_name);
          oldest->used = s.st_mtim;
          oldest->bytes = s.st_size;
        }
    }
  closedir (dir);
  return total;
}

/* Remove files until N bytes more fit.  */
static void
make_room (int fd, size_t n)
{
  struct file oldest;
  while ((size_t)survey (fd, &oldest) > acr_env.jit_cache_max - n
         && oldest.name[0] && !unlinkat (fd, oldest.name, 0))
    acr_debug (1, "jit cache: %s is removed", oldest.name);
}

/* ---- Names ------------------------------------------------------------- */

/* A bit for each file that the folder had or has got from this process, by its
   hash; several files may share one.  All is looked for until it was LISTED.  */
static _Atomic uint64_t names[1024];
static _Atomic bool listed;

/* More files than that are not listed: it would take milliseconds.  */
#define LISTED_MOST (1 << 13)

static uint64_t
name_bit (uint64_t hash)
{
  return UINT64_C (1) << hash % 64;
}

static _Atomic uint64_t *
name_word (uint64_t hash)
{
  return &names[hash / 64 % (sizeof names / sizeof *names)];
}

static void
note_name (uint64_t hash)
{
  atomic_fetch_or (name_word (hash), name_bit (hash));
}

/* May the folder have the file of HASH?  */
static bool
may_have (uint64_t hash)
{
  return !atomic_load (&listed)
         || (atomic_load (name_word (hash)) & name_bit (hash));
}

/* Note all files of DIR.  */
static bool
note_all (DIR *dir)
{
  unsigned n = 0;
  errno = 0;
  for (struct dirent *e; n <= LISTED_MOST && (e = readdir (dir)); n++)
    {
      char *end;
      uint64_t hash = strtoull (e->d_name, &end, 16);
      if (!strcmp (end, SUFFIX))
        note_name (hash);
      errno = 0;
    }
  return n <= LISTED_MOST && !errno;
}

void
acr_jit_disk_list (void)
{
  errno = 0;
  int folder = open_folder (false);
  if (folder < 0 && errno == ENOENT)
    atomic_store (&listed, true);
  DIR *dir = folder < 0 ? NULL : fdopendir (folder);
  if (!dir)
    {
      if (folder >= 0)
        close (folder);
      return;
    }
  atomic_store (&listed, note_all (dir));
  closedir (dir);
}

/* ---- Files ------------------------------------------------------------- */

static size_t
key_bytes (struct acr_jit_key key)
{
  size_t n = 0;
  for (unsigned i = 0; i < key.n; i++)
    n += key.part[i].iov_len;
  return n;
}

uint64_t
acr_jit_disk_hash (const struct iovec *part, unsigned n)
{
  uint64_t h = 0;
  for (unsigned i = 0; i < n; i++)
    h = acr_hash (h, part[i].iov_base, part[i].iov_len);
  return h;
}

static void
name_of (char name[32], struct acr_jit_key key)
{
  snprintf (name, 32, "%016" PRIx64 SUFFIX, key.hash);
}

static bool
read_all (int fd, void *to, size_t n)
{
  for (char *p = to; n;)
    {
      ssize_t k = read (fd, p, n);
      if (k <= 0)
        return false;
      p += k;
      n -= k;
    }
  return true;
}

static bool
write_all (int fd, const void *from, size_t n)
{
  for (const char *p = from; n;)
    {
      ssize_t k = write (fd, p, n);
      if (k <= 0)
        return false;
      p += k;
      n -= k;
    }
  return true;
}

static bool
has_key (const char *p, struct acr_jit_key key)
{
  for (unsigned i = 0; i < key.n; p += key.part[i++].iov_len)
    if (memcmp (p, key.part[i].iov_base, key.part[i].iov_len))
      return false;
  return true;
}

/* Whether S is a file that this program may have written.  Others may stand in
   its place: what is no file may block who opens it, or do something.  */
static bool
is_ours (const struct stat *s)
{
  return S_ISREG (s->st_mode) && s->st_uid == geteuid ()
         && (uint64_t)s->st_size <= acr_env.jit_cache_max;
}

/* Open the file NAME in FOLDER.  -1: it is not there, or not ours.  */
static int
open_file (int folder, const char *name)
{
  struct stat s;
  if (fstatat (folder, name, &s, AT_SYMLINK_NOFOLLOW) || !is_ours (&s))
    return -1;
  /* It may have been replaced since.  */
  return openat (folder, name,
                 O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
}

/* The contents of file FD when they are whole and of KEY, or NULL.  */
static struct head *
read_file (int fd, struct acr_jit_key key)
{
  struct stat s;
  struct head head;
  size_t nkey = key_bytes (key);
  if (fstat (fd, &s) || !is_ours (&s) || !read_all (fd, &head, sizeof head)
      || memcmp (head.magic, magic, sizeof magic) || head.key != nkey
      || (uint64_t)s.st_size < sizeof head + nkey
      || s.st_size - sizeof head - nkey != head.image)
    return NULL;
  struct head *file = malloc (s.st_size);
  if (!file)
    return NULL;
  *file = head;
  char *data = (char *)(file + 1);
  if (read_all (fd, data, nkey + head.image) && has_key (data, key)
      && acr_hash (key.hash, data + nkey, head.image) == head.hash)
    return file;
  free (file);
  return NULL;
}

const void *
acr_jit_disk_find (struct acr_jit_key key, size_t *bytes, void **to)
{
  int folder = may_have (key.hash) ? open_folder (false) : -1;
  if (folder < 0)
    return NULL;
  char name[32];
  name_of (name, key);
  int fd = open_file (folder, name);
  close (folder);
  if (fd < 0)
    return NULL;
  struct head *file = read_file (fd, key);
  if (file)
    futimens (fd, NULL);
  else
    acr_debug (1, "jit cache: %s is damaged or of something else", name);
  close (fd);
  if (!file)
    return NULL;
  *to = file;
  *bytes = file->image;
  return (char *)(file + 1) + file->key;
}

/* Whether this process may write N bytes to a file: if not, it would get a signal
   that ends it.  */
static bool
may_write (size_t n)
{
  struct rlimit l;
  return !getrlimit (RLIMIT_FSIZE, &l) && n <= l.rlim_cur;
}

bool
acr_jit_disk_keep (struct acr_jit_key key, const void *image, size_t bytes)
{
  struct head head = { .key = key_bytes (key), .image = bytes };
  memcpy (head.magic, magic, sizeof magic);
  head.hash = acr_hash (key.hash, image, bytes);
  size_t total = sizeof head + head.key + bytes;
  int folder = total > acr_env.jit_cache_max || !may_write (total)
                   ? -1
                   : open_folder (true);
  if (folder < 0)
    return false;
  make_room (folder, total);

  /* The temporary name is in the folder, wherever that moves meanwhile.  */
  char name[32], temporary[64];
  name_of (name, key);
  snprintf (temporary, sizeof temporary, "/proc/self/fd/%d/" UNFINISHED,
            folder);
  int fd = mkostemp (temporary, O_CLOEXEC);
  bool ok = fd >= 0 && write_all (fd, &head, sizeof head);
  for (unsigned i = 0; ok && i < key.n; i++)
    ok = write_all (fd, key.part[i].iov_base, key.part[i].iov_len);
  ok = ok && write_all (fd, image, bytes);
  if (fd >= 0 && close (fd))
    ok = false;
  if (ok && renameat (AT_FDCWD, temporary, folder, name))
    ok = false;
  if (fd >= 0 && !ok)
    unlink (temporary);
  close (folder);
  if (ok)
    note_name (key.hash);
  return ok;
}
