# The plugin's files stand on one another: by linker symbols no file needs itself
# by way of others, and what is in base/ needs nothing outside of it.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"

# Symbols that the object of FILE has or wants, each with FILE.
symbols () {			# FILE
  object=$top_builddir/plugin/$(dirname "$1")/.libs/$(basename "$1" .cc).o
  nm -P "$object" | awk -v file="$1" '
    $2 ~ /^[TDBRV]$/ { print $1, "has", file }
    $2 == "U" { print $1, "wants", file }'
}

(cd "$top_srcdir/plugin" && find . -name '*.cc' ! -name loader.cc) \
  | sed 's,^\./,,' | sort >"$tmp/files"
while read -r file; do symbols "$file"; done <"$tmp/files" >"$tmp/symbols"

# Pairs: who needs whom.
awk '$2 == "has" { at[$1] = $3 }
     $2 == "wants" { wants[$3, $1]; next }
     END { for (pair in wants) {
	     split (pair, p, SUBSEP)
	     if (p[2] in at && at[p[2]] != p[1]) print p[1], at[p[2]] } }' \
  "$tmp/symbols" | sort -u >"$tmp/pairs"

[ "$(wc -l <"$tmp/files")" -gt 50 ] && [ "$(wc -l <"$tmp/pairs")" -gt 200 ]
ok $? 'files and what they need' || diag "$(wc -l "$tmp/files" "$tmp/pairs")"
tsort "$tmp/pairs" >"$tmp/order" 2>"$tmp/loops"
ok $? 'no file needs itself' || diag "$(sed 's/^tsort: //' "$tmp/loops")"
is "$(awk '$1 ~ /^base\// && $2 !~ /^base\//' "$tmp/pairs")" '' \
  'base/ needs nothing else'
done_testing
