# How kernels are started, under real programs on the emulated GPU: what the
# driver is asked for, results when everything asynchronous is as late as it
# may be, and kernels and launches that fail.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

on_emulated_gpu
ACCRETE_EMU_GPU=mini ACCRETE_EMU_STATS=1; export ACCRETE_EMU_GPU ACCRETE_EMU_STATS
marked jacobi jacobi.c -fopenacc
compile async async.c -fopenacc
marked marked-async async.c -fopenacc
compile profile profile.c -fopenacc
marked nowait nowait.c -fopenmp
marked chain chain.c -fopenmp
CC=$FC compile nowait-frames nowait-frames.F90 -fopenmp -J "$tmp"
compile fault-acc fault.c -fopenacc
compile fault-omp fault.c -fopenmp

# ---- A present loop costs a launch and a wait -------------------------------
ours "$tmp/jacobi" 40
is "$(launched)" 80 "jacobi: two launches a step"
# One as 64 kernels are owed, one for the results.
is "$(calls cuStreamSynchronize) $(calls cuMemcpyDtoH)" "2 0" \
  "nobody looks in between"
is "$(calls cuMemcpyHtoD) $(calls cuMemcpyHtoDAsync)" "1 0" \
  "one copy, of data"
is "$(field args_passed) $(field args_read)" "80 0" "arguments go with the launch"
is "$(calls cuOccupancyMaxPotentialBlockSize)" 2 "the geometry is asked once a kernel"
# The data's block; from GCC 13 on the construct has one as well, for its arguments.
case $interface in 1) blocks=1 ;; *) blocks=2 ;; esac
is "$(calls cuMemAlloc) $(calls cuMemFree)" "$blocks $blocks" \
  "nothing is allocated on the way"
want=$out
for name in args launch pool; do
  ACCRETE_DISABLE=$name ours "$tmp/jacobi" 40
  is "$out" "$want" "right without $name"
  case $name in
    args)
      # Addresses in a construct's block are not sent again where it is kept.
      held=$(field held)
      [ $interface -gt 1 ] || is "$held" 0 "up to GCC 12 all are sent"
      is "$(field args_passed) $(($(field h2d_copies) + held))" "0 81" \
        "without args there is a copy a launch" ;;
    *) is "$(field args_passed)" 80 "arguments go with the launch: without $name" ;;
  esac
done

# ---- Kernels that want their blocks' addresses ------------------------------
# Arguments that are on the device as they were are not sent again; the first time
# nothing is known, and the second time they wait for the launch.
marked blocks blocks.c -fopenmp -pthread
for how in same others between thread; do
  for delay in 0 1; do
    ACCRETE_EMU_DELAY=$delay ours "$tmp/blocks" $how 12
    is "$status$out" "00 wrong" "blocks: $how, delay $delay"
  done
  ACCRETE_DISABLE=args ours "$tmp/blocks" $how 12
  is "$out $(field args_unsent)" "0 wrong 0" "blocks: $how, without args"
done
ours "$tmp/blocks" same 12
is "$(field args_unsent)" 10 "blocks: the same are not sent again"
ours "$tmp/blocks" between 12
is "$(field args_unsent)" 0 "blocks: who has had the block meanwhile is seen"
ours "$tmp/blocks" others 12
is "$(field args_unsent)" 4 "blocks: others are sent"

# ---- Blocks of nothing but arguments ----------------------------------------
# From the second time on no memory is taken for them, be they libgomp's.
marked stand-in-acc stand-in.c -fopenacc -pthread -ldl
marked stand-in-omp stand-in.c -fopenmp -pthread -ldl
for model in acc omp; do
  for how in same comes cut threads queued sizes; do
    stock "$tmp/stand-in-$model" $how 12
    want=$status$out
    # GCC 12's plugin launches OpenACC's in whatever context is there.
    case $interface$model$how in
      1acccut) ;;
      *) is "$want" "00 wrong" "stand-in, $model: $how, stock" ;;
    esac
    for delay in 0 1; do
      ACCRETE_EMU_DELAY=$delay ours "$tmp/stand-in-$model" $how 12
      is "$status$out" "$want" "stand-in, $model: $how, delay $delay"
    done
    spared=$(field args_spared)
    case $interface$model$how in
      1acccut) ;;
      1acc*) is "$spared" 0 "GCC 12's plugin has OpenACC's, one a launch" ;;
      *same | *cut | *queued | *sizes) is "$spared" 11 "no memory is taken: $model, $how" ;;
      *comes) is "$spared" 6 "nor where data have come: $model" ;;
      *) is "$((spared >= 3 * 10))" 1 "in threads: $model" ;;
    esac
    ACCRETE_DISABLE=args ours "$tmp/stand-in-$model" $how 12
    is "$status$out $((0 + $(field args_spared)))" "$want 0" "stand-in without args, $model: $how"
  done
done

# ---- Queues -----------------------------------------------------------------
for delay in 0 1; do
  export ACCRETE_EMU_DELAY=$delay
  for seed in 1 2 3; do
    ours "$tmp/async" 300 $seed
    is "$status$out" "00 wrong" "queues, delay $delay, seed $seed"
  done
  ours "$tmp/marked-async" 300 4
  is "$status$out $(field args_read)" "00 wrong 0" "arguments go with launches in queues"
  ours "$tmp/marked-async" 200 8 4
  is "$status$out" "00 wrong" "of four threads"
  ours "$tmp/async" 300 3
  is "$(calls cuStreamAddCallback) $(field callbacks)" "0 0" \
    "the driver runs no callback"
  is "$(($(calls cuEventCreate) < 5))" 1 "and makes few events"
  ours "$tmp/async" 200 7 4
  is "$status$out" "00 wrong" "queues of four threads, delay $delay"
  for name in args queue pool args,queue; do
    ACCRETE_DISABLE=$name ours "$tmp/async" 300 4
    is "$status$out" "00 wrong" "queues without $name, delay $delay"
  done
