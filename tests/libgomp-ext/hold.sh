# Kernels that later copies to the device pass: stock's results, whatever comes
# next, and stock's words when something fails.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

on_emulated_gpu
export ACCRETE_EMU_GPU=mini ACCRETE_GEOMETRY=model

compile stock hold.c -fopenacc
marked marked hold.c -fopenacc
for args in "60 1" "60 3" "60"; do
  # shellcheck disable=SC2086  # a list of words
  stock "$tmp/stock" $args
  wanted
  for delay in 0 1; do
    # shellcheck disable=SC2086
    ACCRETE_EMU_DELAY=$delay ours "$tmp/marked" $args
    is "$status$out" "$want" "rounds and changes $args, delay $delay"
  done
  [ "$(field held)" -gt 2 ]; ok $? "kernels are passed" || diag "$(field held)"
done
ACCRETE_DISABLE=hold ours "$tmp/marked" 60
is "$status$out $(field held)" "$want 0" "ACCRETE_DISABLE=hold"
# A send to each kernel: four become one.
marked held held.c -fopenacc
stock "$tmp/held" 50
wanted
ours "$tmp/held" 50
is "$status$out" "$want" "sends and kernels by turns"
copies=$(field h2d_copies)
ACCRETE_DISABLE=hold ours "$tmp/held" 50
is "$status$out $(field h2d_copies)" "$want 201" "without: a copy for each kernel"
[ "$copies" -lt 110 ]; ok $? "with: half of them or less" || diag "$copies"

# Pointers that regions map for themselves, in a block that the next region gets.
CC=$FC marked pointers held.f90 -fopenacc
ours "$tmp/pointers"
is "$status $(echo $out)" "0 0" "pointers of regions"
[ "$(field held)" -gt 2 ]; ok $? "their kernels are passed" || diag "$(field held)"

stock "$tmp/stock"
wanted
for fault in cuMemHostAlloc:1+ cuMemHostAlloc:2+ cuEventRecord:1+; do
  ACCRETE_EMU_FAIL=$fault ours "$tmp/marked"
  is "$status$out" "$want" "$fault: nothing is lost"
done
said () { printf '%s\n' "$status $err" | grep '^[0-9]* *$\|^libgomp'; }
# Of graphs the driver has refused none.
for fault in cuLaunchKernel:40+=1 cuLaunchKernel:40+=701; do
  export ACCRETE_GRAPHS=0
  ACCRETE_EMU_FAIL=$fault stock "$tmp/stock"
  want=$(said)
  ACCRETE_EMU_FAIL=$fault ours "$tmp/marked"
  is "$(said)" "$want" "$fault: stock's diagnosis"
done
done_testing
