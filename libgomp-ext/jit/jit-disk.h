/* What was worked out for device code, on disk: that code linked, and
   choices by measurement (choice.h).

   One file an image, in $XDG_CACHE_HOME/accrete, or ~/.cache/accrete.  It holds
   all that the image was made from, its key, which is compared byte by byte: a
   name that two keys share, or a file that was cut short or damaged, is a
   miss, and the next image of that name replaces it.  Files appear by rename,
   so that a reader sees a whole one whoever writes or removes it.  Above
   ACCRETE_JIT_CACHE_MAX bytes, those go that were not used for longest.

   Which files there are is read when a device loads code: a look for one that is
   not there takes some 40 us, and launches ask for choices.  What another process
   writes later is unknown to this one until it loads code again, as if it had
   asked before.

   Nothing here fails: what cannot be read is not there, and what cannot be
   written stays away.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_JIT_DISK_H
#define ACCRETE_JIT_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* Parts of memory that make up a key, in their order.  */
struct acr_jit_key
{
  const struct iovec *part;
  unsigned n;
  uint64_t hash; /* acr_jit_disk_hash of them */
};

/* A hash of N parts, not 0 but by chance.  */
uint64_t acr_jit_disk_hash (const struct iovec *part, unsigned n);

/* Read which files there are.  */
void acr_jit_disk_list (void);

/* The image of KEY and its size, or NULL.  The caller frees *FILE, which the
   image is in.  */
const void *acr_jit_disk_find (struct acr_jit_key key, size_t *bytes,
                               void **file);

/* Keep the image of KEY.  False when it cannot be.  */
bool acr_jit_disk_keep (struct acr_jit_key key, const void *image,
                        size_t bytes);

#endif /* ACCRETE_JIT_DISK_H */
