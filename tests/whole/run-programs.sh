#!/bin/sh
# Run an executable of generated programs: a line "NUMBER ok", or "NUMBER FAILED"
# and what it said, for each.  One that ends the executable, or takes TIME
# seconds (60), has failed; those behind it still run.  LOG gets what goes to
# stderr.
# Usage: run-programs.sh NUMBERS COMMAND...
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
numbers=$1
shift
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# What stderr has about program $1, or at all.
said () {
  { grep "^$1: " "$tmp/err" || grep -v '^accrete: ' "$tmp/err"; } | grep . \
    | head -n 3 | tr '\n' ' '
}

from=0
while :; do
  timeout "${TIME:-60}" "$@" "$from" >"$tmp/out" 2>"$tmp/err"
  status=$?
  [ -z "${LOG-}" ] || cat "$tmp/err" >>"$LOG"
  while read -r number result; do
    case $result in
      ok) echo "$number ok" ;;
      *) echo "$number FAILED $(said "$number")" ;;
    esac
  done <"$tmp/out"
  [ $status -ne 0 ] || break
  # The first that has no result.
  number=$(awk -v from="$from" 'FILENAME == "-" { done[$1] = NF > 1; next }
    $1 >= from && !done[$1] { print $1; exit }' - "$numbers" <"$tmp/out")
  if [ -z "$number" ]; then
    # All have, but the checker says something, or the end was wrong.
    echo "$(sed -n '$p' "$numbers") FAILED status $status: $(said check)"
    break
  fi
  echo "$number FAILED status $status: $(said "$number")"
  from=$((number + 1))
done
