# Kernels of GCC's OpenACC regions, of nvcc and of clang, paired.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/pair-lib.sh"

blocks () { awk '/^kernel/ { printf "%s%s", n++ ? "/" : "", $5 }' script; }
# every NAME A:K B:K: what the script says as pairs of all kinds.
every () {
  "$run" script >want 2>log
  ok $? "$1: one after the other" || { diag "$(cat log)"; return; }
  pair "$1: blocks as parameters" script "$2" "$3"
  pair "$1: blocks fixed" script "$2" "$3" "--blocks=$(blocks)" --registers=32
  pair "$1: blocks of the grid" script "$2" "$3" --partition=block
}

# ---- GCC: an argument is the address of a variable ----

stock_as=$($CC -print-prog-name=accel/nvptx-none/as)
export stock_as tmp
mkdir b
cat >b/as <<'END'
#!/bin/sh
for in; do :; done
while [ "$1" != "$in" ]; do
  [ "$1" != -o ] || out=$2
  shift
done
"$stock_as" --no-verify -o "$out" "$in" && cp "$out" "$tmp/device.ptx"
END
chmod +x b/as
gcc_ptx () {
  $CC -O2 -fopenacc "-foffload-options=nvptx-none=-B$tmp/b/ -misa=sm_70" "$@" \
    "$srcdir/gcc.c" -o x 2>log && mv device.ptx gcc.ptx
}
# region NAME SIDE: GRID and BLOCK are GCC's, workers as it has chosen.
region () {
  case $1 in
    triad | calls) grid=7,1,1 block=32,1,1 args="@b$2 @a$2 @n$2" ;;
    hash) grid=5,1,1 block=32,6,1 args="@a$2 @n$2" ;;
    rows) grid=6,1,1 block=32,4,1 args="@b$2 @a$2 @m$2 @m$2" ;;
    histogram) grid=3,1,1 block=32,5,1 args="@a$2 @b$2 @n$2" ;;
    columns) grid=3,1,1 block=64,4,1 args="@b$2 @a$2 @m$2 @m$2" ;;
  esac
  printf 'buffer out%d 1024 0\nbuffer in%d 1024 %d\n' $2 $2 $2
  printf 'block a%d @out%d\nblock b%d @in%d\nblock n%d w900\nblock m%d w30\n' \
    $2 $2 $2 $2 $2 $2
  printf 'block args%d %s\n' $2 "$args"
  echo "kernel gcc.ptx $1\$_omp_fn\$0 $grid $block 0 @args$2"
}
if gcc_ptx; then
  for ab in 'triad rows' 'rows rows' 'hash histogram' 'rows histogram' \
      'calls hash' 'calls rows' 'triad calls'; do
    # shellcheck disable=SC2086  # two words
    set -- $ab
    { region $1 1; region $2 2; } >script
    every "GCC's $1, $2" "gcc.ptx:$1\$_omp_fn\$0" "gcc.ptx:$2\$_omp_fn\$0"
  done
  # Barriers of workers have computed numbers, which only whole blocks may.
  { region columns 1; region rows 2; } >script
  "$run" script >want
  pair "GCC's columns, rows: blocks of the grid" script \
    'gcc.ptx:columns$_omp_fn$0' 'gcc.ptx:rows$_omp_fn$0' --partition=block
  ! "$post" --pair 'gcc.ptx:columns$_omp_fn$0' 'gcc.ptx:rows$_omp_fn$0' \
      -o pair.ptx 2>log
  ok $? "GCC's columns, rows: no threads of a block"
  like "$(cat log)" 'a barrier whose number is computed' "because of barriers"
else
  ok 1 "GCC compiles" || diag "$(cat log)"
fi

# ---- SPMD kernels of OpenMP regions, an argument is a value ----

mkdir spmd
cat >spmd/as <<'END'
#!/bin/sh
previous=
for a; do
  [ "$previous" != -o ] || out=$a
  previous=$a
