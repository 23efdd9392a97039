#!/bin/sh
# Build the programs whose lines of programs.sh stand on the standard input.
# Usage: programs.sh [PATTERN] | build-programs.sh OUT [FLAGS]...
# FLAGS go to gcc, g++ and gfortran (the specs file, for instance); nvcc has
# CUDA_ARCH and NVCCFLAGS in the environment.
# Each program becomes OUT/NAME, with what its compiler said in OUT/NAME.log;
# CUDA programs are left out where there is no nvcc.  Exit status 1 when any
# failed to build.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: build-programs.sh OUT [FLAGS]...}
shift
: "${CC:=gcc}" "${CXX:=g++}" "${FC:=gfortran}" "${NVCC:=nvcc}" "${CUDA_ARCH:=sm_90}"
mkdir -p "$out/modules"
out=$(cd "$out" && pwd)
# gfortran looks for modules in its own folder first: none but ours there.
cd "$out/modules"

status=0
while read -r name compiler flags source _; do
  [ "$compiler" != nvcc ] || command -v "$NVCC" >/dev/null || continue
  flags=$(echo "$flags" | tr , ' ')
  # shellcheck disable=SC2086  # lists of words
  case $compiler in
    cc) $CC -O2 $flags "$@" "$here/$source" -o "$out/$name" -lm ;;
    cxx) $CXX -O2 $flags "$@" "$here/$source" -o "$out/$name" ;;
    fc) $FC -O2 $flags "$@" "$here/$source" -o "$out/$name" ;;
    nvcc) $NVCC $flags -arch="$CUDA_ARCH" ${NVCCFLAGS-} "$here/$source" \
	    -o "$out/$name" ;;
  esac >"$out/$name.log" 2>&1 || status=1
done
cd "$out"
rm -rf modules
exit $status
