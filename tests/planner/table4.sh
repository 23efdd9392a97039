# Table 4 of the transfer-fusion paper: what planning must save at least.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"

plan=$top_builddir/libgomp-ext/accrete-plan
table=$(sh "$top_srcdir/benchmarks/planner/table4.sh" ./table4-graphs "$plan" 20)
ok $? "no plan saves less than the 4-try heuristic" || diag "$table"
is "$(printf '%s\n' "$table" | wc -l)" 28 "all rows"

# Columns: graph, paper, best, tight, 4-try, range, optimum, microseconds.
field () {
  printf '%s\n' "$table" | awk -F ' *[|] *' -v row="$1" -v n="$2" \
    '$2 == row { print $n }'
}

while read -r count row; do
  got=$(field "$row" 4)
  [ "${got:-0}" -ge "$count" ]; ok $? "$row saves $got, the paper $count"
  got=$(field "$row" 6)
  [ "${got:-0}" -ge "$count" ]; ok $? "$row by the paper's heuristic saves $got"
done <<END
7 example
0 chain 20
15 out-tree 15
15 in-tree 15
31 in-tree 31
11 horner 10
14 cholesky 4 0
9 cholesky 4 1
11 matmul
2 cg
END

printf '%s\n' "$table" | awk -F ' *[|] *' 'NR > 2 { split ($8, n, "/")
  if (n[1] != n[2]) bad = 1 } END { exit bad }'
ok $? "all plans are proved optimal"

worse=$(printf '%s\n' "$table" | awk -F ' *[|] *' '
  $2 ~ /^random/ { sum += $4 - $6 } END { print (sum > 0 ? "more" : "not more") }')
is "$worse" more "random graphs save more than the 4-try heuristic"

time=$(field "random 98 12 2 2 1 2 (20 seeds)" 9)
[ "${time:-1001}" -le 1000 ]; ok $? "98 kernels are planned in 1 ms" \
  || diag "$time us"
done_testing
