# What the results of SPMD kernels follow (spmd-exact.cc), in the order of the source:
# exact/exact.c says it of each region, for OpenACC and OpenMP.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"

file=$srcdir/exact/exact.c
sed -n 's|^ */[*] \([A-Z]*\) [*]/$|\1|p' "$file" >"$tmp/want"
for model in openacc openmp; do
  $CC -specs="$specs" -f$model -O2 -c -o "$tmp/exact.o" \
    -fplugin-arg-accrete-disable=resident-loops,vertical-fusion \
    -fplugin-arg-accrete-dump="$tmp/dump" "$file" >"$tmp/log" 2>&1
  ok $? "$model: compiles" || diag "$(cat "$tmp/log")"
  sed -n 's/^ACCRETE-TAG .* src=[^ ]*:\([0-9]*\) /\1 &/p' "$tmp/dump" | sort -n \
    | sed 's/.* exact=1.*/EXACT/; s/.* grids=1.*/GRIDS/; s/^[0-9].*/SHOWS/' >"$tmp/got"
  grep -c ' spmd=' "$tmp/dump" >"$tmp/kernels"
  is "$(cat "$tmp/kernels")" "$(wc -l <"$tmp/want")" "$model: all are SPMD kernels"
  is "$(cat "$tmp/got")" "$(cat "$tmp/want")" "$model: what their results follow"
done
done_testing
