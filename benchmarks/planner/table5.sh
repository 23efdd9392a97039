#!/bin/sh
# Tables 5 and 6 of the transfer-fusion paper: microseconds for one execution
# of each program, by the floats of an array.
# Usage: table5.sh STOCK OURS [SIZE]...   (folders that build.sh filled)
# The environment's PROCESSES (5) of each build run by turns: where the system
# puts a process and its memory makes more of a difference than anything in it,
# stock's too.  Times are medians over them; "least" is the speedup of the
# fastest.  ROWS, a regular expression, selects programs.
# The paper's speedups stand beside ours; '-' where it has none.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
stock=${1:?usage: table5.sh STOCK OURS [SIZE]...} ours=${2:?}
shift 2
[ $# -gt 0 ] || set -- 4096 16384 65536 262144 1048576 4194304

# A second or so for a program: the largest take 0.1 s a call and more.
time_of () {			# PROGRAM SIZE
  calls=$((16777216 / $2))
  [ "$calls" -le 200 ] || calls=200
  [ "$calls" -ge 7 ] || calls=7
  if out=$("$1" --time="$calls" "$2" 2>&1 </dev/null); then
    echo "$out" | awk '$1 == "time" { print $3 }'
  else
    echo wrong
  fi
}

# A line for each process of NAME with SIZE: its build and its time.
times_of () {			# NAME SIZE
  for _ in $(seq "${PROCESSES:-5}"); do
    echo "stock $(time_of "$stock/$1" "$2")"
    echo "ours $(time_of "$ours/$1" "$2")"
  done
}

printf '%-22s%10s%12s%12s%10s%10s%10s\n' program floats stock ours speedup \
  least paper
# The paper's speedups in percent, from 4Ki floats on.
while read -r name paper; do
  echo "$name" | grep -qE "${ROWS:-.}" || continue
  for size in "$@"; do
    # Dense kernels take their time: 6.7 s at 4Mi in the paper.
    case $name in *dense*) [ "$size" -le 262144 ] || continue ;; esac
    index=$(echo "$size" | awk '{ print int (log ($1 / 4096) / log (4) + 1.5) }')
    times_of "$name" "$size" | sort -k1,1 -k2,2n \
      | awk -v "row=$name" -v "size=$size" \
	  -v "paper=$(echo "$paper" | cut -d' ' -f"$index")" '
	  { us[$1, n[$1]++] = $2; wrong[$1] += $2 == "wrong" }
	  function median(s) {
	    return wrong[s] ? "wrong" : us[s, int (n[s] / 2)]
	  }
	  function speedup(stock, ours) {
	    return wrong["stock"] + wrong["ours"] ? "-" \
	      : sprintf ("%.1f", 100 * (stock / ours - 1))
	  }
	  END {
	    printf "%-22s%10d%12s%12s%9s%%%9s%%%9s%%\n", row, size, \
	      median("stock"), median("ours"), \
	      speedup(median("stock"), median("ours")), \
	      speedup(us["stock", 0], us["ours", 0]), paper
	  }'
  done
done <<END
random5 49.6 26.9 10.5 10.1 3.9 -0.1
random24 170.9 27.5 12.9 0.8 1.3 -1.7
horner 11.8 9.0 13.0 9.9 3.1 0.3
cholesky 11.6 6.3 3.4 4.2 1.1 -0.8
cholesky-dense 29.0 10.8 0.3 0.0 0.0 -0.0
matmul 28.9 13.8 10.6 10.5 1.9 0.7
cg 5.0 0.0 2.1 2.9 0.5 0.5
random5-alloc -44.6 -38.9 63.4 133.8 96.3 3.6
random24-alloc - - - - - -
horner-alloc -19.4 13.0 21.5 32.2 18.3 4.4
cholesky-alloc - - - - - -
cholesky-dense-alloc - - - - - -
matmul-alloc - - - - - -
cg-alloc -34.5 -35.0 2.3 16.8 4.7 1.5
END
