# Real programs in C, C++ and Fortran, OpenACC and OpenMP, -O0 -g and -O2:
# built by stock GCC and with the specs file, run on the emulated GPU and on
# the host; all outputs must agree.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/stage.sh"
demo=$top_srcdir/benchmarks/demo

check_program () {		# SOURCE FLAG ARGS...
  source=$1 flag=$2
  shift 2
  c=$(compiler "$source")
  # Fused multiply-add is the GPU's alone; without it the host agrees.
  for o in '-O0 -g' '-O2'; do
    name="${source##*/} $o"
    o="$o -ffp-contract=off"
    # shellcheck disable=SC2086  # lists of words
    $c $o $flag $stock_flags "$source" -o "$tmp/stock" >"$tmp/log" 2>&1 \
      && $c $o $flag "-specs=$specs" "$source" -o "$tmp/ours" >>"$tmp/log" 2>&1
    ok $? "$name: builds" || { diag "$(cat "$tmp/log")"; continue; }
    host=$(ACC_DEVICE_TYPE=host OMP_TARGET_OFFLOAD=DISABLED "$tmp/stock" "$@")
    stock=$("$run" --emulate --off --report=json "$tmp/stock" "$@" 2>"$tmp/stock.json")
    ours=$("$run" --emulate --report=json "$tmp/ours" "$@" 2>"$tmp/ours.json")
    is "$stock" "$host" "$name: stock on the emulated GPU as on the host"
    is "$ours" "$stock" "$name: accrete as stock"
    regions=$(($(json launches "$tmp/ours.json") + $(json resident "$tmp/ours.json")))
    is $regions "$(json launches "$tmp/stock.json")" "$name: as many regions"
    is "$("$run" --emulate "$tmp/stock" "$@" 2>&1)" "$host" \
      "$name: unmodified binary under accrete-run"
    # Twenty iterations and sixty ask the driver for the same memory.
    "$run" --emulate --report=json "$tmp/ours" 64 20 >/dev/null 2>"$tmp/20.json"
    "$run" --emulate --report=json "$tmp/ours" 64 60 >/dev/null 2>"$tmp/60.json"
    is "$(json allocs "$tmp/60.json")" "$(json allocs "$tmp/20.json")" \
      "$name: no driver allocation after the first iterations"
  done
}

# A small GPU, so that default geometries stay small.
ACCRETE_EMU_GPU=mini
export ACCRETE_EMU_GPU

check_program "$demo/jacobi.c" -fopenacc 64 10
check_program "$demo/jacobi-f.f90" -fopenacc 64 10
check_program "$demo/wave-omp.cc" -fopenmp 64 4
done_testing
