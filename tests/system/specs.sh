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
    like "$out" 'accrete-start\.ar' "${c##*/} $flag: the way to the runtime is linked"
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

# linked NAME FLAG...: a.c, compiled and linked with these flags, says nothing,
# needs no relocations in its code, and runs with the runtime.
linked () {
  name=$1
  shift
  rm -f "$tmp/l"
  is "$("$CC" -O2 -fopenacc $stock_flags "$@" "$tmp/a.c" -o "$tmp/l" 2>&1)" '' \
    "$name: builds"
  unlike "$(readelf -d "$tmp/l" 2>&1)" 'TEXTREL' "$name: no text relocations"
  like "$(LD_LIBRARY_PATH=$stage/lib/accrete/emu ACCRETE_REPORT=counters "$tmp/l" 2>&1)" \
    '^accrete: plain +1' "$name: an SPMD kernel, and the runtime"
}
moved=$tmp/moved/lib/accrete
printf '*cc1:\n+ -DSECOND\n\n' >"$tmp/second.specs"
linked 'alone' "-specs=$moved/accrete.specs"
linked 'a second specs file' "-specs=$moved/accrete.specs" "-specs=$tmp/second.specs"
linked 'another order' "-specs=$tmp/second.specs" "-specs=$moved/accrete.specs"
linked 'given twice' "-specs=$moved/accrete.specs" "-specs=$moved/accrete.specs"
linked 'a shared tree' "-specs=$moved/accrete.specs" -fPIE -pie
ln -s "$specs" "$tmp/link.specs"
linked 'a link to the installed file' "-specs=$tmp/link.specs"
cd "$stage" || exit 99
linked 'a relative path' -specs=lib/accrete/accrete.specs
cd "$builddir" || exit 99
like "$(readelf -d "$tmp/l")" "RUNPATH.*\[$stage/lib/accrete\]" \
  'a relative path: no run path of its own' || diag "$(cat "$tmp/log")"
cp -R "$tmp/moved" "$tmp/with blanks"
ln -s "$tmp/with blanks" "$tmp/without"
linked 'a link to a folder with blanks' "-specs=$tmp/without/lib/accrete/accrete.specs"
out=$("$CC" -O2 -fopenacc "-specs=$tmp/with blanks/lib/accrete/accrete.specs" \
  "$tmp/a.c" -o "$tmp/l" 2>&1)
is "$? $(printf '%s\n' "$out" | grep -c .)" '0 1' 'blanks: builds, with one line'
like "$out" 'note: accrete.specs: compiling without .*blanks' 'blanks: which says why'

# Each compiler has its own folder.
machine=$("$CC" -dumpmachine) version=$("$CC" -dumpversion)
cp -R "$moved/$machine/$version" "$moved/$machine/other"
: >"$moved/$machine/other/accrete.so"
linked 'beside another version' "-specs=$moved/accrete.specs"
# One that nothing was built for gets stock code, and one line.
sed -i "s|$stage|/nonexistent|g" "$moved/accrete.specs"
mv "$moved/$machine/$version" "$moved/$machine/away"
out=$("$CC" -O2 -fopenacc $stock_flags "-specs=$moved/accrete.specs" "$tmp/a.c" \
  -o "$tmp/l" 2>&1)
is "$? $(printf '%s\n' "$out" | grep -c '^accrete: warning')" '0 1' \
  'another version alone: builds, with one line'
is "$("$run" --emulate "$tmp/l" 2>&1)" 4950 'another version alone: runs'
mv "$moved/$machine/away" "$moved/$machine/$version"
# So do versions that are too old for a plugin, where one is installed.
if command -v gcc-11 >/dev/null; then
  for flag in -fopenacc -fopenmp ''; do
    # shellcheck disable=SC2086  # a flag or none
    out=$(gcc-11 -O2 $flag "-specs=$specs" -c "$tmp/a.c" -o "$tmp/old.o" 2>&1)
    is "$? $(printf '%s\n' "$out" | grep -c .)" "0 $([ -z "$flag" ]; echo $?)" \
      "GCC 11 $flag: builds, with a line where there are regions"
    like "$out" "${flag:+^accrete: warning: built for another GCC}" \
      "GCC 11 $flag: which says so"
    # shellcheck disable=SC2086  # a flag or none
    gcc-11 -O2 $flag "-specs=$specs" "$tmp/a.c" -o "$tmp/old" >"$tmp/log" 2>&1
    ok $? "GCC 11 $flag: links" || diag "$(cat "$tmp/log")"
    is "$(ACC_DEVICE_TYPE=host "$tmp/old" 2>&1)" 4950 "GCC 11 $flag: runs"
  done
