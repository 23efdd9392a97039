# A fixed sample of mutations; check-full runs a million.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
corpus="$top_srcdir/tests/ptx-post/ops.ptx $top_srcdir/tests/ptx-post/gcc.ptx
$(echo "$top_srcdir"/tests/ptx-post/cases/*.ptx)"
runs=${FUZZ_RUNS:-10000}
for harness in ptx-parse emu-load emu-run; do
  ./$harness -n "$runs" $corpus >"$tmp/out" 2>&1
  ok $? "$runs mutated units, $harness" || diag "$(tail -n 20 "$tmp/out")"
done
done_testing
