# Table 2 of the paper, and the stencils of its section 8.5: shuffles among the
# loads, row by row, in GCC's code and in nvcc's, whose PTX is in nvcc/.  A
# shuffle counts that takes the value of a load which follows none itself, and so
# does a copy; other loads are sources of ours, too (the paper's count and ours
# are equal but for hypterm, where all 24 pairs of neighbours are taken).
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/common.sh"

# Operator, the paper's shuffles, loads and mean delta; and what else GCC's code
# has, as SHUFFLES/LOADS, and nvcc's, as SHUFFLES/LOADS/DELTA: = is for the same.
# Behind it why.  GCC loads rows from the middle where the source does not, so
# that its deltas are smaller.
table () {
  cat <<END
divergence  1  6   2.00 = =
gameoflife  6  9   1.50 = =
gaussblur   20 25  2.50 = =
gradient    1  6   2.00 = =
jacobi      6  9   1.50 = =
lapgsrb     12 25  1.83 = =
laplacian   2  7   1.50 = =
matmul      0  8   0.00 0/2 = GCC does not unroll the sum
matvec      0  7   0.00 0/2 = GCC does not unroll the sum
sincos      0  2   0.00 = =
tricubic    48 67  2.00 = =
tricubic2   48 67  2.00 = =
uxx1        3  17  2.00 = =
vecadd      0  2   0.00 = =
wave13pt    4  14  2.50 = =
whispering  6  19  0.83 = 5/19/1.00 the sixth is a copy of what NVHPC loads twice; nvcc does that only behind a store
hypterm     12 48  1.00 - =
rhs4th3fort 44 179 1.00 - =
derivative  52 166 1.00 - 68/167/1.00 two for each row of four or five neighbours, of which our program has 34 and theirs, which the paper does not show, 26
END
}

# An assembler that keeps what it is given.
mkdir "$tmp/b"
cat >"$tmp/b/as" <<END
#!/bin/sh
for file; do case \$file in *.s) cp "\$file" "$tmp/unit.ptx" ;; esac; done
exec "$top_builddir/ptx-post/as" "\$@"
END
chmod +x "$tmp/b/as"

# found UNIT OPTION...: what ptx-post, with no more than 150 MB, finds in each
# kernel: its name, shuffles and copies as the paper counts them, loads, mean delta
# (of copies, too) and milliseconds.
found () {
  (ulimit -v 153600
   exec "$top_builddir/ptx-post/ptx-post" --passes=shuffle --explain "$@") \
      2>&1 >/dev/null \
    | sed -n 's/.*: shuffle: \([^:]*\): \([0-9]*\) shuffles and \([0-9]*\) copies of \([0-9]*\) loads, mean delta \([0-9.]*\), \([0-9]*\) as in the paper,.* \([0-9]*\)\.[0-9] ms$/\1 \2 \3 \4 \5 \6 \7/p' \
    | awk '{ n = $2 + $3
	     printf "%s %d %d %.2f %d\n", $1, $6, $4, n ? $2 * $5 / n : 0, $7 }'
}

# check NAME GCC|NVCC SHUFFLES LOADS DELTA MS: against the row of NAME's operator.
check () {
  operator=${1%%-*}
  want=$(table | awk -v "operator=$operator" -v "compiler=$2" '
    $1 == operator {
      paper = $2 "/" $3 (compiler == "NVCC" ? "/" $4 : "")
      own = compiler == "NVCC" ? $6 : $5
      print own == "=" ? paper : own }')
  case $2 in GCC) got=$3/$4 ;; *) got=$3/$4/$5 ;; esac
  is "$got" "$want" "$1: shuffles and loads as in the table"
  [ "${6:-1000}" -lt 1000 ]
  ok $? "$1: in ${6-no} ms, of 1000, and 150 MB"
}

# Loops as they are written: from GCC 13 on stock unrolls some in device code.
while read -r name compiler flags source _; do
  compile "$name" "$compiler" "$flags,-fno-unroll-loops" "$source" "$tmp/b" \
    "$tmp/program" || continue
  # shellcheck disable=SC2046  # a list of words
  set -- $(found "$tmp/unit.ptx")
  check "$name" GCC "${2-}" "${3-}" "${4-}" "${5-}"
done <<END
$(operators acc worker)
END

# The loops of tricubic2 are in the way unless they are unrolled first.
compile tricubic2 cc -fopenacc,-fplugin-arg-accrete-disable=unroll \
  shuffle/tricubic2.c "$tmp/b" "$tmp/program"
like "$(found "$tmp/unit.ptx")" ' 0 [0-9]* 0\.00 ' \
  "tricubic2-acc: loops that are not unrolled"

# nvcc's code of the operators, in the shape that an OpenACC compiler gives them.
found "$srcdir/nvcc/operators.ptx" >"$tmp/found"
is "$(wc -l <"$tmp/found")" 16 "nvcc: the sixteen operators"
while read -r name numbers; do
  # shellcheck disable=SC2086  # a list of words
  check "${name#acc_}-nvcc" NVCC $numbers
done <"$tmp/found"

# For the applications the paper allows a distance of one lane.
for name in hypterm rhs4th3fort derivative; do
  # shellcheck disable=SC2046  # a list of words
  set -- $(found "$srcdir/nvcc/$name.ptx" --max-delta=1)
  check "$name-nvcc" NVCC "${2-}" "${3-}" "${4-}" "${5-}"
done
like "$("$top_builddir/ptx-post/ptx-post" --explain --max-delta=1 \
	  "$srcdir/nvcc/hypterm.ptx" 2>&1 >/dev/null)" ': 24 shuffles and ' \
  "hypterm-nvcc: every other load of its six arrays"

# Subscripts with lower bounds: sums of dozens of products.
like "$(found "$srcdir/nvcc/bounds.ptx")" '^bounds 24 32 2\.00' \
  "bounds-nvcc: indices that are long sums"

# nvcc itself, where it is the one that wrote the PTX.
: "${NVCC:=nvcc}"
release=$(sed -n 's/^\/\/ Cuda compilation tools, //p' "$srcdir/nvcc/bounds.ptx")
for name in operators bounds hypterm rhs4th3fort derivative; do
  source=$srcdir/nvcc/$name.cu
  [ -e "$source" ] || source=$top_srcdir/benchmarks/shuffle/$name.cu
  if ! "$NVCC" --version 2>/dev/null | grep -q "^Cuda compilation tools, $release"; then
    skip "no nvcc of $release" "nvcc/$name.ptx"
    continue
  fi
  "$NVCC" -O3 -arch=sm_80 -ptx "$source" -o "$tmp/unit.ptx" >"$tmp/log" 2>&1 \
    || diag "$(cat "$tmp/log")"
  is "$(grep -v '^//' "$tmp/unit.ptx" | cksum)" \
    "$(grep -v '^//' "$srcdir/nvcc/$name.ptx" | cksum)" \
    "nvcc/$name.ptx is what nvcc makes of $name.cu"
done
done_testing
