/* Hash functions that compute, for each number of a range: sha256 (twice, of
   64 bytes), blake256 (of 64 bytes), blake2b (of 128 bytes); and ethash, which
   mostly waits for a large table.  Of each result 8 bytes are kept.

   On the device all rounds are written out, so that states and messages are in
   registers; the host's, for comparison, are loops over the tables of the
   standards (FIPS 180-4; the BLAKE submission, 2010; RFC 7693).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <string.h>

#include "pairs.h"

enum
{
  SHA_N = (2 << 20) / LESS,
  B256_N = (4 << 20) / LESS,
  B2B_N = (2 << 20) / LESS,
  ETH_N = (1 << 19) / LESS,
  ETH_ROWS = (8 << 20) / LESS, /* of 8 words */
  ETH_STEPS = 64
};

static uint64_t sha_out[SHA_N], b256_out[B256_N], b2b_out[B2B_N];
static uint64_t eth_out[ETH_N];
static uint32_t eth_table[8L * ETH_ROWS];

INLINE uint32_t
right32 (uint32_t v, int n)
{
  return v >> n | v << (32 - n);
}

INLINE uint64_t
right64 (uint64_t v, int n)
{
  return v >> n | v << (64 - n);
}

/* ---- sha256 ------------------------------------------------------------- */

#define SHA_ROUND(a, b, c, d, e, f, g, h, k, v)                               \
  t = h + (right32 (e, 6) ^ right32 (e, 11) ^ right32 (e, 25))                \
      + ((e & f) ^ (~e & g)) + k + (v);                                       \
  d += t;                                                                     \
  h = t + (right32 (a, 2) ^ right32 (a, 13) ^ right32 (a, 22))                \
      + ((a & b) ^ (a & c) ^ (b & c))

#define SHA_NEXT(i)                                                           \
  (w[i] += (right32 (w[(i + 1) % 16], 7) ^ right32 (w[(i + 1) % 16], 18)      \
	    ^ w[(i + 1) % 16] >> 3)                                           \
	   + w[(i + 9) % 16]                                                  \
	   + (right32 (w[(i + 14) % 16], 17) ^ right32 (w[(i + 14) % 16], 19) \
	      ^ w[(i + 14) % 16] >> 10))

#define SHA_FIRST(i) w[i]

/* Eight rounds from word I on.  */
#define SHA_EIGHT(i, word, k0, k1, k2, k3, k4, k5, k6, k7)                    \
  SHA_ROUND (s0, s1, s2, s3, s4, s5, s6, s7, k0, word (i));                   \
  SHA_ROUND (s7, s0, s1, s2, s3, s4, s5, s6, k1, word ((i + 1)));             \
  SHA_ROUND (s6, s7, s0, s1, s2, s3, s4, s5, k2, word ((i + 2)));             \
  SHA_ROUND (s5, s6, s7, s0, s1, s2, s3, s4, k3, word ((i + 3)));             \
  SHA_ROUND (s4, s5, s6, s7, s0, s1, s2, s3, k4, word ((i + 4)));             \
  SHA_ROUND (s3, s4, s5, s6, s7, s0, s1, s2, k5, word ((i + 5)));             \
  SHA_ROUND (s2, s3, s4, s5, s6, s7, s0, s1, k6, word ((i + 6)));             \
  SHA_ROUND (s1, s2, s3, s4, s5, s6, s7, s0, k7, word ((i + 7)))

INLINE void
sha256_block (uint32_t h[8], uint32_t w[16])
{
  uint32_t s0 = h[0], s1 = h[1], s2 = h[2], s3 = h[3], s4 = h[4], s5 = h[5],
	   s6 = h[6], s7 = h[7], t;
  SHA_EIGHT (0, SHA_FIRST, 0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u,
	     0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u);
  SHA_EIGHT (8, SHA_FIRST, 0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u,
	     0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u);
  SHA_EIGHT (0, SHA_NEXT, 0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu,
	     0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau);
  SHA_EIGHT (8, SHA_NEXT, 0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u,
	     0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u);
  SHA_EIGHT (0, SHA_NEXT, 0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u,
	     0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u);
  SHA_EIGHT (8, SHA_NEXT, 0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u,
	     0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u);
  SHA_EIGHT (0, SHA_NEXT, 0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u,
	     0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u);
  SHA_EIGHT (8, SHA_NEXT, 0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u,
	     0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u);
  h[0] += s0, h[1] += s1, h[2] += s2, h[3] += s3;
  h[4] += s4, h[5] += s5, h[6] += s6, h[7] += s7;
}

