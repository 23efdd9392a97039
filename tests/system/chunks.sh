# The kernels of a large program are compiled by several threads, in modules of their
# own: the same results, also from the disk, and whatever fails.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini
p=$tmp/many
kernels=30
# A grid's nine points, in as many kernels; every tenth works on a variable of the
# device, which is there once.
{
  echo '#include <stdio.h>'
  echo '#pragma omp declare target'
  echo 'static int count = 5;'
  echo '#pragma omp end declare target'
  echo 'static double a[64][64], b[64][64];'
  for k in $(seq $kernels); do
    [ $((k % 10)) = 0 ] && more='+ count' || more=
    echo "static void f$k (void) {"
    echo '#pragma omp target teams distribute parallel for collapse(2)'
    echo 'for (int i = 1; i < 63; i++) for (int k = 1; k < 63; k++) b[i][k] ='
    for i in -1 0 1; do for j in -1 0 1; do echo "$((i * j + k)) * a[i + $i][k + $j] +"; done; done
    echo "b[i][k] / 2 $more;"
    [ -z "$more" ] || printf '#pragma omp target\ncount *= 2;\n'
    echo '}'
  done
  echo 'int main (void) { double s = 0;'
  echo 'for (int i = 0; i < 64; i++) for (int k = 0; k < 64; k++) a[i][k] = (i * k) % 5;'
  seq -f 'f%.0f ();' $kernels
  echo 'for (int i = 0; i < 64; i++) for (int k = 0; k < 64; k++) s += b[i][k] * (i + k);'
  echo 'int n;'
  echo '#pragma omp target map(from: n)'
  echo 'n = count;'
  echo 'printf ("%.17g %d\n", s, n); return s == 0; }'
} >"$tmp/many.c"
# build NAME FLAGS...
build () {
  to=$tmp/$1
  shift
  # shellcheck disable=SC2086  # a list of words
  $CC -O2 -fopenmp $stock_flags "$@" "$tmp/many.c" -o "$to" >"$tmp/log" 2>&1 \
    || { cat "$tmp/log" >&2; exit 99; }
}
build many "-specs=$specs" -fplugin-arg-accrete-rows=4
cache=$XDG_CACHE_HOME/accrete
empty () { rm -rf "$cache"; }
# start: links, results found, whether chunks were compiled.
start () {
  out=$(timeout 60 "$run" --emulate --report=json "$p" 2>"$tmp/err")
  status=$?
  did="$(json links "$tmp/err") $(json jit_hits "$tmp/err") $(($(json chunks_compiled "$tmp/err") > 0))"
}

want="0 $(OMP_TARGET_OFFLOAD=disabled "$p")"
empty
start
if [ "$(nproc)" -lt 2 ]; then
  is "$did $status $out" "1 0 0 $want" "one CPU: one thread compiles"
  done_testing
  exit
fi
is "$did $status $out" "1 0 1 $want" "a first process: threads compile"
chunks=$(json chunks_compiled "$tmp/err")
ok $((chunks < 2)) "several modules" || diag "$chunks"
start
is "$did $status $out" "0 1 0 $want" "a second one finds them"
largest=$(ls -S "$cache"/*.jit | sed -n 2p)
rm "$largest"
start
is "$did $(json chunks_compiled "$tmp/err") $status $out" "0 1 1 1 $want" \
  "one is missing: it is compiled"
empty
ACCRETE_DISABLE=chunks start
is "$did $status $out" "1 0 0 $want" "parallel-compilation is off"
empty
ACCRETE_FORM=1 start
is "$did $status $out" "1 0 0 $want" "variants of all: one module"
is "$(ACCRETE_DISABLE=jit_cache "$run" --emulate "$p")" "${want#* }" "no cache"
if command -v taskset >/dev/null; then
  empty
  out=$(taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')" \
    timeout 60 "$run" --emulate --report=json "$p" 2>"$tmp/err")
  is "$(json chunks_compiled "$tmp/err") $out" "0 ${want#* }" "one CPU: no threads"
else
  skip "no taskset" "one CPU"
fi

# ---- Whatever fails: a message of libgomp's, or all goes well -----------------
failures () {
  bad='' fine=0
  for entry in $(seq -f cuLinkCreate:%.0f 4) $(seq -f cuLinkAddData:%.0f 5) \
      $(seq -f cuLinkComplete:%.0f 4) $(seq -f cuModuleLoadData:%.0f 4) \
      $(seq -f cuCtxPushCurrent:%.0f 3) $(seq -f cuLinkDestroy:%.0f 3) \
      cuModuleGetFunction:40 cuModuleGetFunction:70; do
    [ "$1" = second ] || empty
    ACCRETE_EMU_FAIL=$entry start
    if [ "$status $out" = "$want" ]; then
      fine=$((fine + 1))
    elif [ $status -ne 1 ] || ! grep -q '^libgomp: ' "$tmp/err"; then
      bad="$bad $entry($status $out)"
    fi
    # No kernel is missed.
    case $entry in
      cuModuleGetFunction*) ;;
      *) ! grep -q 'cuModuleGetFunction error' "$tmp/err" || bad="$bad $entry" ;;
    esac
  done
  is "$bad" "" "entries that fail, in a $1 process"
  ok $((fine < 5)) "most do no harm" || diag "$fine"
}
failures first
failures second
empty
ACCRETE_EMU_FAIL=cuCtxPushCurrent:1+ start
is "$status $out" "$want" "no thread can work: the first one does"

# ---- Many at once -----------------------------------------------------------
empty
six_at_once "$p"
done_testing
