# Functions with frames leave a kernel its geometry: as many threads as asked
# for (cases/frames.c, which spmd.sh checks the results of); and so do those of the
# libraries that end the kernel with a message.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
ACCRETE_EMU_GPU=mini
export ACCRETE_EMU_GPU

for level in -O0 -O2; do
  "$CC" -specs="$specs" $level -fopenmp -foffload-options=-lm \
    -foffload-options=nvptx-none=-latomic $stock_flags -w \
    "$srcdir/cases/frames.c" -o "$tmp/prog" -lm >"$tmp/log" 2>&1
  ok $? "$level: builds" || diag "$(cat "$tmp/log")"
  for check in '' --check=fail; do
    "$run" --emulate $check "$tmp/prog" >"$tmp/out" 2>&1
    ok $? "$level $check: is right" || diag "$(head -n 20 "$tmp/out")"
    is "$(grep 'threads of a team' "$tmp/out")" "threads of a team: 256" \
      "$level $check: a team has the threads that it asks for"
  done
  ! tr '\000' '\n' <"$tmp/prog" | grep -q 'VAR DEF: .*\$stack$'
  ok $? "$level: no kernel lies along y"
done
ACCRETE_DISABLE=function-cloning "$CC" -specs="$specs" -O2 -fopenmp \
  -foffload-options=-lm -foffload-options=nvptx-none=-latomic $stock_flags -w \
  "$srcdir/cases/frames.c" -o "$tmp/prog" -lm >"$tmp/log" 2>&1 \
  && "$run" --emulate "$tmp/prog" >"$tmp/out" 2>&1
ok $? "without function-cloning: is right" || diag "$(head -n 20 "$tmp/out")"
is "$(grep 'threads of a team' "$tmp/out")" "threads of a team: 32" \
  "without function-cloning: fewer threads"

# One of the threads that get no memory says so.  (GCC 16 leaves out what it has
# only one element of.)
cat >"$tmp/ends.f90" <<'END'
program ends
  implicit none
  integer :: s(300), i
  !$omp target teams distribute parallel do map(tofrom: s)
  do i = 1, 300
    block
      integer, allocatable :: p(:)
      integer(8) :: n
      n = 1000
      if (mod (i, 10) > 3) n = 4000000000000_8
      allocate (p(n))
      p(1:1000) = i
      s(i) = p(500)
    end block
  end do
  print *, s
end program
END
(cd "$tmp" && "$FC" -specs="$specs" -O2 -fopenmp $stock_flags -w ends.f90 -o ends) \
  >"$tmp/log" 2>&1
ok $? "a message: builds" || diag "$(cat "$tmp/log")"
! tr '\000' '\n' <"$tmp/ends" | grep -q 'VAR DEF: .*\$stack$'
ok $? "a message: the kernel does not lie along y"
OMP_TARGET_OFFLOAD=mandatory timeout 60 "$run" --emulate "$tmp/ends" >"$tmp/out" 2>&1
[ $? -eq 1 ]
ok $? "a message: the program ends" || diag "$(cat "$tmp/out")"
is "$(grep -c 'Error allocating 16000000000000 bytes' "$tmp/out")" 1 \
  "a message: once, and whole" || diag "$(cat "$tmp/out")"
done_testing