INLINE void
sha256_begin (uint32_t h[8])
{
  h[0] = 0x6a09e667u, h[1] = 0xbb67ae85u, h[2] = 0x3c6ef372u;
  h[3] = 0xa54ff53au, h[4] = 0x510e527fu, h[5] = 0x9b05688cu;
  h[6] = 0x1f83d9abu, h[7] = 0x5be0cd19u;
}

/* The message of number I: its 16 words are a sequence of their own.  */
INLINE uint32_t
word_of (uint32_t i, int k)
{
  return i * 16 + k;
}

#define WORDS(m, i)                                                           \
  m[0] = word_of (i, 0), m[1] = word_of (i, 1), m[2] = word_of (i, 2);        \
  m[3] = word_of (i, 3), m[4] = word_of (i, 4), m[5] = word_of (i, 5);        \
  m[6] = word_of (i, 6), m[7] = word_of (i, 7), m[8] = word_of (i, 8);        \
  m[9] = word_of (i, 9), m[10] = word_of (i, 10), m[11] = word_of (i, 11);    \
  m[12] = word_of (i, 12), m[13] = word_of (i, 13), m[14] = word_of (i, 14);  \
  m[15] = word_of (i, 15)

/* The padding behind BITS, of a block of which N words are the message's.  */
#define SHA_PAD(w, n, bits)                                                   \
  w[n] = 0x80000000u;                                                         \
  w[15] = bits

#define SHA256_ITEM(i)                                                        \
  {                                                                           \
    uint32_t h[8], w[16];                                                     \
    sha256_begin (h);                                                         \
    WORDS (w, (uint32_t)i);                                                   \
    sha256_block (h, w);                                                      \
    w[1] = w[2] = w[3] = w[4] = w[5] = w[6] = w[7] = w[8] = 0;                \
    w[9] = w[10] = w[11] = w[12] = w[13] = w[14] = 0;                         \
    w[0] = 0x80000000u, w[15] = 512;                                          \
    sha256_block (h, w);                                                      \
    w[0] = h[0], w[1] = h[1], w[2] = h[2], w[3] = h[3];                       \
    w[4] = h[4], w[5] = h[5], w[6] = h[6], w[7] = h[7];                       \
    w[8] = 0x80000000u, w[15] = 256;                                          \
    w[9] = w[10] = w[11] = w[12] = w[13] = w[14] = 0;                         \
    sha256_begin (h);                                                         \
    sha256_block (h, w);                                                      \
    sha_out[i] = (uint64_t)h[0] << 32 | h[1];                                 \
  }

static void
sha256 (int n, int queue)
{
  int all = SHA_N / 16 * n;
#pragma acc parallel loop present(sha_out) async(queue)
#pragma omp target teams distribute parallel for nowait
  for (int i = 0; i < all; i++)
    SHA256_ITEM (i)
}

/* 32 bits of the fraction of the cube root, or square root, of the Nth
   prime.  */
static uint32_t
root_of_prime (int n, bool cube)
{
  int p = 1;
  while (n >= 0)
    {
      int d = 2;
      p++;
      while (d * d <= p && p % d)
	d++;
      n -= d * d > p;
    }
  long double root = cube ? cbrtl (p) : sqrtl (p);
  return (root - floorl (root)) * 4294967296.L;
}

