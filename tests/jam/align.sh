# align.c: that tiles begin where lines do, and that it prints on the emulated GPU
# what it prints when it is compiled for the host without directives.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia
file=$srcdir/align.c

$CC -O2 -ffp-contract=off -w "$file" -o "$tmp/host" && "$tmp/host" >"$tmp/want"

# build NAME COUNT FLAGS...: compare, and count the remarks.
build () {
  name=$1 count=$2
  shift 2
  if ! "$CC" -specs="$specs" -O2 -ffp-contract=off -w -fopt-info-omp "$@" "$file" \
       -o "$tmp/$name" >"$tmp/$name.log" 2>&1; then
    ok 1 "$name: compiles"
    diag "$(cat "$tmp/$name.log")"
    return 1
  fi
  is "$("$run" --emulate "$tmp/$name" 2>&1)" "$(cat "$tmp/want")" \
    "$name: as on the host"
  is "$(grep -c 'tiles begin' "$tmp/$name.log")" "$count" "$name: $count remarks"
}

build openacc 4 -fopenacc
build openmp 4 -fopenmp
build rows 4 -fopenacc -fplugin-arg-accrete-disable=jam
build disabled 0 -fopenacc -fplugin-arg-accrete-disable=align
done_testing
