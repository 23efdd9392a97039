# What users of stock GCC know a launch by stays: the kernels' names and numbers
# that libgomp's plugin prints with GOMP_DEBUG, what it refuses to launch, and
# which loops GCC refuses.  Compared with stock GCC's build of the same file.
#
# SPMD_STAGE  the installed tree to test
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
stage=${SPMD_STAGE-$stage}
ACCRETE_EMU_GPU=mini
LD_LIBRARY_PATH=$stage/lib/accrete/emu
export ACCRETE_EMU_GPU LD_LIBRARY_PATH

# build FLAGS...: with stock GCC and with ours, with messages of errors in
# stock.txt and ours.txt.  Whether both do it.
build () {
  $CC -O1 -w -foffload-options=nvptx-none=-Wa,--no-verify "$@" \
    "$srcdir/stock.c" -o "$tmp/stock" 2>"$tmp/log"
  stock=$?
  grep error: "$tmp/log" >"$tmp/stock.txt"
  $CC -specs="$stage/lib/accrete/accrete.specs" -O1 -w \
    -foffload-options=nvptx-none=-Wa,--no-verify "$@" \
    "$srcdir/stock.c" -o "$tmp/ours" 2>"$tmp/log"
  ours=$?
  grep error: "$tmp/log" >"$tmp/ours.txt"
  return $((stock | ours))
}

# same WHAT [NAME=VALUE...]: both programs say the same about launches, and end
# in the same way.
same () {
  what=$1
  shift
  for program in stock ours; do
    env GOMP_DEBUG=1 "$@" "$tmp/$program" >"$tmp/$program.out" 2>"$tmp/$program.err"
    echo "exit status $?" >>"$tmp/$program.out"
    grep -E 'launch \[|launch gangs|insufficient' "$tmp/$program.err" \
      >>"$tmp/$program.out"
  done
  is "$(cat "$tmp/ours.out")" "$(cat "$tmp/stock.out")" "$what"
}

build -fopenacc || diag "$(cat "$tmp/log")"
same "OpenACC" GOMP_OPENACC_DIM=7:3
is "$(grep -c 'launch gangs' "$tmp/ours.out") $(sort -u "$tmp/ours.err" \
      | grep -c 'accrete: kernel main\$_omp_fn\$[0-9]*\$[0-9a-f]*, form')" \
  "29 29" "... and what was launched"
same "another GOMP_OPENACC_DIM" GOMP_OPENACC_DIM=5:2:64
same "more workers than the GPU has" GOMP_OPENACC_DIM=:33:
same "more workers than it has barriers for" GOMP_OPENACC_DIM=:16:
# Workers for which stock's form has no barriers: an SPMD kernel needs none.
build -fopenacc -DWIDE || diag "$(cat "$tmp/log")"
same "as many workers as there are barriers"
few=$(head -n 1 "$tmp/stock.out")
"$tmp/stock" more >"$tmp/stock.out" 2>"$tmp/stock.err"
is "$? $(grep -c 'insufficient barrier' "$tmp/stock.err")" "1 1" \
  "stock refuses more"
GOMP_DEBUG=1 ACCRETE_DEBUG=2 "$tmp/ours" more >"$tmp/ours.out" 2>"$tmp/ours.err"
is "$? $(cat "$tmp/ours.out")" "0 $few" "... ours launches them"
build -fopenmp || diag "$(cat "$tmp/log")"
same "OpenMP"
for region in 'NEST2 (, gang, gang)' 'NEST2 (, worker, gang)' \
              'NEST2 (, vector, gang vector)' 'NEST1 (, gang auto)' \
              'NEST2 (, gang, vector seq)' 'NEST3 (, gang worker, , gang)' \
              'TILED (, tile (2, 3) gang worker vector, vector)' \
              'ACC (kernels loop gang) FOR (i) ACC (loop gang) FOR (j) a[i + j]++'
do
  build -fopenacc "-DREFUSED=$region"
  is "$ours$(cat "$tmp/ours.txt")" "$stock$(cat "$tmp/stock.txt")" \
    "refused: $region"
  is "$ours" 1 "... by both"
done
done_testing
