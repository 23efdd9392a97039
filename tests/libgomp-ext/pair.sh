# Kernels beside each other (ACCRETE_PAIR): stock's results whatever they get of the
# GPU, only where nothing is between them, as measured, and whatever fails.
#
# PAIR_SEEDS  of random sequences, each with every choice (1 to 6)
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"
. "$srcdir/pair-lib.sh"

compile two beside.c -fopenacc -I"$top_srcdir/libgomp-ext"
cache=$XDG_CACHE_HOME
fresh () { rm -rf "$cache"; }
choices='streams serial 1:1 1:3 3:1 1/4 1/2 3/4 2+2 1+3 3+1 :1/4 :1/2 :3/4'

unset ACCRETE_GEOMETRY

# ---- By the clock of a test -------------------------------------------------
# runs N A B: $grids of the last two launches.
runs () {
  ACCRETE_DEBUG=3 ours "$tmp/two" "$@"
  grids=$(grids)
}
large=50000000 full='195312 195312'
runs 20 $large $large
is "$grids" "$full" "off by default"
export ACCRETE_PAIR=1:1
ACCRETE_GEOMETRY=model runs 20 $large $large
half=${grids% *}
[ "$half" -gt 100 ] && [ "$half" -lt 1000 ]; ok $? "half of the GPU" || diag "$half"
is "$grids $(field paired)" "$half $half $((2 * (20 - 3)))" \
  "1:1: both have half of the GPU from the fourth time on"
quarter=$((half / 2))
for row in "1/2 $half 195312" "1:3 $quarter $((3 * quarter))" \
           "3:1 $((3 * quarter)) $quarter" "1/4 $quarter 195312" ":1/4 195312 $quarter" \
           "streams $full"; do
  ACCRETE_PAIR=${row%% *} runs 20 $large $large
  is "$grids" "${row#* }" "${row%% *}"
done
is "$(field paired)" 0 "streams: as they are"
ACCRETE_PAIR=off runs 20 2560 2560
want=$grids
runs 20 2560 2560
is "$grids $(field paired)" "$want 0" "there is room for small ones"
ACCRETE_DISABLE=pair runs 20 $large $large
is "$grids" "$full" "disabled"
ACCRETE_GEOMETRY=9x64 runs 20 $large $large
is "$grids" "9 9" "ACCRETE_GEOMETRY says more"
ACCRETE_PAIR=7 ours "$tmp/two" 1 1
like "$err" "ACCRETE_PAIR: '7' is not valid" "no such value"

# Measured: a launch with so many blocks takes half of the time.
export ACCRETE_PAIR=auto
fresh
FAKE_CUDA_GRID=1 runs 300 $large $large
is "$grids" "$full" "no choice is faster"
# A choice is also watched by the host's own clock (watch.h), by which a loaded machine
# can lose once, but not three times.
three=$((3 * quarter))
takes_three () {
  fresh
  FAKE_CUDA_GRID=$three runs 900 $large $large
  case $grids in
    "$quarter $three" | "$three $quarter" | "$three 195312" | "195312 $three") true ;;
    *) false ;;
  esac
}
takes_three || takes_three || takes_three
ok $? "one with three quarters is" || diag "$grids"
is "$(field geometry_measured)" 5 "measured, beside the kernels themselves and their parts"
want=$grids
FAKE_CUDA_GRID=$half runs 40 $large $large
is "$grids $(field geometry_measured)" "$want 0" "remembered"
FAKE_CUDA_GRID=$half runs 300 $large $large reversed
[ "$(field geometry_measured)" -gt 0 ]
ok $? "the other way round is another pair"
# The host's clock may be wrong here too, and what lost is remembered.
cp -r "$cache" "$tmp/known"
for _ in 1 2 3; do
  fresh
  cp -r "$tmp/known" "$cache"
  FAKE_CUDA_GRID=$half runs 900 $((2 * large)) $large
  [ "$grids" != "$half $half" ] || break
done
is "$grids" "$half $half" "other iterations are measured anew"
fresh
FAKE_CUDA_GRID=$half runs 900 $large 256000
is "${grids% *} $(field geometry_measured)" "$half 6" \
  "anew with a kernel that is faster in a part of the GPU"
fresh
ACCRETE_DISABLE=tune FAKE_CUDA_GRID=$half runs 300 $large $large
is "$grids" "$full" "not without tune"
unset ACCRETE_PAIR

# ---- Real kernels -----------------------------------------------------------
on_emulated_gpu
export ACCRETE_GEOMETRY=model
build_programs
for how in $hows; do
  stock "$tmp/pair.stock" $how 12
  want=$out
  for choice in 1:1 $([ $how != beside ] || echo "$choices"); do
    ACCRETE_PAIR=$choice ACCRETE_EMU_CHECK=2 ours "$tmp/pair" $how 12
    is "$status$out" "0$want" "$how, $choice"
  done
  ACCRETE_PAIR=1:1 ours "$tmp/pair" $how 12
  pairs_as_wanted "$how"
  ok $? "$how: paired" || diag "$(field paired)"
