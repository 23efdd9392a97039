# align.c: that tiles begin where lines do, and what it prints.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/build.sh"
for_host align.c -ffp-contract=off

# nests NAME COUNT FLAGS...: with so many remarks.
nests () {
  name=$1 count=$2
  shift 2
  build "$name" -O2 -ffp-contract=off -fopt-info-omp "$@" || return
  is "$(grep -c 'tiles begin' "$name.log")" "$count" "$name: $count remarks"
}

nests openacc 4 -fopenacc
nests openmp 4 -fopenmp
nests rows 4 -fopenacc -fplugin-arg-accrete-disable=jam
nests disabled 0 -fopenacc -fplugin-arg-accrete-disable=align
done_testing