done
unset ACCRETE_EMU_DELAY
ACCRETE_DISABLE=queue ours "$tmp/async" 300 1
is "$(($(field callbacks) > 100))" 1 "without queue the driver runs callbacks"
is "$(calls cuStreamAddCallback)" "$(field callbacks)" "all of them are counted"
stock "$tmp/profile"
want=$out
ours timeout 20 "$tmp/profile"
is "$status$out" "0$want" "a handler of profiling events waits for a queue"
# Little memory: what waits in queues gives its own back.
ACCRETE_POOL_MAX=0 ours "$tmp/async" 300 5
is "$status$out" "00 wrong" "queues, nothing kept"

# ---- target nowait -----------------------------------------------------------
ACCRETE_NOWAIT_MIN=1000000000 ours "$tmp/nowait" serial 3
is "$status$out" "00 wrong" "nowait, short regions"
is "$(field nowait)" 0 "are waited for"
# Data directives beside them are no tasks either: nobody else uses the device, so
# that arguments go with the launches, and only what the program sends is sent.
ACCRETE_NOWAIT_MIN=1000000000 ours "$tmp/chain" 20
is "$status$out" "00 wrong" "chains of short regions and directives"
is "$(launched) $(field args_passed) $(field args_read)" "40 40 0" \
  "arguments go with the launch"
is "$(field h2d_copies)" 22 "one copy for each that the program asks for"
ACCRETE_NOWAIT_MIN=1000000000 ours "$tmp/chain" 20 tasks
is "$status$out" "00 wrong" "chains with the host's tasks"
export ACCRETE_NOWAIT_MIN=0
for how in "" tasks; do
  # shellcheck disable=SC2086
  ours "$tmp/chain" 20 $how
  is "$status$out" "00 wrong" "chains, all tasks: $how"
done
for delay in 0 1; do
  export ACCRETE_EMU_DELAY=$delay
  for how in serial threads pthreads end fork; do
    ours "$tmp/nowait" $how 3
    is "$status$out" "00 wrong" "nowait, delay $delay: $how"
    is "$(($(field nowait) > 0))" 1 "kernels run while the program goes on"
  done
  ours "$tmp/nowait-frames"
  is "$status$out" "00 wrong" "nowait in procedures, delay $delay"
  is "$(field nowait)" 3 "what only names data runs while the program goes on"
  for name in nowait launch pool; do
    ACCRETE_DISABLE=$name ours "$tmp/nowait" serial 3
    is "$status$out" "00 wrong" "nowait without $name, delay $delay"
    is "$(field nowait)" 0 "the program waits for its kernels"
  done
done
unset ACCRETE_EMU_DELAY
stock "$tmp/nowait" serial 3
is "$status$out" "00 wrong" "nowait: stock"
ours "$tmp/nowait" threads 100
is "$status$out" "00 wrong" "nowait: more of it"

# ---- Faults -----------------------------------------------------------------
# libgomp's first line and the status are stock's; what follows from the
# device's end may differ.
first () { printf '%s\n' "$err" | grep -m 1 '^libgomp:'; }
for model in acc omp; do
  for how in sync thread; do
    stock "$tmp/fault-$model" $how
    want="$status $out $(first)"
    ours "$tmp/fault-$model" $how
    is "$status $out $(first)" "$want" "$model, $how: a trap, stock's diagnosis"
  done
done
for how in async team; do
  stock "$tmp/fault-omp" $how
  want="$status $out $(first)"
  for turn in 1 2 3 4 5; do
    ours "$tmp/fault-omp" $how
    [ "$status $out $(first)" = "$want" ] || break
  done
  is "$status $out $(first)" "$want" "omp, nowait, $how: a trap, stock's diagnosis"
done
ours "$tmp/fault-acc" async
like "$status $out $(first)" "^1 1 libgomp: .*unspecified launch failure" \
  "acc, async: a trap"
for entry in cuLaunchKernel cuStreamSynchronize cuMemcpyHtoDAsync; do
  for model in acc omp; do
    export ACCRETE_EMU_FAIL=$entry:1
    ours "$tmp/fault-$model"
    case $entry-$model in
      cuMemcpyHtoDAsync-*) is "$status" 0 "$model: no copy of arguments" ;;
      *) like "$status $(first)" "^1 libgomp: cu.* error: " "$model: $entry fails" ;;
    esac
  done
done
# What only we call for a target task: there is always another way.
for entry in cuStreamCreate cuEventCreate cuEventRecord cuStreamWaitEvent \
             cuStreamAddCallback; do
  for how in serial pthreads; do
    ACCRETE_EMU_FAIL=$entry:1+ ours "$tmp/nowait" $how 1
    is "$status$out" "00 wrong" "nowait, $how: no $entry"
  done
done
ACCRETE_EMU_FAIL=cuLaunchKernel:3 ours "$tmp/nowait" serial 1
like "$status $(first)" "^1 libgomp: cuLaunchKernel error: " "nowait: a launch fails"
unset ACCRETE_EMU_FAIL

done_testing
