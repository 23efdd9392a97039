# Small arrays of threads are in registers where loops over them are unrolled
# (arrays.c), and give what the host gives.
#
# SPMD_STAGE  the installed tree to test
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
. "$top_srcdir/tests/gcc.sh"
stage=${SPMD_STAGE-$stage}
specs=$stage/lib/accrete/accrete.specs
run=$stage/bin/accrete-run
ACCRETE_EMU_GPU=mini
export ACCRETE_EMU_GPU

# build LEVEL [FLAG]: ours into $tmp/prog; its regions with a subscript in local
# memory that follows a register into $tmp/kept.
build () {
  # shellcheck disable=SC2086  # a list of words
  "$CC" -specs="$specs" "$@" -fopenmp -ffp-contract=off -foffload-options=-lm \
    -foffload-options=nvptx-none=-latomic $stock_flags "$srcdir/arrays.c" \
    -o "$tmp/prog" -lm >"$tmp/log" 2>&1 || return
  tr '\000' '\n' <"$tmp/prog" | awk '
    /^\.entry/ { name = $2; sub (/\$.*/, "", name) }
    /^\.func/ { name = "" }
    name && /cvta\.to\.local\.u64/ && !/,%frame;/ { print name }' \
    | sort -u | xargs >"$tmp/kept"
}

for level in -O2 -O3; do
  build $level
  ok $? "$level: builds" || diag "$(cat "$tmp/log")"
  is "$(cat "$tmp/kept")" "large longer looked_up much own_way" \
    "$level: arrays in memory"
  OMP_TARGET_OFFLOAD=disabled "$tmp/prog" >"$tmp/want" 2>"$tmp/log"
  ok $? "$level: the host's" || diag "$(cat "$tmp/log")"
  "$run" --check=fail "$tmp/prog" >"$tmp/got" 2>"$tmp/log"
  ok $? "$level: runs" || diag "$(tail -n 3 "$tmp/log")"
  is "$(cat "$tmp/got")" "$(cat "$tmp/want")" "$level: the same bits"
done

build -O2 -fplugin-arg-accrete-disable=unroll
kept=$(wc -w <"$tmp/kept")
# From GCC 13 on stock unrolls loops as well.
case $gcc in
  12) is "$kept" 10 "without loop-unrolling: all in memory" ;;
  16) is "$kept" 8 "without loop-unrolling: what stock does not unroll" ;;
  *) is "$((kept > 5 && kept <= 10))" 1 "without loop-unrolling: some more in memory" ;;
esac
done_testing
