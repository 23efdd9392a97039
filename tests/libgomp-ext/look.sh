# Random programs that look in all ways at what constructs gave back
# (look-program.c), in C and C++, print what stock's builds print.
# usage: look.sh; LOOK_SEEDS="1 2 3..." are tried, with LOOK_TESTS tests each
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"
. "$srcdir/late-lib.sh"

# look_build OUTPUT FLAGS...: $source, with the other unit, which no plugin sees.
look_build () {
  to=$tmp/$1
  shift
  $compiler $options -w -I"$srcdir" "$tmp/$source" "$tmp/far.o" -o "$to" \
    -foffload-options=nvptx-none=-Wa,--no-verify -lpthread "$@" \
    >"$tmp/log" 2>&1 || { cat "$tmp/log" >&2; exit 99; }
}

late=0
for seed in ${LOOK_SEEDS-1 2 3}; do
  case $((seed % 2)) in
    0) source=look.cc compiler=$CXX language=c++ ;;
    1) source=look.c compiler=$CC language=c ;;
  esac
  case $((seed % 8)) in
    0) options=-O1 ;;
    1) options="-O2 -fipa-pta" ;;
    2) options=-O3 ;;
    3) options=-O2 ;;
    4) options="-O3 -funroll-loops -fno-inline-small-functions" ;;
    5) options=-Os ;;
    6) options="-O2 -g -fno-strict-aliasing" ;;
    7) options="-O3 -fno-tree-pre" ;;
  esac
  # OpenMP takes longer.
  case $((seed % 4)) in
    3) options="$options -fopenmp" ;;
    *) options="$options -fopenacc" ;;
  esac
  "$builddir/look-program" "$seed" ${LOOK_TESTS-20} >"$tmp/$source"
  # shellcheck disable=SC2086  # a list of words
  $compiler $options -c -x $language "$srcdir/look-far.c" -o "$tmp/far.o" \
    -foffload-options=nvptx-none=-Wa,--no-verify || exit 99
  look_build stock
  stock "$tmp/stock"
  [ "$status" -eq 0 ] || { diag "$err"; exit 99; }
  want=$out
  look_build marked "-fplugin=$plugin"
  for delay in 0 1; do
    ACCRETE_EMU_DELAY=$delay ours "$tmp/marked"
    is "$out" "$want" "program $seed, $language $options, delay $delay"
  done
  late=$((late + $(field d2h_late)))
done
[ $late -gt 100 ]; ok $? "copies are left" || diag $late
done_testing
