/* Kernels of neural networks, on images of floats
   [image][channel][row][column]: maxpool, upsample, im2col, batchnorm (mean
   and variance of each channel) and hist.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>

#include "pairs.h"

/* ---- maxpool: 3x3, stride 2, no padding --------------------------------- */

enum
{
  MP_PLANES = 96 * 64 / LESS,
  MP_IN = 113,
  MP_OUT = 56
};
static float mp_in[(long)MP_PLANES * MP_IN * MP_IN];
static float mp_out[(long)MP_PLANES * MP_OUT * MP_OUT];

static void
maxpool_start (void)
{
#pragma acc enter data create(mp_in, mp_out)
#pragma omp target enter data map(alloc : mp_in, mp_out)
#pragma acc parallel loop present(mp_in)
#pragma omp target teams distribute parallel for
  for (long i = 0; i < (long)MP_PLANES * MP_IN * MP_IN; i++)
    mp_in[i] = fraction (i);
}

#define MAXPOOL_ITEM(p, y, x)                                                 \
  {                                                                           \
    const float *from                                                         \
      = &mp_in[((long)p * MP_IN + 2 * y) * MP_IN + 2 * x];                    \
    float most = from[0];                                                     \
    for (int i = 0; i < 3; i++)                                               \
      for (int j = 0; j < 3; j++)                                             \
        most = from[i * MP_IN + j] > most ? from[i * MP_IN + j] : most;       \
    mp_out[((long)p * MP_OUT + y) * MP_OUT + x] = most;                       \
  }

static void
maxpool (int n, int queue)
{
  int planes = MP_PLANES / 16 * n;
#pragma acc parallel loop collapse(3) present(mp_in, mp_out) async(queue)
#pragma omp target teams distribute parallel for collapse(3) nowait
  for (int p = 0; p < planes; p++)
    for (int y = 0; y < MP_OUT; y++)
      for (int x = 0; x < MP_OUT; x++)
	MAXPOOL_ITEM (p, y, x)
}

static int
maxpool_wrong (int n)
{
  int wrong = 0;
  long all = (long)(MP_PLANES / 16 * n) * MP_OUT * MP_OUT;
#pragma acc update self(mp_out)
#pragma omp target update from(mp_out)
  for (long o = 0; o < all; o += sample (all))
    {
      long p = o / (MP_OUT * MP_OUT), y = o / MP_OUT % MP_OUT, x = o % MP_OUT;
      float most = 0;
      for (int k = 0; k < 9; k++)
	most = fmaxf (most, fraction ((p * MP_IN + 2 * y + k / 3) * MP_IN
				      + 2 * x + k % 3));
      wrong += mp_out[o] != most;
    }
  return wrong;
}

static void
maxpool_end (void)
{
#pragma acc exit data delete(mp_in, mp_out)
#pragma omp target exit data map(delete : mp_in, mp_out)
}

/* ---- upsample: bilinear, twice as large --------------------------------- */

enum
{
  UP_PLANES = 96 * 64 / LESS,
  UP_IN = 56,
  UP_OUT = 112
};
static float up_in[(long)UP_PLANES * UP_IN * UP_IN];
static float up_out[(long)UP_PLANES * UP_OUT * UP_OUT];

static void
upsample_start (void)
{
#pragma acc enter data create(up_in, up_out)
#pragma omp target enter data map(alloc : up_in, up_out)
#pragma acc parallel loop present(up_in)
#pragma omp target teams distribute parallel for
  for (long i = 0; i < (long)UP_PLANES * UP_IN * UP_IN; i++)
    up_in[i] = fraction (i);
}

#define UPSAMPLE_ITEM(p, y, x)                                                \
  {                                                                           \
    float fy = y * ((UP_IN - 1.f) / (UP_OUT - 1));                            \
    float fx = x * ((UP_IN - 1.f) / (UP_OUT - 1));                            \
    int y0 = fy, x0 = fx;                                                     \
    int dy = y0 < UP_IN - 1, dx = x0 < UP_IN - 1;                             \
    float ry = fy - y0, rx = fx - x0;                                         \
    const float *from = &up_in[((long)p * UP_IN + y0) * UP_IN + x0];          \
    float top = from[0] * (1 - rx) + from[dx] * rx;                           \
    float low = from[dy * UP_IN] * (1 - rx) + from[dy * UP_IN + dx] * rx;     \
    up_out[((long)p * UP_OUT + y) * UP_OUT + x]                               \
      = top * (1 - ry) + low * ry;                                            \
  }

