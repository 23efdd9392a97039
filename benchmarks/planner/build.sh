#!/bin/sh
# Build the programs of the transfer-fusion paper's Tables 5 and 6: OUT/NAME,
# and OUT/NAME-alloc where the device memory is allocated as it is needed.
# Usage: build.sh OUT [FLAGS]...   (FLAGS go to gcc)
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: build.sh OUT [FLAGS]...}
shift
: "${CC:=gcc}"
mkdir -p "$out"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"$CC" -O1 "$here/graphs.c" -o "$tmp/graphs"

# The paper's random graph of 24 kernels is not known; this one also saves 28
# startups.
while read -r name flag graph; do
  # shellcheck disable=SC2086  # a list of words
  "$tmp/graphs" $graph >"$tmp/$name.graph"
  for alloc in '' -alloc; do
    awk -v alloc="$alloc" -f "$here/program.awk" "$tmp/$name.graph" \
      >"$tmp/$name$alloc.h"
    "$CC" -O2 -fopenacc "$flag" -DNAME="\"$name$alloc\"" \
      -DPROGRAM="\"$tmp/$name$alloc.h\"" "$@" "$here/program.c" \
      -o "$out/$name$alloc" -lm
  done
done <<END
random5 -DLINEAR example
random24 -DLINEAR random 24 10 2 3 2 2 1
horner -DLINEAR horner 10
cholesky -DLINEAR cholesky 4 0
cholesky-dense -DDENSE cholesky 4 0
matmul -DLINEAR matmul
cg -DLINEAR cg
END
