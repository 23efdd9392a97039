/* The table of regions: rows come and go with the libraries that hold them.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "ext.h"
#include "tap.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define NTABLES 40
#define NROWS 30

static char code[NTABLES * NROWS][16]; /* addresses to stand for functions */
static char tags[NTABLES * NROWS][96];
static struct acr_host_entry table[NTABLES][NROWS];
static bool present[NTABLES];

static void
fill (void)
{
  for (int t = 0; t < NTABLES; t++)
    for (int r = 0; r < NROWS; r++)
      {
        int i = t * NROWS + r;
        snprintf (tags[i], sizeof tags[i],
                  ACR_TAG_MAGIC " %d fn=f%d src=a.c:%d kind=omp-target "
                                "dims=?,?,?",
                  ACR_TAG_VERSION, i, i + 1);
        table[t][r] = (struct acr_host_entry){ code[i], tags[i] };
      }
}

/* Wrong answers about all rows.  */
static int
wrong (void)
{
  int n = 0;
  for (int i = 0; i < NTABLES * NROWS; i++)
    {
      const struct acr_region *r = acr_region_find (code[i]);
      n += present[i / NROWS] ? !r || r->line != (unsigned)i + 1 : r != NULL;
    }
  return n;
}

/* Two threads that load and unload libraries while others launch.  */
static void *
come_and_go (void *arg)
{
  int first = *(int *)arg;
  for (int step = 0; step < 400; step++)
    {
      int t = first + step % (NTABLES / 4);
      acr_register_regions (table[t], NROWS);
      const struct acr_region *r = acr_region_find (table[t][step % NROWS].fn);
      if (!r || r->line != (unsigned)(t * NROWS + step % NROWS + 1))
        return "a row is lost";
      acr_unregister_regions (table[t], NROWS);
    }
  return NULL;
}

/* Rows of data constructs, found by their kinds or by what acr_site was told.  */
static void
test_sites (void)
{
  static const struct acr_host_entry sites[] = {
    { &code[0], ACR_SITE_MAGIC " 1 src=a.c:7 kind=acc-enter-data" },
    { &code[1], ACR_SITE_MAGIC " 9 src=a.c:7 kind=acc-enter-data" },
    { &code[2], ACR_TAG_MAGIC " 1 fn=f src=b.c:1 kind=omp-target dims=?,?,?" },
  };
  char place[64], cut[8];
  acr_register_regions (sites, 3);
  const struct acr_region *r = acr_region_find (&code[0]);
  ok (r && !r->fn, "a site record is found");
  if (r)
    {
      ok_str (acr_region_place (place, sizeof place, r), "a.c:7 acc enter data",
              "where it is");
      ok_str (acr_region_place (cut, sizeof cut, r), "a.c:7 a", "in short");
    }
  ok (!acr_region_find (&code[1]), "one of another version is none");
  struct acr_region *copy = acr_region_of_kernel ("f");
  ok (copy && copy->line == 1, "kernels are looked for among regions");
  free (copy);
  ok (!acr_region_of_kernel (""), "and no site is a kernel");
  acr_unregister_regions (sites, 3);
  acr_site (&code[0]);
  ok (acr_site_take () == &code[0] && !acr_site_take (), "said once");
}

int
main (void)
{
  test_sites ();
  fill ();
  ok (!acr_region_find (code[0]), "nothing registered");
  acr_register_regions (NULL, 0);
  for (int t = 0; t < NTABLES; t++)
    {
      acr_register_regions (table[t], NROWS);
      present[t] = true;
    }
  ok_int (wrong (), 0, "all rows are found");
  for (int t = 0; t < NTABLES; t += 3)
    {
      acr_unregister_regions (table[t], NROWS);
      present[t] = false;
    }
  ok_int (wrong (), 0, "rows of unloaded tables are not");
  acr_register_regions (table[0], NROWS);
  present[0] = true;
  ok_int (wrong (), 0, "a table may come back");

  struct acr_host_entry bad = { "x", "not a tag" };
  acr_register_regions (&bad, 1);
  ok (!acr_region_find (bad.fn), "a bad tag is no tag");
  acr_unregister_regions (&bad, 1);
  ok (!acr_region_find (NULL), "no function");

  for (int t = 0; t < NTABLES; t++)
    if (present[t])
      acr_unregister_regions (table[t], NROWS);
  pthread_t thread[4];
  int first[4];
  int failed = 0;
  for (int i = 0; i < 4; i++)
    {
      first[i] = i * (NTABLES / 4);
      pthread_create (&thread[i], NULL, come_and_go, &first[i]);
    }
  for (int i = 0; i < 4; i++)
    {
      void *why;
      pthread_join (thread[i], &why);
      failed += why != NULL;
    }
  ok_int (failed, 0, "threads");
  return done_testing ();
}
