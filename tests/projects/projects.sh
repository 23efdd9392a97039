# Stand-ins for foreign projects, a folder each: their build systems go through with
# the one change that README.md gives, and what comes out has the runtime.  Sources
# that a folder lacks are those of its language in sources/.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
ACCRETE_EMU_GPU=mini; export ACCRETE_EMU_GPU
unset CFLAGS CXXFLAGS FFLAGS FCFLAGS LDFLAGS MAKEFLAGS MAKELEVEL DESTDIR

c="$CC -specs=$specs" cxx="$CXX -specs=$specs" fc="$FC -specs=$specs"

# Each in a copy of its project: the commands as users type them.
with_make () { make CC="$c" CXX="$cxx" FC="$fc"; }
with_autotools () {
  autoreconf -i && ./configure CC="$c" CXX="$cxx" FC="$fc" \
    --prefix="$PWD/there" && make && make install && cp there/bin/sum .
}
with_cmake () {
  CC=$CC CXX=$CXX FC=$FC cmake -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_FLAGS="-specs=$specs" -DCMAKE_CXX_FLAGS="-specs=$specs" \
    -DCMAKE_Fortran_FLAGS="-specs=$specs" . && cmake --build .
}
with_meson () {
  CC="$c" CXX="$cxx" FC="$fc" meson setup to . && meson compile -C to && ln -s to/sum .
}
# What each wants.
tool () {
  case $1 in
    make) echo make ;;
    autotools) echo autoreconf ;;
    libtool) echo libtoolize ;;
    cmake) echo cmake ;;
    meson) echo meson ;;
  esac
}

cp -R "$srcdir/." "$tmp/projects"
chmod -R u+w "$tmp/projects"
for project in make-c make-cc make-f autotools-c autotools-f libtool-c libtool-cc \
  cmake-c cmake-cc cmake-f cmake-both meson; do
  how=${project%%-*}
  if ! command -v "$(tool $how)" >/dev/null; then
    skip "no $(tool $how)" "$project"
    continue
  fi
  [ $how = libtool ] && how=autotools
  cd "$tmp/projects/$project" || exit 99
  language=${project##*-}
  [ -d "../sources/$language" ] || language=c
  for source in "../sources/$language"/*; do
    [ -e "${source##*/}" ] || cp "$source" .
  done
  "with_$how" >log 2>&1
  ok $? "$project: builds" || { diag "$(tail -n 20 log)"; continue; }
  unlike "$(cat log)" 'TEXTREL|accrete.*(warning|note)' "$project: without a complaint"
  is "$("$run" --emulate ./sum 2>&1)" 4950 "$project: runs"
  like "$(LD_LIBRARY_PATH=$stage/lib/accrete/emu ACCRETE_REPORT=counters ./sum 2>&1)" \
    '^accrete: plain +[1-9]' "$project: finds the runtime"
done
cd "$tmp" || exit 99
done_testing
