# The specs file: what it adds, what it leaves alone, and that an installed
# tree can be moved.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/stage.sh"

cat >"$tmp/a.c" <<'EOF'
#include <stdio.h>
int
main (void)
{
  int a[100], sum = 0;
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < 100; i++)
    a[i] = i;
  for (int i = 0; i < 100; i++)
    sum += a[i];
  printf ("%d\n", sum);
  return sum != 4950;
}
EOF

for c in "$CC" "$CXX" "$FC"; do
  out=$($c -### -specs="$specs" -O2 -c "$tmp/a.c" 2>&1)
  unlike "$out" 'accrete\.so' "${c##*/}: nothing added to a plain compile"
  for flag in -fopenacc -fopenmp; do
    out=$($c -### -specs="$specs" -O2 $flag "$tmp/a.c" 2>&1)
    like "$out" 'fplugin=[^ ]*accrete\.so' "${c##*/} $flag: plugin loaded"
    like "$out" 'accrete-start\.o' "${c##*/} $flag: the way to the runtime is linked"
  done
done
out=$($CC -### -specs="$specs" -fopenacc -static "$tmp/a.c" 2>&1)
unlike "$out" 'accrete-start' 'static link: runtime left out'

(cd "$tmp" && $CC -specs="$specs" -O2 -fopenacc -fdump-tree-accrete=dump.txt \
  -c a.c) >"$tmp/log" 2>&1
like "$(cat "$tmp/dump.txt" 2>&1)" 'a\.c:6' '-fdump-tree-accrete' \
  || diag "$(cat "$tmp/log")"

# Arguments of the plugin work in front of the specs file and behind it.
arg=-fplugin-arg-accrete-disable=tag
for order in "$arg -specs=$specs" "-specs=$specs $arg"; do
  # shellcheck disable=SC2086  # lists of words
  out=$($CC $order -O2 -fopenacc -S "$tmp/a.c" -o - 2>&1)
  ok $? 'an argument of the plugin' || diag "$out"
  unlike "$out" 'ACCRETE-TAG' 'and what it asks for'
done
out=$($CC -specs="$specs" "$arg" -fdump-tree-accrete -O2 -c "$tmp/a.c" \
  -o "$tmp/plain.o" 2>&1)
is "$?$out" 0 'without regions nobody minds them'

# A build and a run, from the installed tree and from a moved one.
check_tree () {			# TREE NAME
  "$CC" -O2 -fopenacc "-specs=$1/lib/accrete/accrete.specs" "$tmp/a.c" \
    -o "$tmp/a" >"$tmp/log" 2>&1
  ok $? "$2: builds" || diag "$(cat "$tmp/log")"
  is "$("$1/bin/accrete-run" --emulate "$tmp/a" 2>&1)" 4950 "$2: runs emulated"
  out=$("$1/bin/accrete-run" --emulate --report=json "$tmp/a" 2>&1 >/dev/null)
  like "$out" '"launches": ?1[,}]' "$2: one launch is reported"
  like "$(LD_LIBRARY_PATH=$1/lib/accrete/emu ACCRETE_REPORT=counters "$tmp/a" 2>&1)" \
    '^accrete: constructs +1' "$2: finds the runtime"
}
check_tree "$stage" 'installed tree'
cp -R "$stage" "$tmp/moved tree" 2>/dev/null
mv "$tmp/moved tree" "$tmp/moved"
check_tree "$tmp/moved" 'moved tree'

# The same flags through pkg-config.
if command -v pkg-config >/dev/null 2>&1; then
  flags=$(PKG_CONFIG_PATH="$tmp/moved/lib/pkgconfig" pkg-config --cflags accrete)
  # shellcheck disable=SC2086  # a list of words
  "$CC" -O2 -fopenacc $flags "$tmp/a.c" -o "$tmp/pc" 2>"$tmp/log" \
    && nm "$tmp/pc" | grep -q acr_start_bind
  ok $? 'pkg-config gives working flags' || diag "$flags"
else
  skip 'no pkg-config' 'pkg-config gives working flags'
fi

# A program built with accrete runs without it.
rm -rf "$tmp/moved"
is "$(ACC_DEVICE_TYPE=host LD_LIBRARY_PATH=$stage/lib/accrete "$tmp/a")" 4950 \
  'host fallback'
done_testing
