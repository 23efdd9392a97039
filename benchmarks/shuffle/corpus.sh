#!/bin/sh
# How many loads of a folder of PTX units have a source in another lane or in the
# same, and is what becomes of them right?  Nothing of the units has to be known:
# their kernels run on made-up arguments (variants.c), once as they are and once
# rewritten, and what they leave in memory is compared byte for byte.  Kernels
# that such arguments make fail or leave idle, or of which the checker says that
# they do what is not defined, have no say; ptxas, where it is, has to take all.
# Usage: corpus.sh PTX-POST VARIANTS FOLDER [OPTION OF PTX-POST]...
#   VARIANTS is variants.c, compiled; on the emulated GPU with its library in
#   LD_LIBRARY_PATH.
# A line for each kernel in which loads are taken; then the sums.  Exit status 1
# when any kernel differs or a unit is not assembled.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
post=${1:?usage: corpus.sh PTX-POST VARIANTS FOLDER [OPTION]...}
variants=${2:?usage: corpus.sh PTX-POST VARIANTS FOLDER [OPTION]...}
folder=${3:?usage: corpus.sh PTX-POST VARIANTS FOLDER [OPTION]...}
shift 3
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT

# candidates: what --explain says on the standard input, as
# KERNEL SHUFFLES COPIES LOADS.
candidates () {
  sed -n 's/.*: shuffle: \([^:]*\): \([0-9]*\) shuffles and \([0-9]*\) copies of \([0-9]*\) loads.*/\1 \2 \3 \4/p'
}

# outcome UNIT KERNEL: of the unit and its rewritten form: same, differs or fails
# (also: idle).
outcome () {
  unit=$1 kernel=$2
  while read -r how; do
    # shellcheck disable=SC2086  # a list of options
    set -- --size=10,11,70 --kernel="$kernel" $how "$unit"
    # What is not defined, a race say, may come out in any way.
    ACCRETE_EMU_CHECK=2 timeout 20 "$variants" "$@" </dev/null >/dev/null 2>&1 \
      || continue
    timeout 60 "$variants" "$@" "$tmp/new.ptx" </dev/null 2>/dev/null
    # The original has ended well: who hangs, or ends otherwise, is the new one.
    [ $? -le 1 ] || echo "$kernel,new.ptx,,ends,,"
  done <<END | awk -F, '
    $2 == "new.ptx" && $4 != "same" && $4 != "idle" { differs++ }
    $2 == "new.ptx" && $4 == "same" { same++ }
    END { print differs ? "differs" : same ? "same" : "fails" }'
--block=64,1
--block=256,1
--block=32,4 --grid=points
--block=16,16 --grid=points
--ints --block=96,1
--ints --block=256,1
--ints --block=40,2 --grid=points
--ints --block=16,16 --grid=points
END
}

for unit in "$folder"/*.ptx; do
  timeout 100 "$post" --passes=shuffle --shuffle=always --explain "$@" \
    "$unit" -o "$tmp/new.ptx" 2>&1 | candidates >"$tmp/found"
  name=$(basename "$unit" .ptx)
  awk -v "unit=$name" '{ print "sum", unit, $0 }' "$tmp/found"
  awk '$2 + $3 > 0' "$tmp/found" >"$tmp/taken"
  [ -s "$tmp/taken" ] || continue
  target=$(sed -n 's/^\.target \(sm_[0-9a-z]*\).*/\1/p' "$unit" | head -n 1)
  if command -v "${PTXAS:=ptxas}" >/dev/null \
     && "$PTXAS" -c -arch="$target" "$unit" -o "$tmp/o" 2>/dev/null \
     && ! "$PTXAS" -c -arch="$target" "$tmp/new.ptx" -o "$tmp/o" \
	    2>"$tmp/log"; then
    echo "unit $name is not assembled: $(head -n 1 "$tmp/log")"
  fi
  while read -r kernel rest; do
    echo "kernel $(outcome "$unit" "$kernel") $name $kernel $rest"
  done <"$tmp/taken"
done | awk '
  $1 == "sum" { kernels++; shuffles += $4; copies += $5; loads += $6; next }
  $1 == "unit" { bad++ }
  $1 == "kernel" { n[$2]++ }
  { print }
  END {
    printf "%d kernels, %d loads: %d shuffles, %d copies; of %d kernels with some %d same, %d differ, %d fail or are idle\n", \
      kernels, loads, shuffles, copies, n["same"] + n["differs"] + n["fails"],
      n["same"], n["differs"], n["fails"]
    exit bad + n["differs"] > 0 }'
