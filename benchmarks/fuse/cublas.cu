/* The sequences of blas.h as calls of cuBLAS, none of which is waited for but by who
   needs a result.  A matrix's rows are columns to cuBLAS, but with COLUMNS (blas.c)
   they are rows.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include "blas.h"

#ifdef COLUMNS
# define AS_IS CUBLAS_OP_N
# define TRANSPOSED CUBLAS_OP_T
#else
# define AS_IS CUBLAS_OP_T
# define TRANSPOSED CUBLAS_OP_N
#endif

static cublasHandle_t
handle (void)
{
  static cublasHandle_t h;
  if (!h && cublasCreate (&h) != CUBLAS_STATUS_SUCCESS)
    {
      fprintf (stderr, "cuBLAS cannot be used\n");
      exit (1);
    }
  return h;
}

static void
copy (long n, const float *x, float *y)
{
  cublasScopy (handle (), n, x, 1, y, 1);
}

static void
axpy (long n, float a, const float *x, float *y)
{
  cublasSaxpy (handle (), n, &a, x, 1, y, 1);
}

static void
gemv (long m, float a, const float *M, const float *x, float b, float *y)
{
  cublasSgemv (handle (), AS_IS, m, m, &a, M, m, x, 1, &b, y, 1);
}

static void
gemvt (long m, float a, const float *M, const float *x, float b, float *y)
{
  cublasSgemv (handle (), TRANSPOSED, m, m, &a, M, m, x, 1, &b, y, 1);
}

static void
ger (long m, const float *u, const float *v, float *M)
{
  const float one = 1;
#ifdef COLUMNS
  cublasSger (handle (), m, m, &one, u, 1, v, 1, M, m);
#else
  cublasSger (handle (), m, m, &one, v, 1, u, 1, M, m);
#endif
}

float
axpydot (long n, const float *w, const float *x, const float *y, float *z)
{
  float sum;
  copy (n, w, z);
  axpy (n, -ALPHA, x, z);
  cublasSdot (handle (), n, z, 1, y, 1, &sum);
  return sum;
}

void
sscal (long n, float *x)
{
  const float a = ALPHA;
  cublasSscal (handle (), n, &a, x, 1);
}

void
vadd (long n, const float *w, const float *y, const float *z, float *x)
{
  copy (n, w, x);
  axpy (n, 1, y, x);
  axpy (n, 1, z, x);
}

void
waxpby (long n, const float *x, const float *y, float *w)
{
  const float b = BETA;
  copy (n, y, w);
  cublasSscal (handle (), n, &b, w, 1);
  axpy (n, ALPHA, x, w);
}

void
madd (long m, const float *A, const float *B, float *C)
{
  copy (m * m, A, C);
  axpy (m * m, 1, B, C);
}

void
sgemv (long m, const float *A, const float *x, const float *y, float *z)
{
  copy (m, y, z);
  gemv (m, ALPHA, A, x, BETA, z);
}

void
atax (long m, const float *A, const float *x, float *y, float *z)
{
  gemv (m, 1, A, x, 0, z);
  gemvt (m, 1, A, z, 0, y);
}

void
bicgk (long m, const float *A, const float *p, const float *r, float *q, float *s)
{
  gemv (m, 1, A, p, 0, q);
  gemvt (m, 1, A, r, 0, s);
}

void
sgemvt (long m, const float *A, const float *y, const float *z, float *x, float *w)
{
  copy (m, z, x);
  gemvt (m, BETA, A, y, 1, x);
  gemv (m, ALPHA, A, x, 0, w);
}

void
gemver (long m, const float *A, const float *u1, const float *v1,
	const float *u2, const float *v2, const float *y, const float *z,
	float *B, float *x, float *w)
{
  copy (m * m, A, B);
  ger (m, u1, v1, B);
  ger (m, u2, v2, B);
  copy (m, z, x);
  gemvt (m, BETA, B, y, 1, x);
  gemv (m, ALPHA, B, x, 0, w);
}

void
gesummv (long m, const float *A, const float *B, const float *x, float *y)
{
  gemv (m, ALPHA, A, x, 0, y);
  gemv (m, BETA, B, x, 1, y);
}
