# Sourced behind tap.sh and stage.sh by tests that compare random programs of both
# models with what stock GCC makes of them, on the emulated GPU.  RANDOM_RUNS
# programs of each model, seeds from RANDOM_SEED (1) on.  RANDOM_STOCK: a folder that
# keeps what stock's print.
# SPDX-License-Identifier: GPL-3.0-or-later
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia OMP_TARGET_OFFLOAD=mandatory
cd "$tmp" || exit 99

# What prog.c, of the seed in hand, prints without us.
stock_says () {			# MODEL
  kept=${RANDOM_STOCK-$tmp}/stock-$seed-$1
  if ! [ -s "$kept" ]; then
    (PATH=/usr/bin:/bin
     "$CC" -O2 -w $flag $stock_flags prog.c -o stock 2>/dev/null)
    "$run" --emulate --off ./stock >"$kept" 2>stock.err
  fi
  cat "$kept"
}

# One program of GENERATOR, with so many of WHAT, as stock's, and nothing that the
# checker calls FINDING.  What is left: messages, of the compiler, and err.
one_program () {		# MODEL GENERATOR MANY WHAT FINDING FLAG...
  model=$1 generator=$2 many=$3 what=$4 finding=$5
  shift 5
  flag=-fopenacc
  [ "$model" = acc ] || flag=-fopenmp
  "$builddir/$generator" $seed $many "$model" >prog.c
  want=$(stock_says "$model")
  if ! "$CC" -specs="$specs" -O2 -w $flag "$@" $stock_flags -fopt-info-omp \
       prog.c -o ours >messages 2>&1; then
    ok 1 "$model, seed $seed compiles" || diag "$(head -n 5 messages)"
    return 1
  fi
  got=$(ACCRETE_DEBUG=2 timeout 300 "$run" --check ./ours 2>err)
  is "$got" "$want" "$model, seed $seed: as stock"
  unlike "$(cat err)" "$finding" "$model, seed $seed: nothing is found"
  is "$(printf '%s\n' "$got" | grep -c "$what")" $many \
    "$model, seed $seed: all of it"
}

# Call VISIT for each model and seed.
each_program () {		# VISIT
  seed=${RANDOM_SEED-1}
  last=$((seed + ${RANDOM_RUNS:-1}))
  while [ $seed -lt $last ]; do
    "$1" acc
    "$1" omp
    seed=$((seed + 1))
  done
}
