#!/bin/sh
# Run the programs that pack-programs.sh has put beside this, and say how many
# compute what the host does.  One that ends the executable that it is in, or
# takes a minute, has failed; those behind it still run.
#
# TIME     the seconds that an executable may take, if not 60
# RESULTS  a file that gets a line "NUMBER ok" or "NUMBER FAILED" for each
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

all=${RESULTS-$tmp/all}
: >"$all"
for packed in "$here"/*.gz; do
  gunzip -c "$packed" >"$tmp/program" && chmod +x "$tmp/program"
  from=0
  while :; do
    timeout "${TIME:-60}" "$tmp/program" "$from" >"$tmp/out" 2>"$tmp/err"
    status=$?
    grep '^[0-9][0-9]* \(ok\|FAILED\)$' "$tmp/out" >>"$all"
    grep -v '^[0-9][0-9]* ok$' "$tmp/out"
    [ $status -ne 0 ] || break
    head -n 5 "$tmp/err"
    last=$(sed -n 's/^\([0-9][0-9]*\) .*/\1/p' "$tmp/out" | tail -n 1)
    [ -n "$last" ] || break
    echo "$last FAILED" >>"$all"
    from=$((last + 1))
  done
done
# What never came to run has failed as well.
awk 'NR == FNR { n++; next } $2 == "ok" { ok++ }
     END { print ok + 0 " generated programs passed, " n - ok " failed"
	   exit n != ok + 0 }' "$here/numbers" "$all"
