# The programs of the transfer-fusion paper's Tables 5 and 6: stock's results,
# by fewer driver calls.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

on_emulated_gpu
export ACCRETE_EMU_GPU=mini

CC=$CC sh "$top_srcdir/benchmarks/planner/build.sh" "$tmp/table5" \
  -foffload-options=nvptx-none=-Wa,--no-verify \
  "$with_plugin" "$with_post" >"$tmp/log" 2>&1
ok $? "the programs are built" || diag "$(cat "$tmp/log")"

# All ten calls, however long a loaded machine takes: checksums are compared.
export BENCH_SECONDS=100

# counts: "allocations copies waits" of ten calls.
counts () {
  set -- $(($(field h2d_copies) + $(field d2h_copies))) "$(field syncs)"
  echo "$(field allocs) $1 $2"
}
for p in "$tmp"/table5/*; do
  name=${p##*/}
  stock "$p" 1000 --time=10
  wanted
  want=$(printf '%s\n' "$want" | grep -v '^time')
  ACCRETE_OFF=1 ours "$p" 1000 --time=10
  before=$(counts)
  ours "$p" 1000 --time=10
  is "$(printf '%s\n' "$status$out" | grep -v '^time')" "$want" \
    "$name: stock's results"
  after=$(counts)
  echo "$before $after" | awk '{ exit !($4 <= 4 && $5 < .7 * $2 && $6 < $3) }'
  ok $? "$name: allocations, copies and waits $before -> $after"
done
done_testing