static void
upsample (int n, int queue)
{
  int planes = UP_PLANES / 16 * n;
#pragma acc parallel loop collapse(3) present(up_in, up_out) async(queue)
#pragma omp target teams distribute parallel for collapse(3) nowait
  for (int p = 0; p < planes; p++)
    for (int y = 0; y < UP_OUT; y++)
      for (int x = 0; x < UP_OUT; x++)
	UPSAMPLE_ITEM (p, y, x)
}

static int
upsample_wrong (int n)
{
  int wrong = 0;
  long all = (long)(UP_PLANES / 16 * n) * UP_OUT * UP_OUT;
#pragma acc update self(up_out)
#pragma omp target update from(up_out)
  for (long o = 0; o < all; o += sample (all))
    {
      long p = o / (UP_OUT * UP_OUT);
      double y = o / UP_OUT % UP_OUT * ((UP_IN - 1.) / (UP_OUT - 1));
      double x = o % UP_OUT * ((UP_IN - 1.) / (UP_OUT - 1)), sum = 0;
      for (int i = 0; i < UP_IN; i++)
	for (int j = 0; j < UP_IN; j++)
	  {
	    double wy = 1 - fabs (y - i), wx = 1 - fabs (x - j);
	    if (wy > 0 && wx > 0)
	      sum += wy * wx * fraction ((p * UP_IN + i) * UP_IN + j);
	  }
      wrong += !(fabs (up_out[o] - sum) < 1e-4);
    }
  return wrong;
}

static void
upsample_end (void)
{
#pragma acc exit data delete(up_in, up_out)
#pragma omp target exit data map(delete : up_in, up_out)
}

/* ---- im2col: 3x3, stride 1, padding 1 ----------------------------------- */

enum
{
  IC_PLANES = 48 * 64 / LESS,
  IC_SIDE = 56
};
static float ic_in[(long)IC_PLANES * IC_SIDE * IC_SIDE];
static float ic_out[9L * IC_PLANES * IC_SIDE * IC_SIDE];

static void
im2col_start (void)
{
#pragma acc enter data create(ic_in, ic_out)
#pragma omp target enter data map(alloc : ic_in, ic_out)
#pragma acc parallel loop present(ic_in)
#pragma omp target teams distribute parallel for
  for (long i = 0; i < (long)IC_PLANES * IC_SIDE * IC_SIDE; i++)
    ic_in[i] = fraction (i);
}

#define IM2COL_ITEM(p, y, x)                                                  \
  for (int k = 0; k < 9; k++)                                                 \
    {                                                                         \
      int fy = y + k / 3 - 1, fx = x + k % 3 - 1;                             \
      bool in = fy >= 0 && fy < IC_SIDE && fx >= 0 && fx < IC_SIDE;           \
      ic_out[(((long)p * 9 + k) * IC_SIDE + y) * IC_SIDE + x]                 \
        = in ? ic_in[((long)p * IC_SIDE + fy) * IC_SIDE + fx] : 0;            \
    }

static void
im2col (int n, int queue)
{
  int planes = IC_PLANES / 16 * n;
#pragma acc parallel loop collapse(3) present(ic_in, ic_out) async(queue)
#pragma omp target teams distribute parallel for collapse(3) nowait
  for (int p = 0; p < planes; p++)
    for (int y = 0; y < IC_SIDE; y++)
      for (int x = 0; x < IC_SIDE; x++)
	IM2COL_ITEM (p, y, x)
}

static int
im2col_wrong (int n)
{
  int wrong = 0;
  long all = 9L * (IC_PLANES / 16 * n) * IC_SIDE * IC_SIDE;
#pragma acc update self(ic_out)
#pragma omp target update from(ic_out)
  for (long o = 0; o < all; o += sample (all))
    {
      long x = o % IC_SIDE, y = o / IC_SIDE % IC_SIDE;
      long k = o / (IC_SIDE * IC_SIDE) % 9, p = o / (IC_SIDE * IC_SIDE) / 9;
      unsigned long row = y + k / 3 - 1, column = x + k % 3 - 1;
      float want = row < IC_SIDE && column < IC_SIDE
		     ? fraction ((p * IC_SIDE + row) * IC_SIDE + column)
		     : 0;
      wrong += ic_out[o] != want;
    }
  return wrong;
}

static void
im2col_end (void)
{
#pragma acc exit data delete(ic_in, ic_out)
#pragma omp target exit data map(delete : ic_in, ic_out)
}

/* ---- batchnorm: mean and variance of each channel ----------------------- */

enum
{
  BN_CHANNELS = 512,
  BN_EACH = 128 * 14 * 14 * 4 / LESS /* of all images */
};
static float bn_in[(long)BN_CHANNELS * BN_EACH];
static float bn_mean[BN_CHANNELS], bn_variance[BN_CHANNELS];

