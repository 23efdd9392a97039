#!/bin/sh
# Run on a GPU machine, from the folder that bundle.sh filled: results first,
# then tables.  (Default: all.)
# Usage: run.sh [check|generated|errors|semantics|start|cold|compile|constructs|
#		 planner|bulk|programs|nest|nest_omp|nest_large|shuffle|rows|forms]...
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
here=$(cd "$(dirname "$0")" && pwd)
LD_LIBRARY_PATH=$here/lib:$here/accrete/lib/accrete
export LD_LIBRARY_PATH
[ -d "$here/ours" ] || tar xzf "$here/programs.tar.gz" -C "$here" || exit
failed=0
# Of processes, where it is results that count.
jobs=8

# Every program computes, with small sizes, what its stock build computes, and
# checks that itself against the host.  A sum over gangs or teams is added up
# in the order in which they finish, stock's too: its check has to do, as it has
# for what stock GCC cannot build.
agree () {			# NAME ARGS...
  name=$1
  shift
  ours=$("$here/ours/$name" "$@" 2>&1)
  o=$?
  stock=$ours s=$o
  if [ -x "$here/stock/$name" ]; then
    stock=$("$here/stock/$name" "$@" 2>&1)
    s=$?
  fi
  case $name in dot*) [ $s -ne 0 ] || [ $o -ne 0 ] || ours=$stock ;; esac
  if [ $s -eq 0 ] && [ $o -eq 0 ] && [ "$stock" = "$ours" ]; then
    echo pass
  elif [ $s -ne 0 ] && [ $o -ne 0 ]; then
    printf 'stock fails too: %s\n%s\n' "$name" "$stock"
  else
    printf 'FAIL: %s\nstock (%s): %s\nours (%s): %s\n' \
      "$name" $s "$stock" $o "$ours"
  fi
}

check () {
  log=$(mktemp -d)
  {
    printf '%s 200 10\n' demo-c demo-f demo-omp
    for p in "$here"/ours/planner/*; do
      echo "planner/${p##*/} 1000"
    done
    # CUDA has no stock build to agree with.
    awk '$2 != "nvcc" { gsub (",", " ", $5); print $1, $5 }' "$here/programs.txt"
  } >"$log/list"
  for job in $(seq $jobs); do
    awk -v "job=$job" -v "jobs=$jobs" 'NR % jobs == job % jobs' \
      "$log/list" >"$log/list-$job"
    # shellcheck disable=SC2086  # a list of words
    while read -r name sizes; do
      agree "$name" $sizes
    done <"$log/list-$job" >"$log/out-$job" 2>&1 &
  done
  wait
  cat "$log"/out-* | grep -v '^pass$'
  awk '/^pass$/ { good++ } /^FAIL: / { bad++ }
       END { print good + 0 " passed, " bad + 0 " failed"; exit bad > 0 }' \
    "$log"/out-* || failed=$((failed + 1))
  rm -rf "$log"
}

# Generated programs, which compare themselves with the host.
generated () {
  sh "$here/generated/run-programs.sh" || failed=$((failed + 1))
}

gpus="--gpu=libcuda.so.1 --emulated=$here/accrete/lib/accrete/emu/libcuda.so.1"

# What the drivers of the emulated and of the real GPU make of wrong input.
errors () {
  # shellcheck disable=SC2086  # two words
  timeout -k 5 300 "$here/gpu-compare" $gpus --errors || failed=$((failed + 1))
}

