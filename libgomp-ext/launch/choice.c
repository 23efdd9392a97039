/* Choices that were made by measurement, on disk; see choice.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/choice.h"

#include "jit/jit-disk.h"

#include <stdlib.h>
#include <string.h>

/* KEY as a part of memory; PART is room for that.  */
static struct acr_jit_key
disk_key (const struct acr_choice_key *key, struct iovec *part)
{
  *part = (struct iovec){ (void *)key, sizeof *key };
  return (struct acr_jit_key){ part, 1, acr_jit_disk_hash (part, 1) };
}

bool
acr_choice_find (const struct acr_choice_key *key, unsigned *choice)
{
  struct iovec part;
  size_t bytes;
  void *file;
  uint32_t found;
  const void *image = acr_jit_disk_find (disk_key (key, &part), &bytes, &file);
  if (!image)
    return false;
  bool whole = bytes == sizeof found;
  if (whole)
    memcpy (&found, image, sizeof found);
  free (file);
  if (!whole || found >= 64 || !(key->set >> found & 1))
    return false;
  *choice = found;
  return true;
}

bool
acr_choice_keep (const struct acr_choice_key *key, unsigned choice)
{
  struct iovec part;
  uint32_t image = choice;
  return acr_jit_disk_keep (disk_key (key, &part), &image, sizeof image);
}