/* The host's: of BYTES bytes at MESSAGE.  */
static void
host_sha256 (uint8_t out[32], const uint8_t *message, size_t bytes)
{
  uint32_t h[8], k[64];
  size_t padded = (bytes + 9 + 63) / 64 * 64;
  uint8_t *m = calloc (padded, 1);
  memcpy (m, message, bytes);
  m[bytes] = 0x80;
  for (int i = 0; i < 8; i++)
    m[padded - 1 - i] = (uint64_t)bytes * 8 >> 8 * i;
  for (int i = 0; i < 64; i++)
    k[i] = root_of_prime (i, true);
  for (int i = 0; i < 8; i++)
    h[i] = root_of_prime (i, false);
  for (size_t at = 0; at < padded; at += 64)
    {
      uint32_t w[64], s[8];
      for (int i = 0; i < 16; i++)
	w[i] = (uint32_t)m[at + 4 * i] << 24 | m[at + 4 * i + 1] << 16
	       | m[at + 4 * i + 2] << 8 | m[at + 4 * i + 3];
      for (int i = 16; i < 64; i++)
	w[i] = w[i - 16] + w[i - 7]
	       + (right32 (w[i - 15], 7) ^ right32 (w[i - 15], 18)
		  ^ w[i - 15] >> 3)
	       + (right32 (w[i - 2], 17) ^ right32 (w[i - 2], 19)
		  ^ w[i - 2] >> 10);
      memcpy (s, h, sizeof s);
      for (int i = 0; i < 64; i++)
	{
	  uint32_t t1 = s[7]
			+ (right32 (s[4], 6) ^ right32 (s[4], 11)
			   ^ right32 (s[4], 25))
			+ ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
	  uint32_t t2 = (right32 (s[0], 2) ^ right32 (s[0], 13)
			 ^ right32 (s[0], 22))
			+ ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
	  memmove (s + 1, s, 7 * sizeof *s);
	  s[4] += t1;
	  s[0] = t1 + t2;
	}
      for (int i = 0; i < 8; i++)
	h[i] += s[i];
    }
  for (int i = 0; i < 32; i++)
    out[i] = h[i / 4] >> (24 - i % 4 * 8);
  free (m);
}

/* The message of number I as bytes, the first of a word first if BIG.  */
static void
bytes_of (uint8_t to[64], uint32_t i, bool big)
{
  for (int b = 0; b < 64; b++)
    to[b] = word_of (i, b / 4) >> (big ? 24 - b % 4 * 8 : b % 4 * 8);
}

/* The 8 bytes at P, the first of each word of N bytes first if BIG.  */
static uint64_t
head_of (const uint8_t *p)
{
  uint64_t v = 0;
  for (int b = 0; b < 8; b++)
    v = v << 8 | p[b];
  return v;
}

static int
sha256_wrong (int n)
{
  uint8_t m[64], out[32];
  int wrong = 0, all = SHA_N / 16 * n;
  host_sha256 (out, (const uint8_t *)"abc", 3);
  wrong += head_of (out) != 0xba7816bf8f01cfeau;
#pragma acc update self(sha_out)
#pragma omp target update from(sha_out)
  for (long i = 0; i < all; i += sample (all))
    {
      bytes_of (m, i, true);
      host_sha256 (out, m, 64);
      host_sha256 (out, out, 32);
      wrong += sha_out[i] != head_of (out);
    }
  return wrong;
}

static void
sha256_start (void)
{
#pragma acc enter data create(sha_out)
#pragma omp target enter data map(alloc : sha_out)
}

static void
sha256_end (void)
{
#pragma acc exit data delete(sha_out)
#pragma omp target exit data map(delete : sha_out)
}

/* ---- blake256 and blake2b ----------------------------------------------- */

#define C0 0x243f6a88u
#define C1 0x85a308d3u
#define C2 0x13198a2eu
#define C3 0x03707344u
#define C4 0xa4093822u
#define C5 0x299f31d0u
#define C6 0x082efa98u
#define C7 0xec4e6c89u
#define C8 0x452821e6u
#define C9 0x38d01377u
#define C10 0xbe5466cfu
#define C11 0x34e90c6cu
#define C12 0xc0ac29b7u
#define C13 0xc97c50ddu
#define C14 0x3f84d5b5u
#define C15 0xb5470917u

