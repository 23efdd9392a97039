/* For tests of the machine: load PTX and launch its kernels without the
   driver.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_TESTS_MACHINE_RUN_H
#define ACCRETE_TESTS_MACHINE_RUN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu.h"
#include "tap.h"

#define PTX_HEADER ".version 8.3\n.target sm_90\n.address_size 64\n"

/* TEXT as a module; on failure NULL and a diagnostic line.  */
__attribute__ ((unused)) static struct emu_module *
load_ptx (const char *text)
{
  struct emu_module *m;
  char *log = NULL;
  struct emu_source s = { "test.ptx", text, strlen (text) };
  if (emu_module_load (&m, &s, 1, &log) != CUDA_SUCCESS)
    diag ("%s", log ? log : "module not loaded");
  free (log);
  return m;
}

/* Launch KERNEL of M with N 64-bit parameters.  */
__attribute__ ((unused)) static CUresult
launch (struct emu_module *m, const char *kernel, unsigned grid, unsigned block,
	unsigned shared, unsigned n, const uint64_t *params)
{
  struct emu_func *f;
  uint64_t copy[8] = { 0 };
  CUresult r = emu_module_func (m, kernel, &f);
  if (r != CUDA_SUCCESS)
    return r;
  memcpy (copy, params, n * sizeof *params);
  struct emu_launch l = { .func = f, .grid = { grid, 1, 1 },
			  .block = { block, 1, 1 }, .dyn_shared = shared,
			  .params = copy };
  return emu_launch_run (&l);
}

/* Device memory, zeroed; also a host address.  */
__attribute__ ((unused)) static void *
device (size_t bytes)
{
  uint64_t addr = 0;
  if (emu_mem_alloc (&addr, bytes) != CUDA_SUCCESS)
    abort ();
  memset ((void *) (uintptr_t) addr, 0, bytes);
  return (void *) (uintptr_t) addr;
}

/* Evaluate EXPR with stderr going to CAPTURED.  */
__attribute__ ((unused)) static char captured[1 << 16];
#define CAPTURED(expr)							      \
  ({									      \
    fflush (stderr);							      \
    int cap_old = dup (2);						      \
    FILE *cap_f = tmpfile ();						      \
    dup2 (fileno (cap_f), 2);						      \
    __typeof__ (expr) cap_r = (expr);					      \
    fflush (stderr);							      \
    dup2 (cap_old, 2);							      \
    close (cap_old);							      \
    rewind (cap_f);							      \
    captured[fread (captured, 1, sizeof captured - 1, cap_f)] = 0;	      \
    fclose (cap_f);							      \
    cap_r;								      \
  })

#endif /* ACCRETE_TESTS_MACHINE_RUN_H */
