#!/bin/sh
# What a first process costs: wall time of the whole process, in milliseconds, the
# median of TIMES (5) by turns.  Nothing is cached by the driver; "first" begins with
# an empty cache of ours, "second" with what the first left, "third" with what all
# before left.  Builds that are not there have a dash.
# usage: cold.sh NAME STOCK OURS AHEAD [ARGS]...
#   programs built by stock GCC, by accrete, and with ACCRETE_AOT; "whole" is accrete's
#   with lazy-compilation off, "one" with parallel-compilation off
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
name=$1 stock=$2 ours=$3 ahead=$4
shift 4
times=${TIMES:-5}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export CUDA_CACHE_DISABLE=1 XDG_CACHE_HOME="$dir/cache"

# wall COLUMN COMMAND...: a line in the file of that column, when it ends well.
wall () {
  column=$1
  shift
  from=$(date +%s%N)
  if "$@" >/dev/null 2>"$dir/err"; then
    echo $((($(date +%s%N) - from) / 10000)) >>"$dir/$column"
  else
    tail -n 1 "$dir/err" >&2
  fi
}

turn () {
  [ ! -x "$stock" ] || wall stock "$stock" "$@"
  if [ -x "$ours" ]; then
    rm -rf "$XDG_CACHE_HOME"
    wall first "$ours" "$@"
    wall second "$ours" "$@"
    wall third "$ours" "$@"
    rm -rf "$XDG_CACHE_HOME"
    ACCRETE_DISABLE=lazy wall whole "$ours" "$@"
    rm -rf "$XDG_CACHE_HOME"
    ACCRETE_DISABLE=chunks wall one "$ours" "$@"
  fi
  if [ -x "$ahead" ]; then
    rm -rf "$XDG_CACHE_HOME"
    wall ahead "$ahead" "$@"
  fi
}

for _ in $(seq "$times"); do
  turn "$@"
done
printf '%-22s' "$name"
for column in stock whole one first second third ahead; do
  sort -n "$dir/$column" 2>/dev/null \
    | awk '{ t[NR] = $1 } END { if (NR) printf "%10.1f", t[int ((NR + 1) / 2)] / 100
                                else printf "%10s", "-" }'
done
echo
