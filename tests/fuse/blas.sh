# The paper's sequences of BLAS calls as plain directives (benchmarks/fuse): right, and
# fused where they are maps and sums of the same elements.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia
fuse=$top_srcdir/benchmarks/fuse

for m in acc mp; do
  # shellcheck disable=SC2086  # a list of flags
  "$CC" -fopen$m -O2 -specs="$specs" $stock_flags -fopt-info-omp "$fuse/blas.c" \
    "$fuse/sequences.c" -o "$tmp/blas" -lm >"$tmp/messages" 2>&1
  ok $? "$m: builds" || diag "$(head -n 5 "$tmp/messages")"
  for sizes in '1000 60' '33 1'; do
    # shellcheck disable=SC2086  # two numbers
    "$run" --check=fail "$tmp/blas" $sizes >"$tmp/out" 2>&1
    ok $? "$m, $sizes: right" || diag "$(head -n 20 "$tmp/out")"
  done
  for sequence in AXPYDOT VADD WAXPBY MADD GEMVER GESUMMV; do
    "$run" --emulate --report=json "$tmp/blas" 500 40 $sequence >"$tmp/out" 2>"$tmp/err"
    [ "$(json fused "$tmp/err")" -gt 0 ]
    ok $? "$m: $sequence is fused"
  done
done
done_testing
