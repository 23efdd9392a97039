# Every file says under which licence it is.  What is linked into programs has
# GCC's exception.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/docs/pages.sh"

# files: those of the tree, by git where there is one, else as they were packed.
files () {
  if git -C "$tree" rev-parse >/dev/null 2>&1 && [ -e "$tree/.git" ]; then
    git -C "$tree" ls-files
  else
    (cd "$tree" && find . -type f | sed 's,^\./,,' \
       | grep -vE '(^|/)(Makefile\.in|configure~?|aclocal\.m4|config\.h\.in~?)$' \
       | grep -vE '^(build-aux|build|stage|bundle|autom4te\.cache)/|^m4/l(ibtool|t.*)\.m4$')
  fi
}

# A build in a packed tree leaves files there that are nobody's sources.
if ! [ -e "$tree/.git" ] && [ "$tree" = "$top_builddir" ]; then
  skip 'built where the sources are' 'each has its licence'
  done_testing
  exit
fi

# Text that is no source: the licence itself, measurements, what is drawn of
# them, what other programs wrote, and lists of Debian's that have no comments.
files | grep -vE '^COPYING$|\.(csv|svg)$|^debian/(.*\.install|changelog|source/format)$' >"$tmp/files"
[ "$(wc -l <"$tmp/files")" -gt 300 ]; ok $? "there are files"
nothing "$(cd "$tree" && xargs grep -L 'SPDX-License-Identifier: GPL-3.0-or-later' \
	     <"$tmp/files")" "each has its licence"
nothing "$(cd "$tree" && grep -E '^libgomp-ext/.*\.(c|h|S|ptx|def)$' "$tmp/files" \
	     | xargs grep -L 'SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1')" \
  "what is linked into programs has the exception"
done_testing
