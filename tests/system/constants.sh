# Programs that die with stock GCC: constants in regions, which OpenACC copies back to
# read-only memory, and assert, which does not link.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/stage.sh"
ACCRETE_EMU_GPU=mini; export ACCRETE_EMU_GPU

# build WHAT FILE FLAGS...
build () {
  what=$1 file=$2
  shift 2
  # shellcheck disable=SC2046
  ACCRETE_DEBUG=2 $(compiler "$file") "-specs=$specs" $stock_flags "$@" "$srcdir/constants/$file" \
    -o "$tmp/a" >"$tmp/log" 2>&1
  ok $? "$what: builds" || diag "$(cat "$tmp/log")"
}

for model in -fopenmp -fopenacc; do
  for level in -O0 '-O2 -g' -O3; do
    for file in tables.c tables.f90 asserts.c; do
      # shellcheck disable=SC2086
      build "$file $model $level" $file $model $level -fopt-info-omp-missed
      unlike "$(cat "$tmp/log")" 'generic mode|one GPU thread' "$what: SPMD kernels"
      # A stack would have them in warps along y.
      case $level in
        -O0) ;;
        *) unlike "$(cat "$tmp/log")" 'threads along y' "$what: without stacks" ;;
      esac
      is "$("$run" --emulate "$tmp/a" 2>&1)" 0 "$what: runs"
    done
    out=$("$run" --emulate "$tmp/a" 500 2>&1); status=$?
    ok $((status == 0)) "$what: an assertion fails"
    like "$out" "asserts.c:[0-9]+: main: assertion \`a\[i\] < N' failed" "$what: and is told"
  done
  ln -s "$(cd "$srcdir" && pwd)/constants/asserts.c" "$tmp/asserts.cc" 2>/dev/null
  # shellcheck disable=SC2086
  $CXX "-specs=$specs" $stock_flags $model -O2 "$tmp/asserts.cc" -o "$tmp/a" >"$tmp/log" 2>&1
  ok $? "C++ $model: builds" || diag "$(cat "$tmp/log")"
  is "$("$run" --emulate "$tmp/a" 2>&1)" 0 "C++ $model: runs"
done
done_testing
