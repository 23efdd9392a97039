# The programs' own checks: each of these changes to an offloaded loop makes
# the program fail, and say where.  Built for the host alone.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
cp -R "$top_srcdir/benchmarks" "$tmp/benchmarks"
chmod -R u+w "$tmp/benchmarks"
cd "$tmp" || exit 99

build () {			# SOURCE
  case $1 in
    *.c) $CC -O1 "benchmarks/$1" -o prog -lm ;;
    *.cc) $CXX -O1 "benchmarks/$1" -o prog ;;
    *.F90) $FC -O1 "benchmarks/$1" -o prog ;;
  esac >log 2>&1 || { diag "$(cat log)"; return 1; }
}

caught () {			# SOURCE SED-COMMAND MESSAGE ARGS...
  source=$1 change=$2 message=$3
  shift 3
  build "$source" && ./prog "$@" >out 2>&1
  ok $? "$source: right as it is" || diag "$(cat out)"
  cp "benchmarks/$source" saved
  sed "$change" saved >"benchmarks/$source"
  ! cmp -s saved "benchmarks/$source" && build "$source"
  ok $? "$source: changed by $change"
  ./prog "$@" >out 2>&1
  is $? 1 "$source: exit status"
  like "$(cat out)" "$message" "$source: says what is wrong"
  mv saved "benchmarks/$source"
}

# A wrong neighbour, a point too few or too many, an input that is written.
caught shuffle/laplacian.c 's/u\[i - row\]/u[i + row]/' 'should be' 5 6 35
caught shuffle/wave13pt.c 's/x < nx - 2;/x < nx - 3;/' 'should be' 6 7 35
caught shuffle/gaussblur.c 's/x = 2;/x = 1;/' 'should be' 7 35
caught shuffle/gameoflife.c 's/around == 3/around > 2/' 'should be' 9 35
caught shuffle/gradient.c \
  's/const float \*restrict u,/float *restrict u,/; s/ux\[i\] =/u[i - 1] = ux[i] =/' \
  'input array 0 has changed' 5 6 35
caught shuffle/tricubic2.c 's/dx < 4/dx < 3/' 'should be' 6 7 35
caught shuffle/matvec.c 's/c < columns; c++)$/c < columns - 1; c++)/' 'should be' 5 35
caught shuffle/jacobi.F90 's/do x = 2, nx - 1/do x = 2, nx - 2/' 'should be' 9 35
caught shuffle/matmul.F90 's/do k = 1, n$/do k = 2, n/' 'should be' 9 35
caught codegen/triad.F90 's/do i = 1, n$/do i = 1, n - 1/' 'should be' 35
caught codegen/dot.c 's/sum += a\[i\] /sum += b[i] /' 'should be' 35
caught nest/bfs.c 's/depth + 1/depth + 2/' 'should be' 100 8
caught nest/sssp.c 's/here + weight/here * weight/' 'should be' 100 8
caught nest/gc.c 's/> PRIORITY (v)/< PRIORITY (v)/' 'should be' 100 8
caught nest/ccl.c 's/pixel\[p - width\])/0)/' 'should be' 2 9 17
caught nest/ccl.cc 's/p % width \&\&/p % width > 1 \&\&/' 'should be' 2 9 17
caught nest/sssp.F90 's/distance(v) = merge (0, far/distance(v) = merge (1, far/' 'should be' 100 8
caught nest/qt.c 's/to\[place\] = from\[i\]/to[place] = i/' 'results differ' 301 12 1
caught nest/bh.c 's/i < group\[g + 1\]/i < group[g + 1] - 1/' 'results differ' 100 8
caught nest/bt.F90 's/real (k - 1, wp)/real (k, wp)/' 'results differ' 100 8

# Bad arguments, and the time of a call.
build shuffle/vecadd.c
for args in 0 abc '1 2 3 4' --tim; do
  # shellcheck disable=SC2086  # a list of arguments
  ./prog $args >out 2>&1
  is $? 1 "arguments $args: exit status"
  like "$(cat out)" '^usage: ' "arguments $args: usage"
done
like "$(./prog --time=3 4 5 6)" '^time vecadd [0-9.]+ us$' 'median time'
build shuffle/sincos.F90
./prog 4 5 6 7 >out 2>&1
is $? 1 'Fortran: too many arguments'
like "$(cat out)" '^usage: ' 'Fortran: usage'
like "$(./prog --time=3 4 5 6)" '^time sincos [0-9]*\.[0-9]+ us$' \
  'Fortran: median time'
done_testing
