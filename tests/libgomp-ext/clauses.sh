# Operands that several constructs map, by whatever form, leave together and come back
# together: one copy a round each way, from the third or so on.  Constructs that depend
# on each other neither wait nor copy each.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

on_emulated_gpu
export ACCRETE_EMU_GPU=mini

for m in acc mp; do
  for form in 1 2 3; do
    # More than what is copied once more to leave in order.
    for shared in '' -DSHARED -DFLOATS=4096; do
      # shellcheck disable=SC2086  # nothing, or one word
      marked clauses clauses.c -fopen$m -O2 -DFORM=$form $shared
      stock "$tmp/clauses"
      wanted
      for delay in 0 1; do
	ACCRETE_EMU_DELAY=$delay ours "$tmp/clauses"
	is "$status$out" "$want" "$m, form $form $shared, delay $delay: as stock"
      done
      up=$(field h2d_copies) down=$(field d2h_copies)
      [ "$up" -le 120 ] && [ "$down" -le 110 ]
      ok $? "$m, form $form $shared: $up copies to the device, $down back"
    done
  done
done

# The host's tasks come between as they may.
export ACCRETE_NOWAIT_MIN=1000000000
for tasks in '' -DTASKS; do
  # shellcheck disable=SC2086  # nothing, or one word
  marked depend depend.c -fopenmp -O2 $tasks
  stock "$tmp/depend"
  wanted
  for delay in 0 1; do
    ACCRETE_EMU_DELAY=$delay ours "$tmp/depend"
    is "$status$out" "$want" "depend $tasks, delay $delay: as stock"
  done
  [ "$tasks" ] && continue
  waits=$(($(field syncs) + $(field blocking))) up=$(field h2d_copies)
  [ $waits -le 40 ] && [ "$up" -le 4 ]
  ok $? "400 of them: $waits waits, $up copies to the device"
done
done_testing