done
ACCRETE_PAIR=1:1 ours "$tmp/pair" one 12
is "$(calls cuStreamWaitEvent)" "$(field paired)" \
  "one queue: the second one waits for what was before, and is waited for"
ACCRETE_PAIR=1:1 ACCRETE_EMU_TRACE=1 ours "$tmp/pair" one 12
like "$err" "cuStreamCreateWithPriority" "and comes before blocks of the first one that wait"
# limits CHOICE: with it the first kernel has all its blocks, and asks for shared memory.
limits () {
  ACCRETE_PAIR=off ACCRETE_DEBUG=3 ours "$tmp/pair" beside 12
  all=$(grids)
  ACCRETE_PAIR=$1 ACCRETE_DEBUG=3 ours "$tmp/pair" beside 12
  now=$(grids)
  is "${now% *} $(calls cuOccupancyMaxActiveBlocksPerMultiprocessor) $(field paired)" \
    "${all% *} 2 18" \
    "$1: as many blocks of the first kernel as without, fewer at a time"
  [ "$(room)" -gt 0 ]; ok $? "$1: by shared memory" || diag "$(room)"
  [ "${now#* }" -lt "${all#* }" ]; ok $? "$1: fewer of the second one" || diag "$now"
}
for choice in 2+2 1+3 3+1; do
  limits $choice
done
# What prints, or has static variables, is behind what is before it; so is all in a
# program that has addresses.
for program in prints global known; do
  stock "$tmp/pair.stock" one 12
  want=$out
  ACCRETE_PAIR=1:1 ours "$tmp/pair-$program" one 12
  is "$status$out $(field paired)" "0$want 0" "one queue, $program"
done
ACCRETE_PAIR=off ours "$tmp/pair" beside 12
waits=$(calls cuStreamWaitEvent)
ACCRETE_PAIR=serial ours "$tmp/pair" beside 12
is "$(($(calls cuStreamWaitEvent) - waits)) $(field paired)" "9 0" \
  "serial: the second one waits"
ACCRETE_PAIR=1:1 ours "$tmp/pair" fails 40
[ "$(field pairs_missed)" -gt 0 ] && [ "$(field pairs_missed)" -lt 8 ]
ok $? "a kernel that does not come is foretold less often" || diag "$(field pairs_missed)"

# Measured on the way, whatever that finds.
for how in beside once one needed; do
  stock "$tmp/pair.stock" $how 150
  want=$out
  fresh
  ACCRETE_PAIR=auto ACCRETE_EMU_CHECK=2 ours "$tmp/pair" $how 150
  is "$status$out" "0$want" "auto, $how"
  [ "$(field geometry_measured)" -gt 0 ]; ok $? "auto, $how: measured"
done

# The program never waits for what is measured.
waits () {
  echo $(($(calls cuCtxSynchronize) + $(calls cuStreamSynchronize) \
    + $(calls cuEventSynchronize)))
}
ACCRETE_PAIR=off ours "$tmp/pair" beside 300
want=$(waits)
fresh
ACCRETE_PAIR=auto ours "$tmp/pair" beside 300
is "$(waits)" "$want" "auto: as many waits as without"

# A child, and an end, between two kernels.
for how in forks leaves; do
  stock "$tmp/pair.stock" $how 40
  want=$out
  for choice in auto 1:1 serial; do
    fresh
    ACCRETE_PAIR=$choice ours "$tmp/pair" $how 40
    is "$status$out" "0$want" "$how, $choice"
  done
done

# The report says why not.
text () { report=text ours "$@"; }
for word in 'inexact 1:1 its results may follow' 'said 1:1 its grid is the program'; do
  # shellcheck disable=SC2086  # a list of words
  set -- $word
  ACCRETE_PAIR=$2 text "$tmp/pair" "$1" 12
  shift 2
  like "$err" "refused: kernel-co-scheduling .*, as $*" "the report: $*"
done

# Target tasks.
for how in beside chain wait; do
  ACCRETE_PAIR=off ours "$tmp/tasks" $how 12
  want=$out
  for choice in $choices; do
    ACCRETE_PAIR=$choice ACCRETE_EMU_CHECK=2 ours "$tmp/tasks" $how 12
    is "$status$out" "0$want" "tasks, $how, $choice"
  done
  # Late, so that the first one has not ended when the second one comes.
  ACCRETE_PAIR=1:1 ACCRETE_EMU_DELAY=1 ours "$tmp/tasks" $how 30
  tasks_as_wanted $how
  ok $? "tasks, $how: paired" || diag "$(field paired)"
done

