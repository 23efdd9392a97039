# Generated programs (generate.pl), of OpenMP and OpenACC: each compares what
# its regions do on the emulated GPU with what the same loops do on the host.
#
# SPMD_SEEDS    seeds, one program of each language for each
# SPMD_REGIONS  regions of a program
# SPMD_STAGE    the installed tree to test
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
command -v perl >/dev/null || { skip "no perl" "generated programs"
                                done_testing; exit; }
stage=${SPMD_STAGE-$stage}
specs=$stage/lib/accrete/accrete.specs
run=$stage/bin/accrete-run
regions=${SPMD_REGIONS-12}
ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia
export ACCRETE_EMU_GPU ACC_DEVICE_TYPE

check_program () {		# LANGUAGE SEED LEVEL MODEL
  name="$1 $4 seed $2 $3" file=$tmp/program.$1
  perl "$srcdir/generate.pl" --lang="$1" --seed="$2" --regions="$regions" \
    --model="$4" >"$file"
  # shellcheck disable=SC2086
  if ! messages=$($(compiler "$file") -specs="$specs" $3 -w "-fopen${4#o}" \
                  -foffload-options=nvptx-none=-latomic \
                  -foffload-options=-lm $stock_flags \
                  -fopt-info-omp-all -J "$tmp" \
                  "$file" -o "$tmp/program" -lm 2>&1)
  then
    ok 1 "$name: builds" || diag "$messages"
    return
  fi
  kernels=$(printf '%s\n' "$messages" | grep -c 'becomes an SPMD kernel')
  # OpenACC's rows with sums, and several loops, keep the partitioned form.
  case $4 in omp) least=$((regions * 3 / 4)) ;; acc) least=$((regions / 3)) ;; esac
  [ "$kernels" -ge $least ]
  ok $? "$name: at least $least regions become kernels" \
    || diag "$kernels of $regions" "$messages"
  "$run" --emulate "$tmp/program" >"$tmp/out" 2>&1
  ok $? "$name: runs as on the host" || diag "$(head -n 20 "$tmp/out")"
}

for seed in ${SPMD_SEEDS-1}; do
  # Each language at both levels, in turn.
  level=-O2 other='-O0 -g'
  [ $((seed % 2)) = 1 ] || { level='-O0 -g'; other=-O2; }
  for model in omp acc; do
    check_program c "$seed" "$level" $model
    check_program cc "$seed" "$other" $model
    check_program f90 "$seed" "$level" $model
  done
done
done_testing
