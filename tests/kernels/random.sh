# Random loop nests in kernels regions give what they give on the host.
# RANDOM_RUNS programs, seeds from 1; every third one without optimization.  The
# checker finds races that do no harm by chance.
#
# SPDX-License-Identifier: GPL-3.0-or-later

. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia
regions=60
cd "$tmp" || exit 99

parallel=0 checked=0 several=0 seed=1
while [ $seed -le "${RANDOM_RUNS:-4}" ]; do
  level=-O2
  [ $((seed % 3)) -ne 0 ] || level=-O0
  "$builddir/random-nests" $seed $regions >prog.c
  if ! "$CC" -specs="$specs" $level -w -fopenacc $stock_flags -fopt-info-omp prog.c -o prog \
       >messages 2>&1; then
    ok 1 "seed $seed compiles" || diag "$(head -n 5 messages)"
  else
    out=$("$run" --check ./prog 2>&1)
    is "$(printf '%s\n' "$out" | tail -n 1)" "$regions regions, 0 differ" \
      "seed $seed $level" || diag "$out"
    unlike "$out" 'check: race' "seed $seed $level: no race"
    parallel=$((parallel + $(grep -c 'loops* runs* in parallel$' messages)))
    several=$((several + $(grep -c ' parts: .* in parallel' messages)))
    checked=$((checked + $(grep -c 'runs* in parallel after a check' messages)))
  fi
  seed=$((seed + 1))
done
total=$((regions * (seed - 1)))
[ $parallel -gt 0 ] && [ $((parallel + checked)) -gt $((total / 10)) ]
ok $? "of $total regions $parallel were parallel and $checked after a check"
[ $several -gt $((total / 8)) ]
ok $? "$several had several parts"
done_testing
