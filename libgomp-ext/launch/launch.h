/* Launches: the place where one may still be changed.

   A launch passes as one structure through the hooks in
   acr_launch_adjust before the driver sees it; a hook may change all of it but
   the kernel.  A hook's rules:

   - it knows the kernel by its record, and changes nothing of one it does not;
   - a kernel that works on libgomp's OpenMP soft stacks (their base and size
     are its second and third parameter) needs one for each warp.  With STACKS
     set they are made after the hooks, and the hook of a kernel that needs
     none clears it.  Without STACKS they are as many as libgomp asked for, and
     the grid and block of a kernel that uses them may shrink, never grow;
   - what PARAMS or EXTRA point to is the caller's; a hook that replaces them
     keeps its own until the launch returns (struct acr_launch has room).

   Thread-safe: hooks run in the launching thread, with no lock held.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_LAUNCH_H
#define ACCRETE_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "interpose/cuda-types.h"
#include "launch/kernel.h"
#include "launch/pair.h"
#include "launch/tune.h"

#define ACR_LAUNCH_PARAMS 4

struct acr_launch
{
  const struct acr_kernel *kernel; /* NULL: not from a module we saw */
  CUfunction fn;
  unsigned form; /* that FN is, from 1; 0: the kernel itself */
  unsigned grid[3], block[3];
  unsigned shared; /* dynamic, bytes */
  bool stacks;     /* OpenMP soft stacks are yet to be made */
  /* Of OpenMP launches that libgomp-ext itself makes, and of OpenACC's with
     an open geometry (geometry.c); else 0.  TEAMS and THREADS are what the
     program says, 0 where it does not, or TEAMS are iterations (TRIPS);
     REGISTERS are a multiprocessor's.  */
  int teams, threads;
  bool trips;
  bool resident; /* its blocks wait for each other (resident.h) */
  bool apart; /* its time is told apart from that of others of the kernel */
  bool open;  /* more threads than iterations would do no harm */
  int processors, registers;
  bool waits;             /* the program waits for it, or for its stream */
  /* Of a list (hold.h): it must be behind those of lower levels, and is independent of
     others of its own.  */
  unsigned level;
  struct acr_trial trial; /* it is timed when that says so */
  struct acr_pairing pairing;
  CUstream stream;
  struct acr_tally *by; /* of its construct, or NULL */
  /* Who executes its children, and why, when that is reported and there are any, or
     NULL.  */
  const char *children, *why_children;
  void **params, **extra; /* as of cuLaunchKernel */
  /* What its argument block holds, the thread's until its next construct; NULL:
     not known.  */
  const CUdeviceptr *words;
  size_t nwords;
  /* For hooks: parameters of their own, and pointers to them.  */
  unsigned long long value[ACR_LAUNCH_PARAMS];
  void *pointer[ACR_LAUNCH_PARAMS];
};

/* Let L have parameters of its own, with the values that FROM points to: as many as
   its kernel has, 8 bytes each.  */
static inline void
acr_launch_own_params (struct acr_launch *l, void *const *from)
{
  for (unsigned i = 0; i < acr_kernel_params (l->kernel); i++)
    {
      memcpy (&l->value[i], from[i], sizeof l->value[i]);
      l->pointer[i] = &l->value[i];
    }
  l->params = l->pointer;
  l->extra = NULL;
}

/* Let the hooks see L, and measure its kernel's forms where those have
   not.  */
void acr_launch_adjust (struct acr_launch *l);

/* Hand L to the driver, or have it held (hold.h).  */
CUresult acr_launch_issue (const struct acr_launch *l);

/* Hand L to the driver, behind all that is on its way there.  */
CUresult acr_launch_now (const struct acr_launch *l);

#endif /* ACCRETE_LAUNCH_H */
