#!/bin/sh
# Fill a folder with everything that a GPU machine needs which has a driver but
# no GCC offload compiler: programs (stock builds and ours), accrete, GCC's
# run-time libraries and run.sh.  Relocatable.
# Usage: bundle.sh PREFIX OUT   (an installed tree; a folder to fill)
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "${1:?usage: bundle.sh PREFIX OUT}" && pwd)
out=${2:?usage: bundle.sh PREFIX OUT}
: "${CC:=gcc}" "${CXX:=g++}" "${FC:=gfortran}"
ours=-specs=$prefix/lib/accrete/accrete.specs
# A ptxas that has dropped GCC's default architecture stops stock builds.
stock=-foffload-options=nvptx-none=-Wa,--no-verify
# Builds of CUDA 13 and later for the oldest GPU in use here.
CUDA_ARCH=sm_80
# What has been linked with the device's run-time library is not compiled again
# there.
NVCCFLAGS='-gencode=arch=compute_90,code=sm_90 -cudart=shared'
export CUDA_ARCH NVCCFLAGS

rm -rf "$out"
mkdir -p "$out/cuda" "$out/lib" "$out/scripts"
cp -R "$prefix" "$out/accrete"
for lib in libgomp.so.1 libgomp-plugin-nvptx.so.1 libgfortran.so.5 \
	   libquadmath.so.0 libstdc++.so.6 libgcc_s.so.1; do
  cp -L "$("$CC" -print-file-name="$lib")" "$out/lib/"
done

