# make install with DESTDIR: a tree that works where it lies, and that make
# uninstall takes away again.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/stage.sh"

to=$tmp/root
make -C "$top_builddir" -s install DESTDIR="$to" >"$tmp/log" 2>&1
ok $? 'make install DESTDIR=' || diag "$(tail "$tmp/log")"
specs=$(find "$to" -name accrete.specs)
run=$(find "$to" -name accrete-run)
cat >"$tmp/a.c" <<'EOF'
#include <stdio.h>
int a[10];
int main (void)
{
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 10; i++)
    a[i] = i * i;
  printf ("%d\n", a[9]);
}
EOF
"$CC" -O2 -fopenacc "-specs=$specs" "$tmp/a.c" -o "$tmp/a" >"$tmp/log" 2>&1
ok $? 'a program builds' || diag "$(cat "$tmp/log")"
is "$("$run" --emulate "$tmp/a" 2>&1)" 81 'and runs'
like "$(LD_DEBUG=files ACC_DEVICE_TYPE=host "$tmp/a" 2>&1)" \
  "calling init: $to.*libgomp-ext" 'with the runtime from there'
# With help2man, the commands have manual pages, too.
pages=accrete.7
! command -v help2man >/dev/null \
  || pages="$pages accrete-run.1 accrete-plan.1 ptx-post.1"
for page in $pages README.md optimisations.md; do
  [ "$(find "$to" -name "$page")" ]; ok $? "$page is installed"
done
# Programs and libraries are stripped, and nothing of libtool's is left.
is "$(find "$to" -name '*.la')" '' 'no .la files'
is "$(find "$to" -type f ! -name '*.o' ! -name '*.a' ! -name '*.ar' -exec sh -c \
  'readelf -S "$1" 2>/dev/null | grep -q "\.debug_info\|\.symtab" && echo "$1"' \
  sh {} \;)" '' 'no debug information'
# Nothing names the folder, for it will be gone when a package is installed.
is "$(grep -rlF "$to" "$to")" '' 'no file names the folder'
make -C "$top_builddir" -s uninstall DESTDIR="$to" >"$tmp/log" 2>&1
ok $? 'make uninstall'
is "$(find "$to" ! -type d)" '' 'leaves nothing'

# Where the offload compiler has gone since, GCC builds for the host alone, as
# stock does.  Only a user who may have a mount namespace can try.
hide='mount -t tmpfs none "$0" 2>/dev/null || exit 77
  cd "$1" && shift && "$@" >/dev/null 2>log || exit 1
  ACC_DEVICE_TYPE=host ./hostonly'
accel=$("$CC" -print-file-name=accel)
specs=$stage/lib/accrete/accrete.specs
for flags in '' "-specs=$specs"; do
  # shellcheck disable=SC2086  # a flag or none
  out=$(unshare -rm sh -c "$hide" "$accel" "$tmp" \
	  "$CC" -O2 -fopenacc $flags a.c -o hostonly 2>&1)
  status=$?
  if [ $status -eq 77 ] || ! unshare -rm true 2>/dev/null; then
    skip 'no mount namespace' "no offload compiler${flags:+, with the specs}"
  else
    is "$status $out" '0 81' \
      "no offload compiler${flags:+, with the specs}" || diag "$(cat "$tmp/log")"
    is "$(grep -c 'note: accrete.specs: this GCC has no offload compiler' "$tmp/log")" \
      "$([ "$flags" ]; echo $((!$?)))" 'which the specs say'
  fi
done

# Where /proc is not mounted, as in some systems that packages are built in, programs
# are what they are elsewhere.
bare='mount -t tmpfs none /proc 2>/dev/null || exit 77
  cd "$0" && "$@"'
for file in acc.c omp.cc; do
  case $file in acc*) flag=-fopenacc ;; *) flag=-fopenmp ;; esac
  # shellcheck disable=SC2046,SC2086  # lists of words
  TMPDIR=$tmp unshare -rm sh -c "$bare" "$tmp" $(compiler $file) -O2 $flag \
    $stock_flags "-specs=$specs" "$srcdir/start/$file" -o bare >"$tmp/log" 2>&1
  status=$?
  if [ $status -eq 77 ] || ! unshare -rm true 2>/dev/null; then
    skip 'no mount namespace' "no /proc, $flag"
    continue
  fi
  ok $status "no /proc, $flag: builds" || diag "$(cat "$tmp/log")"
  is "$(ACCRETE_EMU_GPU=mini "$stage/bin/accrete-run" --emulate --report=json \
    "$tmp/bare" 2>"$tmp/err") $(($(json plain "$tmp/err") > 0))" '4950 1' \
    "no /proc, $flag: with SPMD kernels" || diag "$(cat "$tmp/err")"
done
is "$(find "$tmp" -name 'accrete-*')" '' 'no /proc: no file is left'
done_testing
