# Loops in device code that look for a bit begin with it (scan.cc), and give what stock
# GCC's build gives.
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
  "$CC" "$@" -w -fopenmp -foffload-options=nvptx-none=-latomic $stock_flags \
    -o "$tmp/$name" "$srcdir/scan.c" >"$tmp/log" 2>&1
  ok $? "$name: builds" || diag "$(cat "$tmp/log")"
}
# How many different instructions count zeros in NAME.
counts () { tr '\000' '\n' <"$tmp/$1" | grep -c '^[^/]*clz\.b'; }

build stock -O2
LD_LIBRARY_PATH=$stage/lib/accrete/emu "$tmp/stock" >"$tmp/want" 2>"$tmp/log"
ok $? "stock: runs" || diag "$(cat "$tmp/log")"
for level in -O1 -O2 -O3; do
  build ours$level $level -specs="$specs"
  "$run" --emulate "$tmp/ours$level" >"$tmp/got" 2>"$tmp/log"
  ok $? "ours$level: runs" || diag "$(tail -n 3 "$tmp/log")"
  is "$(cat "$tmp/got")" "$(cat "$tmp/want")" "ours$level: as stock"
  [ "$(counts ours$level)" -ge 6 ]
  ok $? "ours$level: zeros are counted for six loops" \
    || diag "$(counts ours$level)"
done
build without -O2 -specs="$specs" \
  -fplugin-arg-accrete-disable=bit-scan-recognition
is "$(counts without)" 0 "without: no zeros are counted"
done_testing
