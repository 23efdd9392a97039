# Functions of libm and libatomic in regions: what programs call and GCC links for
# the host alone.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/stage.sh"
ACCRETE_EMU_GPU=mini; export ACCRETE_EMU_GPU

for file in functions.c functions.cc functions.f90; do
  for flags in -fopenmp -fopenacc; do
    for level in -O0 -O2; do
      what="$file $flags $level"
      # shellcheck disable=SC2046,SC2086  # lists of words
      $(compiler $file) "-specs=$specs" $stock_flags $flags $level \
        "$srcdir/math/$file" -lm -o "$tmp/a" >"$tmp/log" 2>&1
      ok $? "$what: builds" || diag "$(cat "$tmp/log")"
      is "$("$run" --emulate "$tmp/a" 2>&1)" 0 "$what: runs"
    done
  done
done
done_testing