static void
batchnorm_start (void)
{
#pragma acc enter data create(bn_in, bn_mean, bn_variance)
#pragma omp target enter data map(alloc : bn_in, bn_mean, bn_variance)
#pragma acc parallel loop present(bn_in)
#pragma omp target teams distribute parallel for
  for (long i = 0; i < (long)BN_CHANNELS * BN_EACH; i++)
    bn_in[i] = fraction (i);
}

#define BATCHNORM_ITEM(c)                                                     \
  {                                                                           \
    float sum = 0, squares = 0;                                               \
    _Pragma ("acc loop vector reduction(+ : sum, squares)")                   \
    _Pragma ("omp parallel for reduction(+ : sum, squares)")                  \
    for (int i = 0; i < BN_EACH; i++)                                         \
      {                                                                       \
        float v = bn_in[(long)c * BN_EACH + i];                               \
        sum += v;                                                             \
        squares += v * v;                                                     \
      }                                                                       \
    float mean = sum / BN_EACH;                                               \
    bn_mean[c] = mean;                                                        \
    bn_variance[c] = squares / BN_EACH - mean * mean;                         \
  }

static void
batchnorm (int n, int queue)
{
  int channels = BN_CHANNELS / 16 * n;
#pragma acc parallel loop gang present(bn_in, bn_mean, bn_variance) async(queue)
#pragma omp target teams distribute nowait
  for (int c = 0; c < channels; c++)
    BATCHNORM_ITEM (c)
}

static int
batchnorm_wrong (int n)
{
  int wrong = 0;
#pragma acc update self(bn_mean, bn_variance)
#pragma omp target update from(bn_mean, bn_variance)
  for (int c = 0; c < BN_CHANNELS / 16 * n; c += 101)
    {
      double mean = 0, variance = 0;
      for (int i = 0; i < BN_EACH; i++)
	mean += fraction ((long)c * BN_EACH + i) / (double)BN_EACH;
      for (int i = 0; i < BN_EACH; i++)
	{
	  double d = fraction ((long)c * BN_EACH + i) - mean;
	  variance += d * d / BN_EACH;
	}
      wrong += !(fabs (bn_mean[c] - mean) < 1e-3)
	       || !(fabs (bn_variance[c] - variance) < 1e-3);
    }
  return wrong;
}

static void
batchnorm_end (void)
{
#pragma acc exit data delete(bn_in, bn_mean, bn_variance)
#pragma omp target exit data map(delete : bn_in, bn_mean, bn_variance)
}

/* ---- hist: 1024 bins, in several copies --------------------------------- */

enum
{
  HI_N = (32 << 20) / LESS,
  HI_BINS = 1024,
  HI_COPIES = 64
};
static float hi_in[HI_N];
static unsigned hi_bins[HI_COPIES * HI_BINS];
static unsigned long hi_runs;

static void
hist_start (void)
{
#pragma acc enter data create(hi_in) copyin(hi_bins)
#pragma omp target enter data map(alloc : hi_in) map(to : hi_bins)
#pragma acc parallel loop present(hi_in)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < HI_N; i++)
    hi_in[i] = fraction (i);
}

#define HIST_ITEM(i)                                                          \
  {                                                                           \
    int bin = (int)(hi_in[i] * HI_BINS) + HI_BINS * (i / 256 % HI_COPIES);    \
    _Pragma ("acc atomic update")                                             \
    _Pragma ("omp atomic update")                                             \
    hi_bins[bin]++;                                                           \
  }

static void
hist (int n, int queue)
{
  int all = HI_N / 16 * n;
  hi_runs++;
#pragma acc parallel loop present(hi_in, hi_bins) async(queue)
#pragma omp target teams distribute parallel for nowait
  for (int i = 0; i < all; i++)
    HIST_ITEM (i)
}

static int
hist_wrong (int n)
{
  int wrong = 0;
  unsigned *want = calloc (HI_BINS, sizeof *want);
#pragma acc update self(hi_bins)
#pragma omp target update from(hi_bins)
  for (int i = 0; i < HI_N / 16 * n; i++)
    want[(int)(fraction (i) * HI_BINS)]++;
  for (int b = 0; b < HI_BINS; b++)
    {
      unsigned got = 0;
      for (int c = 0; c < HI_COPIES; c++)
	got += hi_bins[c * HI_BINS + b];
      wrong += got != (unsigned)(want[b] * hi_runs);
    }
  free (want);
  return wrong;
}

static void
hist_end (void)
{
#pragma acc exit data delete(hi_in, hi_bins)
#pragma omp target exit data map(delete : hi_in, hi_bins)
  for (int b = 0; b < HI_COPIES * HI_BINS; b++)
    hi_bins[b] = 0;
  hi_runs = 0;
}
