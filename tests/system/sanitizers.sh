# Programs that are built with sanitizers, profiles or LTO start, are right, and find
# the runtime.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/stage.sh"
export ACCRETE_EMU_GPU=mini

# stock_builds FLAGS FILE: stock GCC has a device library for that.
stock_builds () {
  # shellcheck disable=SC2086  # a list of words
  (cd "$tmp" && $(compiler "$2") -O1 $stock_flags $1 "$srcdir/start/$2" -o stock) \
    >/dev/null 2>&1
}

# try FLAGS FILE: without the runtime's report, and with it.
try () {
  # shellcheck disable=SC2086  # a list of words
  (cd "$tmp" && $(compiler "$2") "-specs=$specs" -O1 $stock_flags $1 \
    "$srcdir/start/$2" -o a) >"$tmp/log" 2>&1
  status=$?
  if [ $status -ne 0 ] && ! stock_builds "$1" "$2"; then
    unlike "$(cat "$tmp/log")" '^accrete' "$1 $2: no device library, as stock"
    return
  fi
  ok $status "$1 $2: builds" || diag "$(cat "$tmp/log")"
  is "$(cd "$tmp" && LD_LIBRARY_PATH=$stage/lib/accrete/emu ASAN_OPTIONS=detect_leaks=0 \
    ./a 2>&1)" 4950 "$1 $2: runs"
  like "$(cd "$tmp" && LD_LIBRARY_PATH=$stage/lib/accrete/emu \
    ASAN_OPTIONS=detect_leaks=0 ACCRETE_REPORT=counters ./a 2>&1)" \
    '^accrete: constructs +[1-9]' "$1 $2: with the runtime"
}

for flags in -fsanitize=address -fsanitize=undefined -pg --coverage \
  '-flto -flto-partition=balanced' '-flto -ffat-lto-objects'; do
  try "-fopenmp $flags" omp.cc
done
try '-fopenacc -fsanitize=address' acc.c

# libgomp's threads are none that TSan knows, and not each machine's memory suits it.
export TSAN_OPTIONS=report_bugs=0
echo 'int main (void) { return 0; }' >"$tmp/nothing.c"
if "$CC" -fsanitize=thread "$tmp/nothing.c" -o "$tmp/nothing" 2>"$tmp/log" \
   && "$tmp/nothing" 2>>"$tmp/log"; then
  try '-fopenmp -fsanitize=thread' omp.cc
  try '-fopenacc -fsanitize=thread' acc.c
else
  skip "$(head -n 1 "$tmp/log")" '-fsanitize=thread'
fi

# Without shared libraries there is no runtime to be found.
# shellcheck disable=SC2086  # a list of words
(cd "$tmp" && $(compiler omp.cc) "-specs=$specs" -O1 $stock_flags -fopenmp -static-pie \
  "$srcdir/start/omp.cc" -o a) >"$tmp/log" 2>&1
ok $? '-static-pie: builds' || diag "$(cat "$tmp/log")"
# libgomp has a word to say where its plugin is of a later version (Debian 13's gcc-13).
is "$("$tmp/a" 2>&1 | sed '/^$/d; /^libgomp: .*plugin version mismatch$/d')" 4950 \
  '-static-pie: runs'

# All folders of the run path are tried, but such as are relative to something.
cp -R "$stage" "$tmp/first"
# shellcheck disable=SC2016,SC2086  # the linker's word; a list of words
(cd "$tmp" && "$CC" "-specs=$tmp/first/lib/accrete/accrete.specs" $stock_flags \
  -fopenacc -fsanitize=address '-Wl,-rpath,$ORIGIN/none' \
  "-Wl,-rpath,$tmp/second/lib/accrete" "$srcdir/start/acc.c" -o moved) >"$tmp/log" 2>&1
ok $? 'a run path of three: builds' || diag "$(cat "$tmp/log")"
mv "$tmp/first" "$tmp/second"
like "$(LD_LIBRARY_PATH=$stage/lib/accrete/emu ASAN_OPTIONS=detect_leaks=0 \
  ACCRETE_REPORT=counters "$tmp/moved" 2>&1)" '^accrete: constructs +[1-9]' \
  'a run path of three: finds the runtime in the last one'
done_testing
