/* Kernels and their launches: the place where a launch may still be changed.

   Every kernel that libgomp's plugin takes out of a module has a record, found
   by its driver handle.  A launch passes as one structure through the hooks in
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

#include "abi/abi.h"
#include "interpose/cuda-types.h"
#include "launch/tune.h"

struct acr_kernel_name;
struct acr_region;

/* A form of a kernel.  */
struct acr_form
{
  CUfunction fn;
  int regs;        /* per thread */
  int max_threads; /* of a block */
};

/* Constant while its module is loaded.  */
struct acr_kernel
{
  CUfunction fn;
  CUmodule module;
  int device;        /* that it is on, by the driver's number; -1: not known */
  const char *name;  /* in PTX */
  /* The name that stock GCC would have given it, and what stock.c keeps.  */
  struct acr_kernel_name *stock;
  int regs;         /* per thread */
  int max_threads;  /* of a block */
  uint64_t code;    /* hash of its name, all code and the GPU; 0: not known */
  /* Forms of it (abi.h).  */
  unsigned nforms;
  struct acr_form form[ACR_FORMS];
  /* A plain kernel whose threads must lie along y, at most 32 in a block
     (ptx-post/pass/entry.c).  */
  bool along_y;
};

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
  bool apart; /* its time is told apart from that of others of the kernel */
  bool open;  /* more threads than iterations would do no harm */
  int processors, registers;
  bool waits;             /* the program waits for it, or for its stream */
  struct acr_trial trial; /* it is timed when that says so */
  CUstream stream;
  void **params, **extra; /* as of cuLaunchKernel */
  /* What its only parameter, an argument block, holds; NULL: not known.  */
  const CUdeviceptr *words;
  size_t nwords;
  /* For hooks: parameters of their own, and pointers to them.  */
  unsigned long long value[ACR_LAUNCH_PARAMS];
  void *pointer[ACR_LAUNCH_PARAMS];
};

/* The record of FN, or NULL.  */
const struct acr_kernel *acr_kernel_find (CUfunction fn);

/* The tag of K's region, or NULL when it has none.  */
const struct acr_region *acr_kernel_region (const struct acr_kernel *k);

/* Let the hooks see L, and measure its kernel's forms where those have
   not.  */
void acr_launch_adjust (struct acr_launch *l);

/* Hand L to the driver, or have it held (hold.h).  */
CUresult acr_launch_issue (const struct acr_launch *l);

/* Hand L to the driver, behind all that is on its way there.  */
CUresult acr_launch_now (const struct acr_launch *l);

/* In place of the driver entries of these names.  */
CUresult acr_kernel_get (CUfunction *fn, CUmodule module, const char *name);
CUresult acr_kernels_unload (CUmodule module);
CUresult acr_kernel_occupancy (int *grid, int *block, CUfunction fn,
                               CUoccupancyB2DSize shared_of, size_t shared,
                               int limit);

#endif /* ACCRETE_LAUNCH_H */
