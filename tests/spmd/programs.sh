# Generated programs, many in a file and in an executable: each compares what
# its regions do on the emulated GPU with what the same loops do on the host.
# Programs of the model "forkjoin" must keep that form.  program.sh says which
# numbers are which.
#
# FIRST, N    the programs' numbers: N from FIRST
# RECORD      a file that gets a line for each (pack-programs.sh says which);
#             those in it are not run again
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
command -v perl >/dev/null || { skip "no perl" "generated programs"
                                done_testing; exit; }
record=${RECORD-$tmp/record}
ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia TIME=900 RESULTS=$tmp/results
export ACCRETE_EMU_GPU ACC_DEVICE_TYPE TIME RESULTS

# Build and run $2 programs from number $1.
try_programs () {
  rm -rf "$tmp/packed"
  FIRST=$1 sh "$srcdir/pack-programs.sh" "$tmp/packed" "$2" -specs="$specs" \
    $stock_flags >"$tmp/log" 2>&1 || diag "$(cat "$tmp/log")"
  "$run" --emulate sh "$tmp/packed/run-programs.sh" >"$tmp/out" 2>&1
  awk 'NR == FNR { result[$1] = $2; next }
       !/FAILED/ && result[$1] != "ok" { $0 = $0 "FAILED: computes something else" }
       { print }' "$RESULTS" "$tmp/packed/built" >"$tmp/new"
  cat "$tmp/new" >>"$record"
  ! grep -q FAILED "$tmp/new" \
    || diag "$(grep FAILED "$tmp/new")" "$(cat "$tmp/log" "$tmp/out")"
}

# In batches, so that one that is interrupted has something.
touch "$record"
first=${FIRST-1} end=$((${FIRST-1} + ${N-30}))
while [ "$first" -lt "$end" ]; do
  n=$((end - first))
  [ $n -le 500 ] || n=500
  grep -q "^$first " "$record" || try_programs "$first" $n
  first=$((first + n))
done

[ "$(wc -l <"$record")" -ge "${N-30}" ]
ok $? "all have run"

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
           regions " regions are SPMD kernels" }' "$record"
done_testing
