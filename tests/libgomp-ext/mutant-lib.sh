# Sourced behind lib.sh: programs built with mistakes in the plugin, or run with
# mistakes in the runtime.  Who sources it says what survives FILE means, one that
# has a mistake: with $tmp/mutant/libgomp-ext.so.0 for a .c, -fplugin=$tmp/plugin/
# accrete.so for a .cc.
# SPDX-License-Identifier: GPL-3.0-or-later

plugin=$top_builddir/plugin/.libs/accrete.so
runtime=$top_builddir/libgomp-ext passes=$top_builddir/plugin
headers=$($CC -print-file-name=plugin)/include
mkdir -p "$tmp/mutant/device" "$tmp/plugin"
ln -s "$ext/libgomp-plugin-nvptx.so.1" "$tmp/mutant/device/"
cp "$plugin" "$tmp/plugin/"

# objects FOLDER NAME: those of the library, without NAME's.
objects () {
  for o in "$1"/.libs/*.o; do
    case ${o##*/} in
      forward.o | libblindplugin* | loader.o) ;;
      *"$2.o") ;;
      *) echo "$o" ;;
    esac
  done
}
# make_runtime FILE.c, make_plugin FILE.cc: with $tmp/FILE in place of its own.
make_runtime () {
  # shellcheck disable=SC2046  # a list of words
  $CC -w -O1 -fPIC -shared -fvisibility=hidden -D_GNU_SOURCE \
    -I"$top_builddir" -I"$top_srcdir/libgomp-ext" -I"$runtime" "$tmp/$1" \
    $(objects "$runtime" "${1%.c}") -Wl,-soname,libgomp-ext.so.0 \
    -Wl,-z,nodelete -Wl,--version-script="$runtime/libgomp-ext.map" \
    -o "$tmp/mutant/libgomp-ext.so.0" -ldl -lpthread >"$tmp/log" 2>&1
}
make_plugin () {
  # shellcheck disable=SC2046  # a list of words
  $CXX -w -O1 -fPIC -shared -fno-rtti -fno-exceptions -I"$headers" \
    -I"$top_builddir" -I"$top_srcdir/plugin" -I"$top_srcdir/libgomp-ext" \
    "$tmp/$1" $(objects "$passes" "${1%.cc}") "$runtime/.libs/abi.o" \
    -o "$tmp/plugin/accrete-passes.so" >"$tmp/log" 2>&1
}
# mutants <ROWS: FILE@a sed command@what is lost, or nothing changes.
mutants () {
  while IFS='@' read -r file edit what; do
    case $file in
      *.cc) from=$top_srcdir/plugin make=make_plugin ;;
      *) from=$top_srcdir/libgomp-ext make=make_runtime ;;
    esac
    sed "$edit" "$from/$file" >"$tmp/$file"
    if [ "$edit" ] && cmp -s "$tmp/$file" "$from/$file"; then
      ok 1 "$what: nothing to change in $file"
    elif ! $make "$file"; then
      ok 1 "$what: does not build"
      diag "$(cat "$tmp/log")"
    elif [ "$edit" ]; then
      ! survives "$file"; ok $? "$what"
    else
      survives "$file"; ok $? "$what"
    fi
  done
}
