# The programs of benchmarks/programs.sh, built by stock GCC and with the specs
# file: they pass their own checks on the host and on the emulated GPU, where
# both builds print the same.  The operators of the
# paper's Table 2 have the number of loads it says.
# Those with nested regions, which stock GCC cannot have, are in tests/nest.
# PROGRAMS: patterns of the names to take; by default all but those that add
# least to the others and take the emulator longest.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
. "$top_srcdir/tests/gcc.sh"
set -f				# patterns are not for files here
: "${PROGRAMS:=*-acc *-omp *-kernels *-split *-cuda laplacian-worker}"
bench=$top_srcdir/benchmarks

# shellcheck disable=SC2086  # a list of patterns
sh "$bench/programs.sh" $PROGRAMS | grep -v '^[^ ]*nest ' >"$tmp/table"
# From GCC 13 on stock unrolls loops on the device, and others than ours, so that
# other products are contracted with sums: what has such loops goes without that.
exact='^$'
[ "$gcc" -lt 13 ] || exact='^tricubic2-'
build () {			# OUT FLAGS...
  grep -Ev "$exact" | sh "$bench/build-programs.sh" "$@"
  grep -E "$exact" "$tmp/table" \
    | sh "$bench/build-programs.sh" "$@" -ffp-contract=off
}
build "$tmp/stock" "$stock_flags" <"$tmp/table"
grep -v ' nvcc ' "$tmp/table" | build "$tmp/ours" "-specs=$specs" "$stock_flags"

builds () {			# NAME WHICH
  [ -x "$tmp/$2/$1" ]
  ok $? "$1: builds ($2)" || { diag "$(cat "$tmp/$2/$1.log")"; return 1; }
}

passes () {			# WHAT COMMAND...: its output goes to $out
  what=$1
  shift
  out=$(timeout 60 "$@" 2>&1)
  ok $? "$what" || { diag "$out"; out=; }
}

while read -r name compiler _ _ small _; do
  if [ "$compiler" = nvcc ]; then
    if [ -e "$tmp/stock/$name.log" ]; then
      builds "$name" stock
    else
      skip 'no nvcc' "$name"
    fi
    continue
  fi
  builds "$name" stock && builds "$name" ours || continue
  # shellcheck disable=SC2046  # a list of arguments
  set -- $(echo "$small" | tr , ' ')
  for which in stock ours; do
    passes "$name: right on the host ($which)" \
      env ACC_DEVICE_TYPE=host OMP_TARGET_OFFLOAD=DISABLED OMP_NUM_THREADS=2 \
      "$tmp/$which/$name" "$@"
  done
  export ACC_DEVICE_TYPE=nvidia OMP_TARGET_OFFLOAD=MANDATORY
  passes "$name: right on the emulated GPU (stock)" \
    "$run" --emulate --off "$tmp/stock/$name" "$@"
  stock=$out
  passes "$name: right on the emulated GPU (ours)" \
    "$run" --emulate "$tmp/ours/$name" "$@"
  is "$out" "$stock" "$name: ours as stock"
done <"$tmp/table"

# The device code stands in the program as text.  (Not here: tricubic2 has its
# loads in loops, sincos comes with those of the math functions.  Matmul and
# matvec have two in a loop that the paper's compiler unrolls; the game of
# life is one of integers, and reads three arguments as well.)
# In a loop that is unrolled, a point has been copied: one in front of, or behind,
# two, four or eight.
a_point () {			# COUNT LOADS ARGUMENTS
  of_points=$(($1 - $3)) each=$(($2 - $3))
  case $gcc-$((of_points % each))-$((of_points / each)) in
    12-*) echo "$1" ;;
    *-0-1 | *-0-3 | *-0-7 | *-0-15) echo "$2" ;;
    *) echo "$1" ;;
  esac
}
while read -r operator loads type arguments; do
  [ -x "$tmp/stock/$operator-acc" ] || continue
  count=$(grep -aoE "ld\.$type[[:space:]]" "$tmp/stock/$operator-acc" | wc -l)
  is "$(a_point "$count" "$loads" "${arguments:-0}")" "$loads" \
    "$operator: $loads loads a point"
done <<END
divergence 6 f32
gameoflife 12 u32 3
gaussblur 25 f32
gradient 6 f32
jacobi-f 9 f32
lapgsrb 25 f32
laplacian 7 f32
matmul 2 f32
matvec 2 f32
tricubic 67 f32
uxx1 17 f32
vecadd 2 f32
wave13pt 14 f32
whispering 19 f32
END
done_testing
