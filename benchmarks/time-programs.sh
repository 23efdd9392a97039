#!/bin/sh
# Times the programs of the lines of programs.sh on the standard input, built
# into folders beside each other, and prints a table: microseconds a call with
# the data on the device, and the ratio of each folder to the first.
# Usage: programs.sh [PATTERN] | time-programs.sh FOLDER...
# Each FOLDER is one build (say stock, ours); one may have the CUDA form of an
# operator instead, which then stands in the rows of all its forms.
# The environment's REPEATS is the number of calls; with KERNELS set, of programs
# built with accrete, it is the median time of their kernels on the GPU that
# counts, without what a call takes besides.
# '-': not there; 'wrong': the program's own check failed.  A FOLDER whose name
# begins with "no-" has builds that are wrong on purpose (the shuffle pass's
# no-load and no-corner): their times count all the same.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
: "${1:?usage: time-programs.sh FOLDER...}"

if [ -n "${KERNELS-}" ]; then
  ACCRETE_REPORT=counters ACCRETE_TIMES=1
  export ACCRETE_REPORT ACCRETE_TIMES
fi

find_program () {		# FOLDER NAME
  operator=${2%-*}
  for p in "$1/$2" "$1/$operator-cuda" "$1/${operator%-f}-cuda"; do
    [ -x "$p" ] && echo "$p" && return
  done
}

time_of () {			# FOLDER NAME ARGS...
  program=$(find_program "$1" "$2") || { echo -; return; }
  case ${1##*/} in no-*) wrong_too=true ;; *) wrong_too=false ;; esac
  shift 2
  if out=$("$program" --time="${REPEATS:-20}" "$@" 2>&1 </dev/null) \
     || $wrong_too; then
    echo "$out" | awk -v "kernels=${KERNELS:+1}" '
      kernels && $1 " " $2 == "accrete: kernel" {
        sub (/.* median /, ""); sum += $1 }
      !kernels && $1 == "time" { sum = $3 }
      END { if (sum) printf "%.2f\n", sum; else print "-" }'
  else
    echo wrong
  fi
}

header=$(printf '%-20s' program)
for folder in "$@"; do
  header=$header$(printf '%14s' "${folder##*/}")
done
echo "$header  ratio to the first"
# Another form of the operator was timed in the row before, maybe.
other='' other_time=''
while read -r name _ _ _ _ large; do
  times=
  for folder in "$@"; do
    program=$(find_program "$folder" "$name") || :
    if [ -z "$program" ] || [ "$program $large" != "$other" ]; then
      # shellcheck disable=SC2046  # a list of arguments
      time=$(time_of "$folder" "$name" $(echo "$large" | tr , ' '))
    else
      time=$other_time
    fi
    case $program in
      '' | */"$name") ;;
      *) other="$program $large" other_time=$time ;;
    esac
    times="$times $time"
  done
  echo "$name $times" | awk '{
    printf "%-20s", $1
    for (i = 2; i <= NF; i++)
      printf "%14s", $i
    for (i = 3; i <= NF; i++)
      printf "  %s", ($i + 0 && $2 + 0 ? sprintf ("%.3f", $i / $2) : "-")
    print "" }'
done