else
  skip 'no gcc-11' 'GCC 11'
fi

# A link that does not say that there are regions, as CMake's OpenMP::OpenMP_CXX
# makes them: of a program, of a library, and of one that names all objects.
gomp=$("$CC" -print-file-name=libgomp.so)
"$CXX" -O2 -fopenmp "-specs=$specs" -c "$srcdir/start/omp.cc" -o "$tmp/omp.o"
"$CXX" "-specs=$specs" "$tmp/omp.o" "$gomp" -o "$tmp/late" >"$tmp/log" 2>&1
ok $? 'link without -fopenmp: builds' || diag "$(cat "$tmp/log")"
is "$("$run" --emulate "$tmp/late" 2>&1)" 4950 'link without -fopenmp: runs'
like "$(LD_LIBRARY_PATH=$stage/lib/accrete/emu ACCRETE_REPORT=counters "$tmp/late" 2>&1)" \
  '^accrete: plain +2' 'link without -fopenmp: finds the runtime'
"$CC" -O2 -fopenmp "-specs=$specs" -fPIC -c "$srcdir/start/part.c" -o "$tmp/part.o"
# build_part FLAG...: libpart.so, and a program that calls it and knows nothing.
build_part () {
  "$CC" "-specs=$specs" -shared -fPIC "$@" "$gomp" -o "$tmp/libpart.so" >"$tmp/log" 2>&1 \
    && "$CC" -O2 -fopenmp -DPROGRAM "$srcdir/start/part.c" "$tmp/libpart.so" \
      "-Wl,-rpath,$tmp" -o "$tmp/part" >>"$tmp/log" 2>&1
}
begin=$("$CC" -print-file-name=crtoffloadbegin.o)
end=$("$CC" -print-file-name=crtoffloadend.o)
for flags in '' "-nostdlib $begin LIBRARY $end -lc" \
  "-fopenmp -nostdlib $begin LIBRARY $end -lc"; do
  what="library, link with '${flags%% /*}'"
  case $flags in
    *LIBRARY*) flags="${flags%LIBRARY*}$tmp/part.o${flags#*LIBRARY}" ;;
    *) flags=$tmp/part.o ;;
  esac
  # shellcheck disable=SC2086  # a list of words
  build_part $flags
  ok $? "$what: builds" || diag "$(cat "$tmp/log")"
  unlike "$(readelf -d "$tmp/libpart.so")" 'TEXTREL' "$what: no text relocations"
  is "$("$run" --emulate "$tmp/part" 2>&1)" right "$what: runs"
  like "$(LD_LIBRARY_PATH=$stage/lib/accrete/emu ACCRETE_REPORT=counters "$tmp/part" 2>&1)" \
    '^accrete: constructs +[1-9]' "$what: finds the runtime"
done
echo 'int main (void) { return 0; }' >"$tmp/p.c"
"$CC" "$tmp/p.c" -o "$tmp/p1" && "$CC" "-specs=$specs" "$tmp/p.c" -o "$tmp/p2"
strip "$tmp/p1" "$tmp/p2"
is "$(readelf -dlW "$tmp/p2")" "$(readelf -dlW "$tmp/p1")" 'a program without regions is as stock links it'

# Source lines of kernels, for debuggers and profilers.
"$CXX" -g -O2 -fopenmp $stock_flags "-specs=$specs" "$srcdir/start/omp.cc" -o "$tmp/g" \
  >"$tmp/log" 2>&1
ok $? '-g: builds' || diag "$(cat "$tmp/log")"
line=$(strings -a "$tmp/g" | sed -n 's/^[ 	]*\.loc \([0-9]*\) .*/\1/p' | head -n 1)
like "$(strings -a "$tmp/g")" "^[ 	]*\.file ${line:-none} \".*omp.cc\"" \
  '-g: the file of kernels'"'"' lines is named'

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
