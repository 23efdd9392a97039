# What versions of GCC differ in at run time: whatever libgomp there is, OpenMP's
# kernels are launched by the runtime, and what the newer ones have is as stock's.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/stage.sh"
. "$top_srcdir/tests/gcc.sh"
ACCRETE_EMU_GPU=mini; export ACCRETE_EMU_GPU

build () {
  # shellcheck disable=SC2086  # a list of words
  $CC -O2 -fopenmp $stock_flags "-specs=$specs" ${2-} "$srcdir/versions/$1.c" \
    -o "$tmp/$1" >"$tmp/log" 2>&1
  ok $? "$1 builds" || diag "$(cat "$tmp/log")"
}

build launches -fplugin-arg-accrete-disable=resident-loops
"$run" --emulate --report=json "$tmp/launches" >"$tmp/out" 2>"$tmp/json"
is "$? $(cat "$tmp/out")" "0 50355000.0" "launches: the result"
is "$(json launches "$tmp/json") $(json plain "$tmp/json")" "11 11" \
  "all launches are of SPMD kernels, with a geometry of their own"
[ "$(json syncs "$tmp/json")" -lt 4 ]
ok $? "hardly one is waited for" || diag "$(json syncs "$tmp/json")"
[ "$(json d2h_copies "$tmp/json")" -le 1 ]
ok $? "nothing is copied back but the sum" || diag "$(json d2h_copies "$tmp/json")"

for program in low-latency rectangles; do
  build $program
  for mode in A=1 ACCRETE_EMU_DELAY=1 ACCRETE_DISABLE=arena \
              ACCRETE_DISABLE=launch GOMP_NVPTX_LOWLAT_POOL=16384; do
    is "$(env $mode "$run" --emulate "$tmp/$program" 2>&1)" 0 "$program, $mode"
  done
done

# GCC 12 has no regions on the host.
# shellcheck disable=SC2086
$CC -O2 -fopenmp $stock_flags "-specs=$specs" "$srcdir/versions/reverse.c" \
  -o "$tmp/reverse" >"$tmp/log" 2>&1
is $? $((gcc == 12)) "reverse offload builds" || diag "$(cat "$tmp/log")"

# What newer versions have, by program: the first that builds it and is right.  With
# an older one accrete says and does what stock does.
newer () {			# FILE FROM
  for level in -O0 -O2; do
    what="$1 $level"
    for side in stock ours; do
      # shellcheck disable=SC2046,SC2086  # lists of words
      $(compiler "$1") $level -fopenmp -w $stock_flags \
	$([ $side = stock ] || echo "-specs=$specs") "$srcdir/versions/$1" \
	-o "$tmp/$side" >"$tmp/log.$side" 2>&1
      echo $? >"$tmp/status.$side"
    done
    is "$(cat "$tmp/status.ours")" "$(cat "$tmp/status.stock")" "$what: builds as stock" \
      || diag "$(cat "$tmp/log.ours")"
    if [ "$gcc" -ge "$2" ]; then
      is "$(cat "$tmp/status.ours")" 0 "$what: builds from GCC $2 on"
      for mode in A=1 ACCRETE_EMU_DELAY=1; do
	is "$(env $mode "$run" --emulate "$tmp/ours" 2>&1)" 0 "$what, $mode"
      done
    fi
  done
}
newer present.c 14
newer indirect.c 14
newer constructors.cc 15
newer variants.c 15
newer tiles.c 15
newer unified.c 15
newer memset.c 16
newer managed.c 16
done_testing
