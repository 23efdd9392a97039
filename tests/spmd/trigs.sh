# sin, cos and sincos in kernels (trigs.c of the passes) give what libm's own give, bit
# for bit, and what stock GCC's build gives; an array is left to arguments that are too
# large.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/bits.sh"

build stock -O2 "$srcdir/trigs.c"
LD_LIBRARY_PATH=$stage/lib/accrete/emu "$tmp/stock" 4000037 200 \
  >"$tmp/want" 2>"$tmp/log"
ok $? "stock: runs" || diag "$(cat "$tmp/log")"
for level in -O0 -O2; do
  build ours$level $level -specs="$specs" "$srcdir/trigs.c"
  same ours$level 4000037 200
done

ACCRETE_DISABLE=trigonometric-selection
export ACCRETE_DISABLE
build own -O2 -specs="$specs" "$srcdir/trigs.c"
unset ACCRETE_DISABLE
"$run" --emulate "$tmp/own" 65537 4000 >"$tmp/want" 2>"$tmp/log"
ok $? "without the pass: runs" || diag "$(tail -n 3 "$tmp/log")"
same ours-O2 65537 4000

# Arguments below 2^19 pi/2, or 2^7 pi/2 in single precision.
cat >"$tmp/few.c" <<'END'
#define _GNU_SOURCE
#include <math.h>
double x[1024];
float y[1024];
int
main (void)
{
  for (int i = 0; i < 1024; i++)
    y[i] = x[i] = (i - 500) * .3;
#pragma omp target teams distribute parallel for map(x, y)
  for (int i = 0; i < 1024; i++)
    {
      double a, b;
      float c, d;
      sincos (x[i], &a, &b);
      sincosf (y[i], &c, &d);
      x[i] = a * b;
      y[i] = c * d;
    }
}
END
count () {
  ACCRETE_EMU_STATS=1 "$run" --emulate "$tmp/$1" 2>&1 | sed -n 's/.* instructions=\([0-9]*\).*/\1/p'
}
build few -O2 -specs="$specs" "$tmp/few.c"
ACCRETE_DISABLE=trigonometric-selection
export ACCRETE_DISABLE
build few-own -O2 -specs="$specs" "$tmp/few.c"
unset ACCRETE_DISABLE
few=$(count few) own=$(count few-own)
[ "$few" -gt 0 ] && [ "$((few * 3))" -lt "$own" ]
ok $? "a third of the instructions: $few for $own"

# With too many calls for all to become part of the kernel sincos remains, in front of sin
# and cos, and what it calls is declared before it.
cat >"$tmp/many.c" <<'END'
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
double x[64][8];
int
main (void)
{
  for (int i = 0; i < 512; i++)
    x[i / 8][i % 8] = i * .3;
#pragma omp target teams distribute parallel for map(x)
  for (int i = 0; i < 64; i++)
    {
      double *y = x[i], a, b;
#define TURN(I) sincos (y[I] + y[(I + 3) % 8], &a, &b); y[I] = a + 2 * b;
#define TURNS TURN (0) TURN (1) TURN (2) TURN (3) TURN (4) TURN (5) TURN (6) TURN (7)
      TURNS TURNS TURNS
    }
  for (int i = 0; i < 512; i++)
    printf ("%a\n", x[i / 8][i % 8]);
}
END
build many-stock -O2 "$tmp/many.c"
LD_LIBRARY_PATH=$stage/lib/accrete/emu "$tmp/many-stock" >"$tmp/want" 2>"$tmp/log"
ok $? "many-stock: runs" || diag "$(tail -n 3 "$tmp/log")"
build many -O2 -specs="$specs" "$tmp/many.c"
same many
is "$(tr '\000' '\n' <"$tmp/many" | awk '
  /^\.func .*\$far / { known[$(NF - 3)] = 1 }
  /^call .*\$far,/ { split ($0, part, ","); calls++; if (!known[part[2]]) early++ }
  END { print (calls > 4), early + 0 }')" "1 0" "many: functions are declared before their calls"
done_testing
