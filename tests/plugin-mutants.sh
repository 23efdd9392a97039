# Sourced behind libgomp-ext/mutant-lib.sh: mutants of the plugin that cases.sh and
# random.sh of a folder must find.
# SPDX-License-Identifier: GPL-3.0-or-later

# What programs are built with: $tmp/build is the build folder of the scripts.
mkdir "$tmp/build"

# stage_mutant: an installed tree with the mutant.
stage_mutant () {
  rm -rf "$tmp/build/stage"
  cp -R "$stage" "$tmp/build/"
  find "$tmp/build/stage" -name accrete-passes.so \
    -exec cp "$tmp/plugin/accrete-passes.so" {} \;
}

# finds_nothing SCRIPT VARIABLE=VALUE...: nor a crash or a hang.
finds_nothing () {
  script=$1
  shift
  env builddir="$tmp/build" ACCRETE_EMU_TIMEOUT=20 "$@" \
    sh "$srcdir/$script" >"$tmp/log" 2>&1
  ! grep -q '^not ok' "$tmp/log"
}
