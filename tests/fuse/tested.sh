# What the host tests in front of a fused construct counts in its kernel: through
# pointers that are apart nothing is stored that another one loads, so that loads may
# be of constant memory (ld.global.nc) and pass stores.  What is not tested does not
# count, as where a construct works in place.  What a test is about is what it was in
# front of the constructs.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia
cat >"$tmp/p.c" <<'END'
#include <stdio.h>
#define N 1000
static double all[6 * N];

__attribute__ ((noipa)) static double
three (long n, double *w, double *x, double *y, double *z)
{
  double sum = 0;
#pragma acc parallel loop default(present)
  for (long i = 0; i < n; i++)
    z[i] = w[i];
#pragma acc parallel loop default(present)
  for (long i = 0; i < n; i++)
    z[i] -= 3 * x[i];
#pragma acc parallel loop default(present) reduction(+ : sum)
  for (long i = 0; i < n; i++)
    sum += z[i] * y[i];
  return sum;
}

/* Z may be W.  */
__attribute__ ((noipa)) static double
two (long n, double *w, double *y, double *z)
{
  double sum = 0;
#pragma acc parallel loop default(present)
  for (long i = 0; i < n; i++)
    z[i] = w[i] + 2;
#pragma acc parallel loop default(present) reduction(+ : sum)
  for (long i = 0; i < n; i++)
    sum += z[i] * y[i];
  return sum;
}

/* The number that the first test is about changes before the third construct.  */
__attribute__ ((noipa)) static void
changed (long n, double *x, double *p, double *q, double *r, double *s)
{
  long m = n;
#pragma acc parallel loop default(present)
  for (long i = 0; i < m; i++)
    p[i] = x[i] * 2;
#pragma acc parallel loop default(present)
  for (long i = 0; i < m; i++)
    r[i] = p[i] + q[i];
  m = 1;
#pragma acc parallel loop default(present)
  for (long i = 0; i < n; i++)
    s[i] = r[i] * 3 + m;
}

static void
show (double sum)
{
  for (int i = 0; i < 6 * N; i++)
    sum = sum * 0.999 + all[i];
  printf ("%.17g\n", sum);
}

int
main (void)
{
  double *a = all, sum[5];
  for (int i = 0; i < 6 * N; i++)
    all[i] = i % 37;
#pragma acc data copy(all)
  {
    sum[0] = three (N, a, a + N, a + 2 * N, a + 3 * N);
    sum[1] = three (N, a, a + 2, a + 2 * N, a + 3 * N - 5);
    sum[2] = two (N, a, a + N, a + 2 * N);
    sum[3] = two (N, a, a + N, a);
    sum[4] = two (N, a, a + 5, a + 2 * N);
    changed (N, a + N, a, a + 2 * N, a + 3 * N, a + 4 * N);
    changed (N, a + 2 * N, a, a + 5, a + 3 * N, a + 4 * N);
  }
  for (int i = 0; i < 5; i++)
    show (sum[i]);
}
END
cd "$tmp" || exit 99
"$CC" -O2 p.c -w -o host && ./host >want
ok $? 'on the host'
# shellcheck disable=SC2086  # a list of words
"$CC" -fopenacc -O2 -specs="$specs" $stock_flags -fopt-info-omp p.c -o ours \
  >messages 2>&1
ok $? 'compiles' || diag "$(head -n 5 messages)"
is "$(grep -c 'fused with .* after a check' messages)" 5 'all are fused'
"$run" --check=fail ./ours >got 2>err
ok $? 'no race, and nothing constant is stored to' || diag "$(head -n 5 err)"
is "$(cat got)" "$(cat want)" 'as on the host'

loads () {			# FUNCTION: constant ones of its fused kernel
  tr '\0' '\n' <ours | sed -n "/\\.entry $1\\\$_omp_fn\\\$0/,/^ret;/p" \
    | grep -ac 'ld\.global\.nc\.f64'
}
is "$(loads three)" 3 'what is tested to be apart from all stores is constant'
is "$(loads two)" 1 'what is not is not'
done_testing
