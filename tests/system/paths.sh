# Device code is as without -fsplit-paths and -fthread-jumps, the host's code as with
# them: loops have one way back (paths/search.c), and branches meet again behind them
# (paths/pick.c).
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/stage.sh"
. "$top_srcdir/tests/gcc.sh"
ACCRETE_EMU_GPU=mini; export ACCRETE_EMU_GPU
sources=$(cd "$srcdir" && pwd)/paths
cd "$tmp" || exit 99

# Build the program into $tmp/a with FLAGS; the kernels go to device, the host's code
# to host.
build () {
  rm -f a*
  # shellcheck disable=SC2086
  $CC "-specs=$specs" $stock_flags -O3 "$@" -save-temps \
    "$sources/$program.c" -o a >log 2>&1
  ok $? "$program: $*: builds" || diag "$(cat log)"
  tr -d '\000' <a.xnvptx-none.mkoffload | sed -n '/^[^/]*\.entry/,/^}/p' >device
  objdump -d --no-show-raw-insn a | sed "s,0x[0-9a-f]*(%rip).*,," >host
  is "$("$run" --emulate ./a 2>&1)" '0 wrong' "$program: $*: runs"
}

for program in search pick; do
  for model in -fopenmp -fopenacc '-fopenmp -flto'; do
    # shellcheck disable=SC2086
    build $model -fno-split-paths -fno-thread-jumps
    mv device want
    # shellcheck disable=SC2086
    build $model -fplugin-arg-accrete-disable=convergent-loops
    # From GCC 15 on both options leave the search as it is.
    matters=1
    [ "$program" = pick ] || matters=$((gcc < 15))
    cmp -s device want
    is $? "$matters" "$program: $model: whether the option matters"
    mv host former
    # shellcheck disable=SC2086
    build $model
    grep -q '\.entry' device && cmp -s device want
    ok $? "$program: $model: the device's code" || diag "$(diff device want | head)"
    cmp -s host former
    ok $? "$program: $model: the host's code" || diag "$(diff host former | head)"
  done
done
done_testing
