#!/bin/sh
# Fill a folder with everything a GPU machine needs that has a driver but no
# GCC offload compiler: test and benchmark binaries (stock builds and ours),
# accrete, GCC's run-time libraries and run.sh.  Relocatable.
# Usage: bundle.sh PREFIX OUT   (an installed tree; a folder to fill)
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
prefix=$(cd "${1:?usage: bundle.sh PREFIX OUT}" && pwd)
out=${2:?usage: bundle.sh PREFIX OUT}
: "${CC:=gcc}" "${CXX:=g++}" "${FC:=gfortran}"
specs=$prefix/lib/accrete/accrete.specs
stock_flags=-foffload-options=nvptx-none=-Wa,--no-verify

rm -rf "$out"
mkdir -p "$out/lib" "$out/stock" "$out/ours"
cp -R "$prefix" "$out/accrete"
for lib in libgomp.so.1 libgomp-plugin-nvptx.so.1 libgfortran.so.5 \
	   libquadmath.so.0 libstdc++.so.6 libgcc_s.so.1; do
  cp -L "$("$CC" -print-file-name="$lib")" "$out/lib/"
done

build () {			# NAME COMPILER FLAGS... SOURCE
  name=$1 c=$2
  shift 2
  "$c" -O2 $stock_flags "$@" -o "$out/stock/$name" -lm 2>/dev/null
  "$c" -O2 -specs="$specs" "$@" -o "$out/ours/$name" -lm 2>/dev/null
}

demo=$top/benchmarks/demo
build jacobi "$CC" -fopenacc "$demo/jacobi.c"
build jacobi-f "$FC" -fopenacc "$demo/jacobi-f.f90"
build wave-omp "$CXX" -fopenmp "$demo/wave-omp.cc"
bench=$top/benchmarks/runtime
build constructs-acc "$CC" -fopenacc "$bench/constructs.c"
build constructs-omp "$CC" -fopenmp "$bench/constructs.c"

# The benchmark programs, their table and what times them.
programs () { sh "$top/benchmarks/programs.sh" "$@"; }
build_programs () { sh "$top/benchmarks/build-programs.sh" "$@"; }
programs | grep -v ' nvcc ' >"$out/programs.txt"
build_programs "$out/stock" $stock_flags <"$out/programs.txt"
build_programs "$out/ours" "-specs=$specs" <"$out/programs.txt"
programs '*-cuda' | build_programs "$out/cuda"
rm -f "$out"/*/*.log
cp "$top/benchmarks/time-programs.sh" "$out/"

cp "$top/benchmarks/run-bundle.sh" "$out/run.sh"
du -sm "$out" | awk '{ print "bundle: " $1 " MB"; exit $1 > 60 }'
