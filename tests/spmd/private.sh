# Scalars that a region maps, and that each iteration of a loop sets before it reads
# them.  Every program in private/ checks its results against the host's and says in
# comments
#   FLAGS: compiler flags
#   OWN: N	so many of them become the iterations' own
# The checker finds no race in it, nor does it when work is done late, and without
# libgomp-ext and on the host it gives the same.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/comments.sh"
. "$top_srcdir/tests/system/stage.sh"
ACCRETE_EMU_GPU=mini
export ACCRETE_EMU_GPU
emu=$stage/lib/accrete/emu

run_program () {		# HOW COMMAND...
  how=$1
  shift
  "$@" >"$tmp/out" 2>&1
  ok $? "$name: $how" || diag "$(head -n 20 "$tmp/out")"
}

for file in "$srcdir"/private/*.c "$srcdir"/private/*.cc "$srcdir"/private/*.f90; do
  for level in '-O0 -g' -O2; do
    name="${file##*/} $level"
    # -latomic: GCC's reductions of several operations.
    # shellcheck disable=SC2046,SC2086
    if ! messages=$($(compiler "$file") -specs="$specs" $level \
                    $(expected "$file" FLAGS) $stock_flags \
                    -foffload-options=nvptx-none=-latomic -J "$tmp" \
                    -fopt-info-omp "$file" -o "$tmp/prog" -lm 2>&1); then
      ok 1 "$name: builds" || diag "$messages"
      continue
    fi
    is "$(printf '%s\n' "$messages" | grep -c 'each iteration has its own')" \
      "$(expected "$file" OWN)" "$name: variables" || diag "$messages"
    run_program 'no race' "$run" --check=fail "$tmp/prog"
    run_program 'done late' env ACCRETE_EMU_DELAY=1 "$run" --emulate "$tmp/prog"
    run_program 'stock launches' env ACCRETE_DEVICE=0 LD_LIBRARY_PATH="$emu" \
      "$tmp/prog"
    run_program 'on the host' env OMP_TARGET_OFFLOAD=disabled OMP_NUM_THREADS=3 \
      ACC_DEVICE_TYPE=host "$tmp/prog"
  done
done
done_testing
