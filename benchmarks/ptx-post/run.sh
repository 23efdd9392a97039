#!/bin/sh
# run.sh BUILDDIR: the cost of the post-processor.
#  1. passes on the largest unit: all of GCC's nvptx libgomp in one.
#  2. the assembler wrapper against stock, same input; what a whole compile
#     costs more is in compile/.
# SPDX-License-Identifier: GPL-3.0-or-later
set -e
build=$(cd "$1" && pwd)
src=$(cd "$(dirname "$0")" && pwd)
CC=${CC:-gcc}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# As in an installation without CUDA: nothing verifies.
PATH=$(echo "$PATH" | tr : '\n' | while read -r d; do
	 [ -x "$d/ptxas" ] || printf '%s:' "$d"; done)

(cd "$tmp" && ar x "$($CC -print-file-name=accel/nvptx-none/mgomp/libgomp.a)")
"$build/benchmarks/ptx-post/passes" "$tmp"/*.o

# Best wall time of 20 runs, in milliseconds.
best () {
  for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    t=$(date +%s%N)
    "$@" >"$tmp/log" 2>&1 || { cat "$tmp/log" >&2; exit 1; }
    echo $((($(date +%s%N) - t) / 1000))
  done | sort -n | awk 'NR == 1 { printf "%.1f ms\n", $1 / 1000 }'
}

stock=$($CC -print-prog-name=accel/nvptx-none/as)
in=$src/../../tests/ptx-post/gcc.ptx
echo "assemble $(wc -c <"$in") bytes: stock $(best "$stock" -o "$tmp/o" "$in")," \
  "wrapper $(best "$build/ptx-post/as" -o "$tmp/o" "$in")"
