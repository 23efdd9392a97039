# Every unit of GCC's nvptx libraries, and what other compilers emit, is
# understood and prints back byte for byte.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"

check () { ./check-units "$@" >"$tmp/out" 2>&1; }

# The libraries of all multilibs: whatever the accel compiler searches.
accel=$($CC -print-file-name=accel/nvptx-none)
mkdir "$tmp/units"
n=0
for lib in $(find "$accel/" -name '*.a'); do
  n=$((n + 1))
  mkdir "$tmp/units/$n" && (cd "$tmp/units/$n" && ar x "$lib")
done
find "$tmp/units" -type f >"$tmp/list"
xargs ./check-units <"$tmp/list" >"$tmp/out" 2>&1
ok $? "units of GCC's libraries round-trip, nothing is opaque" \
  || diag "$(head -n 20 "$tmp/out")"
count=$(awk '$2 == "units" { n += $1 } END { print n + 0 }' "$tmp/out")
[ "$count" -gt 2000 ]; ok $? "at least 2000 units ($count)"

check "$srcdir/ops.ptx"; ok $? "ops.ptx" || diag "$(cat "$tmp/out")"

if command -v nvcc >/dev/null; then
  for flags in -arch=sm_80 "-arch=sm_90 -lineinfo" "-arch=sm_80 -G"; do
    nvcc -ptx $flags "$srcdir/kernels.cu" -o "$tmp/k.ptx" 2>"$tmp/err" \
      && check "$tmp/k.ptx" || { cat "$tmp/err" "$tmp/out"; break; }
  done >"$tmp/log"
  ! [ -s "$tmp/log" ]
  ok $? "what nvcc emits, also with debug information" \
    || diag "$(head -n 20 "$tmp/log")"
else
  skip "no nvcc" "what nvcc emits"
fi

if command -v clang >/dev/null \
    && clang --target=nvptx64 -O2 -S -x c /dev/null -o "$tmp/k.ptx" 2>"$tmp/err"
then
  for o in "-march=sm_60 -O0" "-march=sm_60 -O2" "-march=sm_80 -O3"; do
    clang --target=nvptx64 $o -S "$srcdir/device.c" \
      -o "$tmp/k.ptx" 2>"$tmp/err" \
      && check "$tmp/k.ptx" || { cat "$tmp/err" "$tmp/out"; break; }
  done >"$tmp/log"
  ! [ -s "$tmp/log" ]
  ok $? "what clang emits" || diag "$(head -n 20 "$tmp/log")"
else
  skip "no clang with nvptx" "what clang emits"
fi

# An independent judge of our own text.
if command -v ptxas >/dev/null; then
  ptxas -arch sm_90 "$srcdir/ops.ptx" -o "$tmp/cubin" >"$tmp/log" 2>&1
  ok $? "ptxas accepts ops.ptx" || diag "$(cat "$tmp/log")"
  ./reprint "$srcdir/ops.ptx" >"$tmp/reprint.ptx" \
    && ptxas -arch sm_90 "$tmp/reprint.ptx" -o "$tmp/cubin" >"$tmp/log" 2>&1
  ok $? "ptxas accepts ops.ptx printed from its fields" \
    || diag "$(cat "$tmp/log")"
else
  skip "no ptxas" "ptxas accepts ops.ptx"
  skip "no ptxas" "ptxas accepts ops.ptx printed from its fields"
fi

done_testing
