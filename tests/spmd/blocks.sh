# Kernels whose blocks are teams, under the emulated GPU's checker: no data races, no
# shared memory that nobody has set, no barrier that some threads miss.
#
# SPMD_STAGE   the installed tree to test
# BLOCK_SEEDS  those of generated programs, of four regions each; 175 has
#              subscripts whose constant is above a variable part below 0
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
ACCRETE_EMU_GPU=mini
export ACCRETE_EMU_GPU
stage=${SPMD_STAGE-$stage}

check_program () {		# NAME FILE FLAGS...
  name=$1 file=$2
  shift 2
  if ! "$(compiler "$file")" -specs="$stage/lib/accrete/accrete.specs" -fopenmp \
       $stock_flags -foffload-options=nvptx-none=-latomic -w -J "$tmp" "$@" \
       -I"$srcdir/cases" "$file" -o "$tmp/prog" -lm >"$tmp/out" 2>&1; then
    ok 1 "$name: builds" || diag "$(cat "$tmp/out")"
    return
  fi
  "$stage/bin/accrete-run" --emulate --check=fail "$tmp/prog" >"$tmp/out" 2>&1
  ok $? "$name: nothing is found" || diag "$(head -n 20 "$tmp/out")"
}

for file in "$srcdir"/cases/block.c "$srcdir"/cases/block.cc \
            "$srcdir"/cases/block.f90; do
  check_program "${file##*/}" "$file" -O2
done
check_program races.c "$srcdir/races.c" -O2
for seed in ${BLOCK_SEEDS-1 2 3 175}; do
  perl "$srcdir/generate.pl" --lang=c --seed="$seed" --regions=4 --shape=block \
    >"$tmp/generated.c"
  check_program "seed $seed" "$tmp/generated.c" -O2
done
done_testing
