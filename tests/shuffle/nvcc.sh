# What nvcc makes of the paper's operators and of the applications' stencils, with
# every shuffle that is found, on the emulated GPU: the same bytes in memory as
# without, in blocks of any shape, and no finding of the checker.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/common.sh"
LD_LIBRARY_PATH=$top_builddir/ptx-post/emu/.libs
ACCRETE_EMU_GPU=mini
export LD_LIBRARY_PATH ACCRETE_EMU_GPU
variants=$tmp/variants
# shellcheck disable=SC2086  # CC may be a list of words
$CC -O1 -D_GNU_SOURCE -I"$top_srcdir/libgomp-ext" \
  "$top_srcdir/benchmarks/shuffle/variants.c" -o "$variants" -ldl || exit 99

# rewrite UNIT MODE...: nvcc's unit as it is, and in every mode, in $tmp.
rewrite () {
  unit=$1
  shift
  cp "$srcdir/nvcc/$unit.ptx" "$tmp/original.ptx"
  for mode in "$@"; do
    "$top_builddir/ptx-post/ptx-post" --passes=shuffle --shuffle="$mode" \
      "$tmp/original.ptx" -o "$tmp/$mode.ptx" || exit 99
  done
}

# same NAME OPTION...: whether all kernels in all modes leave the same, none of them
# idle.
same () {
  name=$1
  shift
  "$variants" "$@" "$tmp/original.ptx" "$tmp/always.ptx" "$tmp/halo.ptx" \
    "$tmp/keep.ptx" >"$tmp/log" 2>&1
  is "$? $(grep -v ',same,' "$tmp/log")" "0 " "$name $*: the same bytes"
}

rewrite operators always halo keep
for block in 32 33 96 128 8,4 40,2; do
  case $block in *,*) ;; *) block=$block,1 ;; esac
  same operators --size=7,9,131 --block=$block
  # Cells are alive or not.
  same gameoflife --ints --kernel=acc_gameoflife --size=7,9,131 --block=$block
done

# Lanes that leave the rows' loop apart may come to the next row apart.
like "$(sed -n '/entry acc_gaussblur/,/entry acc_gradient/p' "$tmp/always.ptx")" \
  'add\.sat\.s32.*count' "operators: iterations are counted"

for name in hypterm rhs4th3fort derivative; do
  rewrite $name always halo keep
  for block in 32,8 48,2; do
    same $name --grid=points --size=13,14,75 --block=$block
  done
done
rewrite bounds always halo keep
same bounds --grid=points --size=18,11,80 --block=32,4 \
  --integers=6,8,70,-1,77,2,-2,9,1,-1,1

# The checker, and that a wrong form is seen.
rewrite operators always halo keep no-corner
ACCRETE_EMU_CHECK=2 "$variants" --size=5,6,70 --block=64,1 "$tmp/always.ptx" \
  >"$tmp/log" 2>&1
is "$?" 0 "operators: no finding"
"$variants" --size=7,9,131 --kernel=acc_jacobi "$tmp/original.ptx" \
  "$tmp/no-corner.ptx" >"$tmp/log" 2>&1
is "$? $(cut -d , -f 4 "$tmp/log" | tail -n 1)" "1 differs" \
  "no loads in corner cases: seen"

# Kernels of nobody's, one of which is wrong (benchmarks/shuffle/corpus.sh).
mkdir "$tmp/corpus"
cp "$srcdir/nvcc/hypterm.ptx" "$srcdir/nvcc/derivative.ptx" "$tmp/corpus/"
like "$(sh "$top_srcdir/benchmarks/shuffle/corpus.sh" \
	  "$top_builddir/ptx-post/ptx-post" "$variants" "$tmp/corpus")" \
  '^2 kernels, 215 loads: .* 2 same, 0 differ, 0 fail' "a folder of units"
done_testing
