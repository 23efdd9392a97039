# Sourced behind tap.sh: the pages and sources that the tests here compare.
# $tree is the source tree; red.sh sets another one, with mistakes.
# SPDX-License-Identifier: GPL-3.0-or-later
tree=${DOCS_TREE-$top_srcdir}

# Markdown pages, and the manual pages that were built.
pages () {
  find "$tree/docs" -name '*.md'
  printf '%s\n' "$tree/README.md" "$tree/CONTRIBUTING.md" "$tree/NEWS"
}
man7=${DOCS_MAN7-$top_builddir/docs/accrete.7}

# Sources in which a name may be read.
sources () {
  find "$tree/libgomp-ext" "$tree/plugin" "$tree/ptx-post" -name '*.[ch]' \
    -o -name '*.cc' -o -name '*.in'
}

# nothing LINES NAME: LINES, what is wrong, is empty.
nothing () { is "$1" "" "$2"; }

# in_pages ERE: what matches on the pages, each once.
in_pages () { pages | xargs grep -ohE -e "$1" | sort -u; }

# rows MACRO FILE: the first word of the rows of a table.
rows () { sed -n "s/^$1 (\([A-Za-z_0-9]*\),.*/\1/p" "$tree/$2"; }

# variables: the names that the tables say are read.
variables () {
  { rows ENV libgomp-ext/base/env.def
    rows POST_ENV ptx-post/env.def
    rows EMU_ENV ptx-post/emu/env.def | sed 's/^/EMU_/'; } \
    | sed 's/^/ACCRETE_/' | sort -u
}

# optimisations: MACRO NAME ALIAS, a line each.
optimisations () {
  sed -n 's/^OPT_\([A-Z]*\) ([^,]*, "\([^"]*\)", "\([^"]*\)".*/\1 \2 \3/p' \
    "$tree/libgomp-ext/abi/optimisations.def"
}
