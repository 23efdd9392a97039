# Generated programs, one after the other: each is written, compiled by itself
# and run on the emulated GPU, and compares what its regions do there with what
# the same loops do on the host.  Programs of the model "forkjoin" must keep
# that form.  program.sh says which numbers are which.
#
# FIRST, N    the programs' numbers: N from FIRST
# RECORD      a file that gets a line for each; those in it are not run again
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
. "$srcdir/program.sh"
command -v perl >/dev/null || { skip "no perl" "generated programs"
                                done_testing; exit; }
record=${RECORD-$tmp/record}
ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia
export ACCRETE_EMU_GPU ACC_DEVICE_TYPE

# Build and run program $1; the result is in $kernels and, if anything is wrong,
# $why and $tmp/out.
try_program () {
  describe_program "$1"
  file=$tmp/program.$lang kernels=0
  why="is not written"
  write_program "$1" >"$file" 2>"$tmp/out" || return
  why="does not build"
  # shellcheck disable=SC2046  # a list of flags
  $(compiler "$file") -specs="$stage/lib/accrete/accrete.specs" \
    $(program_flags "$1") -fopt-info-omp-optimized -J "$tmp" "$file" \
    -o "$tmp/program" -lm >"$tmp/out" 2>&1 || return
  kernels=$(grep -c 'made a plain kernel' "$tmp/out")
  why="became a kernel"
  [ $model != forkjoin ] || [ "$kernels" -eq 0 ] || return
  why="computes something else"
  timeout 120 "$stage/bin/accrete-run" --emulate "$tmp/program" \
    >"$tmp/out" 2>&1 || return
  why=
}

touch "$record"
first=${FIRST-1}
for number in $(seq "$first" $((first + ${N-30} - 1))); do
  grep -q "^$number " "$record" && continue
  try_program "$number"
  echo "$number $lang $model $regions $kernels $level ${why:+FAILED: $why}" \
    >>"$record"
  [ -z "$why" ] || diag "program $number: $why" "$(head -n 20 "$tmp/out")"
done

# One test for each language and model.
for lang in c cc f90; do
  for model in omp acc forkjoin; do
    count=$(grep -c " $lang $model " "$record")
    failed=$(grep " $lang $model " "$record" | grep -c FAILED)
    is "$failed" 0 "$lang, $model: $count programs run, $failed failed"
  done
done
awk '{ n++; regions += $4; kernels += $5; failed += /FAILED/ }
     END { print "# " n " programs run, " failed " failed; " kernels " of " \
           regions " regions are plain kernels" }' "$record"
done_testing
