# Functions of libm in kernels (maths.c) give what stock GCC's build gives, bit for bit,
# and errno has what it has there where somebody reads it; where nobody does, nothing
# is stored in it, and the kernels' code calls no libc for it.  Equal calls are one.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
ACCRETE_EMU_GPU=mini
export ACCRETE_EMU_GPU

# Build maths.c with FLAGS into $tmp/NAME, by stock GCC and by ours; run both.
compare () {			# NAME FLAGS...
  name=$1
  shift
  for how in stock ours; do
    [ $how = stock ] && set -- "$@" || set -- "$@" -specs="$specs"
    # shellcheck disable=SC2086
    "$CC" "$@" -w -fopenmp -foffload-options=-lm $stock_flags \
      "$srcdir/maths.c" "$tmp/host.o" -o "$tmp/$name.$how" -lm >"$tmp/log" 2>&1
    ok $? "$name: $how builds" || diag "$(cat "$tmp/log")"
  done
  ACCRETE_DEVICE=0 LD_LIBRARY_PATH=$emu "$tmp/$name.stock" >"$tmp/want" 2>"$tmp/log"
  ok $? "$name: stock's runs" || diag "$(cat "$tmp/log")"
  "$run" --emulate "$tmp/$name.ours" >"$tmp/got" 2>"$tmp/log"
  ok $? "$name: ours runs" || diag "$(cat "$tmp/log")"
  is "$(cat "$tmp/got")" "$(cat "$tmp/want")" "$name: the same bits"
}

emu=$stage/lib/accrete/emu
# The host's form of the kernel that reads errno.
echo 'int n; int *__errno (void) { return &n; }' >"$tmp/host.c"
"$CC" -c "$tmp/host.c" -o "$tmp/host.o"
for level in -O0 -O2; do
  compare "maths$level" $level
  calls=$(tr '\000' '\n' <"$tmp/maths$level.ours" | grep -c 'DECL: __errno$')
  is "$calls" 0 "$level: no errno"
  compare "reads$level" $level -DREADS
  calls=$(tr '\000' '\n' <"$tmp/reads$level.ours" | grep -c 'DECL: __errno$')
  [ "$calls" -gt 0 ]
  ok $? "$level: errno where somebody reads it"
done

# The same value again and again, and one that does not change in a loop.
cat >"$tmp/equal.c" <<'END'
#include <math.h>
#include <stdio.h>
float x[1024], y[1024];
int
main (void)
{
  for (int i = 0; i < 1024; i++)
    x[i] = (i - 500) * .03f;
#pragma omp target teams distribute parallel for map(to: x) map(from: y)
  for (int i = 0; i < 1024; i++)
    {
      float v = x[i], sum = (1 + expf (v)) / (2 + expf (v)) + 3 / (4 + expf (v));
      for (int k = 1; k < 9; k++)
	sum += tanhf (v) / k;
      y[i] = sum;
    }
  double all = 0;
  for (int i = 0; i < 1024; i++)
    all += y[i] * i;
  printf ("%.17g\n", all);
}
END
compile () {			# NAME FLAGS...
  name=$1
  shift
  # shellcheck disable=SC2086
  "$CC" -O2 "$@" -specs="$specs" -w -fopenmp -foffload-options=-lm $stock_flags \
    "$tmp/equal.c" -o "$tmp/$name" -lm >"$tmp/log" 2>&1
  ok $? "$name: builds" || diag "$(cat "$tmp/log")"
  ACCRETE_EMU_STATS=1 "$run" --emulate "$tmp/$name" >"$tmp/$name.out" 2>"$tmp/log"
  ok $? "$name: runs" || diag "$(cat "$tmp/log")"
  count=$(sed -n 's/.* instructions=\([0-9]*\).*/\1/p' "$tmp/log")
}
compile every-call -fplugin-arg-accrete-disable=math-value-numbering
calls=$count
compile equal
is "$(cat "$tmp/equal.out")" "$(cat "$tmp/every-call.out")" "equal calls: the same bits"
[ "$count" -gt 0 ] && [ "$((count * 4))" -lt "$((calls * 3))" ]
ok $? "equal calls: a quarter fewer instructions: $count for $calls"
compile asked-for -fmath-errno
is "$count" "$calls" "-fmath-errno: each call"
done_testing
