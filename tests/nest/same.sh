# Programs without regions inside regions compile to the same device code with
# and without all that is for these, with and without optimization.
#
# SAME_PROGRAMS  pattern of names in benchmarks/programs.sh, of which those with
#		nested regions are left out
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
bench=$top_srcdir/benchmarks
off=nested,splice,collect,update

# The device code of the source $1, before anything reads it, to $tmp/HOW.
device_code () (		# SOURCE HOW FLAGS...
  source=$1 how=$2
  shift 2
  rm -rf "$tmp/temps-$how" "$tmp/$how"
  mkdir "$tmp/temps-$how" && cd "$tmp/temps-$how" || exit
  $(compiler "$source") -specs="$specs" -w -frandom-seed=1 -save-temps \
    $stock_flags "$@" "$source" -o x -lm >"$tmp/$how.log" 2>&1
  mv ./*.mkoffload.s "$tmp/$how" 2>>"$tmp/$how.log"
)

same () {			# NAME SOURCE FLAGS...
  name=$1 source=$2
  shift 2
  for level in -O0 -O2; do
    device_code "$source" with "$@" $level &
    device_code "$source" without "$@" $level \
      -fplugin-arg-accrete-disable=$off
    wait
    [ -s "$tmp/with" ] && cmp "$tmp/with" "$tmp/without" >>"$tmp/with.log" 2>&1
    ok $? "$name $level: the same device code" \
      || diag "$(tail "$tmp/with.log" "$tmp/without.log")"
  done
}

same jacobi "$bench/demo/jacobi.c" -fopenacc
same wave "$bench/demo/wave-omp.cc" -fopenmp
same loops "$top_srcdir/tests/spmd/cases/loops.c" -fopenmp
sh "$bench/programs.sh" "${SAME_PROGRAMS:-jacobi*-[ao]??}" \
  | grep -Ev ' nvcc |^[^ ]*nest ' >"$tmp/table"
while read -r name _ flags source _; do
  # shellcheck disable=SC2046  # a list of flags
  same "$name" "$bench/$source" $(echo "$flags" | tr , ' ')
done <"$tmp/table"
done_testing
