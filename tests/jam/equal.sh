# equal.F90: where strides and offsets become one, and that it prints on the
# emulated GPU what it prints when it is compiled for the host without
# directives.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia
file=$srcdir/equal.F90
cd "$tmp" || exit 1

$FC -O2 -w "$file" -o host && ./host >want

# build NAME FLAGS...: and compare.
build () {
  name=$1
  shift
  if ! "$FC" -specs="$specs" -w -fopt-info-omp "$@" "$file" -o "$name" \
       >"$name.log" 2>&1; then
    ok 1 "$name: compiles"
    diag "$(cat "$name.log")"
    return 1
  fi
  is "$("$run" --emulate "./$name" 2>&1)" "$(cat want)" "$name: as on the host"
}

grep -n REMARK: "$file" | sed '1d; s/:.*REMARK: */ /' >expected
for model in openacc openmp independent auto; do
  case $model in
    open*) build $model -O2 -f$model ;;
    *) build $model -O2 -fopenacc -DKERNELS=$model ;;
  esac
  grep 'of others' $model.log >remarks
  while read -r line text; do
    found=$(awk -F: -v line="$line" '$2 == line + 1' remarks)
    like "$found" " $text" "$model: the remark on line $line"
  done <expected
  is "$(wc -l <remarks)" "$(wc -l <expected)" "$model: and on no other"
done
build stack -O2 -fopenacc -fstack-arrays
build kernel -O2 -fopenmp -fplugin-arg-accrete-disable=spmd
is "$(ACC_DEVICE_TYPE=host ./openacc 2>&1)" "$(cat want)" "host fallback"
build O1 -O1 -fopenacc
is "$(grep -c 'of others' O1.log)" 0 "nothing below -O2"
build disabled -O2 -fopenacc -fplugin-arg-accrete-disable=equal
is "$(grep -c 'of others' disabled.log)" 0 "it can be disabled"
done_testing
