# Sourced by the tests of this folder: the installed tree and stock GCC.
# SPDX-License-Identifier: GPL-3.0-or-later
stage=$builddir/stage
specs=$stage/lib/accrete/accrete.specs
run=$stage/bin/accrete-run

# A ptxas that no longer knows GCC's default architecture makes stock builds
# fail; its check is left out for them.  Of ours many tests leave it out as well:
# it takes longer than the compiler, and what it refuses, our assembler lets pass.
stock_flags=-foffload-options=nvptx-none=-Wa,--no-verify

# compiler FILE: the compiler for it, by its suffix.
compiler () {
  case $1 in
    *.c) echo "$CC" ;;
    *.cc) echo "$CXX" ;;
    *.[fF]90) echo "$FC" ;;
  esac
}

# json FIELD FILE: a number out of a json report.
json () { sed -n "s/.*\"$1\": *\([0-9][0-9]*\).*/\1/p" "$2" | head -n 1; }

# six_at_once PROGRAM ARGS...: six processes of it on the emulated GPU say what $want
# says: a status and output.
six_at_once () {
  for i in 1 2 3 4 5 6; do
    { timeout 60 "$run" --emulate "$@"; echo "status $?"; } >"$tmp/out$i" 2>&1 &
  done
  wait
  bad=
  for i in 1 2 3 4 5 6; do
    [ "$(sed -n 's/^status //p' "$tmp/out$i") $(sed '/^status /d' "$tmp/out$i")" \
      = "$want" ] || bad="$bad $i"
  done
  is "$bad" "" "six processes"
}
