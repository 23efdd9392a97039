# Links between pages lead somewhere.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/docs/pages.sh"

# anchors PAGE: those of its headings, as forges make them.
anchors () {
  sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | sed 's/[^a-z0-9_-]//g'
}

# links PAGE: the targets of its links, but for those to elsewhere.
links () {
  # Code has brackets of its own.
  sed '/^ *```/,/^ *```/d; s/`[^`]*`/x/g' "$1" \
    | grep -oE '\]\([^)]*\)' | sed 's/^](//; s/)$//' | grep -v '^https*:'
}

n=0
for page in $(pages); do
  for link in $(links "$page"); do
    n=$((n + 1))
    file=${link%%#*}
    to=${page%/*}/$file
    [ "$file" ] || to=$page
    if [ ! -e "$to" ]; then
      echo "${page#"$tree/"}: $link"
    elif [ "$link" != "$file" ]; then
      anchors "$to" | grep -qx -- "${link#*#}" || echo "${page#"$tree/"}: $link"
    fi
  done
  echo $n >"$tmp/n"
done >"$tmp/lost"
nothing "$(cat "$tmp/lost")" "links lead somewhere"
[ "$(cat "$tmp/n")" -gt 50 ]; ok $? "there are links"

# Two hops from README: each page is linked there, or from a page that is.
first=$(links "$tree/README.md" | sed 's/#.*//')
second=$(for page in $first; do
	   case $page in *.md) links "$tree/$page" ;; esac
	 done | sed 's/#.*//; s,.*/,,')
for page in $(pages); do
  case $page in */README.md) continue ;; esac
  printf '%s\n' "$first" "$second" | grep -q "\(^\|/\)${page##*/}\$" \
    || echo "${page##*/}"
done >"$tmp/lost"
nothing "$(cat "$tmp/lost")" "README leads to each page in two hops"
done_testing