# Every instruction form and PROGRAMS (20000) random programs on the emulated
# and on the real GPU; what differs is narrowed down to the instruction.
semantics () {
  share=$((${PROGRAMS:-20000} / jobs))
  log=$(mktemp -d)
  CUDA_CACHE_DISABLE=1
  export CUDA_CACHE_DISABLE
  # shellcheck disable=SC2086  # two words
  "$here/gpu-compare" $gpus --table || failed=$((failed + 1))
  for job in $(seq $jobs); do
    # shellcheck disable=SC2086
    { "$here/gpu-compare" $gpus --programs=$share --show=2 \
	--seed=$((${SEED:-0} + (job - 1) * share + 1))
      echo "status $?"; } >"$log/$job" 2>&1 &
  done
  wait
  cat "$log"/* | grep -v ' differ$\|^status '
  awk -F': ' '/ differ$/ { split ($2, w, ", "); n[$1] += w[1]; opt[$1] += w[2]
			   bad[$1] += $3 }
       /^status/ { jobs++ } $0 == "status 0" { good++ }
       END { for (g in n) print g ": " n[g] " random programs: " bad[g] " differ, " \
				opt[g] " wrong where the driver optimises alone"
	     exit jobs != good }' "$log"/* || failed=$((failed + 1))
  rm -rf "$log"
}

# Copies of 4 KiB to 64 MiB, PROCESSES (5) of each build by turns: least times.
bulk () {
  for _ in $(seq "${PROCESSES:-5}"); do
    for m in acc omp; do
      for side in stock ours; do
	"$here/$side/bulk-$m" 9 4096 16384 65536 262144 1048576 4194304 \
	  16777216 67108864 2>/dev/null | sed "s/^/$side /"
      done
    done
  done | awk '
    { k = $2 " " $3 " " $4 " " $5
      if (!(k in known)) { known[k] = 1; order[++n] = k }
      if (!((k, $1) in us) || $7 < us[k, $1]) us[k, $1] = $7 }
    END {
      printf "%-8s %-7s%7s%12s%12s%12s%8s\n", "model", "way", "arrays", "bytes",
	"stock", "ours", "GB/s"
      for (i = 1; i <= n; i++) {
	split (order[i], c, " "); k = order[i]
	printf "%-8s %-7s%7d%12d%12.1f%12.1f%8.1f\n", c[1], c[2], c[3], c[4],
	  us[k, "stock"], us[k, "ours"],
	  (c[2] == "tofrom" ? 2 : 1) * c[4] / us[k, "ours"] / 1e3
      } }'
}

constructs () {
  "$here/launches" 40
  RUNNER=$here/accrete/bin/accrete-run \
    sh "$here/scripts/constructs.sh" "$here/stock" 40 "$here/ours"
  for graphs in 0 1 2; do
    echo "launches as graphs: $graphs"
    for m in acc omp; do
      ACCRETE_GRAPHS=$graphs "$here/ours/constructs-$m" 40 present_3 present_16 \
	loop_present_3 scalar_varies_1 queued_1 loop_tofrom_3 2>/dev/null
    done
  done
  for off in none arena fence arena,fence geometry all; do
    echo "fork-join, off: $off"
    ACCRETE_DISABLE=$off "$here/ours/constructs-omp" 40 forkjoin_critical \
      forkjoin_task forkjoin_barrier 2>/dev/null
  done
  for off in none lend; do
    echo "operands that libgomp merges, off: $off"
    for m in acc omp; do
      ACCRETE_DISABLE=$off "$here/ours/constructs-$m" 100 tofrom_3 to_16 \
	tofrom_16 2>/dev/null
    done
  done
  for off in none overwrite; do
    echo "operands that are overwritten, off: $off"
    for m in acc omp; do
      ACCRETE_DISABLE=$off "$here/ours/constructs-$m" 100 loop_tofrom_3 \
	over_16_64Ki 2>/dev/null
    done
  done
  echo "copies of 16 x 16 KiB, microseconds"
  "$here/copies" 300
  for m in acc omp; do
    echo "short kernels are waited for when something needs them, $m"
    ACCRETE_DEFER_MAX=20 "$here/ours/constructs-$m" 40 loop_present_1 \
      scalar_1 2>/dev/null
  done
  for p in demo-c demo-f demo-omp; do
    for n in 2 40; do
      printf '%s, %s steps: ' $p $n
      ACCRETE_REPORT=json "$here/ours/$p" 128 $n 2>&1 >/dev/null \
	| grep -o '"launches":[0-9]*,"allocs":[0-9]*,"frees":[0-9]*'
    done
  done
}

# Milliseconds that it takes to load a program's device code: without the cache of
# linked code (by default stock's libgomp does the same), and in the first and the
# second process with one.  Medians of five; the driver keeps nothing.
start () {
  cache=$(mktemp -d)
  printf '%-20s%10s%10s%10s\n' program without first second
  for p in stock/demo-c ours/demo-c stock/demo-omp ours/demo-omp; do
    for how in without first second; do
      for _ in 1 2 3 4 5; do
	[ $how != first ] || rm -rf "$cache/accrete"
	disable=
	[ $how != without ] || disable=jit_cache
	CUDA_CACHE_DISABLE=1 XDG_CACHE_HOME=$cache ACCRETE_DISABLE=$disable \
	  ACCRETE_DEBUG=1 "$here/accrete/bin/accrete-run" "$here/$p" 64 2 2>&1 \
	  | sed -n 's/.*device code loaded in \(.*\) ms/\1/p'
      done | sort -n | awk 'NR == 3 { t = $1 } END { print NR == 5 ? t : "-" }'
    done | awk -v "program=$p" '
      { cells = cells sprintf ("%10s", $1) } END { printf "%-20s%s\n", program, cells }'
  done
  rm -rf "$cache"
}

# Wall time of processes; the programs also come with machine code (bundle.sh).
cold_programs="gaussblur-acc gaussblur-omp tricubic-acc tricubic-omp sincos-omp jacobi-f-omp"
cold () {
  printf '%-22s%10s%10s%10s%10s%10s%10s%10s\n' program stock whole one first second third ahead
  {
    printf '%s 64 2\n' demo-c demo-f demo-omp
    for p in $cold_programs; do
      awk -v "p=$p" '$1 == p { split ($5, n, ","); print p, n[1] }' "$here/programs.txt"
    done
  } | while read -r name sizes; do
    # shellcheck disable=SC2086  # a list of words
    sh "$here/scripts/cold.sh" "$name" \
      "$here/stock/$name" "$here/ours/$name" "$here/ahead/$name" $sizes </dev/null
  done
}

# Does the driver compile in several threads at a time, and does it delay launches?
compile () {
  "$here/compile" 16 4 400
  "$here/compile" 16 1 100
}

# SIZES, floats of an array: those of the paper.  A size takes two minutes, the
# larger ones more; PROCESSES (5), fewer, and ROWS shorten that.
planner () {
  # shellcheck disable=SC2086  # a list of words
  sh "$here/scripts/table5.sh" "$here/stock/planner" \
    "$here/ours/planner" ${SIZES:-}
}

# Loops that `kernels` leaves on one thread would take minutes, and the programs
# with nested regions have tables of their own, but for bfs.  ROWS, a regular
# expression, selects programs.  The first launches of ours measure.
programs () {
  grep -vE '^[^ ]*-(kernels|auto) ' "$here/programs.txt" \
    | awk '!/ nest\// || /^bfs-(acc|omp) /' \
    | grep -E "${ROWS:-.}" \
    | (cd "$here" && REPEATS=100 sh scripts/time-programs.sh stock ours cuda)
}

# All forms of the programs with nested regions: with sizes of the kind that the
# paper names, in OpenACC and CUDA, and in OpenMP; and with some of the kind of its
# successor (CGO 2022).
nest () {
  nest_sizes | nest_table acc cuda
}
nest_omp () {
  nest_sizes | nest_table omp
}
nest_sizes () {
  cat <<END
qt 40000,12,1
bfs 10000,1000
sssp 4096,16
gc 4096,41
mstf 4096,16
mstv 4096,16
sp 10500,4,3
bt 25600,32
bh 4096,256
ccl 8,128,128
END
}
# The graphs are R-MAT ones here (2), as of Graph 500, and the formula is one of
# 5-SAT.
nest_large () {
  nest_table acc cuda <<END
bfs 65536,37,2
sssp 65536,37,2
gc 65536,37,2
mstf 65536,37
mstv 65536,37
sp 1117,21,5
bt 20000,2048
bh 32768,256
ccl 8,512,512
qt 200000,12,1
END
}
nest_table () {			# LANGUAGE...
  grep -E "${ROWS:-.}" | sh "$here/scripts/table.sh" "$here" "$@"
}

# The lines of programs.txt for OPERATOR-acc; in three dimensions smaller, but
# larger than the caches of GPUs.
operators () {
  for name; do
    grep "^$name-acc " "$here/programs.txt" \
      | sed 's/ 512,512,512$/ 128,512,512/'
  done
}

# The time of kernels in each FOLDER for the programs on the standard input, and
# what the second one gains over the first.  TIME, seconds, is when to stop.
# Several programs get ready at once, and are timed in turn.
kernels () {			# FOLDER...
  set_up=4 turn=$(mktemp)
  cat >"$turn.list"
  for job in $(seq $set_up); do
    awk -v "job=$job" -v "jobs=$set_up" 'NR % jobs == job % jobs' "$turn.list" \
      | (cd "$here/shuffle" && KERNELS=1 BENCH_TURN=$turn REPEATS=1000 \
	   timeout "${TIME:-165}" sh ../scripts/time-programs.sh "$@") &
  done | awk '
    $1 == "program" { if (header++) next }
    { print; fflush () }
    $2 + 0 && $3 + 0 {
      gain = $2 / $3; sum += log (gain); n++
      if (n == 1 || gain > best) { best = gain; best_of = $1 }
      if (n == 1 || gain < worst) { worst = gain; worst_of = $1 } }
    END {
      if (n)
	printf "first / second: geometric mean %.3f, best %.3f (%s), worst %.3f (%s)\n", \
	  exp (sum / n), best, best_of, worst, worst_of }'
  rm -f "$turn" "$turn.list"
}

# The paper's operators, in C and Fortran: SPMD kernels without the pass shuffle
# and with one row a thread, and the default, which measures the forms of a kernel
# in its first launches, so that there are many; then GCC's form of the nests
# without shuffles, in the paper's form, with halos, with what a lane keeps, and
# in the two forms that only measure.
shuffle () {
  [ -x "$here/cuda/calibrate" ] && "$here/cuda/calibrate"
  operators gaussblur gaussblur-f jacobi-f jacobi laplacian laplacian-f \
	    wave13pt wave13pt-f tricubic tricubic-f lapgsrb gameoflife \
	    whispering uxx1 tricubic2 divergence gradient vecadd sincos \
	    matvec matmul \
    | kernels plain auto off paper no-load no-corner halo keep
}

# SPMD kernels with several rows a thread.
rows () {
  operators gaussblur gaussblur-f jacobi-f jacobi laplacian laplacian-f \
	    wave13pt tricubic lapgsrb gameoflife whispering uxx1 \
    | kernels plain auto rows-4 rows-8
}

# What every candidate takes that the runtime measures, in one process a program
# (NAMES): kernels with several rows a thread in all their forms, and these in all
# geometries.
forms () {
  operators ${NAMES:-gameoflife jacobi jacobi-f gaussblur gaussblur-f laplacian \
		     laplacian-f uxx1 wave13pt lapgsrb tricubic whispering} \
    | while read -r name _ _ _ _ large; do
      # shellcheck disable=SC2046  # a list of arguments
      ACCRETE_GEOMETRY=all ACCRETE_REPORT=counters ACCRETE_TIMES=1 \
	"$here/shuffle/${FOLDER:-auto}/$name" --time="${REPEATS:-4000}" \
	$(echo "$large" | tr , ' ') 2>&1 </dev/null \
	| sed -n 's/^accrete: kernel [^ ]* \(form.*\): \([0-9]*\) launches timed, median \([^ ]*\) us, least \([^ ,]*\),.*/'"$name"' \3 \4 \2 \1/p' \
	| sort -k2n
    done
}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
for part in ${*:-check generated errors semantics start cold compile constructs \
		  bulk planner \
		  programs nest nest_omp nest_large shuffle rows}; do
  echo "== $part"
  $part
done
exit $((failed != 0))
