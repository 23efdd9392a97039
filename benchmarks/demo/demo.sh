#!/bin/sh
# The demo: three small programs, each built by stock GCC and run with the
# runtime switched off, then built with the specs file and run with everything
# on.  Prints what the CUDA driver was asked for in both runs.
# Usage: demo.sh PREFIX   (an installed tree)
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "${1:?usage: demo.sh PREFIX}" && pwd)
: "${CC:=gcc}" "${CXX:=g++}" "${FC:=gfortran}"
run=$prefix/bin/accrete-run
for specs in "$prefix"/lib/accrete/accrete.specs "$prefix"/lib/*/accrete/accrete.specs; do
  [ ! -e "$specs" ] || break
done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

if [ -e /dev/nvidiactl ]; then
  emulate= where='the GPU of this machine'
else
  emulate=--emulate where='the emulated GPU (no NVIDIA driver here)'
fi

# A ptxas that has dropped GCC's default architecture makes stock offload
# builds fail; leaving its check out is what a user of stock GCC would do.
stock_flags=
if ! "$CC" -fopenacc -O2 "$here/jacobi.c" -o "$tmp/probe" 2>/dev/null; then
  stock_flags=-foffload-options=nvptx-none=-Wa,--no-verify
  echo "note: stock builds need $stock_flags here"
fi

field () {			# FIELD FILE: a number out of the json report
  sed -n "s/.*\"$1\": *\([0-9][0-9]*\).*/\1/p" "$2" | head -n 1
}

echo "Driver calls on $where: stock -> accrete"
format='%-10s %-13s %12s %12s %15s %19s %12s  %s\n'
# shellcheck disable=SC2059  # the format is ours
printf "$format" program language allocations frees copies bytes launches results

status=0
demo () {			# NAME LANGUAGE COMPILER FLAG SOURCE N STEPS
  # shellcheck disable=SC2086  # lists of words
  "$3" -O2 "$4" $stock_flags "$here/$5" -o "$tmp/stock" 2>"$tmp/log" \
    && "$3" -O2 "$4" "-specs=$specs" "$here/$5" -o "$tmp/ours" 2>>"$tmp/log" \
    || { cat "$tmp/log" >&2; exit 1; }
  "$run" $emulate --off --report=json "$tmp/stock" "$6" "$7" >"$tmp/a" 2>"$tmp/a.json"
  "$run" $emulate --report=json "$tmp/ours" "$6" "$7" >"$tmp/b" 2>"$tmp/b.json"
  if cmp -s "$tmp/a" "$tmp/b"; then equal=equal; else equal=DIFFER status=1; fi
  row=
  for side in a b; do
    for f in allocs frees h2d_copies d2h_copies h2d_bytes d2h_bytes launches; do
      n=$(field "$f" "$tmp/$side.json")
      eval "${side}_$f=${n:-0}"
    done
  done
  # shellcheck disable=SC2059,SC2154  # set by eval
  printf "$format" "$1" "$2" \
    "$a_allocs -> $b_allocs" "$a_frees -> $b_frees" \
    "$((a_h2d_copies + a_d2h_copies)) -> $((b_h2d_copies + b_d2h_copies))" \
    "$((a_h2d_bytes + a_d2h_bytes)) -> $((b_h2d_bytes + b_d2h_bytes))" \
    "$a_launches -> $b_launches" "$equal"
}

demo jacobi 'OpenACC C' "$CC" -fopenacc jacobi.c 128 20
demo jacobi-f 'OpenACC F90' "$FC" -fopenacc jacobi-f.f90 128 20
demo wave-omp 'OpenMP C++' "$CXX" -fopenmp wave-omp.cc 128 6
exit $status
