/* Records of call sites: when they are believed.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "tap.h"
#include "transfer/policy/site.h"

static struct acr_sites sites;

/* A run of site KEY that copies N places of BYTES each; whether the record
   was believed before.  */
static bool
run (uint64_t key, unsigned n, size_t bytes)
{
  struct acr_site *s = acr_site_begin (&sites, key);
  bool believed = acr_site_believed (s);
  for (unsigned i = 0; i < n; i++)
    acr_site_note (s, (struct acr_place){ 1, i * 100, bytes });
  acr_site_end (s);
  return believed;
}

int
main (void)
{
  const size_t a[] = { 8, 16 }, b[] = { 8, 17 };
  uint64_t k = acr_site_key (main, 2, a);
  ok (k == acr_site_key (main, 2, a), "one site, one key");
  ok (k != acr_site_key (main, 2, b), "other sizes, another key");
  ok (k != acr_site_key (main, 1, a), "fewer operands, another key");
  ok (k != acr_site_key (run, 2, a), "another place, another key");

  ok (!run (k, 3, 8), "nothing is known at first");
  ok (!run (k, 3, 8), "once is not enough");
  ok (run (k, 3, 8), "twice is");
  ok (run (k, 3, 8), "and more");
  ok (run (k, 3, 9), "a change is not foreseen");
  ok (!run (k, 3, 9), "but noticed");
  ok (run (k, 3, 9), "and learned");
  run (k, 2, 9);
  ok (!run (k, 2, 9), "fewer copies are a change");
  ok (run (k, 2, 9), "and learned");
  run (k, 5, 9);
  ok (!run (k, 5, 9), "more copies are a change");
  run (k, 5, 9);
  const struct acr_site *s = acr_site_begin (&sites, k);
  bool same = s->n == 5;
  for (unsigned i = 0; same && i < s->n; i++)
    same = s->places[i].block == 1 && s->places[i].addr == i * 100
           && s->places[i].bytes == 9;
  ok (same, "the record is what was done");

  run (k, 0, 0);
  run (k, 0, 0);
  ok (!run (k, 0, 0), "who copies nothing foretells nothing");

  /* A record that turns out useless each time it is believed.  */
  unsigned useless = 0;
  for (unsigned i = 0; i < 10000; i++)
    if (run (k, 2, 8))
      {
        acr_site_doubt (acr_site_begin (&sites, k));
        useless++;
      }
  ok (useless && useless < 12, "doubts grow: %u of 10000", useless);

  /* The bits that choose a set are the same in all of these.  */
  acr_sites_clear (&sites);
  unsigned known = 0;
  for (unsigned i = 0; i < 4 * ACR_SITE_WAYS; i++)
    known += run (k + i % ACR_SITE_WAYS, 1, 8);
  ok_int (known, 2 * ACR_SITE_WAYS, "sites that hash alike are kept");
  for (unsigned i = 0; i < 4 * ACR_SITE_WAYS; i++)
    run (k + 100 + i % (2 * ACR_SITE_WAYS), 1, 8);
  ok (!run (k, 1, 8), "until there are too many");
  acr_sites_clear (&sites);
  ok (!run (k, 2, 8), "cleared");
  acr_sites_clear (&sites);
  return done_testing ();
}
