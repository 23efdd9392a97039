# What SPMD kernels call is part of them, arrays in registers, and the host's code is
# the same.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/stage.sh"
ACCRETE_EMU_GPU=mini; export ACCRETE_EMU_GPU
source=$(cd "$srcdir" && pwd)/flatten/functions.c
cd "$tmp" || exit 99

# $calls of a function and $local accesses in the device code of $tmp/a, built with
# FLAGS.
build () {
  rm -f a*
  # shellcheck disable=SC2086
  $CC "-specs=$specs" $stock_flags "$@" -save-temps "$source" -o a >log 2>&1
  ok $? "$*: builds" || diag "$(cat log)"
  tr -d '\000' <a.xnvptx-none.mkoffload | sed -n '/^[^/]*\.entry/,/^}/p' >code
  calls=$(sed -n 's/^[^/]*call[^;]*\(turn\|both\|odd\|even\).*/\1/p' code \
    | sort -u | xargs)
  local=$(grep -c '^[^/]*\(ld\|st\)\.local' code)
  grep -q '^[^/]*\.entry' code || calls='no kernels'
  is "$("$run" --emulate ./a 2>&1)" '0 wrong' "$*: runs"
}

# What the program's own functions are.
host_code () {
  objdump -d --no-show-raw-insn a | sed -n '/<\(turn\|both\|main\)>:/,/^$/p' \
    | sed 's/^ *[0-9a-f]*:\t//; s/[0-9a-f]*  *<[^>]*>//; s/# .*//; s/^[0-9a-f]* //; s/0x[0-9a-f]*(%rip)//'
}

without=-fplugin-arg-accrete-disable=kernel-flattening
# As little is inlined without it as in larger programs.
few='-fno-inline-small-functions --param=max-inline-insns-auto=5'
for model in -fopenmp -fopenacc; do
  for level in -O2 -O3 '-O2 -flto' '-O2 -g'; do
    # shellcheck disable=SC2086
    build $model $level $few
    is "$calls" "" "$model $level: calls"
    is "$local" 0 "$model $level: no arrays in memory"
  done
done
for model in -fopenmp -fopenacc; do
  # shellcheck disable=SC2086
  build $model -O2 $few
  host_code >with
  # shellcheck disable=SC2086
  build $model -O2 $few $without
  is "$calls" both "$model, disabled: a call"
  host_code | cmp -s - with
  ok $? "$model: the host's code is the same" || diag "$(host_code | diff - with)"
  ok $(($(grep -c '^ret' with) < 3)) "... and looked at"
done
# shellcheck disable=SC2086
build -fopenacc -O2 $few -DRECURSIVE
is "$calls" both "functions that call themselves"
done_testing
