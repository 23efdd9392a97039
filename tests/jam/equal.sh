# equal.F90: where strides and offsets become one, and what it prints.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/build.sh"
for_host equal.F90
arrays () { build "$@" -fopt-info-omp; }

expected_at "$file" REMARK | sed 1d >expected
for model in openacc openmp independent auto; do
  case $model in
    open*) arrays $model -O2 -f$model ;;
    *) arrays $model -O2 -fopenacc -DKERNELS=$model ;;
  esac
  grep 'of others' $model.log >remarks
  while read -r line text; do
    found=$(awk -F: -v line="$line" '$2 == line + 1' remarks)
    like "$found" " $text" "$model: the remark on line $line"
  done <expected
  is "$(wc -l <remarks)" "$(wc -l <expected)" "$model: and on no other"
done
arrays stack -O2 -fopenacc -fstack-arrays
arrays kernel -O2 -fopenmp -fplugin-arg-accrete-disable=spmd
is "$(ACC_DEVICE_TYPE=host ./openacc 2>&1)" "$(cat want)" "host fallback"
arrays O1 -O1 -fopenacc
is "$(grep -c 'of others' O1.log)" 0 "nothing below -O2"
arrays disabled -O2 -fopenacc -fplugin-arg-accrete-disable=equal
is "$(grep -c 'of others' disabled.log)" 0 "it can be disabled"
done_testing
