# Sourced behind lib.sh: the programs of late-program.c.
# SPDX-License-Identifier: GPL-3.0-or-later

on_emulated_gpu
export ACCRETE_EMU_GPU=mini
plugin=$top_builddir/plugin/.libs/accrete.so

# build OUTPUT MODEL LEVEL FLAGS...: $source.
source=program.c
build () {
  to=$tmp/$1
  model=$2 level=$3
  shift 3
  case $source in *.cc) compiler=$CXX ;; *) compiler=$CC ;; esac
  $compiler "$level" -w "-fopen$model" "$tmp/$source" -o "$to" \
    -foffload-options=nvptx-none=-Wa,--no-verify "$@" >"$tmp/log" 2>&1 \
    || { cat "$tmp/log" >&2; exit 99; }
}
# programs SEED MODEL LEVEL: stock's build, and ours.
programs () {
  "$builddir/late-program" "$1" >"$tmp/program.c"
  build stock "$2" "$3"
  build marked "$2" "$3" "-fplugin=$plugin"
}
