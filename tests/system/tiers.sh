# Kernels begin as the variant that is compiled soonest, and are themselves compiled when
# that may pay, or found on disk by the next process.  Results are the same, whatever
# fails.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini
p=$tmp/tiers
# shellcheck disable=SC2086  # a list of words
$CC -O2 -fopenmp $stock_flags "-specs=$specs" "$srcdir/tiers.c" -o "$p" >"$tmp/log" 2>&1 \
  || { cat "$tmp/log" >&2; exit 99; }
cache=$XDG_CACHE_HOME/accrete
empty () { rm -rf "$cache"; }
# start ARGS...: the numbers of the variants that the first kernel was launched in.
start () {
  out=$(ACCRETE_DEBUG=3 timeout 60 "$run" --emulate --report=json "$p" "$@" 2>"$tmp/err")
  status=$?
  forms=$(sed -n 's/.*cuLaunchKernel .*omp_fn.0.*, form \([0-9]*\) .*/\1/p' "$tmp/err" \
    | uniq | tr '\n' ' ')
}
want () { ACCRETE_OFF=1 start "$@"; want="$status $out"; }
count () { json "$1" "$tmp/err"; }

# ---- Few iterations: both are the same ---------------------------------------
want 3 128
empty
start 3 128
is "$status $out $(count tiers)" "$want 2" "two kernels begin as variants"
is "$forms" "2 " "that of one row"
is "$(count links) $(count variants_compiled)" "1 0" "nothing else is compiled"
start 3 128
is "$status $out $forms$(count links) $(count variants_compiled)" "$want 2 0 0" \
  "nor in the next process"
ACCRETE_DISABLE=tiers start 3 128
is "$status $out $forms$(count tiers)" "$want 0 0" "tiered-compilation is off"
ACCRETE_DISABLE=tune start 3 128
is "$status $out $forms$(count tiers)" "$want 0 0" "nobody measures: there is none"
ACCRETE_FORM=0 start 3 128
is "$status $out $forms$(count tiers)" "$want 0 0" "kernels themselves for all"

# ---- Many: the kernel itself follows -----------------------------------------
want 60 740
empty
start 60 740
is "$status $out" "$want" "results with many iterations"
like "$forms" '^2 0 ' "the kernel itself follows"
start 60 740
is "$status $out" "$want" "in the next process"
like "$forms" '^[^2]' "it is there from the beginning"
is "$(count links)" 0 "and nothing is linked"
empty
ACCRETE_DISABLE=jit_cache start 60 740
is "$status $out" "$want" "without a cache"
like "$forms" '^2 0 ' "it is compiled anew"
want 1 740
empty
start 1 740
is "$status $out $forms$(count variants_compiled)" "$want 2 0" \
  "the program ends before it is wanted"

# ---- Whatever fails ----------------------------------------------------------
want 20 740
for start in first second; do
  bad=
  [ $start = first ] || { empty; start 60 740; cp -r "$cache" "$tmp/kept"; }
  for entry in cuLinkCreate:2 cuLinkAddData:2 cuLinkComplete:2 cuLinkDestroy:2 \
      cuModuleLoadData:2 cuModuleLoadData:2+ cuCtxPushCurrent:1+ cuLinkCreate:2+ \
      cuLinkComplete:2+; do
    empty
    [ $start = first ] || cp -r "$tmp/kept" "$cache"
    ACCRETE_DISABLE=chunks ACCRETE_EMU_FAIL=$entry start 20 740
    [ "$status $out" = "$want" ] || bad="$bad $entry($status $out)"
    # What the kernel began as stands for itself.
    case $start$entry in
      firstcuLinkC*:2+) [ "${forms#*0 }" = "$forms" ] || bad="$bad $entry: $forms" ;;
    esac
  done
  is "$bad" "" "entries that fail, in a $start process"
done

# ---- Many at once, one CPU ----------------------------------------------------
empty
if command -v taskset >/dev/null; then
  out=$(taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')" \
    timeout 60 "$run" --emulate "$p" 20 740)
  is "$? $out" "$want" "one CPU"
else
  skip "no taskset" "one CPU"
fi
empty
six_at_once "$p" 20 740

done_testing
