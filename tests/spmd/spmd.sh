# Programs whose regions become SPMD kernels, and those that must not.
# Every file in cases/ checks its own results against the host's, and says in
# comments:
#   ACCEPT: N		so many regions become kernels
#   REJECT: REASON	one region does not, for this reason; in the order of
#			the source
#   FEWER: N		so many of these start no more teams than they can use
#			(not checked without it)
#   INTERCHANGED: N	so many have their collapsed loops in another order (the same)
#   TILES: N		so many say that their iterations are in tiles (the same)
#   COLUMNS: N		so many let neighbouring threads have iterations of the outer
#			loop (the same)
#   FLAGS: FLAGS	what it needs instead of -fopenmp
#   LEVEL: LEVEL	of optimization, the only one
#   HOST: NAME=VALUE	what the environment says on the host
# It is built at -O0 -g and -O2 otherwise, and run on the emulated GPU with
# libgomp-ext, without it (stock libgomp's launches), and on the host.
#
# SPMD_CASES  the cases, all of them by default
# SPMD_STAGE  the installed tree to test
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/comments.sh"
. "$top_srcdir/tests/system/stage.sh"
# Few multiprocessors: libgomp sizes its launches by them.
ACCRETE_EMU_GPU=mini
export ACCRETE_EMU_GPU
stage=${SPMD_STAGE-$stage}
specs=$stage/lib/accrete/accrete.specs
run=$stage/bin/accrete-run
emu=$stage/lib/accrete/emu

run_case () {			# HOW COMMAND...
  how=$1
  shift
  "$@" >"$tmp/out" 2>&1
  ok $? "$name: $how" || diag "$(head -n 20 "$tmp/out")"
}

check_case () {			# FILE LEVEL
  file=$1 level=$2 name="${1##*/} $2"
  flags=$(expected "$file" FLAGS)
  # -latomic: GCC's own form of several reductions, which is there without
  # optimization, links with nothing less.
  # shellcheck disable=SC2086
  if ! messages=$($(compiler "$file") -specs="$specs" $level ${flags:--fopenmp} \
                  -foffload-options=nvptx-none=-latomic $stock_flags \
                  -fopt-info-omp-all -J "$tmp" "$file" -o "$tmp/prog" -lm 2>&1)
  then
    ok 1 "$name: builds" || diag "$messages"
    return
  fi
  is "$(printf '%s\n' "$messages" | grep -c 'becomes an SPMD kernel')" \
    "$(expected "$file" ACCEPT | grep . || echo 0)" "$name: kernels" \
    || diag "$messages"
  is "$(printf '%s\n' "$messages" \
        | sed -n 's/^[^:]*:\([0-9]*\):.*stays in [^:]* mode: /\1 /p' \
        | sort -n -s | sed 's/^[0-9]* //')" \
    "$(expected "$file" REJECT)" "$name: why others are none"
  fewer=$(expected "$file" FEWER)
  [ -z "$fewer" ] \
    || is "$(printf '%s\n' "$messages" | grep -c 'no more teams than')" \
         "$fewer" "$name: fewer teams"
  interchanged=$(expected "$file" INTERCHANGED)
  [ -z "$interchanged" ] \
    || is "$(printf '%s\n' "$messages" | grep -c 'loops interchanged')" \
	 "$interchanged" "$name: interchanged loops"
  columns=$(expected "$file" COLUMNS)
  [ -z "$columns" ] \
    || is "$(printf '%s\n' "$messages" | grep -c 'neighbouring threads have')" \
	 "$columns" "$name: columns"
  tiles=$(expected "$file" TILES)
  [ -z "$tiles" ] \
    || is "$(tr '\000' '\n' <"$tmp/prog" \
             | grep -ao 'ACCRETE-TAG .* tiles=1' | sort -u | wc -l)" \
         "$tiles" "$name: tiles"
  run_case 'with libgomp-ext' "$run" --emulate "$tmp/prog"
  run_case 'stock launches' env ACCRETE_DEVICE=0 LD_LIBRARY_PATH="$emu" \
    "$tmp/prog"
  run_case 'on the host' env OMP_TARGET_OFFLOAD=disabled OMP_NUM_THREADS=3 \
    ACC_DEVICE_TYPE=host $(expected "$file" HOST) "$tmp/prog"
}

for file in ${SPMD_CASES-"$srcdir"/cases/*.c "$srcdir"/cases/*.cc \
            "$srcdir"/cases/*.f90}; do
  only=$(expected "$file" LEVEL)
  for level in '-O0 -g' -O2; do
    [ "${only:-$level}" != "$level" ] || check_case "$file" "$level"
  done
done
done_testing
