# Small kernels of a list that are launched as one (ACCRETE_GRAPHS and ACCRETE_PAIR),
# under real programs on the emulated GPU: as many as can be, with everybody's results,
# whatever fails.
#
# BATCH_SEEDS  of sequences of kernels (1 to 6)
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

on_emulated_gpu
export ACCRETE_EMU_GPU=mini ACCRETE_EMU_STATS=1 ACCRETE_GEOMETRY=model
apart="$with_plugin $with_post -fplugin-arg-accrete-disable=resident-loops,vertical-fusion"
for m in acc mp; do
  compile batch-$m batch.c -fopen$m $apart
done
# Short nowait regions are no tasks, and are launched with others as well.
compile batch-nowait batch.c -fopenmp $apart -DNOWAIT
export ACCRETE_NOWAIT_MIN=50000000
compile prints batch.c -fopenacc $apart -DPRINTS
compile global batch.c -fopenacc $apart -DGLOBAL

# ---- Which are ---------------------------------------------------------------
export ACCRETE_GRAPHS=3 ACCRETE_PAIR=auto
for m in acc mp nowait; do
  # Five independent kinds of kernels in a round, on the same eight arrays.
  ours "$tmp/batch-$m" 60 0 20
  is "$status$out" "00 wrong" "independent kernels, $m"
  [ "$(field batched)" -gt 600 ] && [ "$(calls cuLaunchKernel)" -lt 600 ]
  ok $? "$m: most go with others" || diag "$(field batched) $(calls cuLaunchKernel)"
  for off in ACCRETE_PAIR=off ACCRETE_GRAPHS=1 ACCRETE_DISABLE=kernel-co-scheduling \
	     ACCRETE_DISABLE=graph-launch ACCRETE_TIMES=1 "ACCRETE_TRACE=$tmp/trace"; do
    export "$off"
    ours "$tmp/batch-$m" 60 0 20
    is "$status$out $(field batched)" "00 wrong 0" "$m, $off: none"
    unset "${off%%=*}"
    ACCRETE_GRAPHS=3 ACCRETE_PAIR=auto
    export ACCRETE_GRAPHS ACCRETE_PAIR
  done
done
for m in acc mp nowait; do
  ACCRETE_GEOMETRY=2x32 ours "$tmp/batch-$m" 20 0 20
  is "$status$out" "00 wrong" "$m: fewer threads than iterations"
  [ "$(field batched)" -gt 200 ]; ok $? "$m, fewer threads: most go with others"
done
# What prints, or has static variables, keeps its place.
for program in prints global; do
  ours "$tmp/$program" 60 0 20
  is "$status$out $(field batched)" "00 wrong 0" "$program: none"
done
report=text ours "$tmp/batch-acc" 60 0 20
like "$err" "kernel-co-scheduling" "the report names them"
# Why others are launched by themselves.
why () { like "$err" "refused: kernel-co-scheduling .* as $1" "the report: $1"; }
report=text ours "$tmp/batch-acc" 60 1 20
why "kernels of its list access what it writes"
why "its code, or grid, cannot stand beside another kernel's"
ACCRETE_EMU_GPU=mini ACCRETE_GEOMETRY=64x64 report=text ours "$tmp/batch-acc" 20 0 20
why "it needs more than half of the GPU"
report=text ours "$tmp/prints" 20 0 20
why "more may be seen of it than what it stores"
report=text ours "$tmp/batch-acc" 20 0 1
why "its list has no other small kernel"
compile queue ../../benchmarks/pair/halos.c -fopenacc $apart -DASYNCHRONOUS \
  -I"$top_srcdir/benchmarks"
report=text ours "$tmp/queue" -n 12 -s 6 -r 2
why "small kernels of a queue are launched by themselves"
ACCRETE_DISABLE=kernel-copy-reordering report=text ours "$tmp/batch-acc" 20 0 20
why "small kernels were not kept for it"
ACCRETE_DISABLE=lazy-copy-back report=text ours "$tmp/batch-acc" 20 0 20
why "it is waited for before a list"

# Beside the program: sooner where they are on disk, as those above are.
export ACCRETE_GRAPHS=2
# beside ROUNDS WHAT: some are, in one of five runs.
beside () {
  for _ in 1 2 3 4 5; do
    ours "$tmp/batch-acc" "$1" 0 20
    [ "$status$out" = "00 wrong" ] && [ "$(field batched)" -eq 0 ] || break
  done
  is "$status$out" "00 wrong" "$2: results"
  [ "$(field batched)" -gt 0 ]; ok $? "$2" || diag "$(field batched)"
}
beside 900 "found beside the program"
rm -rf "$XDG_CACHE_HOME"
ours "$tmp/batch-acc" 500 0 20
is "$status$out $(field batched)" "00 wrong 0" "nothing is made soon"
beside 5000 "made beside the program"
export ACCRETE_GRAPHS=3

