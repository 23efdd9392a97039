# Global functions that regions call are part of the kernels, in programs and libraries
# that are position-independent and in those that are not.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/stage.sh"
ACCRETE_EMU_GPU=mini; export ACCRETE_EMU_GPU
source=$(cd "$srcdir" && pwd)/global/regions.c
cd "$tmp" || exit 99

# $calls: those in the device code of $tmp/a, built with FLAGS, which has kernels.
build () {
  rm -f a*
  # shellcheck disable=SC2086
  $CC "-specs=$specs" -O3 $stock_flags "$@" -save-temps "$source" -o a >log 2>&1
  ok $? "$*: builds" || diag "$(cat log)"
  tr -d '\000' <a.xnvptx-none.mkoffload >code
  calls=$(grep -c '^[^/]*call[^;]*spread' code)
  grep -q '^[^/]*\.entry' code || calls='no kernels'
}

for model in -fopenmp -fopenacc; do
  for flags in '' -fPIE -fPIC '-fno-pie -no-pie' -flto; do
    # shellcheck disable=SC2086
    build $model $flags
    is "$calls" 0 "$model $flags: no call"
    is "$("$run" --emulate ./a 2>&1)" '0 wrong' "$model $flags: runs"
  done
  build $model -shared -fPIC -DLIBRARY
  is "$calls" 0 "$model: no call in a library"
  export ACCRETE_DISABLE=inline
  build $model -fPIC
  unset ACCRETE_DISABLE
  ok $((calls == 0)) "$model, as stock: a call"
  is "$("$run" --emulate ./a 2>&1)" '0 wrong' "$model, as stock: runs"
done
done_testing
