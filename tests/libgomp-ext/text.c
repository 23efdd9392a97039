/* acr_find against memmem: random texts of few letters, which end where a page does,
   so that who reads beyond them is found.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"

#include "base/text.h"
#include "random.h"
#include "tap.h"

#include <string.h>
#include <sys/mman.h>

enum
{
  ROUNDS = 200000,
  PAGE = 4096,
  MOST = 200 /* letters of a text */
};

int
main (void)
{
  char *pages = mmap (NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char what[8];
  unsigned wrong = 0, found = 0;
  mprotect (pages + PAGE, PAGE, PROT_NONE);
  for (unsigned i = 0; i < ROUNDS; i++)
    {
      size_t n = below (MOST), k = 1 + below (sizeof what);
      unsigned letters = 1 + below (4);
      char *text = pages + PAGE - n;
      for (size_t j = 0; j < n; j++)
        text[j] = 'a' + below (letters);
      for (size_t j = 0; j < k; j++)
        what[j] = 'a' + below (letters);
      const char *want = memmem (text, n, what, k);
      wrong += acr_find (text, n, what, k) != want;
      found += want != NULL;
    }
  ok (wrong == 0, "as memmem");
  ok (found > ROUNDS / 10 && found < ROUNDS - ROUNDS / 10, "found and not found");
  return done_testing ();
}
