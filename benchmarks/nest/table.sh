#!/bin/sh
# Times every form of the programs in this folder, and prints a line for each
# program in each language, microseconds a call with the data on the device;
# then ratios of these over all programs.
# Usage: table.sh BUNDLE LANGUAGE... <SIZES
# BUNDLE has ours/OPERATOR-FORM and cuda/OPERATOR-FORM, see programs.sh.
# LANGUAGE is acc, omp or cuda.  Each line of SIZES is OPERATOR SIZE,SIZE...
# REPEATS (41) is how often each is timed, fewer when that takes long, LIMIT (4) how
# many seconds a call may take; after TIME (220) seconds all ends.  The lines come
# about at once: programs get ready while others are timed, in turn.  FORMS (all)
# are the columns:
#   inplace warp block grid auto   who executes children (ACCRETE_NEST); those with
#		few iterations too, but for auto
#   flat-a	without nesting: a thread for each parent
#   flat-b	the same: a warp or team for each parent
#   naive	a launch on the device by each thread that has children, into the
#		fastest of three kinds of streams: fire-and-forget, NULL, tail;
#		children that their parents wait for a warp executes (ccl's, but
#		for the last)
# '-': not there, or the device did not launch all of the children, or may launch
# none (qt's in OpenMP); '>': a call took longer than that, and was not waited for;
# 'late': TIME was over; 'wrong': the program's own check failed, as it says on
# stderr.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
bundle=${1:?usage: table.sh BUNDLE LANGUAGE... <SIZES}
shift
export ACCRETE_NEST_QUEUE=512M
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
export BENCH_TURN="$results" BENCH_LIMIT="${LIMIT:-4}"
end=$(($(date +%s) + ${TIME:-220}))

# The time of one program.  Naive is what launches; what the device refused to
# launch ran in place.
time_of () {			# PROGRAM ARGS...
  left=$((end - $(date +%s)))
  [ -x "$1" ] || { echo -; return; }
  [ $left -gt 0 ] || { echo late; return; }
  status=0
  out=$(timeout $left "$@" --time="${REPEATS:-41}" 2>&1 </dev/null) || status=$?
  case $status in
    0) echo "$out" | awk '
	 $1 == "time" { time = $3 }
	 $2 == "launching" { launches = $3 }
	 /no libcudadevrt/ || ($2 == "refused" && $3 > 0) { failed = 1 }
	 END {
	   naive = ENVIRON["ACCRETE_NEST"] ~ /^device/
	   print naive && (failed || !launches) ? "-" : time }' ;;
    124) echo late ;;
    142) echo "$out" | awk '$1 == "late" { print ">" $3 }' ;; # SIGALRM
    *) echo "${1##*/}: $out" | head -n 3 >&2
       echo wrong ;;
  esac
}

# The fastest of three streams; what is no time when none is one.
fastest () {			# PROGRAM ARGS...
  for STREAM in forget null tail; do
    case $1 in *-cunest) ;; *) ACCRETE_NEST=device-$STREAM ;; esac
    export STREAM ACCRETE_NEST
    time_of "$@"
  done | awk '!n++ { t = $1 } $1 + 0 && (!(t + 0) || $1 < t) { t = $1 }
	      /^>/ && !(t + 0) { t = $1 }
	      END { print t }'
}

# Let a program measure who executes its children until a process learns nothing
# more.  Programs that are fast need many calls for that: tries have to be paid for.
learn () {			# PROGRAM ARGS...
  for process in 1 2 3 4; do
    left=$((end - $(date +%s)))
    [ $left -gt 0 ] || return
    ACCRETE_DEBUG=1 BENCH_SECONDS=2 timeout $left "$@" --time=3000 2>&1 </dev/null \
      | grep -q 'children: form' || [ $process -eq 1 ] || return 0
  done
}

