#!/bin/sh
# Times every form of the programs in this folder, and prints a line for each
# program in each language, microseconds a call with the data on the device;
# then ratios of these over all programs.
# Usage: table.sh BUNDLE LANGUAGE... <SIZES
# BUNDLE has ours/OPERATOR-FORM and cuda/OPERATOR-FORM, see programs.sh.
# LANGUAGE is acc, omp or cuda.  Each line of SIZES is OPERATOR SIZE,SIZE...
# REPEATS (5) is how often each is timed; after TIME (200) seconds no further
# program is begun.  The columns:
#   naive	a launch on the device by each thread that has children, into the
#		fastest of three kinds of streams
#   inplace warp block grid auto   who executes children (ACCRETE_NEST); but for
#		the first and last also those with few iterations
#   flat-a	without nesting: a thread for each parent
#   flat-b	the same: a warp or team for each parent
# '-': not there, or the device did not launch all of the children; 'wrong': the
# program's own check failed, as it says on stderr.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
bundle=${1:?usage: table.sh BUNDLE LANGUAGE... <SIZES}
shift
export ACCRETE_NEST_QUEUE=512M

# The time of one program.  What the device refused to launch ran in place.
time_of () {			# PROGRAM ARGS...
  [ -x "$1" ] || { echo -; return; }
  if out=$(ACCRETE_REPORT=text "$@" --time="${REPEATS:-5}" 2>&1 </dev/null); then
    echo "$out" | awk '
      $1 == "time" { time = $3 }
      /no libcudadevrt/ || ($2 == "refused" && $3 > 0) { time = "-" }
      END { print time }'
  else
    echo "${1##*/}: $out" | head -n 3 >&2
    echo wrong
  fi
}

fastest () {			# TIMES...: wrong when any is
  printf '%s\n' "$@" | sort -g | awk '
    $1 == "wrong" { wrong = 1 } $1 + 0 && !t { t = $1 }
    END { print (wrong ? "wrong" : t ? t : "-") }'
}

cuda_line () {			# OPERATOR SIZES...
  program=$bundle/cuda/$1
  shift
  naive=
  for STREAM in forget null tail; do
    export STREAM
    naive="$naive $(time_of "$program-cunest" "$@")"
  done
  # shellcheck disable=SC2086  # a list
  echo "$(fastest $naive) - - - - -" \
    "$(time_of "$program-cuflat" "$@") $(time_of "$program-cuda" "$@")"
}

our_line () {			# OPERATOR LANGUAGE SIZES...
  program=$bundle/ours/$1 flat=$2
  case $flat in acc) nested=thrnest ;; *) nested=${flat}nest ;; esac
  shift 2
  naive=
  for ACCRETE_NEST in device-forget device-null device-tail; do
    export ACCRETE_NEST
    naive="$naive $(time_of "$program-$nested" "$@")"
  done
  # shellcheck disable=SC2086  # a list
  fastest $naive
  for ACCRETE_NEST in inplace warp block grid auto; do
    export ACCRETE_NEST
    case $ACCRETE_NEST in
      warp | block | grid) export ACCRETE_NEST_MIN=1 ;;
      *) unset ACCRETE_NEST_MIN ;;
    esac
    time_of "$program-$nested" "$@"
  done
  unset ACCRETE_NEST
  time_of "$program-${flat}flat" "$@"
  time_of "$program-$flat" "$@"
}

lines () {			# LANGUAGE...
  end=$(($(date +%s) + ${TIME:-200}))
  while read -r operator sizes && [ "$(date +%s)" -lt $end ]; do
    for language; do
      list=$(echo "$sizes" | tr , ' ')
      # shellcheck disable=SC2046,SC2086  # lists
      case $language in
	cuda) echo $operator-cuda $(cuda_line $operator $list) ;;
	*) echo $operator-$language $(our_line $operator $language $list) ;;
      esac
    done
  done
}

# A line whose columns are all empty is of a program that there is not.  The
# naive form of a program is the fastest of all languages.
lines "$@" | awk '
  BEGIN { split ("naive inplace warp block grid auto flat-a flat-b", name)
	  printf "%-10s", "program"
	  for (c = 1; c <= 8; c++) printf "%12s", name[c]
	  print "" }
  { some = 0
    for (c = 2; c <= 9; c++) some += $c != "-"
    if (!some) next
    printf "%-10s", $1
    for (c = 2; c <= 9; c++) printf "%12s", $c
    print ""; fflush ()
    operator = $1; sub (/-.*/, "", operator)
    if ($2 + 0 && (!(operator in naive) || $2 < naive[operator]))
      naive[operator] = $2
    if ($1 ~ /-cuda$/) next
    of[++n] = operator; auto[n] = $7; a[n] = $8; b[n] = $9
    for (c = 3; c <= 7; c++)
      if ($c + 0 && (!best[n] || $c < best[n])) best[n] = $c }
  # Into the set WHAT, when both are times.
  function add (what, of_this, to_this) {
    if (!(of_this + 0 && to_this + 0)) return
    sum[what] += log (of_this / to_this); count[what]++
    if (!(what in least) || of_this / to_this < least[what])
      least[what] = of_this / to_this }
  function show (what) {
    if (count[what])
      printf "%-36s geometric mean %7.2f, least %6.2f, %d lines\n", what,
	     exp (sum[what] / count[what]), least[what], count[what] }
  END {
    for (i = 1; i <= n; i++) {
      few = of[i] ~ /^(bh|ccl|qt)$/
      add(few ? "naive / auto, bh ccl qt" : "naive / auto, the other seven",
	   naive[of[i]], auto[i])
      if (!few) add("flat-a / auto, the other seven", a[i], auto[i])
      add("flat-b / auto, all", b[i], auto[i])
      add("best who / auto, all", best[i], auto[i]) }
    show("naive / auto, the other seven"); show("naive / auto, bh ccl qt")
    show("flat-a / auto, the other seven"); show("flat-b / auto, all")
    show("best who / auto, all") }'
