# Loops in device code that look for a bit begin with it (scan.cc), and give what stock
# GCC's build gives.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/bits.sh"
# How many different instructions count zeros in NAME.
counts () { tr '\000' '\n' <"$tmp/$1" | grep -c '^[^/]*clz\.b'; }

build stock -O2 "$srcdir/scan.c"
LD_LIBRARY_PATH=$stage/lib/accrete/emu "$tmp/stock" >"$tmp/want" 2>"$tmp/log"
ok $? "stock: runs" || diag "$(cat "$tmp/log")"
for level in -O1 -O2 -O3; do
  build ours$level $level -specs="$specs" "$srcdir/scan.c"
  same ours$level
  [ "$(counts ours$level)" -ge 6 ]
  ok $? "ours$level: zeros are counted for six loops" \
    || diag "$(counts ours$level)"
done
build without -O2 -specs="$specs" "$srcdir/scan.c" \
  -fplugin-arg-accrete-disable=bit-scan-recognition
is "$(counts without)" 0 "without: no zeros are counted"
done_testing
