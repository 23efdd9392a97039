# What a construct gives back is left until the host looks: random programs
# (late-program.c) print what stock's builds print.
# usage: late.sh; LATE_SEEDS="1 2 3..." are tried
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"
. "$srcdir/late-lib.sh"

late=0 unwaited=0
for seed in ${LATE_SEEDS-1 2 3}; do
  for m in acc mp; do
    # OpenMP takes longer.
    [ $m = acc ] || [ $((seed % 3)) -eq 1 ] || continue
    programs $seed $m -O$((seed % 3 + 1))
    stock "$tmp/stock"
    wanted
    for delay in 0 1; do
      ACCRETE_EMU_DELAY=$delay ours "$tmp/marked"
      is "$status$out" "$want" "program $seed, $m, delay $delay"
    done
    late=$((late + $(field d2h_late))) unwaited=$((unwaited + $(field unwaited)))
  done
done
[ $late -gt 100 ]; ok $? "copies are left" || diag $late
[ $unwaited -gt 100 ]; ok $? "and kernels" || diag $unwaited
ACCRETE_DISABLE=late ours "$tmp/marked"
is "$status$out $(field d2h_late) $(field unwaited)" "$want 0 0" \
  "ACCRETE_DISABLE=late"

# Other ways to look, compiled in ways that tell the compiler more.
for m in acc mp; do
  cp "$srcdir/look.c" "$tmp/program.c"
  build stock $m -O2 -lpthread
  stock "$tmp/stock"
  wanted
  for flags in -O2 "-O3 -fipa-pta"; do
    # shellcheck disable=SC2086  # a list of words
    build marked $m $flags -lpthread "-fplugin=$plugin"
    ACCRETE_EMU_DELAY=1 ours "$tmp/marked"
    is "$status$out" "$want" "all ways to look: $m $flags"
  done
done

# Ways out of a function.
for from in unwind.cc interrupted.c; do
  source=program.${from#*.}
  cp "$srcdir/$from" "$tmp/$source"
  for m in acc mp; do
    build stock $m -O2
    stock "$tmp/stock"
    wanted
    build marked $m -O2 "-fplugin=$plugin"
    ACCRETE_EMU_DELAY=1 ours "$tmp/marked"
    is "$status$out" "$want" "$from: $m"
  done
done
source=program.c

# What fails is stock's to report, and nothing hangs.  (A program in which the third
# copy back is made at a launch has another message besides.)
programs 5 acc -O1
said () { printf '%s\n' "$status $err" | grep '^[0-9]* *$\|^libgomp' \
  | sed 's/[[(].*//'; }
for fault in cuMemHostAlloc:1+ cuEventCreate:1+ cuEventRecord:1+ \
             cuMemcpyDtoHAsync:1+=1 cuMemcpyDtoHAsync:7=1; do
  stock "$tmp/stock"
  wanted
  ACCRETE_EMU_FAIL=$fault ours "$tmp/marked"
  is "$status$out" "$want" "$fault: nothing is lost"
done
for fault in cuMemcpyDtoH:3+=1 cuLaunchKernel:10+=719; do
  export ACCRETE_EMU_FAIL=$fault
  stock "$tmp/stock"
  want=$(said)
  # Then it is copied as the plugin would.
  export ACCRETE_EMU_FAIL=$fault,cuMemcpyDtoHAsync:1+=1
  ours "$tmp/marked"
  is "$(said)" "$want" "$fault: stock's diagnosis"
  unset ACCRETE_EMU_FAIL
done
# So does a copy to the device that is held back while one back is owed, and that
# fails both ways; the first two are the driver's.
cp "$srcdir/owed.c" "$tmp/program.c"
for m in acc mp; do
  build stock $m -O2
  stock "$tmp/stock"
  wanted
  lost=
  build marked $m -O2 "-fplugin=$plugin"
  for n in $(seq 12); do
    ACCRETE_EMU_FAIL=cuMemcpyHtoDAsync:$n=1,cuMemcpyHtoD:3+=1 ours "$tmp/marked"
    [ "$status$out" = "$want" ] || [ "$status" -ne 0 ] || lost="$lost $n"
  done
  is "$lost" "" "no copy is lost without a word, $m"
done
done_testing
