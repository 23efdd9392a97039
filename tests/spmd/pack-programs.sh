#!/bin/sh
# Fill a folder with generated programs for a machine that has no compiler:
# those of a language, level and API in one executable, packed; their numbers;
# and in the file "built" a line for each: number, language, model, regions, how
# many of them are SPMD kernels, level, and "FAILED: why".
# run-programs.sh runs them.
# Usage: [FIRST=NUMBER] pack-programs.sh OUT N FLAG...
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
srcdir=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: pack-programs.sh OUT N FLAG...}
n=${2:?usage: pack-programs.sh OUT N FLAG...}
shift 2
. "$srcdir/program.sh"
: "${CC:=gcc}" "${CXX:=g++}" "${FC:=gfortran}" "${FIRST:=1}"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

compiler () {
  case $1 in c) echo "$CC" ;; cc) echo "$CXX" ;; f90) echo "$FC" ;; esac
}

# How program $1 has come out of it: it has $2 SPMD kernels, and $3 is wrong.
note () {
  echo "$1 $lang $model $regions $2 $level ${3:+FAILED: $3}" >>"$out/built"
}

# Compile the programs of these numbers, which differ in nothing else, as one
# file.
build_programs () {
  describe_program "$1"
  group=$tmp/$lang-${level%% *}-$api
  file=$group/$1.$lang
  mkdir -p "$group"
  write_programs "$@" >"$file"
  # shellcheck disable=SC2046  # a list of flags
  if $(compiler $lang) $flags $(program_flags "$1") -J "$group" \
    -fopt-info-omp-optimized -c "$file" -o "${file%."$lang"}.o" \
    2>"$tmp/remarks"
  then
    for number; do
      kernels=$(grep -c "^program_$number:.*becomes an SPMD kernel" \
                "$tmp/remarks") || :
      [ $model = forkjoin ] && [ "$kernels" -gt 0 ] && why="became a kernel" \
        || why=
      note "$number" "$kernels" "$why"
      echo "PROGRAM ($number)" >>"$group/programs.def"
    done
    echo "$(compiler $lang) $(program_flags "$1")" >"$group/link"
  elif [ $# -gt 1 ]; then
    for number; do build_programs "$number"; done
  else
    head -n 20 "$tmp/remarks" >&2
    note "$1" 0 "does not build"
  fi
}

flags=$*
mkdir -p "$out" "$tmp/alike"
seq "$FIRST" $((FIRST + n - 1)) >"$out/numbers"
: >"$out/built"
while read -r number; do
  describe_program "$number"
  echo "$number" >>"$tmp/alike/$lang-${level%% *}-$model-$regions"
done <"$out/numbers"
for alike in "$tmp"/alike/*; do
  xargs -n 20 <"$alike" >"$tmp/files"
  # shellcheck disable=SC2086  # numbers
  while read -r numbers; do build_programs $numbers; done <"$tmp/files"
done
for group in "$tmp"/*-*/; do
  [ -e "$group/link" ] || continue
  sort -t '(' -k 2 -n -o "$group/programs.def" "$group/programs.def"
  "$CC" -DPROGRAMS="\"$group/programs.def\"" -c "$srcdir/driver.c" \
    -o "$group/driver.o"
  # shellcheck disable=SC2046  # a list of words
  $(cat "$group/link") $flags "$group"/*.o -o "$tmp/program" -lm 2>"$tmp/log" \
    || { cat "$tmp/log" >&2; continue; }
  strip --strip-unneeded "$tmp/program"
  gzip -9 -c "$tmp/program" >"$out/$(basename "$group").gz"
done
cp "$srcdir/run-programs.sh" "$out/"
