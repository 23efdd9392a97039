# Recipes for packages: they have the version of configure.ac, Debian's leave out
# nothing that is installed, and a tarball is the same bits whoever packs it.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/stage.sh"

version=$(sed -n 's/^AC_INIT(\[accrete\], \[\(.*\)\])$/\1/p' "$top_srcdir/configure.ac")
[ "$version" ]; ok $? 'configure.ac has a version'
debian=$top_srcdir/debian packaging=$top_srcdir/packaging
is "$(sed -n '1s/^accrete (\(.*\)-[^-]*) .*/\1/p' "$debian/changelog")" "$version" \
  "Debian's is of it"
is "$(sed -n 's/^    version("\(.*\)")$/\1/p' "$packaging/spack/package.py")" \
  "$version" "Spack's"
is "$(sed -n "s/^version = '\(.*\)'$/\1/p" "$packaging"/easybuild/accrete-"$version"-*.eb)" \
  "$version" "EasyBuild's"
like "$(head -n 4 "$top_srcdir/NEWS")" "$version" "NEWS's"

# debian/control is what control.in says.
gcc=$(sed -n 's/^ gcc-\([0-9]*\),$/\1/p' "$debian/control" | head -n 1)
sed "s/@GCC@/$gcc/g" "$debian/control.in" >"$tmp/control"
is "$(diff "$tmp/control" "$debian/control")" '' 'debian/control is made of control.in'

# Each file that is installed is in one package, and each pattern finds some.
make -C "$top_builddir" -s install DESTDIR="$tmp/root" >"$tmp/log" 2>&1
ok $? 'make install' || diag "$(tail "$tmp/log")"
# The tree as Debian's: below /usr, libraries in a folder of the machine's.
mkdir -p "$tmp/usr/lib/x"
tree=$(dirname "$(dirname "$(find "$tmp/root" -path '*/bin/accrete-run')")")
for d in bin libexec share; do cp -R "$tree/$d" "$tmp/usr/"; done
for d in "$tree"/lib/*; do cp -R "$d" "$tmp/usr/lib/x/"; done
for list in "$debian"/*.install; do
  while read -r pattern; do
    # shellcheck disable=SC2086  # a pattern
    found=$(cd "$tmp" && find $pattern ! -type d 2>/dev/null)
    [ "$found" ] || echo "$pattern" >>"$tmp/void"
    printf '%s\n' "$found"
  done <"$list"
done | sort >"$tmp/packed"
is "$(cat "$tmp/void" 2>/dev/null)" '' 'each pattern finds files'
is "$(uniq -d "$tmp/packed")" '' 'no file is in two packages'
(cd "$tmp" && find usr ! -type d ! -name COPYING) | sort >"$tmp/installed"
is "$(comm -3 "$tmp/installed" "$tmp/packed")" '' 'each file is in one'

# Recipes are at least what their readers can parse.
! command -v python3 >/dev/null \
  || { for f in "$packaging/spack/package.py" "$packaging"/easybuild/*.eb; do
	 python3 -c 'import ast, sys; ast.parse (open (sys.argv[1]).read ())' "$f"
	 ok $? "${f##*/} is Python"
       done; }

# The same bits from elsewhere, with another umask and other times.  What the make
# that runs tests was given is not for these.
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES
tarball=accrete-$version.tar.gz
SOURCE_DATE_EPOCH=1000000000 make -C "$top_builddir" -s dist >"$tmp/log" 2>&1
ok $? 'make dist' || diag "$(tail "$tmp/log")"
mv "$top_builddir/$tarball" "$tmp/first.tar.gz"
tar xzf "$tmp/first.tar.gz" -C "$tmp"
find "$tmp/accrete-$version" -exec touch -d 2020-01-01 {} +
mkdir "$tmp/again"
(umask 077 && cd "$tmp/again" && "../accrete-$version/configure" -q --prefix=/nowhere \
   && SOURCE_DATE_EPOCH=1000000000 make -s dist) >"$tmp/log" 2>&1
ok $? 'and of what it packed' || diag "$(tail "$tmp/log")"
cmp "$tmp/again/$tarball" "$tmp/first.tar.gz"; ok $? 'are the same bits'
done_testing
