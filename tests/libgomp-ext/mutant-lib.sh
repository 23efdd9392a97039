# Sourced behind lib.sh: mutants of the plugin, with which programs are built, and
# of the runtime, with which they run: -fplugin=$tmp/plugin/accrete.so for a .cc,
# $tmp/mutant/libgomp-ext.so.0 for a .c.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/mutants.sh"

plugin=$top_builddir/plugin/.libs/accrete.so
runtime=$top_builddir/libgomp-ext passes=$top_builddir/plugin
headers=$($CC -print-file-name=plugin)/include
mkdir -p "$tmp/mutant/device" "$tmp/plugin"
ln -s "$ext/libgomp-plugin-nvptx.so.1" "$tmp/mutant/device/"
cp "$plugin" "$tmp/plugin/"

# objects FOLDER NAME: those of the library, without NAME's.
objects () {
  for o in $(find "$1" -path '*/.libs/*.o'); do
    case ${o##*/} in
      forward.o | libblindplugin* | loader.o) ;;
      "$2.o" | *_la-"$2.o") ;;
      *) echo "$o" ;;
    esac
  done
}

# Without its passes the plugin compiles as stock GCC does, and no mistake is in it.
loads () {
  said=$(echo | $CC -fplugin="$tmp/plugin/accrete.so" -fopenacc -xc -c - \
	 -o "$tmp/empty.o" 2>&1) && [ ! "$said" ] && return
  echo "$said"
  return 1
}

build_mutant () {
  # shellcheck disable=SC2046  # a list of words
  case $1 in
    *.cc)
      $CXX -w -O1 -fPIC -shared -fno-rtti -fno-exceptions -I"$headers" \
	-I"$top_builddir" -I"$top_srcdir/plugin" -I"$top_srcdir/libgomp-ext" \
	"$tmp/$1" $(objects "$passes" "${1%.cc}") \
	"$runtime"/abi/.libs/libabi_la-*.o \
	-o "$tmp/plugin/accrete-passes.so" && loads ;;
    *)
      $CC -w -O1 -fPIC -shared -fvisibility=hidden -D_GNU_SOURCE \
	-I"$top_builddir" -I"$top_srcdir/libgomp-ext" -I"$runtime" "$tmp/$1" \
	$(objects "$runtime" "${1%.c}") -Wl,-soname,libgomp-ext.so.0 \
	-Wl,-z,nodelete -Wl,--version-script="$runtime/libgomp-ext.map" \
	-o "$tmp/mutant/libgomp-ext.so.0" -ldl -lpthread ;;
  esac
}
