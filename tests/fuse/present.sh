# Constructs that each map arrays of their own become one where the host finds these on
# the device, as no more memory is needed at once then; else they stay two.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia
cat >"$tmp/p.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
static double a[1000], b[1000], c[1000];
static void
two (void)
{
#pragma acc parallel loop
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 1000; i++)
    b[i] = a[i] + 1;
#pragma acc parallel loop
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 1000; i++)
    c[i] = 3 * b[i];
}
int
main (int argc, char **argv)
{
  int there = atoi (argv[1]);
  for (int i = 0; i < 1000; i++)
    a[i] = i;
  if (there & 1)
    {
#pragma acc enter data copyin(a)
#pragma omp target enter data map(to: a)
    }
  if (there & 2)
    {
#pragma acc enter data create(c)
#pragma omp target enter data map(alloc: c)
    }
  two ();
  if (there & 2)
    {
#pragma acc exit data copyout(c)
#pragma omp target exit data map(from: c)
    }
  int wrong = 0;
  for (int i = 0; i < 1000; i++)
    wrong += c[i] != 3 * (i + 1.0) || b[i] != i + 1;
  printf ("%d\n", wrong);
}
END
for m in acc mp; do
  # shellcheck disable=SC2086  # a list of flags
  "$CC" -fopen$m -O2 -w -specs="$specs" $stock_flags -fopt-info-omp "$tmp/p.c" \
    -o "$tmp/p" >"$tmp/messages" 2>&1
  ok $? "$m: builds" || diag "$(head -n 5 "$tmp/messages")"
  like "$(grep 'fused with' "$tmp/messages")" 'after a check' "$m: after a check"
  # What the first maps alone may be new: the second had as much.
  for row in '0 0' '1 0' '2 1' '3 1'; do
    "$run" --check=fail --report=json "$tmp/p" "${row% *}" >"$tmp/out" 2>"$tmp/err"
    is "$(cat "$tmp/out") $(json fused "$tmp/err")" "0 ${row#* }" \
      "$m: of a and c, ${row% *} there"
  done
done
done_testing