# ---- Parts of arrays ---------------------------------------------------------
# Rows and columns at the ends of three arrays are apart; with one element that both have,
# in a corner, they come one behind the other.
for m in acc mp nowait; do
  how=-fopen$m
  [ $m != nowait ] || how='-fopenmp -DNOWAIT'
  # shellcheck disable=SC2086  # a list of flags
  compile borders-$m borders.c $how $apart
  ACCRETE_EMU_CHECK=2 ours "$tmp/borders-$m" 60 0 12
  is "$status$out" "00 wrong" "borders, $m"
  [ "$(field batched)" -gt 600 ]; ok $? "borders, $m: they go together" \
    || diag "$(field batched) $(calls cuLaunchKernel)"
done
compile corners borders.c -fopenacc $apart -DCORNERS
for m in acc mp; do
  CC=$FC compile borders-f-$m borders.f90 -fopen$m $apart
done
# behind PROGRAM ARGUMENTS: launches of a round, where a batch has all that it can.
behind () {
  ACCRETE_EMU_CHECK=2 ours "$@"
  [ "$status$out" = "00 wrong" ] || echo "$status$out"
  echo $((($(calls cuLaunchKernel) + 5) / $2))
}
is "$(behind "$tmp/borders-acc" 60 0 12) $(behind "$tmp/corners" 60 0 12)" "2 4" \
  "twice as many launches with corners"
is "$(behind "$tmp/borders-f-acc" 40 0) $(behind "$tmp/borders-f-acc" 40 1)" "1 2" \
  "Fortran: the same"
for more in 0 1; do
  ACCRETE_EMU_CHECK=2 ours "$tmp/borders-f-mp" 40 $more
  is "$status$out" "00 wrong" "Fortran, OpenMP, $more"
  [ "$(field batched)" -gt 100 ]; ok $? "Fortran, OpenMP, $more: they go together"
done
report=text ours "$tmp/corners" 20 0 3
why "kernels of its list access what it writes"
report=text ours "$tmp/borders-acc" 20 0 4
unlike "$err" "kernels of its list access" "the report: borders do not"

# ---- In which order ----------------------------------------------------------
for seed in ${BATCH_SEEDS-1 2 3 4 5 6}; do
  for m in acc mp nowait; do
    bad='' together=0
    for length in 9 20 33; do
      for delay in 0 1; do
	for program in batch borders; do
	  ACCRETE_EMU_DELAY=$delay ACCRETE_EMU_CHECK=2 \
	    ours "$tmp/$program-$m" 30 $seed $length
	  [ "$status$out" = "00 wrong" ] || bad="$bad $program:$length:$delay"
	  together=$((together + $(field batched)))
	done
      done
    done
    is "$bad" "" "seed $seed, $m ($together went with others)"
    [ $together -gt 0 ]; ok $? "seed $seed, $m: some do"
  done
done
for m in acc mp nowait; do
  how=-fopen$m
  [ $m != nowait ] || how='-fopenmp -DASYNCHRONOUS'
  # shellcheck disable=SC2086  # a list of flags
  marked halos-$m ../../benchmarks/pair/halos.c $how -I"$top_srcdir/benchmarks"
  ACCRETE_EMU_CHECK=2 ours "$tmp/halos-$m" -n 12 -s 6 -r 2
  is "$status ${out##* }" "0 $(echo "$out" | awk '{ print $3 }')" "borders of fields, $m"
  [ "$(field batched)" -gt 500 ]; ok $? "$m: they go together" || diag "$(field batched)"
done

# ---- Whatever fails ------------------------------------------------------------
for entry in cuModuleLoadData cuModuleGetFunction cuFuncGetAttribute cuCtxPushCurrent_v2 \
             cuLinkCreate cuLinkAddData cuLinkComplete; do
  for n in 2 3 9 20; do
    rm -rf "$XDG_CACHE_HOME"
    ACCRETE_PAIR=off ACCRETE_EMU_FAIL=$entry:$n ours "$tmp/batch-acc" 20 0 20
    # What fails without batches as well is not about them.
    [ "$status$out" = "00 wrong" ] || continue
    rm -rf "$XDG_CACHE_HOME"
    ACCRETE_EMU_FAIL=$entry:$n ours "$tmp/batch-acc" 20 0 20
    is "$status$out" "00 wrong" "$entry fails ($n)"
  done
done
# A batch that cannot be launched: its kernels are, one by one.
ours "$tmp/batch-acc" 20 0 20
first=$(calls cuLaunchKernel)
ACCRETE_EMU_FAIL=cuLaunchKernel:$((first / 2)) ours "$tmp/batch-acc" 20 0 20
is "$status$out" "00 wrong" "a batch that is refused"
done_testing
