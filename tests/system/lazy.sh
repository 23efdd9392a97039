# Variants of kernels are compiled when launches want them, beside the program, and
# found on disk by the next process.  Results are the same, whatever fails.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini
p=$tmp/lazy
# Its loop is to be one of launches.
# shellcheck disable=SC2086  # a list of words
$CC -O2 -fopenmp $stock_flags "-specs=$specs" -fplugin-arg-accrete-disable=resident-loops \
  "$srcdir/lazy.c" -o "$p" >"$tmp/log" 2>&1 \
  || { cat "$tmp/log" >&2; exit 99; }
cache=$XDG_CACHE_HOME/accrete
empty () { rm -rf "$cache"; }
field () { json "$1" "$tmp/err"; }
# start ARGS...: links, variants compiled, variants found.
start () {
  out=$(timeout 60 "$run" --emulate --report=json "$p" "$@" 2>"$tmp/err")
  status=$?
  did="$(field links) $(field variants_compiled) $(field variants_found)"
}
# want N: what the program prints.
want () { ACCRETE_OFF=1 start "$1"; want="$status $out"; }

# ---- A start compiles what is launched --------------------------------------
want 3
empty
start 3
is "$did $status $out" "1 0 0 $want" "few launches: no variant is compiled"
lazy=$(ls -s --block-size=1 "$cache"/*.jit | awk '{ n += $1 } END { print n }')
empty
ACCRETE_DISABLE=lazy start 3
is "$did $status $out" "1 0 0 $want" "lazy-compilation is off"
all=$(ls -s --block-size=1 "$cache"/*.jit | awk '{ n += $1 } END { print n }')
ok "$((2 * lazy > all))" "what is linked is less than half"

# ---- More are compiled beside it --------------------------------------------
# As many as take long enough on a fast machine.
want 240
empty
start 240
compiled=$(field variants_compiled)
ok "$((compiled < 1))" "many launches: variants are compiled"
is "$status $out" "$want" "same results"
# At least one a process, until all are there.
for turn in 1 2 3 4 5 6 7 8; do
  start 240
  [ "$status $out" = "$want" ] || break
done
is "$status $out" "$want" "also in later processes"
# That of the variable is not apart, and a third is launched once.
is "$(ls "$cache" | wc -l | awk '{ print ($1 >= 9) }')" 1 \
  "all variants of a kernel are on disk"
want 60
start 60
is "$(field links) $(field variants_compiled)" "0 0" "and not compiled again"
empty
ACCRETE_DISABLE=jit_cache start 60
is "$status $out $(field variants_found)" "$want 0" "without a cache"
ACCRETE_DISABLE=tune start 60
is "$(field variants_compiled) $status $out" "0 $want" "nobody measures: none"
for form in 0 3; do
  empty
  ACCRETE_DEBUG=3 ACCRETE_FORM=$form start 60
  is "$did $status $out" "1 0 0 $want" "variant $form for all: none of them waits"
  is "$(grep -c "cuLaunchKernel .* form $form " "$tmp/err")" 121 \
    "and it is launched"
done

# ---- Measured in their turn -------------------------------------------------
want 200
empty
for turn in 1 2 3 4 5 6 7 8 9; do
  rm -f "$cache"/.tmp*
  ACCRETE_DEBUG=3 start 200
  [ "$status $out" = "$want" ] || break
  grep -q 'omp_fn.0.*, form [1-8] ' "$tmp/err" && break
done
like "$(cat "$tmp/err")" 'omp_fn.0.*, form [1-8] ' "a variant that was compiled beside is launched"
is "$status $out" "$want" "same results"

# ---- The end -----------------------------------------------------------------
# What the driver compiles with is there until nobody compiles any more.
cat >"$tmp/compiler.c" <<'END'
#include <unistd.h>
__attribute__ ((destructor)) static void
gone (void)
{
  static const char text[] = "the compiler is gone\n";
  if (write (2, text, sizeof text - 1) < 0)
    _exit (1);
}
END
mkdir "$tmp/driver"
$CC -shared -fPIC "$tmp/compiler.c" -o "$tmp/driver/libnvidia-ptxjitcompiler.so.1"
want 240
empty
LD_LIBRARY_PATH=$tmp/driver ACCRETE_DEBUG=1 start 240
is "$status $out" "$want" "with a compiler that goes"
is "$(grep -o 'nothing is compiled beside\|the compiler is gone\|variant [0-9]* of' \
      "$tmp/err" | tail -n 2 | tr '\n' ' ')" \
  "nothing is compiled beside the compiler is gone " "it goes last"

# ---- Whatever fails ---------------------------------------------------------
# Functions that are asked for at the start: those behind them are of variants.
# libgomp of GCC 16 asks for two constructors as well, and at the end for as many
# destructors.
empty
functions=$(ACCRETE_EMU_STATS=1 "$run" --emulate "$p" 3 2>&1 >/dev/null \
  | sed -n 's/.* cuModuleGetFunction=\([0-9]*\) .*/\1/p')
[ "$functions" -eq 14 ] || functions=$((14 + (functions - 14) / 2))
# So many launches that variants are wanted before the end.
want 240
# Which of several links is the second differs.
export ACCRETE_DISABLE=chunks
for start in first second; do
  bad=''
  for entry in cuLinkCreate:2 cuLinkAddData:2 cuLinkComplete:2 \
      cuModuleLoadData:2 cuModuleGetFunction:$((functions + 1)) \
      cuModuleGetFunction:$((functions + 2)) \
      cuFuncGetAttribute:29 cuFuncGetAttribute:30 \
      cuCtxPushCurrent:1+ cuLinkCreate:2+ cuModuleLoadData:2+ \
      cuLinkDestroy:2; do
    [ $start = second ] || empty
    ACCRETE_EMU_FAIL=$entry start 240
    [ "$status $out" = "$want" ] || bad="$bad $entry($status $out)"
  done
  is "$bad" "" "entries that fail, in a $start process"
done
unset ACCRETE_DISABLE
# A folder that is full.
empty
want 60
ACCRETE_JIT_CACHE_MAX=0 start 60
is "$status $out" "$want" "no room on disk"

# ---- Many at once -----------------------------------------------------------
empty
six_at_once "$p" 60

done_testing
