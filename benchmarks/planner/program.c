/* A program of the transfer-fusion paper's Tables 5 and 6, in OpenACC: a
   sequence of kernels, some on the host and some on the device, over arrays
   that are sent and fetched as the paper's baseline does.  program.awk makes
   the sequence from a graph; PROGRAM is that file.

   A call runs the sequence once, as one iteration of a loop around it that
   has changed its input.  The results are compared with those that the host
   computes alone.
   usage: see bench.h; the size is that of one array, in floats

   Kernels compute in linear time unless DENSE is defined: then those of the
   Cholesky factorisation are what their names say, on square blocks.

   Source: C. Kessler, "Global optimization of operand transfer fusion in
   heterogeneous computing", section 5.2.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../bench.h"

#define EACH for (int i = 0; i < n; i++)

/* OPERATOR<INPUTS>_<OUTPUTS>; what the paper leaves open is a weighted sum.  */
#define K1_1(o, a) EACH o[i] = .5f * a[i] + .1f;
#define K2_1(o, a, b) EACH o[i] = .5f * a[i] - .25f * b[i] + .1f;
#define K3_1(o, a, b, c)                                                      \
  EACH o[i] = .5f * a[i] - .25f * b[i] + .125f * c[i] + .1f;
#define K2_2(o, p, a, b)                                                      \
  EACH                                                                        \
  {                                                                           \
    o[i] = .5f * a[i] - .25f * b[i] + .1f;                                    \
    p[i] = .25f * a[i] + .5f * b[i] - .1f;                                    \
  }
#define K3_2(o, p, a, b, c)                                                   \
  EACH                                                                        \
  {                                                                           \
    o[i] = .5f * a[i] - .25f * b[i] + .125f * c[i] + .1f;                     \
    p[i] = .25f * a[i] + .5f * b[i] - .125f * c[i] - .1f;                     \
  }
#define TIMES2_1(o, a, b) EACH o[i] = a[i] * b[i];
#define PLUS2_1(o, a, b) EACH o[i] = a[i] + b[i];

#ifndef DENSE
#define POTRF1_1 K1_1
#define SYRK2_1 K2_1
#define TRSM2_1 K2_1
#define GEMM3_1 K3_1
#else
#define POTRF1_1(o, a) potrf (o, a, rows);
#define SYRK2_1(o, a, b) GEMM3_1 (o, a, b, b)
#define GEMM3_1(o, a, b, c)                                                   \
  for (int r = 0; r < rows; r++)                                              \
    for (int s = 0; s < rows; s++)                                            \
      {                                                                       \
        float sum = a[r * rows + s];                                          \
        for (int k = 0; k < rows; k++)                                        \
          sum -= b[r * rows + k] * c[s * rows + k];                           \
        o[r * rows + s] = sum;                                                \
      }
#define TRSM2_1(o, a, b)                                                      \
  for (int r = 0; r < rows; r++)                                              \
    for (int s = 0; s < rows; s++)                                            \
      {                                                                       \
        float sum = a[r * rows + s];                                          \
        for (int k = 0; k < s; k++)                                           \
          sum -= o[r * rows + k] * b[s * rows + k];                           \
        o[r * rows + s] = sum / b[s * rows + s];                              \
      }

/* L L' = A, by rows; what lies above the diagonal is 0.  */
static void
potrf (float *l, const float *a, int m)
{
  for (int r = 0; r < m; r++)
    for (int s = 0; s < m; s++)
      {
        float sum = s > r ? 0 : a[r * m + s];
        for (int k = 0; k < s && s <= r; k++)
          sum -= l[r * m + k] * l[s * m + k];
        l[r * m + s] = s < r ? sum / l[s * m + s] : s == r ? sqrtf (sum) : 0;
      }
}
#endif

struct vector
{
  bool entry;    /* the program starts with it */
  bool diagonal; /* block of the matrix */
  bool on_host;  /* when the program ends */
};

#include PROGRAM

enum
{
  NVECTORS = sizeof vectors / sizeof *vectors
};

/* The host changes some input, differently each time.  */
static void
change (int n, float **array, int call)
{
  for (int k = 0; k < NVECTORS; k++)
    if (vectors[k].entry)
      array[k][(n / 7 * (call % 5)) % n] += .001f;
}

int
main (int argc, char **argv)
{
  struct bench b;
  float *got[NVECTORS], *want[NVECTORS];
  bench_begin (&b, NAME, 1, (const int[]){ 4096 }, argc, argv);
  int n = b.size[0], rows = sqrt (n), calls = 0;
#ifdef DENSE
  n = rows * rows;
#endif
  for (int k = 0; k < NVECTORS; k++)
    {
      const struct vector *v = &vectors[k];
      got[k] = bench_alloc (n, sizeof (float));
      want[k] = v->entry ? got[k] : bench_alloc (n, sizeof (float));
      for (int i = 0; i < n; i++)
        got[k][i] = v->entry ? bench_uniform (k, i) : -1;
#ifdef DENSE
      for (int r = 0; r < rows && v->diagonal; r++)
        got[k][r * rows + r] += 8 * rows;
#endif
    }

  enter (n, rows, got);
  do
    {
      change (n, got, calls++);
      step (n, rows, got);
    }
  while (calls < 4 || bench_repeat (&b));
  leave (n, rows, got);

  reference (n, rows, want);
  for (int k = 0; k < NVECTORS; k++)
    {
      if (vectors[k].on_host)
        for (int i = 0; i < n; i++)
          {
            bench_check (&b, got[k][i], want[k][i], 1e3, FLT_EPSILON);
            b.checksum += got[k][i];
          }
      if (!vectors[k].entry)
        free (want[k]);
      free (got[k]);
    }
  return bench_end (&b);
}
