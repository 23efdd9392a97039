/* Which bytes of their operands regions may access: comments say the sections of the tag
   (abi.h), or "none", of each region, in the order of the source.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#define DO(x) _Pragma (#x)
#ifdef _OPENACC
#define LOOP DO (acc parallel loop)
#define LOOP2 DO (acc parallel loop collapse (2))
#define PART(x) DO (acc parallel loop copy (x))
#else
#define LOOP DO (omp target teams distribute parallel for)
#define LOOP2 DO (omp target teams distribute parallel for collapse (2))
#define PART(x) DO (omp target teams distribute parallel for map (tofrom : x))
#endif

/* Rows and columns at the ends.  */
void
borders (double *a, int depth, int x0, int x1, int y0, int y1, unsigned long pitch)
{
  /* a,r,8,16:u.pitch,8:u.pitch,0,1:depth,1,8,1:x0+-1:depth,1:depth+1:x1,1
     a,w,8,8:u.pitch,-8:u.pitch,0,1:depth,1,8,1:x0+-1:depth,1:depth+1:x1,1 */
  LOOP for (int j = x0 - depth; j < x1 + depth; j++)
    for (int k = 0; k < depth; k++)
      a[j + (1 - k) * pitch] = a[j + (2 + k) * pitch];
  /* a,r,8,16,8,0,1:depth,1,8:u.pitch,1:y0,1+1:y1,1
     a,w,8,8,-8,0,1:depth,1,8:u.pitch,1:y0,1+1:y1,1 */
  LOOP for (int k = y0; k <= y1; k++)
    for (int j = 0; j < depth; j++)
      a[1 - j + k * pitch] = a[2 + j + k * pitch];
}

/* Downwards, by more than one, without a sign.  */
void
steps (float *a, float *b, long n, unsigned long m, unsigned short s)
{
  /* a,r,4,0,4,-1+1:n,-1,-1 a,w,4,0,4,-1+1:n,-1,-1 */
  LOOP for (long i = n - 1; i >= 0; i--) a[i]++;
  /* a,r,4,0,4,0,1:n,3 a,w,4,0,4,0,1:n,3 */
  LOOP for (long i = 0; i < n; i += 3) a[i]++;
  /* a,r,4,0,4,0,1:u.m,1u a,w,4,0,4,0,1:u.m,1u */
  LOOP for (unsigned long i = 0; i < m; i++) a[i]++;
  /* b,r,4,0,4:u.s,0,1:n,1 a,w,4,0,4,0,1:n,1 */
  LOOP for (long i = 0; i < n; i++) a[i] = b[i * s];
}

/* Of an array, of a part of one, of two dimensions, and some that touch.  */
double whole[100][50];
struct point
{
  double x, y, z;
};
void
shapes (double *a, struct point *p, int n, int m, int lo, double (*c)[m])
{
  /* whole,r,8,432,400,0,1:n,1 whole,w,8,24,400,0,1:n,1 */
  LOOP for (int i = 0; i < n; i++) whole[i][3] = whole[i + 1][4];
  /* a,w,8,0,8,0,1:n,1 */
  PART (a [5:n]) for (int i = 0; i < n; i++) a[i + 5] = 1;
  /* none */
  PART (a [lo:n]) for (int i = 0; i < n; i++) a[i + lo] = 1;
  /* c,w,8,0,8,0,1:m,1,8:m,0,1:n,1 */
  LOOP2 for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) c[i][j] = 0;
  /* p,r,8,16,24,0,1:n,1 p,w,16,8,24,0,1:n,1 */
  LOOP for (int i = 0; i < n; i++) p[i].y = p[i].z = 0;
  /* a,r,24,-8,8,0,1:n,1 a,w,8,0,8:m,0,1:n,1 */
  LOOP for (int i = 0; i < n; i++) a[i * m] = a[i - 1] + a[i] + a[i + 1];
}

/* What is conditional may be accessed; what is the region's own is no operand.  */
void
conditions (double *a, double *b, int n)
{
  /* b,r,8,0,8,0,1:n,1 a,w,8,0,8,0,1:n,1 */
  LOOP for (int i = 0; i < n; i++) if (b[i] > 0) a[i] = 0;
  /* b,r,8,0,8,0,4,1,32,0,1:n,1 a,w,8,0,8,0,1:n,1 */
  LOOP for (int i = 0; i < n; i++)
    {
      double own[4];
      for (int k = 0; k < 4; k++)
	own[k] = b[4 * i + k];
      a[i] = own[n & 3];
    }
}

/* Pointers that are others and a distance.  */
void
pointers (double *p, int n)
{
  double *q = p + 5;
  /* p,r,8,0,8,0,1:n,1 p,w,16,0,8,0,1:n,1 */
  LOOP for (int i = 0; i < n; i++)
    {
      double *r = q + i;
      *r = p[i];
      r[1] = 2;
    }
}

/* Where nobody knows.  */
void
unknown (double *a, double *b, int *at, int n, unsigned u)
{
  /* none */
  LOOP for (int i = 0; i < n; i++) a[at[i]] = 0;
  /* a,w,8,0,8,0,1:n,1 */
  LOOP for (int i = 0; i < n; i++)
    {
      a[i] = 0;
      for (int k = 0; k < i; k++)
	b[i * n + k] = 0;
    }
  /* a,w,8,0,8,0,1:n,1,8:n,0,1:n,1 */
  LOOP for (int i = 0; i < n; i++)
    {
      double x;
      for (int k = 0; x = b[k], k < n; k++)
	a[i * n + k] = x;
    }
  /* none */
  LOOP for (int i = 0; i < n; i++)
    {
      int k = at[i];
      if (k > n)
	goto inside;
      for (k = 0; k < n; k++)
	{
	inside:
	  b[k] = 0;
	}
      a[i] = 0;
    }
  /* none */
  LOOP for (int i = 0; i < n; i++) a[(unsigned) i + u] = 0;
  /* none */
  LOOP for (int i = 0; i < n; i++) *(double *) (long) a[i] = 0;
}
