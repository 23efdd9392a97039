# ./setup demo: three rows, results equal, and fewer driver allocations.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/stage.sh"

out=$(sh "$top_srcdir/benchmarks/demo/demo.sh" "$stage" 2>&1)
is $? 0 'the demo succeeds' || diag "$out"
like "$out" '^Driver calls on ' 'it says where it ran'
is "$(printf '%s\n' "$out" | grep -c ' equal$')" 3 'three equal results'
for p in jacobi jacobi-f wave-omp; do
  # Columns 'BEFORE -> AFTER': the allocations stand first.
  printf '%s\n' "$out" | grep "^$p " | grep -oE '[0-9]+ -> [0-9]+' | head -n 1 \
    | { read -r before _ after && [ "$after" -lt "$before" ]; }
  ok $? "$p: fewer allocations"
done
diag "$out"
done_testing