#define B256_G(a, b, c, d, x, y)                                              \
  a += b + (m[x] ^ C##y), d = right32 (d ^ a, 16);                            \
  c += d, b = right32 (b ^ c, 12);                                            \
  a += b + (m[y] ^ C##x), d = right32 (d ^ a, 8);                             \
  c += d, b = right32 (b ^ c, 7)

#define B2B_G(a, b, c, d, x, y)                                               \
  a += b + m[x], d = right64 (d ^ a, 32);                                     \
  c += d, b = right64 (b ^ c, 24);                                            \
  a += b + m[y], d = right64 (d ^ a, 16);                                     \
  c += d, b = right64 (b ^ c, 63)

#define BLAKE_ROUND(G, a, b, c, d, e, f, g, h, i, j, k, l, n, o, p, q)        \
  G (v0, v4, v8, v12, a, b);                                                  \
  G (v1, v5, v9, v13, c, d);                                                  \
  G (v2, v6, v10, v14, e, f);                                                 \
  G (v3, v7, v11, v15, g, h);                                                 \
  G (v0, v5, v10, v15, i, j);                                                 \
  G (v1, v6, v11, v12, k, l);                                                 \
  G (v2, v7, v8, v13, n, o);                                                  \
  G (v3, v4, v9, v14, p, q)

#define BLAKE_FOUR(G)                                                         \
  BLAKE_ROUND (G, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);      \
  BLAKE_ROUND (G, 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3);      \
  BLAKE_ROUND (G, 11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4);      \
  BLAKE_ROUND (G, 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8)

#define BLAKE_TEN(G)                                                          \
  BLAKE_FOUR (G);                                                             \
  BLAKE_ROUND (G, 9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13);      \
  BLAKE_ROUND (G, 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9);      \
  BLAKE_ROUND (G, 12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11);      \
  BLAKE_ROUND (G, 13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10);      \
  BLAKE_ROUND (G, 6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5);      \
  BLAKE_ROUND (G, 10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0)

/* H becomes that behind the block M; BITS of the message are hashed by then, 0
   where the block has none.  */
INLINE void
blake256_block (uint32_t h[8], const uint32_t m[16], uint32_t bits)
{
  uint32_t v0 = h[0], v1 = h[1], v2 = h[2], v3 = h[3], v4 = h[4], v5 = h[5],
	   v6 = h[6], v7 = h[7], v8 = C0, v9 = C1, v10 = C2, v11 = C3,
	   v12 = C4 ^ bits, v13 = C5 ^ bits, v14 = C6, v15 = C7;
  BLAKE_TEN (B256_G);
  BLAKE_FOUR (B256_G);
  h[0] ^= v0 ^ v8, h[1] ^= v1 ^ v9, h[2] ^= v2 ^ v10, h[3] ^= v3 ^ v11;
  h[4] ^= v4 ^ v12, h[5] ^= v5 ^ v13, h[6] ^= v6 ^ v14, h[7] ^= v7 ^ v15;
}

#define BLAKE256_ITEM(i)                                                      \
  {                                                                           \
    uint32_t h[8], m[16];                                                     \
    sha256_begin (h); /* the same values */                                   \
    WORDS (m, (uint32_t)i);                                                   \
    blake256_block (h, m, 512);                                               \
    m[1] = m[2] = m[3] = m[4] = m[5] = m[6] = m[7] = m[8] = 0;                \
    m[9] = m[10] = m[11] = m[12] = m[14] = 0;                                 \
    m[0] = 0x80000000u, m[13] = 1, m[15] = 512;                               \
    blake256_block (h, m, 0);                                                 \
    b256_out[i] = (uint64_t)h[0] << 32 | h[1];                                \
  }

static void
blake256 (int n, int queue)
{
  int all = B256_N / 16 * n;
#pragma acc parallel loop present(b256_out) async(queue)
#pragma omp target teams distribute parallel for nowait
  for (int i = 0; i < all; i++)
    BLAKE256_ITEM (i)
}

INLINE uint64_t
two_words (uint32_t i, int k)
{
  return word_of (i, 2 * k % 16)
	 | (uint64_t)word_of (i + k / 8, (2 * k + 1) % 16) << 32;
}

#define BLAKE2B_ITEM(i)                                                       \
  {                                                                           \
    uint64_t v0 = 0x6a09e667f3bcc908u ^ 0x01010040u, v1 = 0xbb67ae8584caa73bu,\
             v2 = 0x3c6ef372fe94f82bu, v3 = 0xa54ff53a5f1d36f1u,              \
             v4 = 0x510e527fade682d1u, v5 = 0x9b05688c2b3e6c1fu,              \
             v6 = 0x1f83d9abfb41bd6bu, v7 = 0x5be0cd19137e2179u;              \
    uint64_t v8 = 0x6a09e667f3bcc908u, v9 = v1, v10 = v2, v11 = v3,           \
             v12 = v4 ^ 128, v13 = v5, v14 = ~v6, v15 = v7, first = v0;       \
    uint64_t m[16];                                                           \
    m[0] = two_words (i, 0), m[1] = two_words (i, 1);                         \
    m[2] = two_words (i, 2), m[3] = two_words (i, 3);                         \
    m[4] = two_words (i, 4), m[5] = two_words (i, 5);                         \
    m[6] = two_words (i, 6), m[7] = two_words (i, 7);                         \
    m[8] = two_words (i, 8), m[9] = two_words (i, 9);                         \
    m[10] = two_words (i, 10), m[11] = two_words (i, 11);                     \
    m[12] = two_words (i, 12), m[13] = two_words (i, 13);                     \
    m[14] = two_words (i, 14), m[15] = two_words (i, 15);                     \
    BLAKE_TEN (B2B_G);                                                        \
    BLAKE_ROUND (B2B_G, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);\
    BLAKE_ROUND (B2B_G, 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3);\
    b2b_out[i] = first ^ v0 ^ v8;                                             \
  }

static void
blake2b (int n, int queue)
{
  int all = B2B_N / 16 * n;
#pragma acc parallel loop present(b2b_out) async(queue)
#pragma omp target teams distribute parallel for nowait
  for (int i = 0; i < all; i++)
    BLAKE2B_ITEM (i)
}

/* The order of a message's words in each round.  */
static const uint8_t sigma[10][16]
  = { { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
      { 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3 },
      { 11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4 },
      { 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8 },
      { 9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13 },
      { 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9 },
      { 12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11 },
      { 13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10 },
      { 6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5 },
      { 10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0 } };

/* The state's words that step I of a round mixes: column or diagonal.  */
static int
state_word (int i, int k)
{
  return 4 * k + (i < 4 ? i : (i + k) % 4);
}

/* The host's, of words of 32 bits, or 64 if LONG: ROUNDS of the 16 words V
   with M, and C where that is not NULL.  */
static void
host_blake (uint64_t v[16], const uint64_t m[16], const uint64_t *c, int rounds,
	    bool is_long)
{
  static const int turn[2][4] = { { 16, 12, 8, 7 }, { 32, 24, 16, 63 } };
  uint64_t mask = is_long ? UINT64_MAX : UINT32_MAX;
  for (int r = 0; r < rounds; r++)
    for (int i = 0; i < 8; i++)
      for (int half = 0; half < 2; half++)
	{
	  uint64_t *p[4];
	  int x = sigma[r % 10][2 * i + half], y = sigma[r % 10][2 * i + !half];
	  for (int k = 0; k < 4; k++)
	    p[k] = &v[state_word (i, k)];
	  *p[0] = (*p[0] + *p[1] + (c ? m[x] ^ c[y] : m[x])) & mask;
	  for (int k = 0; k < 2; k++)
	    {
	      uint64_t *d = p[k ? 1 : 3];
	      int n = turn[is_long][2 * half + k];
	      if (k)
		*p[2] = (*p[2] + *p[3]) & mask;
	      *d ^= *p[k ? 2 : 0];
	      *d = (*d >> n | *d << ((is_long ? 64 : 32) - n)) & mask;
	    }
	}
}

/* BLAKE-256 of the N <= 64 bytes at MESSAGE: its first 8 bytes.  */
static uint64_t
host_blake256 (const uint8_t *message, int n)
{
  static const uint64_t c[16] = { C0, C1, C2,  C3,  C4,	 C5,  C6,  C7,
				  C8, C9, C10, C11, C12, C13, C14, C15 };
  uint8_t padded[128] = { 0 };
  int bytes = n > 55 ? 128 : 64;
  uint64_t h[8];
  memcpy (padded, message, n);
  padded[n] |= 0x80;
  padded[bytes - 9] |= 1;
  padded[bytes - 2] = n * 8 >> 8, padded[bytes - 1] = n * 8;
  for (int i = 0; i < 8; i++)
    h[i] = root_of_prime (i, false);
  for (int at = 0; at < bytes; at += 64)
    {
      uint64_t v[16], m[16], t = at < n ? n * 8 : 0;
      for (int i = 0; i < 16; i++)
	{
	  v[i] = i < 8 ? h[i] : c[i - 8] ^ (i / 2 == 6 ? t : 0);
	  const uint8_t *from = &padded[at + 4 * i];
	  m[i] = (uint64_t)from[0] << 24 | from[1] << 16 | from[2] << 8
		 | from[3];
	}
      host_blake (v, m, c, 14, false);
      for (int i = 0; i < 8; i++)
	h[i] ^= v[i] ^ v[i + 8];
    }
  return h[0] << 32 | h[1];
}

/* BLAKE2b-512 of the N <= 128 bytes of M: its first word.  */
static uint64_t
host_blake2b (const uint64_t m[16], int n)
{
  static const uint64_t iv[8]
    = { 0x6a09e667f3bcc908u, 0xbb67ae8584caa73bu, 0x3c6ef372fe94f82bu,
	0xa54ff53a5f1d36f1u, 0x510e527fade682d1u, 0x9b05688c2b3e6c1fu,
	0x1f83d9abfb41bd6bu, 0x5be0cd19137e2179u };
  uint64_t v[16];
  memcpy (v, iv, sizeof iv);
  memcpy (v + 8, iv, sizeof iv);
  v[0] ^= 0x01010040, v[12] ^= n, v[14] = ~v[14];
  uint64_t first = v[0];
  host_blake (v, m, NULL, 12, true);
  return first ^ v[0] ^ v[8];
}

static int
blake256_wrong (int n)
{
  uint8_t m[64] = { 0 };
  int wrong = host_blake256 (m, 1) != 0x0ce8d4ef4dd7cd8du;
  int all = B256_N / 16 * n;
#pragma acc update self(b256_out)
#pragma omp target update from(b256_out)
  for (long i = 0; i < all; i += sample (all))
    {
      bytes_of (m, i, true);
      wrong += b256_out[i] != host_blake256 (m, 64);
    }
  return wrong;
}

static int
blake2b_wrong (int n)
{
  uint64_t m[16] = { 0x636261 };
  int wrong = host_blake2b (m, 3) != 0x0d4d1c983fa580bau;
  int all = B2B_N / 16 * n;
#pragma acc update self(b2b_out)
#pragma omp target update from(b2b_out)
  for (long i = 0; i < all; i += sample (all))
    {
      for (int k = 0; k < 16; k++)
	m[k] = two_words (i, k);
      wrong += b2b_out[i] != host_blake2b (m, 128);
    }
  return wrong;
}

static void
blake256_start (void)
{
#pragma acc enter data create(b256_out)
#pragma omp target enter data map(alloc : b256_out)
}

static void
blake256_end (void)
{
#pragma acc exit data delete(b256_out)
#pragma omp target exit data map(delete : b256_out)
}

static void
blake2b_start (void)
{
#pragma acc enter data create(b2b_out)
#pragma omp target enter data map(alloc : b2b_out)
}

static void
blake2b_end (void)
{
#pragma acc exit data delete(b2b_out)
#pragma omp target exit data map(delete : b2b_out)
}

/* ---- ethash: rows of a large table, one says which is next -------------- */

#define FNV(x, y) ((x) * 0x01000193u ^ (y))

/* Mix row R of TABLE, 32 bytes, into X.  */
#define ETH_MIX(x, table, r)                                                  \
  x[0] = FNV (x[0], table[8L * (r)]);                                         \
  x[1] = FNV (x[1], table[8L * (r) + 1]);                                     \
  x[2] = FNV (x[2], table[8L * (r) + 2]);                                     \
  x[3] = FNV (x[3], table[8L * (r) + 3]);                                     \
  x[4] = FNV (x[4], table[8L * (r) + 4]);                                     \
  x[5] = FNV (x[5], table[8L * (r) + 5]);                                     \
  x[6] = FNV (x[6], table[8L * (r) + 6]);                                     \
  x[7] = FNV (x[7], table[8L * (r) + 7])

static void
ethash_start (void)
{
#pragma acc enter data create(eth_table, eth_out)
#pragma omp target enter data map(alloc : eth_table, eth_out)
#pragma acc parallel loop present(eth_table)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 8 * ETH_ROWS; i++)
    eth_table[i] = scatter (i);
}

#define ETHASH_ITEM(i)                                                        \
  {                                                                           \
    uint32_t x[8], seed = scatter (i);                                        \
    x[0] = seed, x[1] = ~seed, x[2] = seed * 3, x[3] = seed * 5;              \
    x[4] = seed * 7, x[5] = seed * 9, x[6] = seed * 11, x[7] = seed * 13;     \
    for (int s = 0; s < ETH_STEPS; s++)                                       \
      {                                                                       \
        uint32_t row = FNV (s ^ seed, x[0]) % ETH_ROWS;                       \
        ETH_MIX (x, eth_table, row);                                          \
        x[0] = FNV (x[0], x[s & 1 ? 3 : 5]);                                  \
      }                                                                       \
    eth_out[i] = (uint64_t)FNV (FNV (FNV (x[0], x[1]), x[2]), x[3]) << 32     \
                 | FNV (FNV (FNV (x[4], x[5]), x[6]), x[7]);                  \
  }

static void
ethash (int n, int queue)
{
  int all = ETH_N / 16 * n;
#pragma acc parallel loop present(eth_table, eth_out) async(queue)
#pragma omp target teams distribute parallel for nowait
  for (int i = 0; i < all; i++)
    ETHASH_ITEM (i)
}

static int
ethash_wrong (int n)
{
  int wrong = 0, all = ETH_N / 16 * n;
#pragma acc update self(eth_out)
#pragma omp target update from(eth_out)
  for (long i = 0; i < all; i += sample (all))
    {
      uint32_t x[8], seed = scatter (i), out[2];
      for (int k = 0; k < 8; k++)
	x[k] = k == 1 ? ~seed : k ? seed * (2 * k - 1) : seed;
      for (uint32_t s = 0; s < ETH_STEPS; s++)
	{
	  uint32_t row = ((s ^ seed) * 0x01000193u ^ x[0]) & (ETH_ROWS - 1);
	  for (int k = 0; k < 8; k++)
	    x[k] = x[k] * 0x01000193u ^ scatter (8 * row + k);
	  x[0] = x[0] * 0x01000193u ^ x[s % 2 ? 3 : 5];
	}
      for (int half = 0; half < 2; half++)
	{
	  out[half] = x[4 * half];
	  for (int k = 1; k < 4; k++)
	    out[half] = out[half] * 0x01000193u ^ x[4 * half + k];
	}
      wrong += eth_out[i] != ((uint64_t)out[0] << 32 | out[1]);
    }
  return wrong;
}

static void
ethash_end (void)
{
#pragma acc exit data delete(eth_table, eth_out)
#pragma omp target exit data map(delete : eth_table, eth_out)
}
