# For tests of code that is exchanged in kernels, as functions of libm: programs that print
# the bits of results.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
ACCRETE_EMU_GPU=mini
export ACCRETE_EMU_GPU

# build NAME FLAGS...
build () {
  name=$1
  shift
  # shellcheck disable=SC2086  # a list of words
  "$CC" "$@" -w -fopenmp -foffload-options=-lm \
    -foffload-options=nvptx-none=-latomic $stock_flags -o "$tmp/$name" -lm \
    >"$tmp/log" 2>&1
  ok $? "$name: builds" || diag "$(cat "$tmp/log")"
}
divisions () { tr '\000' '\n' <"$tmp/$1" | grep -c 'div\.rn'; }

# same NAME ARGS...: as $tmp/want, which NAME gives with ARGS.
same () {
  name=$1
  shift
  "$run" --emulate "$tmp/$name" "$@" >"$tmp/got" 2>"$tmp/log"
  ok $? "$name $*: runs" || diag "$(tail -n 3 "$tmp/log")"
  is "$(cat "$tmp/got")" "$(cat "$tmp/want")" "$name $*: the same bits"
}
