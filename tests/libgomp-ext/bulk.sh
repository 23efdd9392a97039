# Large copies by several threads: every byte, and what fails on the way is the
# driver's to do.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

on_emulated_gpu
export ACCRETE_EMU_GPU=mini
compile bulk-acc bulk.c -fopenacc -lpthread
compile bulk-omp bulk.c -fopenmp -lpthread

# right WHAT MODEL ARGS...: no byte is wrong, and so many copies were ours.
right () {
  what=$1 program=$tmp/bulk-$2
  shift 2
  ours "$program" "$@"
  is "$status$out" "00 bytes wrong" "$what" || diag "$err"
}
large () { field bulk; }

for m in acc omp; do
  export ACCRETE_COPIERS=3
  right "$m" $m 1 1
  test "$(large)" -gt 10; ok $? "$m: $(large) large copies"
  tails=$(field tails)
  test "$tails" -gt 5; ok $? "$m: $tails of them ended beside the next one"
  ACCRETE_EMU_DELAY=1 right "$m, a device that puts off" $m 1 2
  export ACCRETE_COPIERS=1
  right "$m, four threads" $m 4 5
  right "$m, more chunks than go at a time" $m 0 6 150000000
done
ACCRETE_COPIERS=7 right "seven helpers" acc 1 7
ACCRETE_COPIERS=0 right "no helpers" acc 1 1
is "$(large)" 0 "no helpers: the driver's copies"
ACCRETE_DISABLE=bulk right "ACCRETE_DISABLE=bulk" acc 1 1
is "$(large)" 0 "ACCRETE_DISABLE=bulk: the driver's copies"
ACCRETE_STAGING_MAX=1M right "little pinned memory" acc 1 1
is "$(large)" 0 "little pinned memory: the driver's copies"
stock "$tmp/bulk-acc" 1 1
is "$status$out" "00 bytes wrong" "stock"

# What only we call fails, first or in the middle of a copy.
for fault in cuMemHostAlloc:1+ cuMemHostAlloc:5+ cuEventCreate:3+ \
             cuEventRecord:1+ cuEventRecord:30 cuEventQuery:1+=600 \
             cuMemcpyDtoHAsync:1+=1 cuMemcpyDtoHAsync:9=1 \
             cuMemcpyHtoDAsync:1+=1 cuMemcpyHtoDAsync:9=1; do
  ACCRETE_EMU_FAIL=$fault right "$fault" acc 1 3
done
# Ours and the driver's fail: stock's diagnosis.
said () { printf '%s\n' "$status $err" | grep -v '^{' | sed 's/[[(].*//'; }
for way in HtoD DtoH; do
  export ACCRETE_EMU_FAIL=cuMemcpy$way:1+=1,cuMemcpy${way}Async:1+=1
  stock "$tmp/bulk-acc" 0 3 20000000
  want=$(said)
  ours "$tmp/bulk-acc" 0 3 20000000
  is "$(said)" "$want" "$way fails: stock's diagnosis"
done

# Several operands that are not as large: from the second time on they are copied to
# pinned memory together, and neighbours leave by one copy, half a megabyte each.
unset ACCRETE_EMU_FAIL
compile several several.c -fopenacc
while read -r n copies; do
  stock "$tmp/several" 4 $n
  is "$status$out" "00 wrong" "several operands of $((n * 4)) bytes: stock"
  for delay in 0 1; do
    ACCRETE_EMU_DELAY=$delay ours "$tmp/several" 4 $n
    is "$status$out" "00 wrong" "several operands of $((n * 4)) bytes, delay $delay" \
      || diag "$err"
  done
  ours "$tmp/several" 4 $n 1
  four=$(field h2d_copies)
  ours "$tmp/several" 5 $n 1
  is $(($(field h2d_copies) - four)) "$copies" "and all else: $copies copies"
done <<END
16384 3
32000 4
90000 6
END
for fault in cuMemHostAlloc:1+ cuMemcpyHtoDAsync:1+=1 cuMemcpyHtoDAsync:7=1; do
  ACCRETE_EMU_FAIL=$fault ours "$tmp/several" 3 32000
  is "$status$out" "00 wrong" "several operands, $fault"
done
done_testing
