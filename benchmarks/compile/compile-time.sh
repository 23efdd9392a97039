#!/bin/sh
# What accrete adds to compile time: every program is built by stock GCC and
# with the specs file in turn, and the medians of the wall times compared.
# The last rows compile translation units that have no region, without
# linking: the cost of loading the plugin for nothing.
# Usage: compile-time.sh PREFIX [RUNS [PATTERN]...]
# PREFIX is an installed tree; 15 runs each by default; PATTERN as for
# programs.sh, by default the OpenACC and OpenMP forms of every operator.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
prefix=$(cd "${1:?usage: compile-time.sh PREFIX [RUNS]}" && pwd)
runs=${2:-15}
shift
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- '*-acc' '*-omp'
: "${CC:=gcc}" "${CXX:=g++}" "${FC:=gfortran}"
specs=-specs=$prefix/lib/accrete/accrete.specs
stock=-foffload-options=nvptx-none=-Wa,--no-verify
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
cd "$tmp"			# where gfortran puts and seeks modules

ms () {				# COMMAND...: its wall time in milliseconds
  begin=$(date +%s%N)
  "$@" >/dev/null 2>&1 || { echo "failed: $*" >&2; exit 1; }
  end=$(date +%s%N)
  echo "$(((end - begin) / 1000))" | awk '{ printf "%.1f\n", $1 / 1000 }'
}

median () { sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

compare () {			# NAME COMMAND... (without stock's or our flag)
  name=$1
  shift
  : >"$tmp/stock"
  : >"$tmp/ours"
  "$@" $stock >/dev/null 2>&1 || :
  "$@" "$specs" >/dev/null 2>&1 || :
  i=0
  while [ $i -lt "$runs" ]; do
    ms "$@" $stock >>"$tmp/stock"
    ms "$@" "$specs" >>"$tmp/ours"
    i=$((i + 1))
  done
  awk -v n="$name" -v s="$(median "$tmp/stock")" -v o="$(median "$tmp/ours")" 'BEGIN {
    printf "%-28s %9.1f %9.1f %9.3f %9.1f\n", n, s, o, o / s, o - s }'
}

# A plain unit of a few thousand lines that offloads nothing.
awk 'BEGIN { for (i = 0; i < 1500; i++)
  printf "double f%d (double *a, int n)\n{\n  double s = 0;\n  for (int i = 0; i < n; i++)\n    s += a[i] * %d;\n  return s;\n}\n", i, i }' >"$tmp/plain.c"
echo 'int main (void) { return 0; }' >"$tmp/empty.c"

printf '%-28s %9s %9s %9s %9s\n' program 'stock ms' 'ours ms' ratio 'added ms'
demo=$top/benchmarks/demo
for o in -O0 -O2; do
  compare "jacobi.c $o" "$CC" $o -fopenacc "$demo/jacobi.c" -o "$tmp/x"
  compare "jacobi-f.f90 $o" "$FC" $o -fopenacc "$demo/jacobi-f.f90" -o "$tmp/x"
  compare "wave-omp.cc $o" "$CXX" $o -fopenmp "$demo/wave-omp.cc" -o "$tmp/x"
done | tee "$tmp/programs"
sh "$top/benchmarks/programs.sh" "$@" \
  | while read -r program compiler flags source _; do
  case $compiler in
    cc) c=$CC ;;
    fc) c=$FC ;;
    nvcc) continue ;;
  esac
  # shellcheck disable=SC2046,SC2086  # lists of words
  compare "$program" $c -O2 $(echo "$flags" | tr , ' ') \
    "$top/benchmarks/$source" -o "$tmp/x" -lm </dev/null
done | tee -a "$tmp/programs"
awk '{ print $(NF - 1) }' "$tmp/programs" >"$tmp/ratios"
echo "median ratio $(median "$tmp/ratios")"
compare 'no regions, 10500 lines' "$CC" -O2 -fopenmp -c "$tmp/plain.c" -o "$tmp/x.o"
compare 'no regions, 1 line' "$CC" -O2 -fopenmp -c "$tmp/empty.c" -o "$tmp/x.o"
