/* Free memory as a program may ask for it: allocating takes at least what was
   asked for, and freeing gives all of it back.  Prints what is wrong.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <openacc.h>
#include <stdio.h>

enum
{
  N = 5000,
  MANY = 20
};

static float a[N], b[N];

static size_t
idle (void)
{
  acc_device_t type = acc_get_device_type ();
  return acc_get_property (acc_get_device_num (type), type,
                           acc_property_free_memory);
}

static int wrong;

static void
check (int good, const char *what, size_t n)
{
  if (!good)
    {
      printf ("%s of %zu bytes\n", what, n);
      wrong++;
    }
}

static void
allocate (void)
{
  static const size_t size[] = { 4, 100, 4096, 40000, 4 << 20, 60 << 20 };
  void *p[MANY];
  for (unsigned i = 0; i < sizeof size / sizeof *size; i++)
    {
      size_t n = size[i], before = idle ();
      for (int k = 0; k < MANY / 2; k++)
        p[k] = acc_malloc (n);
      size_t within = idle ();
      check (within + MANY / 2 * n <= before, "allocations", n);
      for (int k = 0; k < MANY / 2; k++)
        acc_free (p[k]);
      check (idle () >= within + MANY / 2 * n, "frees", n);
      check (idle () == before, "both", n);
    }
}

/* Directives allocate and free as well.  */
static void
directives (void)
{
  for (int turn = 0; turn < 3; turn++)
    {
      size_t before = idle ();
#pragma acc enter data copyin(a) create(b)
      check (idle () + sizeof a + sizeof b <= before, "enter data", sizeof a);
#pragma acc parallel loop present(a, b)
      for (int i = 0; i < N; i++)
        b[i] = a[i] + turn;
      size_t within = idle ();
#pragma acc exit data copyout(b) delete(a)
      check (idle () >= within + sizeof a + sizeof b, "exit data", sizeof a);
    }
}

int
main (void)
{
  idle ();
  allocate ();
  directives ();
  allocate ();
  printf ("%d wrong\n", wrong);
  return 0;
}
