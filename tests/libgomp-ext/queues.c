/* Random OpenACC traffic on asynchronous queues.  What a queue has done is
   looked at only after waiting for it; arrays stay on one queue while they
   are on the device.
   usage: queues STEPS SEED

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <openacc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NARRAYS 16
#define NQUEUES 3

static uint64_t x;
static char *host[NARRAYS], *shadow[NARRAYS];
static size_t size[NARRAYS];
static int queue[NARRAYS];   /* -1: not on the device */
static int leaving[NARRAYS]; /* a copyout to HOST may be under way */
static int busy[NARRAYS];    /* a copyin from HOST may be under way */
static int wrong;

static unsigned
rnd (unsigned n)
{
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return (x >> 11) % n;
}

static void
scribble (int i)
{
  uint32_t k = rnd (1u << 31);
  for (size_t j = 0; j < size[i]; j++)
    host[i][j] = (k = k * 1664525 + 1013904223) >> 24;
}

/* Queue Q, or all with -1, has been waited for.  */
static void
settle (int q, int *of)
{
  for (int i = 0; i < NARRAYS; i++)
    if (q < 0 || of[i] == q)
      {
        if (leaving[i] && memcmp (host[i], shadow[i], size[i]) && wrong++ < 3)
          printf ("array %d is wrong\n", i);
        leaving[i] = busy[i] = 0;
      }
}

int
main (int argc, char **argv)
{
  int steps = argc > 1 ? atoi (argv[1]) : 1000;
  int last[NARRAYS] = { 0 }; /* queue an array was last on */
  x = (argc > 2 ? atoi (argv[2]) : 1) * 0x9e3779b97f4a7c15u;
  for (int i = 0; i < NARRAYS; i++)
    {
      /* Few sizes, so that memory goes from one array to another.  */
      size[i] = (i % 4 ? 600 : 100000) + rnd (300);
      host[i] = malloc (size[i]);
      shadow[i] = malloc (size[i]);
      queue[i] = -1;
      scribble (i);
    }
  for (int s = 0; s < steps; s++)
    {
      int i = rnd (NARRAYS), q = rnd (NQUEUES);
      char *p = host[i];
      size_t n = size[i];
      switch (rnd (6))
        {
        case 0:
        case 1:
          if (queue[i] >= 0 || leaving[i] || busy[i])
            break;
          scribble (i);
          memcpy (shadow[i], p, n);
          queue[i] = last[i] = q;
          busy[i] = 1;
#pragma acc enter data copyin(p [0:n]) async(q)
          break;
        case 2:
          if (queue[i] < 0 || busy[i])
            break;
          q = queue[i];
          memset (p, 0, n);
          queue[i] = -1;
          leaving[i] = 1;
#pragma acc exit data copyout(p [0:n]) async(q)
          break;
        case 3:
          if (queue[i] < 0)
            break;
          q = queue[i];
          queue[i] = -1;
          if (rnd (2))
            {
#pragma acc exit data delete (p [0:n])async(q)
            }
          else
            {
              /* Maybe under the queue's feet: stock waits in cuMemFree.  */
#pragma acc exit data delete (p [0:n])
            }
          break;
        case 4:
          if (queue[i] < 0 || busy[i])
            break;
          q = queue[i];
          scribble (i);
          memcpy (shadow[i], p, n);
          busy[i] = 1;
#pragma acc update device(p [0:n]) async(q)
          break;
        case 5:
          if (rnd (8))
            break;
          if (rnd (8))
            {
#pragma acc wait(q)
              settle (q, last);
            }
          else
            {
#pragma acc wait
              settle (-1, last);
            }
          break;
        }
    }
#pragma acc wait
  settle (-1, last);
  printf ("%d devices, %d wrong\n", acc_get_num_devices (acc_device_nvidia),
          wrong);
  return wrong != 0;
}

/* Never called: makes this a program with device code.  */
void
region (void)
{
#pragma acc parallel
  {
  }
}
