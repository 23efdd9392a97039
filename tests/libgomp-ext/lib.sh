# Sourced by the scripts here: programs to compile, and to run with and without
# libgomp-ext.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/gcc.sh"

ext=$top_builddir/libgomp-ext/.libs
lib=$tmp/lib fake=$tmp/fake poor=$tmp/poor none=$tmp/none
mkdir -p "$lib/device" "$fake" "$poor" "$none"
ln -s "$ext/libgomp-ext.so.0" "$lib/libgomp-ext.so.0"
ln -s libgomp-ext.so.0 "$lib/libgomp-ext.so"
ln -s "$ext/libgomp-plugin-nvptx.so.1" "$lib/device/"
ln -s "$builddir/.libs/libfakecuda.so" "$fake/libcuda.so.1"
ln -s "$builddir/.libs/libpoorcuda.so" "$poor/libcuda.so.1"
unset ACCRETE_REPORT ACCRETE_DISABLE ACCRETE_OFF ACCRETE_DEBUG LD_PRELOAD

# compile OUTPUT SOURCE FLAGS...
compile () {
  out=$tmp/$1 src=$srcdir/$2
  shift 2
  $CC -O1 "$src" -o "$out" -foffload-options=nvptx-none=-Wa,--no-verify "$@" \
    >"$tmp/log" 2>&1 || { cat "$tmp/log" >&2; exit 99; }
}
# marked OUTPUT SOURCE FLAGS...: the same with the plugin and ptx-post.
mkdir "$tmp/b"
ln -s "$top_builddir/ptx-post/as" "$tmp/b/as"
with_plugin=-fplugin=$top_builddir/plugin/.libs/accrete.so
with_post=-foffload-options=nvptx-none=-B$tmp/b/
marked () { compile "$@" "$with_plugin" "$with_post"; }
# stock PROGRAM..., ours PROGRAM...: output in $out, driver's or our counts in
# $err.
cuda=$fake
stock () {
  out=$(LD_LIBRARY_PATH=$cuda FAKE_CUDA_STATS=1 timeout ${limit-60} "$@" 2>"$tmp/err")
  status=$? err=$(cat "$tmp/err")
}
ours () {
  out=$(LD_LIBRARY_PATH=$cuda LD_PRELOAD=$lib/libgomp-ext.so.0 \
        FAKE_CUDA_STATS=1 ACCRETE_REPORT=${report-json} timeout ${limit-60} "$@" 2>"$tmp/err")
  status=$? err=$(cat "$tmp/err")
}
# What stock has said is what ours must say, if stock ended well.
wanted () {
  want=$status$out
  [ "$status" -eq 0 ] || want="stock exits with $status"
}
# From here on the driver is the emulated GPU, without which the script ends.
on_emulated_gpu () {
  cuda=$top_builddir/ptx-post/emu/.libs
  [ ! -e "$cuda/libcuda.so.1" ] || return 0
  skip "not built" "emulated GPU"
  done_testing
  exit
}
# lines SOURCE ERE WORDS: "SOURCE:LINE WORDS" of the directives that match.
lines () {
  grep -nE "$2" "$srcdir/$1" | sed "s/:.*/ $3/; s/^/$1:/"
}
# regions SOURCE acc|mp, data SOURCE acc|mp: the same of all directives with a region,
# and of those without.  A kernels region of one loop has become a parallel one.
regions () {
  case $2 in
    acc) lines "$1" 'acc (parallel|kernels) ' 'acc parallel' ;;
    *) lines "$1" 'omp target teams' 'omp target' ;;
  esac
}
data () {
  case $2 in acc) words=acc ;; *) words='omp target' ;; esac
  lines "$1" "$words data " "$words data"
  lines "$1" "$words update " "$words update"
}
# calls NAME: how often a driver entry was called, or device code did something,
# by ACCRETE_EMU_STATS.
calls () {
  n=$(printf '%s\n' "$err" | sed -n "s/^accrete-emu: .*\<$1=\([0-9]*\).*/\1/p")
  echo "${n:-0}"
}
# launched: how many kernels were launched, in whatever way (ACCRETE_GRAPHS up to 1).
launched () { echo $(($(calls cuLaunchKernel) + $(calls cuGraphLaunch))); }
# field NAME [fake|accrete]: a number of the report or of the driver.
field () {
  printf '%s\n' "$err" | grep "^{\"${2-accrete}\"" \
    | sed -n "s/.*\"$1\":\([0-9][0-9]*\).*/\1/p" | tail -n 1
}
counts='launches allocs frees h2d_copies h2d_bytes d2h_copies d2h_bytes syncs'
all () { for c in $counts; do printf '%s=%s ' $c "$(field $c "$1")"; done; }
