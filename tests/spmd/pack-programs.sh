#!/bin/sh
# Fill a folder with generated programs for a machine that has no compiler:
# those of a language, level and API in one executable, packed; and their
# numbers.  run-programs.sh runs them.
# Usage: pack-programs.sh OUT N FLAG...
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
srcdir=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: pack-programs.sh OUT N FLAG...}
n=${2:?usage: pack-programs.sh OUT N FLAG...}
shift 2
. "$srcdir/program.sh"
: "${CC:=gcc}" "${CXX:=g++}" "${FC:=gfortran}"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

compiler () {
  case $1 in c) echo "$CC" ;; cc) echo "$CXX" ;; f90) echo "$FC" ;; esac
}

mkdir -p "$out"
seq "$n" >"$out/numbers"
while read -r number; do
  describe_program "$number"
  group=$lang-${level%% *}-$api
  mkdir -p "$tmp/$group"
  file=$tmp/$group/$number.$lang
  write_program "$number" --entry="program_$number" >"$file"
  # shellcheck disable=SC2046  # a list of flags
  $(compiler $lang) "$@" $(program_flags "$number") -J "$tmp/$group" \
    -c "$file" -o "${file%."$lang"}.o"
  echo "PROGRAM ($number)" >>"$tmp/$group/programs.def"
  echo "$(compiler $lang) $(program_flags "$number")" >"$tmp/$group/link"
done <"$out/numbers"
for group in "$tmp"/*/; do
  "$CC" -DPROGRAMS="\"$group/programs.def\"" -c "$srcdir/driver.c" \
    -o "$group/driver.o"
  # shellcheck disable=SC2046  # a list of words
  $(cat "$group/link") "$@" "$group"/*.o -o "$tmp/program" -lm 2>/dev/null
  strip --strip-unneeded "$tmp/program"
  gzip -9 -c "$tmp/program" >"$out/$(basename "$group").gz"
done
cp "$srcdir/run-programs.sh" "$out/"
