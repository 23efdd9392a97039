# Nests in tiles execute each iteration once, with any number of blocks, and divide
# by 32 bits alone.
#
# SPMD_STAGE  the installed tree to test
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
ACCRETE_EMU_GPU=mini
export ACCRETE_EMU_GPU
stage=${SPMD_STAGE-$stage}

for model in -fopenmp -fopenacc; do
  gcc -specs="$stage/lib/accrete/accrete.specs" -O2 $model $stock_flags \
    "$srcdir/tiles.c" -o "$tmp/tiles" >"$tmp/log" 2>&1
  ok $? "$model: builds" || diag "$(cat "$tmp/log")"
  is "$(grep -a -c '^div.[us]64' "$tmp/tiles")" 0 "$model: no division of 64 bits"
  for geometry in 1x32 3x64 7x32 model; do
    got=$(ACCRETE_GEOMETRY=$geometry "$stage/bin/accrete-run" --emulate \
	    "$tmp/tiles" 2>"$tmp/err")
    is "$got" "0 wrong" "$model, $geometry" || diag "$(tail -n 3 "$tmp/err")"
  done
done
done_testing