# CUDA's device runtime, where it is: for children that the device launches.
cuda=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
cuda=${cuda%/bin/*}/lib64/libcudadevrt.a
[ ! -f "$cuda" ] || cp -L "$cuda" "$out/lib/"

extra () {			# the programs outside programs.sh; FLAG OUT
  # What a construct costs, not a loop of them.
  constructs=$1
  [ "$1" = "$stock" ] \
    || constructs="$1 -fplugin-arg-accrete-disable=resident-loops"
  "$CC" -O2 -fopenacc "$1" "$here/demo/jacobi.c" -o "$2/demo-c"
  "$FC" -O2 -fopenacc "$1" "$here/demo/jacobi-f.f90" -o "$2/demo-f"
  "$CXX" -O2 -fopenmp "$1" "$here/demo/wave-omp.cc" -o "$2/demo-omp"
  # shellcheck disable=SC2086  # a list of flags
  "$CC" -O2 -fopenacc $constructs "$here/runtime/constructs.c" \
    -o "$2/constructs-acc"
  # shellcheck disable=SC2086
  "$CC" -O2 -fopenmp $constructs "$here/runtime/constructs.c" \
    -o "$2/constructs-omp"
  "$CC" -O2 -fopenacc "$1" "$here/runtime/bulk.c" -o "$2/bulk-acc"
  "$CC" -O2 -fopenmp "$1" "$here/runtime/bulk.c" -o "$2/bulk-omp"
}

for side in stock ours; do
  eval "flag=\$$side"
  # shellcheck disable=SC2154  # set by eval
  # Stock GCC has no nested regions; its OpenMP programs are large, so that there
  # are one form and one language of those in nest/.
  case $side in
    stock) without='^[^ ]*(nest|ompflat) |^[^ ]*-(cc|f)-.* nest/' ;;
    *) without='^$' ;;
  esac
  sh "$here/programs.sh" | grep -v ' nvcc ' | grep -Ev "$without" \
    | sh "$here/build-programs.sh" "$out/$side" "$flag"
  extra "$flag" "$out/$side" 2>/dev/null
  sh "$here/planner/build.sh" "$out/$side/planner" "$flag" 2>/dev/null
done
# The paper's operators, some in C and Fortran: FOLDER, what the pass shuffle
# does, what ptx-post leaves out (-: nothing), the registers of further forms (-:
# the default), and settings of the plugin.  First
# GCC's form of the nests, which the paper's method is for, then SPMD kernels.
# Only auto and registers have forms that the runtime measures.  What is for the
# tables of rows and forms alone is built of what those have.
rows='gaussblur*-acc jacobi*-acc laplacian*-acc wave13pt-acc tricubic-acc
  lapgsrb-acc gameoflife-acc whispering-acc uxx1-acc'
while read -r folder ACCRETE_SHUFFLE ACCRETE_DISABLE ACCRETE_REGISTERS settings; do
  [ "$ACCRETE_DISABLE" != - ] || ACCRETE_DISABLE=
  export ACCRETE_SHUFFLE ACCRETE_DISABLE ACCRETE_REGISTERS
  [ "$ACCRETE_REGISTERS" != - ] || unset ACCRETE_REGISTERS
  set -- "$ours"
  for setting in $settings; do
    set -- "$@" -fplugin-arg-accrete-"$setting"
  done
  case $folder in rows-* | registers) programs=$rows ;; *) programs='*-acc' ;; esac
  # shellcheck disable=SC2086  # a list of patterns
  (set -f; sh "$here/programs.sh" $programs) | grep -v ' nest/\|/triad\|/dot' \
    | sh "$here/build-programs.sh" "$out/shuffle/$folder" "$@"
done <<END
off never forms - rows=1 disable=spmd
paper always forms - rows=1 disable=spmd
halo halo forms - rows=1 disable=spmd
keep keep forms - rows=1 disable=spmd
no-load no-load forms - rows=1 disable=spmd
no-corner no-corner forms - rows=1 disable=spmd
plain never forms - rows=1
rows-4 never forms - rows=4
rows-8 never forms - rows=8
auto auto - -
registers auto - 64,48,80,128
END
unset ACCRETE_SHUFFLE ACCRETE_DISABLE ACCRETE_REGISTERS
rm -f "$out"/shuffle/*/*.log
sh "$here/programs.sh" '*-cu*' | grep ' nvcc ' | sh "$here/build-programs.sh" "$out/cuda"
if command -v "${NVCC:=nvcc}" >/dev/null; then
  # shellcheck disable=SC2086  # a list
  "$NVCC" -O3 -arch="$CUDA_ARCH" $NVCCFLAGS "$here/shuffle/calibrate.cu" \
    -o "$out/cuda/calibrate"
  cp -L "$(ldd "$out/cuda/calibrate" | awk '/libcudart/ { print $3 }')" \
    "$out/lib/"
fi
rm -f "$out"/*/*.log

# The comparison of the emulated GPU with the real one.
tests=$here/../tests
"$CC" -O2 -frounding-math -ffp-contract=off -fwrapv -D_GNU_SOURCE \
  -I"$here/../libgomp-ext" -I"$here/../ptx-post/emu" -I"$tests/emu" \
  "$tests"/gpu/*.c "$tests/emu/rows.c" -o "$out/gpu-compare" -ldl -lm

# The same programs with machine code, where there is a ptxas.
mkdir -p "$out/ahead"
(ACCRETE_AOT=sm_80,sm_90; export ACCRETE_AOT
 extra "$ours" "$out/ahead" 2>/dev/null
 # shellcheck disable=SC2046  # a list of words
 sh "$here/programs.sh" $(sed -n 's/^cold_programs="\(.*\)"$/\1/p' "$here/run-bundle.sh") \
   | sh "$here/build-programs.sh" "$out/ahead" "$ours")
rm -f "$out"/ahead/*.log

# How the driver compiles; what launches and copies of small operands cost.
"$CC" -O2 -I"$here/../libgomp-ext" "$here/runtime/compile.c" -o "$out/compile" \
  -ldl -lpthread
"$CC" -O2 -I"$here/../libgomp-ext" "$here/runtime/copies.c" -o "$out/copies" -ldl
"$CC" -O2 -I"$here/../libgomp-ext" "$here/runtime/launches.c" -o "$out/launches" \
  -ldl

# Generated programs.
sh "$tests/spmd/pack-programs.sh" "$out/generated" 500 "$ours"

sh "$here/programs.sh" >"$out/programs.txt"
cp "$here/runtime/constructs.sh" "$here/runtime/cold.sh" "$here/time-programs.sh" \
  "$here/planner/table5.sh" "$here/nest/table.sh" "$out/scripts/"
cp "$here/run-bundle.sh" "$out/run.sh"
# The passes as a plugin of a compiler that is not there; and debug information.
find "$out/accrete" -name accrete-passes.so -exec rm {} +
find "$out" -type f -perm -u+x ! -name '*.sh' -exec strip --strip-unneeded {} + \
  2>/dev/null || :
# All OpenMP programs have GCC's device runtime inside.
(cd "$out" && tar czf programs.tar.gz ahead cuda generated ours shuffle stock \
  && rm -rf ahead cuda generated ours shuffle stock)
du -sm "$out" | awk '{ print "bundle: " $1 " MB"; exit $1 > 60 }'
