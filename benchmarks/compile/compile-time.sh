#!/bin/sh
# What accrete adds to compile time: every program is built by stock GCC and
# with the specs file in turn, and the medians compared: of the wall time, and
# of the CPU time of all processes.  The last rows compile translation units
# that have no region, without linking: the cost of loading the plugin for
# nothing.  Fails when a limit is passed: 10 % of a program (median of all, in
# CPU time), and 1 % or 2 ms of a unit without regions.
# Usage: compile-time.sh PREFIX [RUNS [PATTERN]...]
# PREFIX is an installed tree; 9 runs each by default; PATTERN as for
# programs.sh, by default the OpenACC, kernels and OpenMP forms of every
# operator.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
prefix=$(cd "${1:?usage: compile-time.sh PREFIX [RUNS [PATTERN]...]}" && pwd)
runs=${2:-9}
[ $# -lt 2 ] || shift
shift
[ $# -gt 0 ] || set -- '*-acc' '*-kernels' '*-omp'
: "${CC:=gcc}" "${CXX:=g++}" "${FC:=gfortran}"
specs=-specs=$prefix/lib/accrete/accrete.specs
stock=-foffload-options=nvptx-none=-Wa,--no-verify
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
cd "$tmp"			# where gfortran puts and seeks modules
"$CC" -O2 "$top/benchmarks/compile/versus.c" -o versus
# As in an installation without CUDA: nothing verifies, with stock or us.
PATH=$(echo "$PATH" | tr : '\n' | while read -r d; do
	 [ -x "$d/ptxas" ] || printf '%s:' "$d"; done)

median () { sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

compare () {			# NAME COMMAND... (without stock's or our flag)
  name=$1
  shift
  ./versus "$runs" -- "$@" $stock -- "$@" "$specs" | awk -v n="$name" '{
    printf "%-25s %8.1f %8.1f %7.3f %8.1f %8.1f %7.3f %7.1f\n",
	   n, $1, $2, $2 / $1, $3, $4, $4 / $3, $4 - $3 }'
}

# A plain unit of a few thousand lines that offloads nothing.
awk 'BEGIN { for (i = 0; i < 1500; i++)
  printf "double f%d (double *a, int n)\n{\n  double s = 0;\n  for (int i = 0; i < n; i++)\n    s += a[i] * %d;\n  return s;\n}\n", i, i }' >plain.c
echo 'int main (void) { return 0; }' >empty.c

printf '%-25s %26s %34s\n' '' 'wall ms        ' 'CPU ms             '
printf '%-25s %8s %8s %7s %8s %8s %7s %7s\n' program stock ours ratio stock \
  ours ratio added
demo=$top/benchmarks/demo
for o in -O0 -O2; do
  compare "jacobi.c $o" "$CC" $o -fopenacc "$demo/jacobi.c" -o x
  compare "jacobi-f.f90 $o" "$FC" $o -fopenacc "$demo/jacobi-f.f90" -o x
  compare "wave-omp.cc $o" "$CXX" $o -fopenmp "$demo/wave-omp.cc" -o x
done | tee programs
sh "$top/benchmarks/programs.sh" "$@" \
  | while read -r program compiler flags source _; do
  case $compiler in
    cc) c=$CC ;;
    fc) c=$FC ;;
    nvcc) continue ;;
  esac
  # shellcheck disable=SC2046,SC2086  # lists of words
  compare "$program" $c -O2 $(echo "$flags" | tr , ' ') \
    "$top/benchmarks/$source" -o x -lm
done | tee -a programs
awk '{ print $(NF - 4) }' programs >wall
awk '{ print $(NF - 1) }' programs >cpu
echo "median ratio: wall $(median wall), CPU $(median cpu)"
{
  compare 'no regions, 10500 lines' "$CC" -O2 -fopenmp -c plain.c -o x.o
  compare 'no regions, 1 line' "$CC" -O2 -fopenmp -c empty.c -o x.o
} | tee units
awk -v m="$(median cpu)" '
  $NF > 2 && $(NF - 1) > 1.01 { bad = 1; print "over 1 % and 2 ms: " $0 }
  END { if (m > 1.1) { bad = 1; print "over 10 %" } exit bad }' units
