# A compiler compiles alike each time it runs, wherever its data lie in memory.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"

# same FILE FLAGS...: one object, twelve times.
same () {
  file=$top_srcdir/$1
  shift
  i=0
  while [ $i -lt 12 ]; do
    # shellcheck disable=SC2086  # a list of words
    "$(compiler "$file")" -specs="$specs" -O2 -w -frandom-seed=1 -J "$tmp" \
      $stock_flags "$@" -c "$file" -o "$tmp/x.o" >"$tmp/log" 2>&1 \
      && cksum <"$tmp/x.o" || cat "$tmp/log"
    i=$((i + 1))
  done | sort | uniq -c >"$tmp/sums"
  is "$(awk '{ print $1, NF }' "$tmp/sums")" "12 3" "${file##*/}: one object" \
    || diag "$(cat "$tmp/sums")"
}

# Clauses and variables of parts, sums in between, blocks, turned constructs, resident
# loops, chains, functions that come along, bodies that are spliced.
same benchmarks/shuffle/wave13pt.c -fopenacc -DKERNELS=auto
same tests/fuse/cases/turn.c -fopenacc
same tests/fuse/cases/fortran.f90 -fopenacc
same tests/spmd/cases/block.c -fopenmp
same tests/resident/cases/acc.c -fopenacc
same tests/resident/cases/append.c -fopenmp
same tests/spmd/cases/callees.cc -fopenmp
same benchmarks/nest/ccl.cc -fopenmp -DFLAT
done_testing