# The same where they are no tasks, being short: on the NULL stream, and waited for
# where the program waits.  How long a region takes is measured twice at the
# beginning.
for how in beside chain wait copy; do
  ACCRETE_PAIR=off ours "$tmp/tasks" $how 12
  want=$out
  for choice in 1:1 1/4 serial auto; do
    ACCRETE_NOWAIT_MIN=$large ACCRETE_PAIR=$choice ACCRETE_EMU_CHECK=2 \
      ACCRETE_EMU_DELAY=1 ours "$tmp/tasks" $how 12
    is "$status$out" "0$want" "short tasks, $how, $choice"
  done
  ACCRETE_NOWAIT_MIN=$large ACCRETE_PAIR=1:1 ours "$tmp/tasks" $how 12
  short_as_wanted $how
  ok $? "short tasks, $how: paired, and waited for" || diag "$(field paired)"
done

# And where they are long, and would be tasks, but share the GPU.
export ACCRETE_NOWAIT_MIN=500
for how in beside chain wait copy after few; do
  ACCRETE_PAIR=off ours "$tmp/long" $how 12
  want=$out
  ACCRETE_PAIR=1:1 ACCRETE_EMU_CHECK=2 ours "$tmp/long" $how 12
  is "$status$out" "0$want" "long tasks, $how"
  long_as_wanted $how; ok $? "long tasks, $how: none where beside" || diag "$(left)"
done
ACCRETE_PAIR=off text "$tmp/long" beside 40
is "$(left)" 0 "long tasks: not without ACCRETE_PAIR"
export ACCRETE_NOWAIT_MIN=0

# Random sequences.
for seed in ${PAIR_SEEDS-1 2 3 4 5 6}; do
  stock "$tmp/pair.stock" random 8 $seed
  want=$out bad='' together=0
  for choice in $choices; do
    ACCRETE_PAIR=$choice ACCRETE_EMU_CHECK=2 ACCRETE_EMU_DELAY=$((seed % 2)) \
      ours "$tmp/pair" random 8 $seed
    [ "$status$out" = "0$want" ] || bad="$bad $choice"
    together=$((together + $(field paired)))
  done
  is "$bad" "" "random sequence $seed ($together paired)"
done

# Several threads, each with queues of its own.
marked threads async.c -fopenacc -DN=6000 -lpthread
for choice in 1:1 serial auto; do
  ACCRETE_PAIR=$choice ours "$tmp/threads" 60 3 4
  is "$status$out" "00 wrong" "four threads, $choice"
done

# The benchmark's kernels against the host's results.
for m in acc mp; do
  marked bench-$m ../../benchmarks/pair/pairs.c -fopen$m -DLESS=256 -lm \
    -I"$top_srcdir/benchmarks" -foffload-options=nvptx-none=-latomic
  # Late, as above.
  for choice in off 1:1; do
    ACCRETE_PAIR=$choice ACCRETE_EMU_DELAY=1 ours "$tmp/bench-$m" -n 3 -w 9
    is "$status $(printf '%s\n' "$out" | grep -vc WRONG)" "0 16" "pairs, $m, $choice"
    hashes=$(printf '%s\n' "$out" | awk '{ print $1, $4 }')
    [ $choice != off ] || want=$hashes
  done
  is "$hashes" "$want" "pairs, $m: all results"
  [ "$(field paired)" -gt 100 ]; ok $? "pairs, $m: side by side" || diag "$(field paired)"
done

# Whatever fails, kernels run; tries go on where all is measured.
# fails HOW CHOICE ENTRY N...: the Nth call of ENTRY, stock having said $want.
fails () {
  how=$1 choice=$2 entry=$3
  shift 3
  for n; do
    fresh
    ACCRETE_PAIR=$choice ACCRETE_EMU_FAIL=$entry:$n ours "$tmp/pair" "$how" 30
    [ "$status$out" = "0$want" ] || break
  done
  is "$status$out" "0$want" "$how, $choice: $entry fails ($n)"
}
stock "$tmp/pair.stock" beside 30
want=$out
for entry in cuEventCreate cuEventRecord cuEventQuery cuEventElapsedTime cuStreamWaitEvent \
             cuEventDestroy_v2; do
  for choice in auto serial; do
    fails beside $choice $entry 1 2 3 7 1+
  done
done
for entry in cuFuncSetAttribute cuOccupancyMaxActiveBlocksPerMultiprocessor; do
  fails beside 1+3 $entry 1 2 3 7 1+
done
# Those of one queue, of which the program has made the only stream.
stock "$tmp/pair.stock" needed 30
want=$out
for entry in cuEventCreate cuEventRecord cuStreamWaitEvent cuStreamCreateWithPriority; do
  for choice in auto 1:1; do
    fails needed $choice $entry 2 3 4 7 2+
  done
done
first () { printf '%s\n' "$err" | grep -m 1 '^libgomp:'; }
for n in 9 10; do
  ACCRETE_EMU_FAIL=cuLaunchKernel:$n stock "$tmp/pair.stock" beside 30
  want="$status $(first)"
  ACCRETE_PAIR=1:1 ACCRETE_EMU_FAIL=cuLaunchKernel:$n ours "$tmp/pair" beside 30
  is "$status $(first)" "$want" "launch $n fails: stock's words"
done
done_testing
