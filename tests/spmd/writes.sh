# Atomic writes of integers that order nothing are stores in SPMD kernels, others and
# exchanges are not; the checker finds no race between them.
#
# SPMD_STAGE  the installed tree to test
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
ACCRETE_EMU_GPU=mini
export ACCRETE_EMU_GPU
stage=${SPMD_STAGE-$stage}
source=$(cd "$srcdir" && pwd)/writes.c
cd "$tmp" || exit 99

# count PATTERN: instructions of the device.
count () { grep -c "^[^/]*$1" code; }

for model in -fopenmp -fopenacc; do
  rm -f a*
  # shellcheck disable=SC2086
  gcc -specs="$stage/lib/accrete/accrete.specs" -O2 $model $stock_flags -save-temps \
    "$source" -o a >log 2>&1
  ok $? "$model: builds" || diag "$(cat log)"
  tr -d '\000' <a.xnvptx-none.mkoffload >code
  is "$(count 'st\.volatile[.a-z]*\.u32')" 2 "$model: stores of int"
  is "$(count 'st\.volatile[.a-z]*\.u64')" 1 "$model: of long"
  is "$(count 'atom[.a-z]*\.exch\.b32')" 2 "$model: exchanges"
  is "$("$stage/bin/accrete-run" --check=fail ./a 2>err)" '0 wrong' "$model: results" \
    || diag "$(cat err)"
done
done_testing
