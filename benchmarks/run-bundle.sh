#!/bin/sh
# Run on a GPU machine, from the folder that bundle.sh filled: results first,
# then tables.  (Default: all.)
# Usage: run.sh [check|semantics|constructs|planner|programs|nest|nest_large|
#		  shuffle|rows]...
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
here=$(cd "$(dirname "$0")" && pwd)
LD_LIBRARY_PATH=$here/lib:$here/accrete/lib/accrete
export LD_LIBRARY_PATH
failed=0 passed=0

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
    passed=$((passed + 1))
  elif [ $s -ne 0 ] && [ $o -ne 0 ]; then
    printf 'stock fails too: %s\n%s\n' "$name" "$stock"
  else
    failed=$((failed + 1))
    printf 'FAIL: %s\nstock (%s): %s\nours (%s): %s\n' \
      "$name" $s "$stock" $o "$ours"
  fi
}

check () {
  for p in demo-c demo-f demo-omp; do
    agree $p 200 10
  done
  for p in "$here"/ours/planner/*; do
    agree "planner/${p##*/}" 1000
  done
  while read -r name compiler _ _ small _; do
    [ "$compiler" = nvcc ] && continue	# has no stock build to agree with
    # shellcheck disable=SC2046  # a list of words
    agree "$name" $(echo "$small" | tr , ' ')
  done <"$here/programs.txt"
  echo "$passed passed, $failed failed"
}

# Every instruction form and PROGRAMS (20000) random programs on the emulated
# and on the real GPU; what differs is narrowed down to the instruction.
semantics () {
  jobs=8
  share=$((${PROGRAMS:-20000} / jobs))
  gpus="--gpu=libcuda.so.1 --emulated=$here/accrete/lib/accrete/emu/libcuda.so.1"
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
  awk -F': ' '/ differ$/ { split ($2, w, " "); n[$1] += w[1]; split ($3, v, " ")
			   bad[$1] += v[1] }
       /^status/ { jobs++ } $0 == "status 0" { good++ }
       END { for (g in n) print g ": " n[g] " random programs: " bad[g] " differ"
	     exit jobs != good }' "$log"/* || failed=$((failed + 1))
  rm -rf "$log"
}

constructs () {
  ACCRETE_RUN=$here/accrete/bin/accrete-run \
    sh "$here/scripts/constructs.sh" "$here/stock" 40 "$here/ours"
  for off in none arena fence arena,fence geometry all; do
    echo "fork-join, off: $off"
    ACCRETE_DISABLE=$off "$here/ours/constructs-omp" 40 forkjoin_critical \
      forkjoin_task forkjoin_barrier 2>/dev/null
  done
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

planner () {
  sh "$here/scripts/table5.sh" "$here/stock/planner" "$here/ours/planner"
}

# Loops that `kernels` leaves on one thread would take minutes.  ROWS, a regular
# expression, selects programs.
programs () {
  grep -vE '^[^ ]*-(kernels|auto) ' "$here/programs.txt" | grep -E "${ROWS:-.}" \
    | (cd "$here" && sh scripts/time-programs.sh stock ours cuda)
}

# All forms of the programs with nested regions.  Sizes first of the kind that
# the paper names, then of the kind of its successor (CGO 2022), in one language
# of directives.
nest () {
  nest_table acc omp cuda <<END
bfs 10000,1000
sssp 4096,16
gc 4096,41
mstf 4096,16
mstv 4096,16
sp 10500,4
bt 25600,32
bh 4096,256
ccl 8,256,256
qt 40000,12,1
END
}
nest_large () {
  nest_table acc cuda <<END
bfs 65536,37
sssp 65536,37
gc 65536,37
mstf 65536,37
mstv 65536,37
sp 131072,4
bt 20000,512
bh 32768,256
ccl 8,512,512
qt 200000,12,1
END
}
nest_table () {			# LANGUAGE...
  grep -E "${ROWS:-.}" | sh "$here/scripts/table.sh" "$here" "$@"
}

# The lines of programs.txt for OPERATOR-acc in smaller sizes, but larger than
# the caches of GPUs.
operators () {
  for name; do
    grep "^$name-acc " "$here/programs.txt" \
      | sed 's/ 512,512,512$/ 64,512,512/; s/ 8192,8192$/ 4096,4096/'
  done
}

# The paper's operators, in C and Fortran: GCC's form of the nests without
# shuffles, in the paper's form, with halos, with what a lane keeps, and in the
# two forms that only measure; then plain kernels without the pass, and the
# default.  TIME, seconds, is when to stop: those where it matters come first.
shuffle () {
  [ -x "$here/cuda/calibrate" ] && "$here/cuda/calibrate"
  operators gaussblur gaussblur-f jacobi-f jacobi laplacian laplacian-f \
	    wave13pt wave13pt-f tricubic tricubic-f lapgsrb gameoflife \
	    whispering uxx1 tricubic2 divergence gradient vecadd sincos \
	    matvec matmul \
    | (cd "$here/shuffle" && timeout "${TIME:-300}" \
	 sh ../scripts/time-programs.sh \
	 off paper halo keep no-load no-corner rows-4 auto)
}

# Plain kernels with several rows a thread.
rows () {
  operators gaussblur gaussblur-f jacobi-f jacobi laplacian wave13pt tricubic \
	    lapgsrb gameoflife whispering \
    | (cd "$here/shuffle" && timeout "${TIME:-300}" \
	 sh ../scripts/time-programs.sh off plain rows-2 rows-4 rows-8)
}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
for part in ${*:-check semantics constructs planner programs nest nest_large shuffle rows}; do
  echo "== $part"
  $part
done
exit $((failed != 0))
