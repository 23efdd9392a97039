# Loops over elements: threads that load for several iterations at a time execute each
# once, with any number of blocks, and those of other blocks and grids do not.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
ACCRETE_EMU_GPU=mini
export ACCRETE_EMU_GPU
remark='in long loops a thread loads for'

# OpenMP's sums are the caller's variables to a kernel.
for model in -fopenmp -fopenacc; do
  taken=7
  [ $model = -fopenacc ] || taken=6
  for level in -O2 -O3; do
    # shellcheck disable=SC2086  # a list of flags
    gcc -specs="$specs" $level $model $stock_flags -fopt-info-omp \
      "$srcdir/coarsen.c" -o "$tmp/coarsen" >"$tmp/log" 2>&1
    ok $? "$model $level: builds" || diag "$(cat "$tmp/log")"
    is "$(grep -c "$remark 4 iterations" "$tmp/log")" $taken \
      "$model $level: loops with few loads"
    for geometry in 1x256 3x256 5x256 2x128 1x32 model; do
      got=$(ACCRETE_GEOMETRY=$geometry "$run" --emulate "$tmp/coarsen" 2>"$tmp/err")
      is "$got" "0 wrong" "$model $level, $geometry" \
	|| diag "$(tail -n 3 "$tmp/err")"
    done
  done
  # shellcheck disable=SC2086
  gcc -specs="$specs" -O2 $model $stock_flags -fopt-info-omp \
    -fplugin-arg-accrete-disable=thread-coarsening \
    "$srcdir/coarsen.c" -o "$tmp/coarsen" >"$tmp/log" 2>&1
  is "$(grep -c "$remark" "$tmp/log")" 0 "$model: left out"
done

# Products that another iteration has as well: what is contracted follows neither from
# the geometry nor from this.
cat >"$tmp/rounding.c" <<'C'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
enum { N = 5000 };
static float a[N + 512], b[N], c[N], d[N], e[N];
static int k[N + 256];
int
main (void)
{
  uint64_t h = 0;
  for (int i = 0; i < N + 512; i++)
    a[i] = 1 / (float) (i + 3);
  for (int i = 0; i < N; i++)
    b[i] = 1 / (float) (2 * i + 5);
  for (int i = 0; i < N + 256; i++)
    k[i] = 3 * i + 1;
  #pragma omp target data map(to: a, b, k) map(from: c, d, e)
  {
    #pragma omp target teams distribute parallel for
    for (long i = 0; i < N; i++)
      c[i] = .1f * a[i] + .1f * a[i + 256];
    #pragma omp target teams distribute parallel for
    for (long i = 0; i < N; i++)
      d[i] = .1f * a[i & 255] + .3f * b[i];
    #pragma omp target teams distribute parallel for
    for (long i = 0; i < N; i++)
      e[i] = .1f * k[i] + .1f * k[i + 256];
  }
  for (int i = 0; i < N; i++)
    {
      uint32_t x, y, z;
      memcpy (&x, &c[i], 4), memcpy (&y, &d[i], 4), memcpy (&z, &e[i], 4);
      h = h * 31 + x, h = h * 31 + y, h = h * 31 + z;
    }
  printf ("%llx\n", (unsigned long long) h);
  return 0;
}
C
for without in -fplugin-arg-accrete-disable=thread-coarsening ''; do
  # shellcheck disable=SC2086  # a flag or none
  gcc -specs="$specs" -O2 -fopenmp $stock_flags -fopt-info-omp $without \
    "$tmp/rounding.c" -o "$tmp/rounding" >"$tmp/log" 2>&1
  for geometry in 1x256 5x256 2x128; do
    ACCRETE_GEOMETRY=$geometry "$run" --emulate "$tmp/rounding" 2>>"$tmp/err"
  done
done >"$tmp/sums"
is "$(wc -l <"$tmp/sums")" 6 "products of several iterations: run"
is "$(sort -u "$tmp/sums" | wc -l)" 1 "products of several iterations: the same bits" \
  || diag "$(cat "$tmp/sums")"
is "$(grep -c "$remark" "$tmp/log")" 1 "products of several iterations: one loop is taken"

# Where clauses say which thread has which iterations.
cat >"$tmp/dealt.c" <<'C'
void
f (int n, float *a, const float *b)
{
  #pragma omp target teams distribute parallel for num_threads (1) map(a[:n], b[:n])
  for (int i = 0; i < n; i++)
    a[i] = a[i] + b[i];
  #pragma omp target teams distribute parallel for schedule (static, 8) map(a[:n], b[:n])
  for (int i = 0; i < n; i++)
    a[i] = a[i] + b[i];
  #pragma omp target teams distribute parallel for num_teams (1) map(a[:n], b[:n])
  for (int i = 0; i < n; i++)
    a[i] = a[i] + b[i];
}
C
gcc -specs="$specs" -O2 -fopenmp $stock_flags -fopt-info-omp -c "$tmp/dealt.c" \
  -o "$tmp/dealt.o" >"$tmp/log" 2>&1
ok $? "clauses about threads: builds" || diag "$(cat "$tmp/log")"
is "$(grep -c "$remark" "$tmp/log")" 0 "clauses about threads: one at a time"
done_testing
