# Mistakes put on purpose into where sections are and whether two meet: section.c must see
# each.
# usage: section-mutants.sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/mutants.sh"

build_mutant () {
  $CC -w -O1 -D_GNU_SOURCE -I"$top_builddir" -I"$top_srcdir/libgomp-ext" \
    -I"$top_srcdir/tests" "$srcdir/section.c" "$tmp/$1" -o "$tmp/test"
}
survives () {
  timeout 60 "$tmp/test" >"$tmp/log" 2>&1 && ! grep -q '^not ok' "$tmp/log"
}

mutants "$top_srcdir/libgomp-ext" <<'END'
section.c@@unchanged, it passes
section.c@/^value_of/,/^}/s/value & 1/true/@values without their signs
section.c@/^value_of/,/^}/s/value & 1/false/@values with signs that they have not
section.c@/^value_of/,/^}/s/8 . r->ops.*size/64/@values of 64 bits
section.c@/^add_loop/,/^}/s/(distance - 1) . step/(distance - 1) \/ step - 1/@a number too few
section.c@/^add_loop/,/^}/s/(distance - 1) . step/distance \/ step - 1/@numbers that end before the bound
section.c@/^add_loop/,/^}/s/p->base -= row.stride . row.last/(void)0/@downwards from the last one
section.c@/^add_loop/,/^}/s/p->base += .*/;/@from 0 on
section.c@/^add_loop/,/^}/s/l->natural && (first < 0 || bound < 0)/false/@numbers from 2^63 on
section.c@/^add_loop/,/^}/s/|| extent >= most/|| false/@more than memory has
section.c@/^add_loop/,/^}/s/.any = false;/;/@a loop of nothing
section.c@/^join_pieces/,/^}/s/p->piece += .*/;/@pieces that are joined and no longer
section.c@/^divide_down/,/^}/s/ - (a % b < 0)/ - 1/@the last number is not tried
section.c@/^acr_section_place/,/^}/s/p->n += .*/;/@of all pieces the first
section.c@/^may_add/,/^}/s/from < l->low/false/@numbers before the first
section.c@/^may_add/,/^}/s/to > l->high/false/@numbers behind the last
section.c@/^may_add/,/^}/s/from = -divide_down (l->most - low/from = 1 - divide_down (l->most - low/@one number too few to try
section.c@/^may_add/,/^}/s/|| may_add (.*))/|| false)/@no number is tried
section.c@/^may_add/,/^}/s/x <= to/x < to/@nor is the only one
section.c@/^acr_pieces_meet/,/^}/s/a->piece - 1/0/@the first byte of a piece alone
section.c@/^acr_pieces_meet/,/^}/s/b->piece - 1/0/@and of the other one's
section.c@/^add_rows/,/^}/s/l->most + l->stride . l->high/l->most/@what smaller strides add
END
done_testing
