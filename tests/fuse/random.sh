# Random chains of constructs leave behind what they do when stock GCC has compiled
# them, bit by bit; both run on the emulated GPU.  RANDOM_RUNS programs of each
# model, seeds from RANDOM_SEED (1) on.  The checker finds races that do no harm by
# chance.
#
# SPDX-License-Identifier: GPL-3.0-or-later

. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia OMP_TARGET_OFFLOAD=mandatory
chains=30
cd "$tmp" || exit 99

# What the program of the seed in hand prints without us, with RANDOM_STOCK in a
# folder that keeps it.
stock_says () {			# MODEL
  kept=${RANDOM_STOCK-$tmp}/stock-$seed-$1
  if ! [ -s "$kept" ]; then
    (PATH=/usr/bin:/bin
     "$CC" -O2 -w $flag $stock_flags prog.c -o stock 2>/dev/null)
    "$run" --emulate --off ./stock >"$kept" 2>stock.err
  fi
  cat "$kept"
}

one_program () {		# MODEL
  flag=-fopenacc
  [ "$1" = acc ] || flag=-fopenmp
  "$builddir/random-chains" $seed $chains "$1" >prog.c
  want=$(stock_says "$1")
  if ! "$CC" -specs="$specs" -O2 -w $flag $stock_flags -fopt-info-omp \
       prog.c -o ours >messages 2>&1; then
    ok 1 "$1, seed $seed compiles" || diag "$(head -n 5 messages)"
    return
  fi
  got=$("$run" --check ./ours 2>err)
  is "$got" "$want" "$1, seed $seed: as stock"
  unlike "$(cat err)" 'check: race' "$1, seed $seed: no race"
  is "$(printf '%s\n' "$got" | grep -c chain)" $chains "$1, seed $seed: all of it"
  fused=$((fused + $(grep -c 'fused with' messages)))
  checked=$((checked + $(grep -c 'fused with .* after a check' messages)))
}

fused=0 checked=0 seed=${RANDOM_SEED-1}
last=$((seed + ${RANDOM_RUNS:-1}))
while [ $seed -lt $last ]; do
  one_program acc
  one_program omp
  seed=$((seed + 1))
done
[ $fused -gt 20 ] && [ $checked -gt 5 ] && [ $checked -lt $fused ]
ok $? "$fused constructs were fused, $checked after a check"
done_testing
