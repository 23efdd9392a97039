/* The eleven sequences of BLAS calls of the paper on kernel fusion: what their forms
   share.  Directives in C (sequences.c) have a construct for each call, cublas.cu has
   the calls; blas.c calls and checks them.

   Vectors have n numbers where no matrix is about, else m, as matrices have rows and
   columns; a row's elements are neighbours.  All pointers are the device's in CUDA,
   the host's of data that are on the device elsewhere.  No two overlap.

   Source: J. Filipovic and others, "Optimizing CUDA code by kernel fusion:
   application on BLAS", J. Supercomputing 71 (2015), Table 1.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef BLAS_H
#define BLAS_H

#ifdef __cplusplus
extern "C" {
#endif

#define ALPHA 1.25f
#define BETA .75f

/* z = w - ALPHA x; the result is z y */
float axpydot (long n, const float *w, const float *x, const float *y, float *z);
/* x = ALPHA x */
void sscal (long n, float *x);
/* x = w + y + z */
void vadd (long n, const float *w, const float *y, const float *z, float *x);
/* w = ALPHA x + BETA y */
void waxpby (long n, const float *x, const float *y, float *w);
/* C = A + B */
void madd (long m, const float *A, const float *B, float *C);
/* z = ALPHA A x + BETA y */
void sgemv (long m, const float *A, const float *x, const float *y, float *z);
/* z = A x; y = transposed A z */
void atax (long m, const float *A, const float *x, float *y, float *z);
/* q = A p; s = transposed A r */
void bicgk (long m, const float *A, const float *p, const float *r, float *q,
	    float *s);
/* x = BETA transposed A y + z; w = ALPHA A x */
void sgemvt (long m, const float *A, const float *y, const float *z, float *x,
	     float *w);
/* B = A + u1 v1 + u2 v2; x = BETA transposed B y + z; w = ALPHA B x */
void gemver (long m, const float *A, const float *u1, const float *v1,
	     const float *u2, const float *v2, const float *y, const float *z,
	     float *B, float *x, float *w);
/* y = ALPHA A x + BETA B x */
void gesummv (long m, const float *A, const float *B, const float *x, float *y);

#ifdef __cplusplus
}
#endif

#endif /* BLAS_H */
