# Limits of copies are measured once for a GPU, and found again.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

on_emulated_gpu
export ACCRETE_EMU_GPU=mini

compile traffic traffic.c -fopenmp
stock "$tmp/traffic" 300 1 1
want=$out

# measured WHAT COUNT: so many limits were measured, and the results are stock's.
measured () {
  ours "$tmp/traffic" 300 1 1
  is "$status$out" "0$want" "$1: stock's results"
  is "$(field limits_measured)" "$2" "$1: $2 limits measured"
}
measured "not wanted" 0
export ACCRETE_LIMITS=1
ACCRETE_JIT_CACHE_MAX=0 measured "nothing can be kept" 0
cat >"$tmp/long.c" <<'END'
#include <unistd.h>
int
main (void)
{
  int n = 0;
#pragma omp target map(n)
  n++;
  usleep (1100000);
  return n != 1;
}
END
$CC -O1 -fopenmp -foffload-options=nvptx-none=-Wa,--no-verify "$tmp/long.c" -o "$tmp/long" \
  >"$tmp/log" 2>&1 || { cat "$tmp/log" >&2; exit 99; }
# A process that takes more than a second.
long () {
  ours "$tmp/long"
  is "$status $(field limits_measured)" "0 0" "a process that takes long measures nothing"
}
limits=$(grep -c '^LIMIT' "$top_srcdir/libgomp-ext/transfer/policy/limit.def")
measured "short processes" 0
measured "however many" 0
long
measured "the first time" "$limits"
measured "the second time" 0
export ACCRETE_COPIERS=2
measured "threads that help to copy" 0
long
measured "threads that help to copy, behind a long process" "$limits"

n=0
for file in "$XDG_CACHE_HOME"/accrete/*; do
  [ "$(wc -c <"$file")" -lt 200 ] && n=$((n + 1))
done
is "$n" $((2 * limits + 2)) "kept on disk"
done_testing