cell () {			# COLUMN OPERATOR LANGUAGE SIZES...
  column=$1 language=$3 ours=$bundle/ours/$2 cuda=$bundle/cuda/$2
  shift 3
  case $language in acc) nested=thrnest ;; *) nested=${language}nest ;; esac
  case $language-$column in
    cuda-flat-a) time_of "$cuda-cuflat" "$@" ;;
    cuda-flat-b) time_of "$cuda-cuda" "$@" ;;
    cuda-naive) fastest "$cuda-cunest" "$@" ;;
    cuda-*) echo - ;;
    *-flat-a) time_of "$ours-${language}flat" "$@" ;;
    *-flat-b) time_of "$ours-$language" "$@" ;;
    *)
      case $column in
	naive)
	  export ACCRETE_NEST_MIN=1 ACCRETE_REPORT=counters
	  fastest "$ours-$nested" "$@"
	  return ;;
	auto)			# remembers
	  export ACCRETE_NEST=auto
	  learn "$ours-$nested" "$@" ;;
	*) export ACCRETE_NEST="$column" ACCRETE_NEST_MIN=1 ;;
      esac
      time_of "$ours-$nested" "$@" ;;
  esac
}

# The line of a program in a language; its times, to a file.
row () {			# OPERATOR LANGUAGE SIZES...
  row=$1-$2
  printf '%-10s' $row
  # shellcheck disable=SC2086  # a list
  for column in $forms; do
    t=$(cell $column "$@")
    printf '%12s' "$t"
    echo "$1 $2 $column $t" >>"$results/times-$row"
  done
  echo
}

# A line for each program in each LANGUAGE.
table () {			# LANGUAGE...
  printf '%-10s' program
  # shellcheck disable=SC2086  # lists, from here on
  printf '%12s' $forms
  echo
  rows=0
  while read -r operator list; do
    for language; do
      [ $language != cuda ] || [ -e "$bundle/cuda/$operator-cuda" ] || continue
      rows=$((rows + 1))
      # shellcheck disable=SC2046
      row $operator $language $(echo $list | tr , ' ') >"$results/row-$rows" &
    done
  done
  wait
  for row in $(seq $rows); do
    cat "$results/row-$row"
  done
}

forms=${FORMS:-inplace warp block grid auto flat-a flat-b naive}
table "$@"

# The naive form of a program is the fastest of all languages.
awk '
  { sub (/^>/, "", $4) }	# at least
  !($4 + 0) { next }
  $3 == "naive" && (!naive[$1] || $4 < naive[$1]) { naive[$1] = $4 }
  $2 == "cuda" { next }
  { line = $1 " " $2; t[line, $3] = $4; lines[line] = $1 }
  $3 !~ /flat|naive/ && (!best[line] || $4 < best[line]) { best[line] = $4 }
  # Into the set WHAT, when both are times.
  function add (what, of_this, to_this) {
    if (!of_this || !to_this) return
    sum[what] += log (of_this / to_this); count[what]++
    if (!least[what] || of_this / to_this < least[what])
      least[what] = of_this / to_this }
  function show (what) {
    if (count[what])
      printf "%-36s geometric mean %7.2f, least %6.2f, %d lines\n", what,
	     exp (sum[what] / count[what]), least[what], count[what] }
  END {
    for (line in lines) {
      auto = t[line, "auto"]
      few = lines[line] ~ /^(bh|ccl|qt)$/
      add(few ? "naive / auto, bh ccl qt" : "naive / auto, the other seven",
	  naive[lines[line]], auto)
      if (!few) add("flat-a / auto, the other seven", t[line, "flat-a"], auto)
      add("flat-b / auto, all", t[line, "flat-b"], auto)
      add("best who / auto, all", best[line], auto) }
    show("naive / auto, the other seven"); show("naive / auto, bh ccl qt")
    show("flat-a / auto, the other seven"); show("flat-b / auto, all")
    show("best who / auto, all") }' "$results"/times-*
