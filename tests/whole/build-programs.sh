#!/bin/sh
# Build the generated programs of these numbers into one executable OUT/program;
# OUT/numbers has those that are in it, OUT/broken those that do not build,
# OUT/sizes what their launches may be.  All have the same language, model and
# level.
# Usage: build-programs.sh OUT FLAGS NUMBER...
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
srcdir=$(cd "$(dirname "$0")" && pwd)
out=$1 more=$2
shift 2
. "$srcdir/program.sh"
describe_program "$1"
compiler=$(compiler_of $lang)
mkdir -p "$out"
: >"$out/numbers" >"$out/broken" >"$out/sizes"

# Compile the programs of these numbers as one file, or one by one.
compile () {
  SIZES=$out/new
  rm -f "$SIZES"
  write_programs "$@" >"$out/$1.$lang"
  # shellcheck disable=SC2086  # lists of flags
  if $compiler $more $flags -J "$out" -c "$out/$1.$lang" -o "$out/$1.o" \
    2>"$out/messages"
  then
    printf '%s\n' "$@" >>"$out/numbers"
    cat "$SIZES" >>"$out/sizes" 2>/dev/null || :
  elif [ $# -gt 1 ]; then
    for number; do compile "$number"; done
  else
    head -n 5 "$out/messages" >&2
    echo "$1" >>"$out/broken"
  fi
}

rm -f "$out"/*.o
for number; do echo "$number"; done | xargs -n 10 >"$out/files"
# shellcheck disable=SC2086  # numbers
while read -r numbers; do compile $numbers; done <"$out/files"
sed 's/.*/PROGRAM (&)/' "$out/numbers" >"$out/programs.def"
[ -s "$out/numbers" ] || exit 0
"${CC:-gcc}" -DPROGRAMS="\"$out/programs.def\"" -c "$srcdir/../spmd/driver.c" \
  -o "$out/driver.o"
# shellcheck disable=SC2086
$compiler $more $flags "$out"/*.o -o "$out/program" $libs
