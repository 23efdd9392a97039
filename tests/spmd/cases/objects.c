/* Reductions of what is no 32- or 64-bit scalar.

   ACCEPT: 11
   REJECT: a reduction of more than 1 KiB
   REJECT: a reduction that starts from the original
   REJECT: a declared reduction of an array section
   REJECT: a team's reduction of what is no scalar
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"
#include <string.h>

enum { N = 3000, BINS = 11 };
static int c[N];

typedef struct { long sum; int least, at; char tag[5]; } summary;

#pragma omp declare target
static __attribute__ ((noinline)) void
join (summary *to, const summary *from)
{
  to->sum += from->sum;
  if (from->least < to->least
      || (from->least == to->least && from->at < to->at))
    {
      to->least = from->least;
      to->at = from->at;
    }
  for (int i = 0; i < 5; i++)
    to->tag[i] |= from->tag[i];
}
#pragma omp end declare target

#pragma omp declare reduction (join: summary: join (&omp_out, &omp_in))       \
    initializer (omp_priv = { 0, 1 << 30, -1, { 0 } })
#pragma omp declare reduction (most: int: omp_out                             \
                               = omp_in > omp_out ? omp_in : omp_out)         \
    initializer (omp_priv = -1000000)
#pragma omp declare reduction (same: int: omp_out += omp_in)                  \
    initializer (omp_priv = omp_orig < -1000000)
#pragma omp declare reduction (plus: summary: omp_out.sum += omp_in.sum)

static void
arrays (int n)
{
  int h[BINS] = { 1, 2, 3 }, want[BINS] = { 1, 2, 3 };
  double d[4][3], want_d[4][3];
  long s[20], want_s[20];
  int *p = want;
#pragma omp target teams distribute parallel for reduction (+: h)
  for (int k = 0; k < n; k++)
    h[c[k] % BINS] += k;
  for (int k = 0; k < n; k++)
    want[c[k] % BINS] += k;
  check_ints ("an array", h, want, BINS);

  for (int i = 0; i < 12; i++)
    d[i / 3][i % 3] = want_d[i / 3][i % 3] = i;
#pragma omp target teams distribute parallel for collapse (2)                 \
    reduction (max: d) num_teams (3) thread_limit (50)
  for (int k = 0; k < n; k++)
    for (int l = 0; l < 2; l++)
      if (d[k % 4][l] < c[k])
        d[k % 4][l] = c[k];
  for (int k = 0; k < n; k++)
    for (int l = 0; l < 2; l++)
      if (want_d[k % 4][l] < c[k])
        want_d[k % 4][l] = c[k];
  for (int i = 0; i < 12; i++)
    check_double ("a matrix", d[i / 3][i % 3], want_d[i / 3][i % 3]);

  for (int i = 0; i < 20; i++)
    s[i] = want_s[i] = i;
#pragma omp target teams distribute parallel for reduction (^: s[5:9])
  for (int k = 0; k < n; k++)
    s[5 + k % 9] ^= k;
  for (int k = 0; k < n; k++)
    want_s[5 + k % 9] ^= k;
  for (int i = 0; i < 20; i++)
    check_long ("a section of an array", s[i], want_s[i]);

  memcpy (h, want, sizeof h);
  p = h;
#pragma omp target teams distribute parallel for reduction (-: p[2:5])        \
    map (tofrom: p[:BINS])
  for (int k = 0; k < n; k++)
    p[2 + k % 5] -= c[k];
  for (int k = 0; k < n; k++)
    want[2 + k % 5] -= c[k];
  check_ints ("a section of a pointer", h, want, BINS);

#pragma omp target teams distribute parallel for reduction (+: h)             \
    num_teams (1) thread_limit (1)
  for (int k = n - 1; k >= 0; k--)
    h[k % BINS] += k;
  for (int k = 0; k < n; k++)
    want[k % BINS] += k;
  check_ints ("one thread", h, want, BINS);
}

static void
small (int n)
{
  short s = 7;
  unsigned char u = 250;
  _Bool any = 0, all = 1;
  _Complex double z = 1 + 2i, zwant = 1 + 2i;
  _Complex float prod = 1;
#pragma omp target teams distribute parallel for reduction (+: s, z)          \
    reduction (min: u) reduction (||: any) reduction (&&: all)
  for (int k = 0; k < n; k++)
    {
      s += k;
      u = c[k] % 256 + 5 < u ? c[k] % 256 + 5 : u;
      any = any || c[k] == 17;
      all = all && c[k] != 18;
      z += c[k] * (k % 3 + 1i);
    }
  short want = 7;
  for (int k = 0; k < n; k++)
    {
      want += k;
      zwant += c[k] * (k % 3 + 1i);
    }
  check_long ("short", s, want);
  check_long ("unsigned char", u, 5);
  check_long ("_Bool, or", any, 1);
  check_long ("_Bool, and", all, 0);
  check_double ("real part", __real__ z, __real__ zwant);
  check_double ("imaginary part", __imag__ z, __imag__ zwant);
#pragma omp target parallel for reduction (*: prod) num_threads (70)
  for (int k = 0; k < 22; k++)
    prod *= k % 2 ? 1i : 2;
  /* 1i to the 11th.  */
  check_double ("complex product, real", __real__ prod, 0);
  check_double ("complex product, imaginary", __imag__ prod, -2048);
}

