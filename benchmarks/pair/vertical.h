/* Both kernels of a pair as one loop, each thread does an iteration of the
   first and then one of the second: what kernels beside each other have to be
   faster than, too.  With batchnorm, whose loop is of gangs, each gang does a channel
   and then a part of the other's iterations.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#define PRAGMA(words) _Pragma (#words)

/* ITEM of the Ith point of images with SIDE rows and columns.  */
#define IMAGE_AT(item, side, i)                                               \
  {                                                                           \
    int plane = i / (side * side), row = i / side % side, column = i % side;  \
    item (plane, row, column)                                                 \
  }

/* Of each kernel: what is on the device, its iterations with N sixteenths of
   its work, iteration I.  */
#define HIST_DATA hi_in, hi_bins
#define HIST_ALL(n) (hi_runs++, HI_N / 16 * (n))
#define HIST_AT(i) HIST_ITEM (i)
#define IM2COL_DATA ic_in, ic_out
#define IM2COL_ALL(n) (IC_PLANES / 16 * (n) * IC_SIDE * IC_SIDE)
#define IM2COL_AT(i) IMAGE_AT (IM2COL_ITEM, IC_SIDE, i)
#define MAXPOOL_DATA mp_in, mp_out
#define MAXPOOL_ALL(n) (MP_PLANES / 16 * (n) * MP_OUT * MP_OUT)
#define MAXPOOL_AT(i) IMAGE_AT (MAXPOOL_ITEM, MP_OUT, i)
#define UPSAMPLE_DATA up_in, up_out
#define UPSAMPLE_ALL(n) (UP_PLANES / 16 * (n) * UP_OUT * UP_OUT)
#define UPSAMPLE_AT(i) IMAGE_AT (UPSAMPLE_ITEM, UP_OUT, i)
#define BLAKE256_DATA b256_out
#define BLAKE256_ALL(n) (B256_N / 16 * (n))
#define BLAKE256_AT(i) BLAKE256_ITEM (i)
#define BLAKE2B_DATA b2b_out
#define BLAKE2B_ALL(n) (B2B_N / 16 * (n))
#define BLAKE2B_AT(i) BLAKE2B_ITEM (i)
#define ETHASH_DATA eth_table, eth_out
#define ETHASH_ALL(n) (ETH_N / 16 * (n))
#define ETHASH_AT(i) ETHASH_ITEM (i)
#define SHA256_DATA sha_out
#define SHA256_ALL(n) (SHA_N / 16 * (n))
#define SHA256_AT(i) SHA256_ITEM (i)

#define VERTICAL(name, A, B) VERTICAL_OF (name, A, B, A##_DATA, B##_DATA)
/* Macros among the arguments are to be expanded first.  */
#define VERTICAL_OF(name, A, B, data_a, data_b)                               \
  VERTICAL_LOOP (name, A, B, (data_a, data_b))
#define VERTICAL_LOOP(name, A, B, data)                                       \
  static void name (int share_a, int share_b)                                 \
  {                                                                           \
    int a = A##_ALL (share_a), b = B##_ALL (share_b), all = a > b ? a : b;    \
    PRAGMA (acc parallel loop present data)                                   \
    PRAGMA (omp target teams distribute parallel for)                         \
    for (int i = 0; i < all; i++)                                             \
      {                                                                       \
	if (i < a)                                                            \
	  A##_AT (i)                                                          \
	if (i < b)                                                            \
	  B##_AT (i)                                                          \
      }                                                                       \
  }

#define BATCHNORM(name, B) BATCHNORM_OF (name, B, B##_DATA)
#define BATCHNORM_OF(name, B, data_b)                                         \
  BATCHNORM_LOOP (name, B, (bn_in, bn_mean, bn_variance, data_b))
#define BATCHNORM_LOOP(name, B, data)                                         \
  static void name (int share_a, int share_b)                                 \
  {                                                                           \
    int a = BN_CHANNELS / 16 * share_a, b = B##_ALL (share_b);                \
    PRAGMA (acc parallel loop gang present data)                              \
    PRAGMA (omp target teams distribute)                                      \
    for (int c = 0; c < BN_CHANNELS; c++)                                     \
      {                                                                       \
	if (c < a)                                                            \
	  BATCHNORM_ITEM (c)                                                  \
	int each = (b + BN_CHANNELS - 1) / BN_CHANNELS;                       \
	int to = each * (c + 1) < b ? each * (c + 1) : b;                     \
	PRAGMA (acc loop vector)                                              \
	PRAGMA (omp parallel for)                                             \
	for (int i = each * c; i < to; i++)                                   \
	  B##_AT (i)                                                          \
      }                                                                       \
  }

BATCHNORM (batchnorm_hist, HIST)
BATCHNORM (batchnorm_im2col, IM2COL)
BATCHNORM (batchnorm_maxpool, MAXPOOL)
BATCHNORM (batchnorm_upsample, UPSAMPLE)
VERTICAL (hist_im2col, HIST, IM2COL)
VERTICAL (hist_maxpool, HIST, MAXPOOL)
VERTICAL (hist_upsample, HIST, UPSAMPLE)
VERTICAL (im2col_maxpool, IM2COL, MAXPOOL)
VERTICAL (im2col_upsample, IM2COL, UPSAMPLE)
VERTICAL (maxpool_upsample, MAXPOOL, UPSAMPLE)
VERTICAL (blake256_blake2b, BLAKE256, BLAKE2B)
VERTICAL (blake256_ethash, BLAKE256, ETHASH)
VERTICAL (blake256_sha256, BLAKE256, SHA256)
VERTICAL (blake2b_ethash, BLAKE2B, ETHASH)
VERTICAL (blake2b_sha256, BLAKE2B, SHA256)
VERTICAL (ethash_sha256, ETHASH, SHA256)

#define ROW(a, b) { #a, #b, a##_##b }
static const struct vertical
{
  const char *first, *second;
  void (*run) (int share_a, int share_b);
} verticals[] = {
  ROW (batchnorm, hist),    ROW (batchnorm, im2col), ROW (batchnorm, maxpool),
  ROW (batchnorm, upsample),
  ROW (hist, im2col),	    ROW (hist, maxpool),     ROW (hist, upsample),
  ROW (im2col, maxpool),    ROW (im2col, upsample),  ROW (maxpool, upsample),
  ROW (blake256, blake2b),  ROW (blake256, ethash),  ROW (blake256, sha256),
  ROW (blake2b, ethash),    ROW (blake2b, sha256),   ROW (ethash, sha256),
};
#undef ROW
