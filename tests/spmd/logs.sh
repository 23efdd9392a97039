# logf, log and powf in kernels (exps.c) have fewer divisions than libm's own, and give
# what these give, bit for bit, and what stock GCC's build gives.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/bits.sh"

build stock -O2 "$srcdir/logs.c"
LD_LIBRARY_PATH=$stage/lib/accrete/emu "$tmp/stock" 4000037 200 \
  >"$tmp/want" 2>"$tmp/log"
ok $? "stock: runs" || diag "$(cat "$tmp/log")"
for level in -O0 -O2; do
  build ours$level $level -specs="$specs" "$srcdir/logs.c"
  same ours$level 4000037 200
done

ACCRETE_DISABLE=exponential-selection
export ACCRETE_DISABLE
build own -O2 -specs="$specs" "$srcdir/logs.c"
unset ACCRETE_DISABLE
[ "$(divisions own)" -gt "$(divisions ours-O2)" ]
ok $? "without the pass: libm's own"
"$run" --emulate "$tmp/own" 16381 100000 >"$tmp/want" 2>"$tmp/log"
ok $? "without the pass: runs" || diag "$(tail -n 3 "$tmp/log")"
same ours-O2 16381 100000

# Where that is hidden in a sum: each pair's own result.
for kind in 2 5 8; do
  "$run" --emulate "$tmp/own" 1 3200 $kind >"$tmp/want" 2>"$tmp/log"
  same ours-O2 1 3200 $kind
  awk '$3 != "00000000" && $3 != "7f800000" { n++ } END { exit n < 300 }' \
    "$tmp/got"
  ok $? "pairs of kind $kind have results of all sizes"
done
done_testing