static void
declared (int n)
{
  summary s = { 5, 1 << 29, 12345, { 1, 0, 0, 0, 64 } }, want = s;
  int top = 3;
#pragma omp target teams distribute parallel for map (tofrom: s)              \
    reduction (join: s)
  for (int k = 0; k < n; k++)
    {
      summary one = { k, c[k] ^ 5, k, { 0 } };
      one.tag[k % 5] = 1 << k % 7;
      join (&s, &one);
    }
  for (int k = 0; k < n; k++)
    {
      summary one = { k, c[k] ^ 5, k, { 0 } };
      one.tag[k % 5] = 1 << k % 7;
      join (&want, &one);
    }
  check_long ("declared: sum", s.sum, want.sum);
  check_long ("declared: least", s.least, want.least);
  check_long ("declared: where", s.at, want.at);
  check_long ("declared: bytes", memcmp (s.tag, want.tag, 5), 0);
#pragma omp target teams distribute parallel for reduction (most: top)
  for (int k = 0; k < n; k++)
    top = c[k] > top ? c[k] : top;
  check_long ("declared, of an int", top, n - 1);
  summary q = { 10 };
#pragma omp target teams distribute parallel for map (tofrom: q)              \
    reduction (plus: q) thread_limit (33)
  for (int k = 0; k < n; k++)
    q.sum += k;
  check_long ("declared, without an initializer", q.sum,
              10 + (long) n * (n - 1) / 2);
#pragma omp target teams distribute map (tofrom: q) reduction (plus: q)
  for (int k = 0; k < n; k++)
    q.sum += k;
  check_long ("declared, of teams", q.sum, 10 + (long) n * (n - 1));
}

static void
rejected (int n)
{
  static int many[300];
  int x = 4, v[3] = { 0 };
  /* GCC's own form loses some with several threads, on the emulated GPU.  */
#pragma omp target teams distribute parallel for reduction (+: many)          \
    num_teams (1) thread_limit (1)
  for (int k = 0; k < n; k++)
    many[k % 300]++;
  for (int i = 0; i < 300; i++)
    check_long ("a large array", many[i], n / 300);
#pragma omp target teams distribute parallel for reduction (same: x)          \
    num_teams (1) thread_limit (1)
  for (int k = 0; k < n; k++)
    x += k;
  check_long ("omp_orig", x, 4 + n * (n - 1) / 2);
#pragma omp target teams distribute parallel for reduction (most: v[:3])      \
    num_teams (1) thread_limit (1)
  for (int k = 0; k < n; k++)
    v[k % 3] = k > v[k % 3] ? k : v[k % 3];
  check_long ("a declared one of an array", v[(n - 1) % 3], n - 1);
  short s = 0;
#pragma omp target teams distribute map (tofrom: s) reduction (+: s)          \
    num_teams (1) thread_limit (1)
  for (int i = 0; i < 10; i++)
    {
#pragma omp parallel for reduction (+: s)
      for (int k = 0; k < 10; k++)
        s += k;
    }
  check_long ("a team's", s, 450);
}

int
main (void)
{
  for (int k = 0; k < N; k++)
    c[k] = k * 7919LL % N;
  arrays (N);
  small (N);
  declared (N);
  rejected (N);
  return check_status ();
}
