# Signals are for the program's threads, on the emulated GPU: how programs take
# them, while target tasks and copies have started threads of the runtime's.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

on_emulated_gpu
export ACCRETE_EMU_GPU=mini ACCRETE_NOWAIT_MIN=0 ACCRETE_COPIERS=3
compile signals signals.c -fopenmp
for how in sigwait signalfd alarm profile masks; do
  stock "$tmp/signals" $how
  want="0 $out"
  is "$status" 0 "$how: stock"
  for turn in 1 2 3; do
    ours "$tmp/signals" $how
    is "$status $out" "$want" "$how, $turn"
  done
done
is "$(($(printf '%s\n' "$err" | sed -n 's/ threads$//p') > 4))" 1 \
  "there are helpers and copiers" || diag "$err"
is "$(($(field nowait) > 0))" 1 "and target tasks"

# Where the host runs a region, the program's thread does.
compile host-nowait host-nowait.c -fopenmp
stock "$tmp/host-nowait"
is "$status $out" "0 0 wrong" "regions on the host: stock"
ours "$tmp/host-nowait"
is "$status $out" "0 0 wrong" "regions on the host"
is "$(($(field nowait) > 0))" 1 "and others are tasks"
done_testing
