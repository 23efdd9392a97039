/* The sequences of blas.h as a program of loops has them: a construct for each call of
   BLAS.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "blas.h"

#define TEXT(...) #__VA_ARGS__
#define DO(...) _Pragma (TEXT (__VA_ARGS__))

/* A loop over elements, and one that adds up; over a matrix's rows and along each of
   them, and one that adds up there, which goes for columns as well.  What they access
   is on the device.  */
#ifdef _OPENACC
# define EACH(...) DO (acc parallel loop present(__VA_ARGS__))
# define EACH_SUM(s, ...)                                                     \
   DO (acc parallel loop present(__VA_ARGS__) reduction(+ : s))
# define ROWS(...) DO (acc parallel loop gang present(__VA_ARGS__))
# define ALONG DO (acc loop vector)
# define ALONG_SUM(s) DO (acc loop vector reduction(+ : s))
#else
# define EACH(...) DO (omp target teams distribute parallel for)
# define EACH_SUM(s, ...)                                                     \
   DO (omp target teams distribute parallel for reduction(+ : s)              \
	 map(tofrom : s))
# define ROWS(...) DO (omp target teams distribute)
# define ALONG DO (omp parallel for)
# define ALONG_SUM(s) DO (omp parallel for reduction(+ : s))
#endif

/* Y = FACTOR M X + OLD for row i; the same of the transposed matrix for column j.  */
#define GEMV(Y, FACTOR, M, X, OLD)                                            \
  ROWS (M[:m * m], X[:m], Y[:m])                                              \
  for (long i = 0; i < m; i++)                                                \
    {                                                                         \
      float sum = 0;                                                          \
      ALONG_SUM (sum)                                                         \
      for (long j = 0; j < m; j++)                                            \
	sum += M[i * m + j] * X[j];                                           \
      Y[i] = FACTOR * sum + OLD;                                              \
    }
#define GEMVT(Y, FACTOR, M, X, OLD)                                           \
  ROWS (M[:m * m], X[:m], Y[:m])                                              \
  for (long j = 0; j < m; j++)                                                \
    {                                                                         \
      float sum = 0;                                                          \
      ALONG_SUM (sum)                                                         \
      for (long i = 0; i < m; i++)                                            \
	sum += M[i * m + j] * X[i];                                           \
      Y[j] = FACTOR * sum + OLD;                                              \
    }
/* For each element of a matrix, at i and j, or of a vector, with these arrays.  */
#define FOR_MATRIX(STATEMENT, ...)                                            \
  ROWS (__VA_ARGS__)                                                          \
  for (long i = 0; i < m; i++)                                                \
    {                                                                         \
      ALONG                                                                   \
      for (long j = 0; j < m; j++)                                            \
	STATEMENT;                                                            \
    }
#define FOR_VECTOR(STATEMENT, ...)                                            \
  EACH (__VA_ARGS__)                                                          \
  for (long i = 0; i < n; i++)                                                \
    STATEMENT;

float
axpydot (long n, const float *w, const float *x, const float *y, float *z)
{
  float sum = 0;
  FOR_VECTOR (z[i] = w[i], z[:n], w[:n])
  FOR_VECTOR (z[i] -= ALPHA * x[i], z[:n], x[:n])
  EACH_SUM (sum, y[:n], z[:n])
  for (long i = 0; i < n; i++)
    sum += z[i] * y[i];
  return sum;
}

void
sscal (long n, float *x)
{
  FOR_VECTOR (x[i] *= ALPHA, x[:n])
}

void
vadd (long n, const float *w, const float *y, const float *z, float *x)
{
  FOR_VECTOR (x[i] = w[i], x[:n], w[:n])
  FOR_VECTOR (x[i] += y[i], x[:n], y[:n])
  FOR_VECTOR (x[i] += z[i], x[:n], z[:n])
}

void
waxpby (long n, const float *x, const float *y, float *w)
{
  FOR_VECTOR (w[i] = y[i], w[:n], y[:n])
  FOR_VECTOR (w[i] *= BETA, w[:n])
  FOR_VECTOR (w[i] += ALPHA * x[i], w[:n], x[:n])
}

void
madd (long m, const float *A, const float *B, float *C)
{
  FOR_MATRIX (C[i * m + j] = A[i * m + j], C[:m * m], A[:m * m])
  FOR_MATRIX (C[i * m + j] += B[i * m + j], C[:m * m], B[:m * m])
}

void
sgemv (long m, const float *A, const float *x, const float *y, float *z)
{
  long n = m;
  FOR_VECTOR (z[i] = y[i], z[:n], y[:n])
  GEMV (z, ALPHA, A, x, BETA * z[i])
}

void
atax (long m, const float *A, const float *x, float *y, float *z)
{
  GEMV (z, 1, A, x, 0)
  GEMVT (y, 1, A, z, 0)
}

void
bicgk (long m, const float *A, const float *p, const float *r, float *q, float *s)
{
  GEMV (q, 1, A, p, 0)
  GEMVT (s, 1, A, r, 0)
}

void
sgemvt (long m, const float *A, const float *y, const float *z, float *x, float *w)
{
  long n = m;
  FOR_VECTOR (x[i] = z[i], x[:n], z[:n])
  GEMVT (x, BETA, A, y, x[j])
  GEMV (w, ALPHA, A, x, 0)
}

void
gemver (long m, const float *A, const float *u1, const float *v1,
	const float *u2, const float *v2, const float *y, const float *z,
	float *B, float *x, float *w)
{
  long n = m;
  FOR_MATRIX (B[i * m + j] = A[i * m + j], B[:m * m], A[:m * m])
  FOR_MATRIX (B[i * m + j] += u1[i] * v1[j], B[:m * m], u1[:m], v1[:m])
  FOR_MATRIX (B[i * m + j] += u2[i] * v2[j], B[:m * m], u2[:m], v2[:m])
  FOR_VECTOR (x[i] = z[i], x[:n], z[:n])
  GEMVT (x, BETA, B, y, x[j])
  GEMV (w, ALPHA, B, x, 0)
}

void
gesummv (long m, const float *A, const float *B, const float *x, float *y)
{
  GEMV (y, ALPHA, A, x, 0)
  GEMV (y, BETA, B, x, y[i])
}
