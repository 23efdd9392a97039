# Nests with loops of a few constant iterations: results, and what threads without an
# iteration would cost, by the instructions that a single loop over as many takes.
#
# SPMD_STAGE  the installed tree to test
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
ACCRETE_EMU_GPU=mini ACCRETE_EMU_STATS=1
export ACCRETE_EMU_GPU ACCRETE_EMU_STATS
stage=${SPMD_STAGE-$stage}

# run NEST: its output, and its instructions in $count.
run () {
  got=$("$stage/bin/accrete-run" --emulate "$tmp/short" "$1" 2>"$tmp/err")
  count=$(sed -n 's/^accrete-emu: .*\<instructions=\([0-9]*\).*/\1/p' "$tmp/err")
}

for model in -fopenmp -fopenacc; do
  gcc -specs="$stage/lib/accrete/accrete.specs" -O2 $model $stock_flags \
    "$srcdir/short.c" -o "$tmp/short" >"$tmp/log" 2>&1
  ok $? "$model: builds" || diag "$(cat "$tmp/log")"
  run 0
  single=$count
  for nest in 1 2 3 4; do
    run $nest
    is "$got" "0 wrong" "$model, nest $nest: results"
    ok $((count == 0 || count > 3 * single)) "$model, nest $nest: threads are busy" \
      || diag "$count instructions, a single loop $single"
  done
done
done_testing
