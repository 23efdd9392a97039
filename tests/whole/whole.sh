# Generated programs with regions (generate.pl), of OpenMP and OpenACC: what they
# do on the emulated GPU is what their model does on the host.  Many are in an
# executable; each is built with the specs and runs
#   plain    as it is; its launches have neither too few nor too many threads
#   late     with asynchronous work as late as may be and nothing waited for
#   check    some: under the checker
#   stock    some: built without the specs, under accrete-run, without the scenes
#            that stock GCC gets wrong
# program.sh says which numbers are which.
#
# FIRST, N    the programs' numbers: N from FIRST
# ONLY        a kind of scene (Whole/Shapes.pm), also one that is known wrong
# RECORD      a file that gets a line for each: NUMBER LANGUAGE MODEL LEVEL, and
#             "FAILED" with what has failed; those in it are not run again
# WHOLE_STAGE the installed tree to test
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
. "$top_srcdir/tests/gcc.sh"
command -v perl >/dev/null || { skip "no perl" "generated programs"
                                done_testing; exit; }
. "$srcdir/program.sh"
stage=${WHOLE_STAGE-$stage}
specs=$stage/lib/accrete/accrete.specs
run=$stage/bin/accrete-run
record=${RECORD:-$tmp/record}
ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia OMP_TARGET_OFFLOAD=MANDATORY
TIME=${TIME-300}
ONLY=${ONLY-}
export ACCRETE_EMU_GPU ACC_DEVICE_TYPE OMP_TARGET_OFFLOAD TIME ONLY CC CXX FC

# Is there the kind of scene that ONLY asks for?
known_scene () {
  [ -z "$ONLY" ] || perl "$srcdir/generate.pl" --lang=$lang --model=$model \
    --only="$ONLY" >/dev/null 2>&1
}

# Results of way $1 to $tmp/results, with a command in front of the program.
run_way () {
  way=$1 folder=$2
  shift 2
  [ -x "$folder/program" ] || return 0
  sh "$srcdir/run-programs.sh" "$folder/numbers" "$@" "$folder/program" \
    | sed "s/ FAILED/ FAILED $way:/" >>"$tmp/results"
}

try_group () {			# NUMBER...: of the same language, model, level
  describe_program "$1"
  ours=$tmp/ours
  rm -rf "$ours" "$tmp/stock" "$tmp/log"
  : >"$tmp/results"
  sh "$srcdir/build-programs.sh" "$ours" "-specs=$specs $stock_flags" "$@" \
    2>"$tmp/build" || diag "$(cat "$tmp/build")"
  sed 's/$/ FAILED does not build/' "$ours/broken" >>"$tmp/results"
  LOG=$tmp/log; export LOG
  run_way plain "$ours" env ACCRETE_DEBUG=3 ACCRETE_GEOMETRY=print \
    "$run" --emulate
  unset LOG
  awk -f "$srcdir/sizes.awk" "$ours/sizes" "$tmp/log" >"$tmp/launches" \
    || echo "$1 FAILED launches cannot be read" >>"$tmp/results"
  grep -v '^#' "$tmp/launches" >>"$tmp/results"
  run_way late "$ours" env ACCRETE_EMU_DELAY=1 ACCRETE_NOWAIT_MIN=0 \
    "$run" --emulate
  if [ "$level" = -O2 ]; then
    run_way check "$ours" sh "$top_srcdir/tests/checked.sh" $interface "$run"
    STOCK=1 sh "$srcdir/build-programs.sh" "$tmp/stock" "$stock_flags" "$@" \
      2>"$tmp/build" || diag "$(cat "$tmp/build")"
    run_way stock "$tmp/stock" env ACCRETE_NOWAIT_MIN=0 "$run" --emulate
  fi
  for number; do
    echo "$number $lang $model ${level%% *}" \
      "$(grep "^$number FAILED" "$tmp/results" | head -n 1 \
         | sed 's/^[0-9]* //')"
  done >"$tmp/new"
  # What has not come to run has failed too.
  awk 'NR == FNR { seen[$1] = 1; next } !seen[$1] { $0 = $0 " FAILED did not run" }
       { print }' "$tmp/results" "$tmp/new" >>"$record"
}

# In batches, so that one that is interrupted has something.
touch "$record"
first=${FIRST-1} end=$((${FIRST-1} + ${N-72}))
while [ "$first" -lt "$end" ]; do
  last=$((first + 359))
  [ $last -lt "$end" ] || last=$((end - 1))
  for number in $(seq "$first" "$last"); do
    grep -q "^$number " "$record" && continue
    describe_program "$number"
    known_scene && echo "$number" "$lang-$model${level%% *}"
  done >"$tmp/batch"
  for group in $(sed 's/.* //' "$tmp/batch" | sort -u); do
    # shellcheck disable=SC2046  # numbers
    try_group $(sed -n "s/ $group\$//p" "$tmp/batch")
  done
  first=$((last + 1))
done

[ -s "$record" ]
ok $? "programs have run"
for lang in c cc f90; do
  for model in omp acc; do
    count=$(grep -c "^[0-9]* $lang $model " "$record")
    failed=$(grep "^[0-9]* $lang $model " "$record" | grep -c FAILED)
    is "$failed" 0 "$lang, $model: $count programs run, $failed failed" \
      || diag "$(grep "^[0-9]* $lang $model .*FAILED" "$record" | head -n 20)"
  done
done
done_testing
