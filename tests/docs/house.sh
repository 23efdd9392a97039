# How the code is to stand: folders that a reader takes in at a glance, headers
# of the transfers that say little, wrappers of the driver that tell nobody by
# hand.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/docs/pages.sh"

# crowded MOST: folders with more sources, and how many.
crowded () {
  (cd "$tree" && find libgomp-ext plugin ptx-post -name '*.c' -o -name '*.cc') \
    | sed 's,/[^/]*$,,' | sort | uniq -c | awk -v most="$1" '$1 > most'
}
nothing "$(crowded 20)" "no folder has more than 20 sources"
[ "$(crowded 15 | wc -l)" -gt 2 ]; ok $? "and some have more than 15"

# wide MOST: headers of the transfers that export more functions, and how many.
wide () {
  for h in "$tree"/libgomp-ext/transfer/*.h "$tree"/libgomp-ext/transfer/*/*.h; do
    n=$($CC -fpreprocessed -dD -E -P -x c "$h" | grep -v '^#' | tr '\n' ' ' \
	  | sed 's/{[^{}]*}//g; s/;/;\n/g' | grep -c '[a-z_0-9] *([^*].*) *;$')
    [ "$n" -le "$1" ] || echo "${h##*/} $n"
  done
}
nothing "$(wide 10)" "no header of the transfers exports more than 10 functions"
[ "$(wide 8 | wc -l)" -gt 2 ]; ok $? "and some more than 8"

# What the wrappers call of the transfers stands for an entry of the driver's;
# who else has to know is a row of events.def.
nothing "$(cd "$tree/libgomp-ext/interpose" && grep -noE \
	     'acr_(bulk|dead|defer|gather|hold|late|lend|object|readback|stream|unchanged)_[a-z_]* ?\(' \
	     cuda.c device.c construct.c submit.c | grep -v 'acr_defer_wait')" \
  "wrappers of the driver tell the transfers nothing by hand"

[ "$(wc -l <"$tree/README.md")" -le 150 ]; ok $? "README has at most 150 lines"
done_testing
