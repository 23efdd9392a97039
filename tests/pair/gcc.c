/* Regions whose kernels compilers.sh pairs: streams, a reduction with
   barriers, an atomic histogram, long vectors, calls and arrays of a
   thread.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdint.h>

void
triad (int n, float *restrict a, const float *restrict b)
{
#pragma acc parallel loop deviceptr(a, b)
  for (int i = 0; i < n; i++)
    a[i] = b[i] * 3 + i;
}

void
hash (int n, uint32_t *restrict h)
{
#pragma acc parallel loop gang worker vector deviceptr(h)
  for (int i = 0; i < n; i++)
    {
      uint32_t x = i * 2654435761u + 1;
      for (int r = 0; r < 9; r++)
	{
	  x ^= x >> 16;
	  x *= 0x85ebca6bu;
	  x ^= x >> 13;
	}
      h[i] = x;
    }
}

void
rows (int n, int m, int *restrict out, const int *restrict in)
{
#pragma acc parallel loop gang num_workers(4) vector_length(32) \
  deviceptr(out, in)
  for (int r = 0; r < n; r++)
    {
      int s = 0, q = 0;
#pragma acc loop worker vector reduction(+:s)
      for (int c = 0; c < m; c++)
	s += in[r * m + c];
#pragma acc loop worker vector reduction(+:q)
      for (int c = 0; c < m; c++)
	q += in[r * m + c] ^ s;
      out[r] = q;
    }
}

void
histogram (int n, const int *restrict in, unsigned *restrict bins)
{
#pragma acc parallel loop gang worker vector deviceptr(in, bins)
  for (int i = 0; i < n; i++)
#pragma acc atomic update
    bins[in[i] & 63] += i;
}

/* Barriers of workers by number, which is computed.  */
void
columns (int n, int m, int *restrict out, const int *restrict in)
{
#pragma acc parallel loop gang worker num_workers(4) vector_length(64) \
  deviceptr(out, in)
  for (int r = 0; r < n; r++)
    {
      int s = 0;
#pragma acc loop vector reduction(+:s)
      for (int c = 0; c < m; c++)
	s += in[c * n + r];
      out[r] = s;
    }
}

#pragma acc routine seq
__attribute__ ((noinline)) static int
mix (const int *x, int i)
{
  int local[4] = { 1, 2, 3, 4 };
  local[i & 3] += x[i];
  return local[0] * local[3] - local[(i >> 1) & 3];
}

void
calls (int n, int *restrict out, const int *restrict in)
{
#pragma acc parallel loop gang vector deviceptr(out, in)
  for (int i = 0; i < n; i++)
    out[i] = mix (in, i);
}

int
main (void)
{
  triad (0, 0, 0);
  hash (0, 0);
  rows (0, 0, 0, 0);
  histogram (0, 0, 0);
  columns (0, 0, 0, 0);
  calls (0, 0, 0);
  return 0;
}
