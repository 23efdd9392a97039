# Functions with frames leave a kernel its geometry: as many threads as asked
# for (cases/frames.c, which spmd.sh checks the results of).
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
ACCRETE_EMU_GPU=mini
export ACCRETE_EMU_GPU

for level in -O1 -O2; do
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
done_testing
