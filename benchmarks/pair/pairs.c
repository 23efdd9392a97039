/* The pairs of kernels of HFuse's evaluation as directive programs: two of
   five of neural networks, or of four hash functions, in two queues (two
   target tasks).
   usage: pairs [-s] [-r] [-n REPEATS] [-w WARM] [-a SIXTEENTHS] [PAIR...]
   -s  one kernel behind the other
   -r  the second one is launched first
   -a  of the first one's work
   For each pair prints its name and the median and least time of both in
   microseconds; results that differ from the host's give status 1.

   Source: A. Li and others, "Automatic Horizontal Fusion for GPU Kernels", CGO
   2022.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <unistd.h>
#ifdef _OPENACC
#include <openacc.h>
#endif

#include "stopwatch.h"
#include "hashes.h"
#include "networks.h"

#define KERNEL(name) { #name, name##_start, name, name##_wrong, name##_end }
static const struct kernel kernels[] = {
  KERNEL (batchnorm), KERNEL (hist),	KERNEL (im2col),
  KERNEL (maxpool),   KERNEL (upsample), KERNEL (blake256),
  KERNEL (blake2b),   KERNEL (ethash),	KERNEL (sha256),
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

static int
run (const struct kernel *a, const struct kernel *b)
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
  printf ("%s+%s %.1f %.1f%s\n", a->name, b->name, median * 1e6,
	  t[0] * 1e6, wrong ? " WRONG" : "");
  fflush (stdout);
  a->end ();
  b->end ();
  return wrong != 0;
}

static bool
is_wanted (const struct kernel *a, const struct kernel *b, char **names)
{
  char name[100];
  snprintf (name, sizeof name, "%s+%s", a->name, b->name);
  bool any = *names;
  for (; *names; names++)
    if (!strcmp (*names, name))
      return true;
  return !any;
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
      if (is_wanted (&kernels[i], &kernels[j], argv + optind))
	wrong |= run (&kernels[i], &kernels[j]);
  return wrong;
}