done
"$top_builddir/ptx-post/as" "$@" && cp "$out" "$tmp/spmd.ptx"
END
chmod +x spmd/as
cat >spmd.c <<'END'
int
dot (int n, const int *a, const int *b)
{
  int s = 0;
#pragma omp target teams distribute parallel for reduction(+:s) \
  is_device_ptr(a, b)
  for (int i = 0; i < n; i++)
    s += a[i] * b[i];
  return s;
}
void
square (int n, int *a)
{
#pragma omp target teams distribute parallel for is_device_ptr(a)
  for (int i = 0; i < n; i++)
    a[i] = i * i;
}
int main (void) { square (0, 0); return dot (0, 0, 0); }
END
$CC -O2 -fopenmp -fplugin="$top_builddir/plugin/.libs/accrete.so" \
  "-foffload-options=nvptx-none=-B$tmp/spmd/ -misa=sm_70" spmd.c -o x 2>log
[ -e spmd.ptx ]; ok $? "accrete compiles" || diag "$(cat log)"
# kernel FUNCTION: the first of it, no variant.
kernel () {
  sed -n "s/^\.entry \($1[^ ]*\) .*[^;]\$/\1/p" spmd.ptx | grep -Fv '$form' | head -n 1
}
dot=$(kernel dot) square=$(kernel square)
# spmd NAME SIDE
spmd () {
  printf 'buffer in%d 1024 %d\nbuffer out%d 1024 0\n' $2 $2 $2
  if [ "$1" = "$dot" ]; then
    echo "block args$2 @in$2 @in$2 w1000 @out$2"
  else
    echo "block args$2 @out$2 w1000"
  fi
  echo "kernel spmd.ptx $1 5,1,1 $((96 * $2)),1,1 0 @args$2 w0 w0"
}
for ab in "$dot $square" "$dot $dot" "$square $dot"; do
  # shellcheck disable=SC2086  # two words
  set -- $ab
  { spmd "$1" 1; spmd "$2" 2; } >script
  every "SPMD kernels ${1%%\$*}, ${2%%\$*}" "spmd.ptx:$1" "spmd.ptx:$2"
  unlike "$(cat want)" '^out[12] [0-9a-f]* 0 0 0 0 0 0' "and do something"
done

# ---- CUDA ----

# cuda NAME SIDE
cuda () {
  printf 'buffer out%d 2048 0\nbuffer in%d 2048 %d\nbuffer more%d 2048 %d\n' \
    $2 $2 $2 $2 $((9 + $2))
  dynamic=0 args="@out$2 @in$2 700"
  case $1 in
    statistics) grid=4,1,1 block=96,1,1 ;;
    histogram) grid=3,1,1 block=128,1,1 dynamic=256 ;;
    columns) grid=4,3,1 block=20,5,1 ;;
    product) grid=4,4,1 block=8,8,1 args="@out$2 @in$2 @more$2" ;;
    leave) grid=4,1,1 block=200,1,1 ;;
  esac
  echo "kernel $3.ptx $1 $grid $block $dynamic $args"
}
# cuda_pairs NAME FILE FILE
cuda_pairs () {
  for ab in 'statistics histogram' 'histogram histogram' 'columns product' \
      'product statistics' 'product product' 'leave statistics' \
      'leave leave' 'columns leave'; do
    # shellcheck disable=SC2086  # two words
    set -- "$1" $2 $3 $ab
    { cuda $4 1 $2; cuda $5 2 $3; } >script
    every "$1, $4, $5" $2.ptx:$4 $3.ptx:$5
    set -- "$1" $2 $3
  done
}
if [ -n "$nvcc" ] \
    && "$nvcc" -arch=sm_80 -ptx "$srcdir/cuda.cu" -o nvcc.ptx 2>log; then
  cuda_pairs nvcc nvcc nvcc
  "$nvcc" -arch=sm_75 -lineinfo -ptx "$srcdir/cuda.cu" -o old.ptx 2>log
  cuda_pairs 'nvcc, two units' nvcc old
else
  skip "no nvcc" "CUDA's kernels"
fi
if clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 \
    -Xclang -target-feature -Xclang +ptx70 -nocudainc \
    -nocudalib -O2 -S -w "$srcdir/cuda.cu" -o clang.ptx 2>log; then
  cuda_pairs clang clang clang
  [ ! -e nvcc.ptx ] || cuda_pairs 'clang and nvcc' clang nvcc
else
  skip "no clang with nvptx" "clang's kernels"
fi
done_testing
