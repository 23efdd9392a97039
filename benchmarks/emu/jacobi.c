/* Speed of the emulated GPU on the inner loop of a 2D Jacobi kernel, the 16
   instructions that GCC 12 makes of

     for (j = 1; j < n - 1; j++)
       b[i][j] = 0.25f * (a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1]);

   on one host thread (unless ACCRETE_EMU_THREADS says otherwise) and on as
   many as there are cores.  Prints lane-instructions a second.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../stopwatch.h"
#include "emu.h"

enum { N = 1026, LOOP = 16, ROUNDS = 20 };

static const char ptx[]
  = ".version 6.0\n.target sm_30\n.address_size 64\n"
    ".visible .entry jacobi (.param .u64 a, .param .u64 b, .param .u64 stride)\n"
    "{\n.reg .u64 %a, %b, %s, %up, %down, %mid, %end, %x, %t;\n"
    ".reg .u32 %i, %j; .reg .f32 %f<10>; .reg .pred %p;\n"
    "ld.param.u64 %a, [a]; ld.param.u64 %b, [b]; ld.param.u64 %s, [stride];\n"
    "mov.u32 %i, %ctaid.x; mov.u32 %j, %tid.x; cvt.u64.u32 %x, %i;\n"
    "mul.lo.u64 %x, %x, %s; cvt.u64.u32 %t, %j; shl.b64 %t, %t, 2;\n"
    "add.u64 %x, %x, %t; add.u64 %x, %x, 4;\n" /* row i, column j + 1 */
    "add.u64 %up, %a, %x; add.u64 %mid, %up, %s; add.u64 %mid, %mid, 4;\n"
    "add.u64 %b, %b, %x; add.u64 %b, %b, %s; add.u64 %end, %up, 4096;\n"
    "L: add.u64 %x, %up, %s; add.u64 %t, %x, %s;\n"
    "ld.f32 %f1, [%t]; ld.f32 %f2, [%up]; add.f32 %f0, %f1, %f2;\n"
    "ld.f32 %f3, [%mid+-8]; add.f32 %f4, %f0, %f3;\n"
    "ld.f32 %f5, [%mid]; add.f32 %f6, %f4, %f5; mul.f32 %f7, %f6, 0f3e800000;\n"
    "st.f32 [%b], %f7;\n"
    "add.u64 %up, %up, 128; add.u64 %b, %b, 128; add.u64 %mid, %mid, 128;\n"
    "setp.ne.u64 %p, %end, %up; @%p bra L;\nret;\n}\n";

int
main (void)
{
  struct emu_source src = { "jacobi.ptx", ptx, sizeof ptx - 1 };
  struct emu_module *m;
  struct emu_func *f;
  char *log;
  uint64_t a, b;
  const size_t bytes = (size_t) N * N * sizeof (float);
  if (emu_module_load (&m, &src, 1, &log) != CUDA_SUCCESS
      || emu_module_func (m, "jacobi", &f) != CUDA_SUCCESS
      || emu_mem_alloc (&a, bytes) != CUDA_SUCCESS
      || emu_mem_alloc (&b, bytes) != CUDA_SUCCESS)
    return 1;
  float *pa = (float *) (uintptr_t) a, *pb = (float *) (uintptr_t) b;
  for (int k = 0; k < N * N; k++)
    pa[k] = (float) (k % 1000);
  const uint64_t params[] = { a, b, N * sizeof (float) };
  struct emu_launch l = { .func = f, .grid = { N - 2, 1, 1 },
			  .block = { 32, 1, 1 }, .params = params };
  double best = 1e9;
  for (int k = 0; k < ROUNDS; k++)
    {
      double t = stopwatch_seconds ();
      if (emu_launch_run (&l) != CUDA_SUCCESS)
	return 1;
      t = stopwatch_seconds () - t;
      best = t < best ? t : best;
    }
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      {
	float want = pa[(i + 1) * N + j] + pa[(i - 1) * N + j];
	want += pa[i * N + j - 1];
	want += pa[i * N + j + 1];
	if (pb[i * N + j] != want * 0.25f)
	  {
	    fprintf (stderr, "wrong at %d,%d\n", i, j);
	    return 1;
	  }
      }
  double n = (double) (N - 2) * (N - 2) * LOOP;
  const char *threads = getenv ("ACCRETE_EMU_THREADS");
  printf ("jacobi %dx%d: %.3f ms, %.2f G lane-instructions/s on %s host "
	  "threads\n", N - 2, N - 2, best * 1e3, n / best * 1e-9,
	  threads ? threads : "all");
  return 0;
}
