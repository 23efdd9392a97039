#!/bin/sh
# Fill a folder with generated programs for a machine that has no compiler:
# those of a language, level and API in one executable, packed; their numbers;
# and in the file "built" a line for each: number, language, model, regions, how
# many of them are plain kernels, level, and "FAILED: why".
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

# Compile program $number into its group's folder.  Sets $kernels, and $why if
# anything is wrong.
build_program () {
  file=$tmp/$group/$number.$lang kernels=0
  why="is not written"
  write_program "$number" --entry="program_$number" >"$file" || return 0
  why="does not build"
  # shellcheck disable=SC2046  # a list of flags
  $(compiler $lang) "$@" $(program_flags "$number") -J "$tmp/$group" \
    -fopt-info-omp-optimized -c "$file" -o "${file%."$lang"}.o" \
    2>"$tmp/remarks" || { head -n 20 "$tmp/remarks" >&2; return 0; }
  kernels=$(grep -c 'made a plain kernel' "$tmp/remarks") || :
  why="became a kernel"
  [ $model != forkjoin ] || [ "$kernels" -eq 0 ] || return 0
  why=
  echo "PROGRAM ($number)" >>"$tmp/$group/programs.def"
  echo "$(compiler $lang) $(program_flags "$number")" >"$tmp/$group/link"
}

mkdir -p "$out"
seq "$FIRST" $((FIRST + n - 1)) >"$out/numbers"
: >"$out/built"
while read -r number; do
  describe_program "$number"
  group=$lang-${level%% *}-$api
  mkdir -p "$tmp/$group"
  build_program "$@"
  echo "$number $lang $model $regions $kernels $level ${why:+FAILED: $why}" \
    >>"$out/built"
done <"$out/numbers"
for group in "$tmp"/*/; do
  [ -e "$group/link" ] || continue
  "$CC" -DPROGRAMS="\"$group/programs.def\"" -c "$srcdir/driver.c" \
    -o "$group/driver.o"
  # shellcheck disable=SC2046  # a list of words
  $(cat "$group/link") "$@" "$group"/*.o -o "$tmp/program" -lm 2>"$tmp/log" \
    || { cat "$tmp/log" >&2; continue; }
  strip --strip-unneeded "$tmp/program"
  gzip -9 -c "$tmp/program" >"$out/$(basename "$group").gz"
done
cp "$srcdir/run-programs.sh" "$out/"
