#!/bin/sh
# The pairs of kernels (pairs.c) on a GPU: one behind the other, in two queues in both
# orders, with each choice of ACCRETE_PAIR, in one queue with the one that was measured,
# and as one loop where VERTICAL names the program built with -DONE_LOOP; a table in
# microseconds, medians of the runs' medians.
# usage: run.sh PROGRAM OUT [RUNS [ARGUMENTS OF PROGRAM...]]
# OUT gets a line "HOW PAIR MEDIAN LEAST HASH" for each run as it goes, and table.txt.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=$1 out=$2 runs=${3-3}
shift 2
[ $# -eq 0 ] || shift
mkdir -p "$out"
lines=$out/lines.txt

# measure HOW CHOICE OPTIONS...
measure () {
  how=$1 choice=$2
  shift 2
  ACCRETE_PAIR=$choice "$program" "$@" >"$out/now" 2>>"$out/errors.txt" \
    || echo "$how: status $?" >>"$out/errors.txt"
  sed "s|^|$how |" "$out/now" >>"$lines"
}
# first OPTIONS...: what auto takes is found.
first () {
  ACCRETE_PAIR=auto "$program" -w 3000 -n 1 "$@" >>"$out/first" 2>>"$out/errors.txt" || :
}
# Variants and geometries of the kernels themselves are found once, and what auto takes.
first "$@"
first -r "$@"
first -s "$@"
i=0
while [ $i -lt "$runs" ]; do
  i=$((i + 1))
  measure serial off -s "$@"
  measure streams off "$@"
  measure reversed off -r "$@"
  for choice in auto 1:1 1:3 3:1 1/4 1/2 3/4; do
    measure $choice $choice "$@"
  done
  measure waits serial "$@"
  measure auto-reversed auto -r "$@"
  measure one-queue auto -s "$@"
  [ -z "${VERTICAL:-}" ] || (program=$VERTICAL; measure vertical off "$@")
  awk -f "$here/table.awk" "$lines" >"$out/table.txt"
done
