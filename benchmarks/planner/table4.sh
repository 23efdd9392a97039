# Table 4 of the transfer-fusion paper: startups that planning saves.
#   sh table4.sh GRAPHS ACCRETE-PLAN [SEEDS]
# GRAPHS is the generator built from graphs.c.  Rows with a number of seeds
# are means over that many random graphs; "least" and "most" show the range.
# best, tight   accrete-plan, greedy and tight emission
# 4-try         our implementation of the paper's heuristic on the same graphs
# optimum       of how many graphs the plan is proved optimal
# us            planning time, median of 11 runs (of all, for several seeds)
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
graphs=$1 plan=$2 seeds=${3:-20}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

saved () { sed -n 's/.* \(-*[0-9]*\) saved.*/\1/p'; }

# row "PAPER'S COUNTS" SEEDS GRAPH ARG...: seeds 0 for a graph without any.
row () {
  paper=$1 n=$2
  shift 2
  : > "$tmp/row"
  for seed in $(seq 1 "$n"); do
    "$graphs" "$@" "$seed" > "$tmp/g.$seed"
  done
  [ "$n" -gt 0 ] || "$graphs" "$@" > "$tmp/g.0"
  for g in "$tmp"/g.*; do
    "$plan" "$g" > "$tmp/best"
    best=$(saved < "$tmp/best")
    tight=$("$plan" --emit=tight "$g" | saved)
    four=$("$plan" --method=paper --tries=4 --seed=1 "$g" | saved)
    optimal=$(grep -c '(optimal)' "$tmp/best" || :)
    us=$(for i in 1 2 3 4 5 6 7 8 9 10 11; do "$plan" "$g"; done \
      | sed -n 's/^planning time: \(.*\) us/\1/p' | sort -n | sed -n 6p)
    echo "$best $tight $four $optimal $us" >> "$tmp/row"
  done
  rm "$tmp"/g.*
  sort -n -k 5 "$tmp/row" | awk -v row="$*" -v paper="$paper" '
    { best += $1; tight += $2; four += $3; optimal += $4; us[NR] = $5
      if (NR == 1 || $1 < least) least = $1
      if (NR == 1 || $1 > most) most = $1
      if ($1 < $3) below++ }
    END {
      f = NR > 1 ? "%.1f" : "%d"
      printf "| %s | %s | " f " | " f " | " f " | %d..%d | %d/%d | %.0f |\n",
	row (NR > 1 ? " (" NR " seeds)" : ""), paper, best / NR,
	tight / NR, four / NR, least, most, optimal, NR, us[int((NR + 1) / 2)]
      if (below) { print "fewer than the 4-try heuristic: " below; exit 1 } }'
}

echo "| graph | paper: greedy, tight | best | tight | 4-try | least..most | optimum | us |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- |"
row "7, 7" 0 example
row "7 (9), 7 (8)" "$seeds" random 8 12 2 3 1 1
row "11, 11" "$seeds" random 10 5 2 4 1 2
row "14, 14" "$seeds" random 16 12 1 4 1 2
row "19, 17" "$seeds" random 16 16 2 3 1 2
row "12, 12" "$seeds" random 18 8 1 2 1 2
row "16, 15" "$seeds" random 18 8 2 2 1 2
row "11, 11" "$seeds" random 20 8 1 1 1 1
row "18, 17" "$seeds" random 20 8 1 3 1 2
row "28, 26" "$seeds" random 24 10 2 3 2 2
row "41 (42), 38 (41)" "$seeds" random 48 10 2 2 1 2
row "40, 37" "$seeds" random 60 10 1 2 1 2
row "75, 70" "$seeds" random 98 12 2 2 1 2
row "0, 0" 0 chain 20
row "15, 15" 0 out-tree 15
row "14, 14" "$seeds" out-tree 15
row "15, 8" 0 in-tree 15
row "14, 11" "$seeds" in-tree 15
row "31, 16" 0 in-tree 31
row "27, 17" "$seeds" in-tree 31
row "11, 11" 0 horner 10
row "14, 14" 0 cholesky 4 0
row "9, 8" 0 cholesky 4 1
row "11, 11" 0 matmul
row "2, 2" 0 cg
row "-" 0 cg-whole
