#!/bin/sh
# A table of what device constructs cost, in microseconds: stock, with
# libgomp-ext only counting, and with it at work: the same binaries in these
# columns, so they show the runtime alone; and built with accrete.
# Usage: constructs.sh FOLDER [REPEATS [OURS]]
# FOLDER has constructs-acc and constructs-omp, built without accrete, and OURS
# those that were built with it.
# libgomp-ext.so.0 is found as any library (LD_LIBRARY_PATH), with the device
# layer in a folder device/ beside it; or RUNNER names accrete-run.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
folder=${1:?usage: constructs.sh FOLDER [REPEATS]}
repeats=${2:-300}
built=${3:-}

ours () {
  if [ "${RUNNER:-}" ]; then
    "$RUNNER" "$@"
  else
    env LD_PRELOAD=libgomp-ext.so.0 "$@"
  fi
}

# Three rounds of every column by turns, so that a drift of the machine's
# clocks does not favour one; the best of the medians counts.
columns () {			# PROGRAM ROW...
  program=$1
  shift
  "$folder/$program" "$@" | sed 's/^/stock /'
  ACCRETE_OFF=1 ours "$folder/$program" "$@" | sed 's/^/off /'
  ours "$folder/$program" "$@" | sed 's/^/on /'
  [ -z "$built" ] || ours "$built/$program" "$@" | sed 's/^/built /'
}

for program in constructs-acc constructs-omp; do
  for round in 1 2 3; do
    columns "$program" "$repeats"
    # The same in a program that has run teams before.
    columns "$program" "$repeats" teams to_3 from_3 tofrom_3 to_16 tofrom_16 \
      | sed '/ teams /d; s/\(_[0-9]*\) /\1,teams /'
  done
done | awk '
  { row = $2 " " $3
    if (!(row in known)) { known[row] = 1; order[++rows] = row }
    if (!((row, $1) in us) || $4 < us[row, $1]) us[row, $1] = $4 }
  END {
    printf "%-27s%10s%10s%10s%10s%8s\n", "construct", "stock", "--off", "ours", \
	"built", "ratio"
    for (i = 1; i <= rows; i++) {
      split (order[i], name, " "); r = order[i]
      last = (r, "built") in us ? us[r, "built"] : us[r, "on"]
      printf "%-9s%-18s%10.2f%10.2f%10.2f%10.2f%8.2f\n", name[1], name[2], \
	us[r, "stock"], us[r, "off"], us[r, "on"], last, us[r, "stock"] / last
    }
  }'
