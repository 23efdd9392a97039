/* Device code for clang --target=nvptx64: calls, aggregates, an indirect
   call, a switch, loops, address spaces.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#define GLOBAL __attribute__ ((address_space (1)))
#define SHARED __attribute__ ((address_space (3)))

struct pair { int a; double b; char c[5]; };
typedef int fn (int);

static SHARED int tile[64];
GLOBAL float table[4] = { 1, 2.5f, -3, 4e10f };
int answer = 42;
int *where = &answer;
const char *text = "hello\n";

__attribute__ ((noinline)) static int twice (int x) { return x * 2; }
__attribute__ ((noinline)) static int flip (int x) { return ~x; }
fn *functions[2] = { twice, flip };

__attribute__ ((noinline)) struct pair
bump (struct pair p, int k)
{
  p.a += k;
  p.c[k & 3]++;
  return p;
}

int
pick (int n, int *out)
{
  switch (n)
    {
    case 1: return 7;
    case 2: return out[3];
    case 3: out[1] = 9; return 1;
    case 4: return -n;
    case 5: return n * n;
    case 9: return 12;
    default: return functions[n & 1] (n);
    }
}

double
work (double *x, const float *y, int n)
{
  struct pair p = { n, 1.5, { 1, 2 } };
  double sum = 0;
  for (int i = 0; i < n; i++)
    {
      sum += x[i] * y[i] + __builtin_sqrt (x[i]) + table[i & 3];
      tile[i & 63] += i / (n + 1) + i % 7;
    }
  p = bump (p, n);
  return sum + p.a + p.b + p.c[1] + tile[3] + *where
	 + __builtin_popcount (n) + (unsigned long long) sum * 3 / 5;
}
