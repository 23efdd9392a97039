# Loops in device code are as without -fsplit-paths, the host's code as with it.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/stage.sh"
. "$top_srcdir/tests/gcc.sh"
ACCRETE_EMU_GPU=mini; export ACCRETE_EMU_GPU
source=$(cd "$srcdir" && pwd)/paths/search.c
cd "$tmp" || exit 99

# Build into $tmp/a with FLAGS; the kernels go to device, the host's code to host.
build () {
  rm -f a*
  # shellcheck disable=SC2086
  $CC "-specs=$specs" $stock_flags -O3 "$@" -save-temps "$source" -o a >log 2>&1
  ok $? "$*: builds" || diag "$(cat log)"
  tr -d '\000' <a.xnvptx-none.mkoffload | sed -n '/^[^/]*\.entry/,/^}/p' >device
  objdump -d --no-show-raw-insn a | sed "s,0x[0-9a-f]*(%rip).*,," >host
  is "$("$run" --emulate ./a 2>&1)" '0 wrong' "$*: runs"
}

for model in -fopenmp -fopenacc '-fopenmp -flto'; do
  # shellcheck disable=SC2086
  build $model -fno-split-paths
  mv device want
  # shellcheck disable=SC2086
  build $model -fplugin-arg-accrete-disable=convergent-loops
  # From GCC 15 on -fsplit-paths leaves this loop as it is.
  cmp -s device want
  is $? $((gcc < 15)) "$model: the option matters up to GCC 14"
  mv host former
  # shellcheck disable=SC2086
  build $model
  grep -q '\.entry' device && cmp -s device want
  ok $? "$model: the device's loops" || diag "$(diff device want | head)"
  cmp -s host former
  ok $? "$model: the host's code" || diag "$(diff host former | head)"
done
done_testing
