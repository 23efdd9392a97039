# exp and expf in kernels (exps.c) have neither a division nor a table, and give what
# libm's own give, bit for bit, and what stock GCC's build gives.  Where somebody reads
# errno they stay libm's.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/bits.sh"
tables () { tr '\000' '\n' <"$tmp/$1" | grep -c 'cvta.*ln2HI'; }

for level in -O0 -O2; do
  build stock$level $level "$srcdir/exps.c"
  LD_LIBRARY_PATH=$stage/lib/accrete/emu "$tmp/stock$level" 4000037 200 \
    >"$tmp/want" 2>"$tmp/log"
  ok $? "stock$level: runs" || diag "$(cat "$tmp/log")"
  build ours$level $level -specs="$specs" "$srcdir/exps.c"
  is "$(divisions ours$level) $(tables ours$level)" "0 0" \
    "ours$level: no division, no table"
  same ours$level 4000037 200
done

ACCRETE_DISABLE=exponential-selection
export ACCRETE_DISABLE
build own -O2 -specs="$specs" "$srcdir/exps.c"
unset ACCRETE_DISABLE
[ "$(divisions own)" -gt 0 ] && [ "$(tables own)" -gt 0 ]
ok $? "without the pass: libm's own"
"$run" --emulate "$tmp/own" 16381 40000 >"$tmp/want" 2>"$tmp/log"
ok $? "without the pass: runs" || diag "$(tail -n 3 "$tmp/log")"
same ours-O2 16381 40000

cat >"$tmp/reads.c" <<'END'
#include <errno.h>
#include <math.h>
int *__errno (void);
int
main (void)
{
  double x = 800, y;
  int n = 0;
#pragma omp target map(tofrom: x, n) map(from: y)
  {
    *__errno () = 0;
    y = exp (x);
    n = *__errno ();
  }
  return n == ERANGE && isinf (y) ? 0 : 1;
}
END
echo 'int n; int *__errno (void) { return &n; }' >"$tmp/host.c"
"$CC" -c "$tmp/host.c" -o "$tmp/host.o"
build reads -O2 -specs="$specs" "$tmp/reads.c" "$tmp/host.o"
[ "$(divisions reads)" -gt 0 ]
ok $? "where somebody reads errno: libm's own"
"$run" --emulate "$tmp/reads" >"$tmp/log" 2>&1
ok $? "... which stores there" || diag "$(cat "$tmp/log")"
done_testing
