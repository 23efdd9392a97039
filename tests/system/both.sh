# -fopenacc and -fopenmp together: what stock GCC does not link.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/stage.sh"
ACCRETE_EMU_GPU=mini; export ACCRETE_EMU_GPU
both='-O2 -fopenacc -fopenmp'

# runs NAME: $tmp/a says what it ought to, with a kernel of ours.
runs () {
  is "$("$run" --emulate "$tmp/a" 2>&1)" '4950 5050' "$1: runs"
  like "$(LD_LIBRARY_PATH=$stage/lib/accrete/emu ACCRETE_REPORT=counters "$tmp/a" 2>&1)" \
    '^accrete: plain +1' "$1: an SPMD kernel"
}
# try NAME FLAG... FILE
try () {
  name=$1
  shift
  rm -f "$tmp/a"
  # shellcheck disable=SC2046,SC2086  # lists of words
  $(compiler "$(for a; do :; done; echo "$a")") "-specs=$specs" $both $stock_flags "$@" \
    -o "$tmp/a" >"$tmp/log" 2>&1
  ok $? "$name: builds" || diag "$(cat "$tmp/log")"
  runs "$name"
}
c=$srcdir/both/regions.c
try 'OpenACC on the device' -DACC "$c"
try 'OpenMP on the device' -DOMP "$c"
try 'Fortran' "$srcdir/both/regions.f90"
try 'link-time optimisation' -flto -DACC "$c"
cd "$tmp" || exit 99
try 'saved files' -save-temps -DACC "$c"

# From an archive, beside a member that has the other kind and is not linked.
# shellcheck disable=SC2086
{
  $CC "-specs=$specs" $both -DACC -c "$c" -o acc.o
  $CC "-specs=$specs" $both -DOMP -Dmain=other -c "$c" -o omp.o
  ar cr libboth.a omp.o acc.o
  rm -f a
  $CC "-specs=$specs" $both $stock_flags -L. -lboth -o a >log 2>&1
}
ok $? 'an archive: builds' || diag "$(cat log)"
runs 'an archive'

# Regions of both kinds.
# shellcheck disable=SC2086
$CC "-specs=$specs" $both $stock_flags acc.o omp.o -o a >log 2>&1
is $? 1 'both kinds: an error'
like "$(cat log)" 'OpenACC and OpenMP regions cannot be in one program' \
  'both kinds: which says so'
like "$(cat log)" 'mkoffload: fatal error: ' "both kinds: stock's"
# shellcheck disable=SC2086
$CC "-specs=$specs" $both $stock_flags -fPIC -DOMP -Dmain=other -c "$c" -o omp.o \
  && $CC "-specs=$specs" $both $stock_flags -shared omp.o -o libother.so >log 2>&1 \
  && $CC "-specs=$specs" $both $stock_flags acc.o -L. -Wl,-rpath,. \
    -Wl,--no-as-needed -lother -o a >>log 2>&1
ok $? 'both kinds, one in a library: builds' || diag "$(cat log)"
runs 'both kinds, one in a library'
done_testing
