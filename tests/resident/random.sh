# Random host loops over regions leave behind what they do when stock GCC has
# compiled them, bit by bit; both run on the emulated GPU.  RANDOM_RUNS programs of
# each model, seeds from RANDOM_SEED (1) on.  The checker finds races that do no harm
# by chance, and data that come through the read-only path though the loop changes
# them.
#
# SPDX-License-Identifier: GPL-3.0-or-later

. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia OMP_TARGET_OFFLOAD=mandatory
loops=20 resident=-fplugin-arg-accrete-resident
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
  "$builddir/random-loops" $seed $loops "$1" >prog.c
  want=$(stock_says "$1")
  if ! "$CC" -specs="$specs" -O2 -w $flag $resident $stock_flags -fopt-info-omp \
       prog.c -o ours >messages 2>&1; then
    ok 1 "$1, seed $seed compiles" || diag "$(head -n 5 messages)"
    return
  fi
  got=$(ACCRETE_DEBUG=2 timeout 300 "$run" --check ./ours 2>err)
  is "$got" "$want" "$1, seed $seed: as stock"
  unlike "$(cat err)" 'check: ' "$1, seed $seed: nothing is found"
  is "$(printf '%s\n' "$got" | grep -c loop)" $loops "$1, seed $seed: all of it"
  found=$((found + $(grep -c 'loop over .*: becomes one kernel' messages)))
  ran=$((ran + $(grep -c 'cooperative launch of .* status 0' err)))
}

found=0 ran=0 seed=${RANDOM_SEED-1}
last=$((seed + ${RANDOM_RUNS:-1}))
while [ $seed -lt $last ]; do
  one_program acc
  one_program omp
  seed=$((seed + 1))
done
[ $found -gt 20 ] && [ $ran -gt 15 ]
ok $? "$found loops became kernels, $ran of them ran"
done_testing
