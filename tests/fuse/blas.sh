# The paper's sequences of BLAS calls as plain directives (benchmarks/fuse), in C and
# Fortran: right, and fused where they are maps and sums of the same elements.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
# No kernel is compiled late.
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia ACCRETE_DISABLE=tiers
fuse=$top_srcdir/benchmarks/fuse

build () {			# MODEL LANGUAGE [FLAG]
  with=$CC source=$fuse/sequences.c order=
  [ "$2" = c ] || with=$FC source=$fuse/sequences.F90 order=-DCOLUMNS
  # shellcheck disable=SC2086  # lists of flags
  (cd "$tmp" && "$CC" -fopen$1 -O2 -specs="$specs" $order -c "$fuse/blas.c" -o blas.o \
    && "$with" -fopen$1 -O2 -specs="$specs" $3 $stock_flags -fopt-info-omp "$source" \
	 blas.o -o blas -lm) >"$tmp/messages" 2>&1
}

check () {			# MODEL LANGUAGE FUSED...
  name="$1, $2"
  build "$1" "$2"
  ok $? "$name: builds" || diag "$(head -n 5 "$tmp/messages")"
  shift 2
  for sizes in '1000 60' '33 1'; do
    # shellcheck disable=SC2086  # two numbers
    "$run" --check=fail "$tmp/blas" $sizes >"$tmp/out" 2>&1
    ok $? "$name, $sizes: right" || diag "$(head -n 20 "$tmp/out")"
  done
  for sequence; do
    "$run" --emulate --report=json "$tmp/blas" 500 40 "$sequence" >"$tmp/out" 2>"$tmp/err"
    [ "$(json fused "$tmp/err")" -gt 0 ]
    ok $? "$name: $sequence is fused"
  done
}

# How many lines of the program's PTX have WORDS.
lines_with () {
  tr '\000' '\n' <"$tmp/blas" | grep -ac "$1"
}

# Rows and columns as one kernel, whatever the size of the matrix.
check_turned () {		# MODEL LANGUAGE SEQUENCE...
  name="$1, $2, turned"
  build "$1" "$2" -fplugin-arg-accrete-turn=1
  ok $? "$name: builds" || diag "$(head -n 5 "$tmp/messages")"
  shift 2
  # A block is all that a multiprocessor has.
  is "$(lines_with '^\.entry.* \.maxnreg 128$')" $# \
    "$name: as many kernels have 128 registers"
  # While a team has a row, it asks for its next one.
  [ "$(lines_with '^prefetch\.L2 ')" -ge $# ]
  ok $? "$name: as many kernels ask for the next row"
  # Nor is any of them compiled before it is needed, with what begins and ends sums.
  ACCRETE_DISABLE= "$run" --emulate --report=json "$tmp/blas" 10 20 VADD \
    >"$tmp/out" 2>"$tmp/err"
  is "$(json put_off "$tmp/err")" $((3 * $#)) "$name: three kernels of each wait"
  for sequence; do
    for size in 60 1 1200; do
      "$run" --check=fail --report=json "$tmp/blas" 10 $size "$sequence" \
	>"$tmp/out" 2>"$tmp/err"
      ok $? "$name: $sequence of $size is right" \
	|| diag "$(head -n 20 "$tmp/out" "$tmp/err")"
      [ "$(json fused "$tmp/err")" -gt 0 ]
      ok $? "$name: $sequence of $size is fused"
    done
  done
}

for m in acc mp; do
  check_turned $m c ATAX BiCGK
  check_turned $m fortran BiCGK SGEMVT GEMVER
  check $m c AXPYDOT VADD WAXPBY MADD GEMVER GESUMMV
  check $m fortran AXPYDOT VADD WAXPBY MADD GEMVER GESUMMV
done
done_testing
