# Programs of the device's libgomp, adapted as they are loaded (devlib.c), on
# the emulated GPU: results are stock's, and what teams cost is gone.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

on_emulated_gpu
ACCRETE_EMU_GPU=mini ACCRETE_EMU_STATS=1; export ACCRETE_EMU_GPU ACCRETE_EMU_STATS
compile forkjoin forkjoin.c -fopenmp

stock "$tmp/forkjoin" 2
want=$out fences=$(calls fences) mallocs=$(calls mallocs)
is "$status" 0 "stock"
for name in none arena fence arena,fence; do
  ACCRETE_DISABLE=$name ours "$tmp/forkjoin" 2
  is "$status$out" "0$want" "results, off: $name"
  case $name in
  none) is "$(($(calls mallocs) * 2 < mallocs))" 1 "most teams are in the arena"
        is "$(($(calls fences) * 10 < fences))" 1 "most fences are for a block" ;;
  arena) is "$(calls mallocs)" "$mallocs" "without arena" ;;
  arena,fence) is "$(($(calls fences) > fences / 2))" 1 "without fence" ;;
  esac
done
ours "$tmp/forkjoin" 2
is "$status$out $(field jit_hits)" "0$want 1" "code from the disk"
is "$(($(calls mallocs) * 2 < mallocs))" 1 "is the adapted one"

# A driver that refuses an adapted unit gets stock's.
refused=0
for n in 1 2 3 4 5 6 7 8 9 10; do
  ACCRETE_DISABLE=jit_cache ACCRETE_DEBUG=1 \
    ACCRETE_EMU_FAIL=cuLinkAddData:$n ours "$tmp/forkjoin" 2
  case $err in *' as it was: '*)
    refused=1
    is "$status$out" "0$want" "adapted unit $n is refused" ;;
  esac
done
is "$refused" 1 "there are such units"

# An older GPU has no memory model to rely on.
ACCRETE_EMU_GPU=p100 ours "$tmp/forkjoin" 2
is "$status$out" "0$want" "results on sm_60"
is "$(($(calls fences) > fences / 2))" 1 "where fences stay"

# Tasks made at once while threads are on their way to the barrier: GCC 12's
# barrier locks up without wake, whatever else is on or off; GCC 13 has another.
compile tasks tasks.c -fopenmp
for gpu in mini p100; do
  for name in args arena fence arena,fence; do
    ACCRETE_EMU_GPU=$gpu ACCRETE_DISABLE=$name ours "$tmp/tasks"
    is "$status$out" "00 wrong" "tasks on $gpu, off: $name"
  done
done
for name in wake wake,arena,fence; do
  ACCRETE_EMU_TIMEOUT=2 ACCRETE_DISABLE=$name limit=10 ours "$tmp/tasks"
  is "$((status != 0))" $((gcc == 12)) "tasks lock up, off: $name"
done

# The checker sees no race, and no access outside the arena.
ACCRETE_DISABLE=pool ACCRETE_EMU_CHECK=1 ours "$tmp/forkjoin"
unlike "$err" 'accrete-emu: check' "the checker finds nothing"
done_testing
