/* The pairs of kernels of HFuse's evaluation as directive programs: two of
   five of neural networks, or of four hash functions, in two queues (two
   target tasks).
   usage: pairs [-s] [-r] [-n REPEATS] [-w WARM] [-a SIXTEENTHS] [PAIR...]
   -s  one kernel behind the other
   -r  the second one is launched first
   -a  of the first one's work
   For each pair prints its name, the median and least time of both in
   microseconds, and a hash of all results; results that differ from the host's
   give status 1.  Built with -DONE_LOOP, both are one loop, of the pairs for
   which vertical.h has one.

   Source: A. Li and others, "Automatic Horizontal Fusion for GPU Kernels", CGO
   2022.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <unistd.h>
#ifdef _OPENACC
#include <openacc.h>
#endif

#include "named.h"
#include "stopwatch.h"
#include "hashes.h"
#include "networks.h"
#ifdef ONE_LOOP
#include "vertical.h"
#endif

#define KERNEL(name, results)                                                 \
  { #name,	name##_start, name, name##_wrong,                             \
    name##_end, results,      sizeof results }
static const struct kernel kernels[] = {
  KERNEL (batchnorm, bn_variance), KERNEL (hist, hi_bins),
  KERNEL (im2col, ic_out),	   KERNEL (maxpool, mp_out),
  KERNEL (upsample, up_out),	   KERNEL (blake256, b256_out),
  KERNEL (blake2b, b2b_out),	   KERNEL (ethash, eth_out),
  KERNEL (sha256, sha_out),
};
enum
{
  NETWORKS = 5,
  ALL = sizeof kernels / sizeof *kernels
};

static bool serial, reversed;
static int repeats = 30, warm = 200, share = 16;

static void
wait_all (void)
{
#pragma acc wait
#pragma omp taskwait
}

#ifdef ONE_LOOP
static const struct vertical *
loop_of (const struct kernel *a, const struct kernel *b)
{
  for (size_t i = 0; i < sizeof verticals / sizeof *verticals; i++)
    if (!strcmp (verticals[i].first, a->name)
	&& !strcmp (verticals[i].second, b->name))
      return &verticals[i];
  return NULL;
}

static void
once (const struct kernel *a, const struct kernel *b)
{
  loop_of (a, b)->run (share, 16);
}
#else
static void
once (const struct kernel *a, const struct kernel *b)
{
  const struct kernel *k[2] = { a, b };
  for (int i = 0; i < 2; i++)
    {
      int which = i ^ reversed;
      k[which]->run (which ? 16 : share, serial ? 1 : 1 + which);
#ifndef _OPENACC
      if (serial)
	wait_all ();
#endif
    }
  wait_all ();
}
#endif

/* A hash of K's results, all of which the host has.  */
static uint64_t
hash_of (const struct kernel *k)
{
  uint64_t h = 0, word;
  for (size_t i = 0; i < k->bytes / sizeof word; i++)
    {
      memcpy (&word, (const char *)k->results + i * sizeof word, sizeof word);
      h = (h ^ word) * 0x9e3779b97f4a7c15u;
      h ^= h >> 32;
    }
  return h;
}

static int
run (const struct kernel *a, const struct kernel *b, const char *name)
{
  double t[repeats];
  a->start ();
  b->start ();
  for (int i = 0; i < warm; i++)
    once (a, b);
  for (int i = 0; i < repeats; i++)
    {
      double begin = stopwatch_seconds ();
      once (a, b);
      t[i] = stopwatch_seconds () - begin;
    }
  double median = stopwatch_median (t, repeats);
  int wrong = a->wrong (share) + b->wrong (16);
  uint64_t hash = hash_of (a) ^ 3 * hash_of (b);
  printf ("%s %.1f %.1f %016llx%s\n", name, median * 1e6, t[0] * 1e6,
	  (unsigned long long)hash, wrong ? " WRONG" : "");
  fflush (stdout);
  a->end ();
  b->end ();
  return wrong != 0;
}

static bool
is_wanted (const struct kernel *a, const struct kernel *b, const char *name,
	   char **names)
{
#ifdef ONE_LOOP
  if (!loop_of (a, b))
    return false;
#else
  (void)a, (void)b;
#endif
  return is_named (name, names);
}

int
main (int argc, char **argv)
{
  int option, wrong = 0;
  while ((option = getopt (argc, argv, "srn:w:a:")) > 0)
    switch (option)
      {
      case 's':
	serial = true;
	break;
      case 'r':
	reversed = true;
	break;
      case 'n':
	repeats = atoi (optarg);
	break;
      case 'w':
	warm = atoi (optarg);
	break;
      case 'a':
	share = atoi (optarg);
	break;
      default:
	return 2;
      }
  for (int i = 0; i < ALL; i++)
    for (int j = i + 1; j < ALL && (i < NETWORKS) == (j < NETWORKS); j++)
      {
	char name[100];
	snprintf (name, sizeof name, "%s+%s", kernels[i].name, kernels[j].name);
	if (is_wanted (&kernels[i], &kernels[j], name, argv + optind))
	  wrong |= run (&kernels[i], &kernels[j], name);
      }
  return wrong;
}
