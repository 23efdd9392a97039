# Loops that one thread executes: which of early.c's begin the loads of several
# iterations together, and that they leave every bit as stock does.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
ACCRETE_EMU_GPU=mini
export ACCRETE_EMU_GPU
file=$srcdir/early.c

# The directives behind comments that begin with T.
awk '/^\/\* [TF]/ { taken = $2 ~ /^T/ }
     /^#pragma omp target$/ && taken { print NR; taken = 0 }' "$file" >"$tmp/want"
for level in -O2 -O3; do
  # shellcheck disable=SC2086  # a list of flags
  $CC -specs="$specs" $level -w -fopenmp $stock_flags -fopt-info-omp "$file" -o "$tmp/early" \
    >"$tmp/log" 2>&1
  ok $? "$level: builds" || diag "$(cat "$tmp/log")"
  sed -n 's/^[^:]*:\([0-9]*\):.* loads of [0-9]* iterations of a loop begin together$/\1/p' \
    "$tmp/log" | sort -nu >"$tmp/got"
  is "$(cat "$tmp/got")" "$(cat "$tmp/want")" "$level: loops that begin loads together"
  # shellcheck disable=SC2086
  $CC $level -w -fopenmp $stock_flags "$file" -o "$tmp/stock" >"$tmp/log" 2>&1
  ok $? "$level: stock builds" || diag "$(cat "$tmp/log")"
  "$run" --off --emulate "$tmp/stock" >"$tmp/want.bits" 2>&1
  "$run" --emulate "$tmp/early" >"$tmp/got.bits" 2>&1
  is "$(cat "$tmp/got.bits")" "$(cat "$tmp/want.bits")" "$level: every bit"
  "$run" --check=fail "$tmp/early" >"$tmp/check" 2>&1
  ok $? "$level: nothing is wrong in memory" || diag "$(grep check: "$tmp/check" | head)"
done
# shellcheck disable=SC2086
$CC -specs="$specs" -O2 -w -fopenmp $stock_flags -fopt-info-omp \
  -fplugin-arg-accrete-disable=loop-unrolling "$file" -o "$tmp/early" >"$tmp/log" 2>&1
is "$(grep -c 'begin together' "$tmp/log")" 0 "left out"
done_testing
