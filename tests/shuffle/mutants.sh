# Mistakes put into the pass shuffle on purpose: the generated stencils see every
# one of them.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/mutants.sh"
post=$top_srcdir/ptx-post
flags="-O1 -w -DHAVE_CONFIG_H -D_GNU_SOURCE -I$top_builddir -I$post -I$post/emu
  -I$top_srcdir/libgomp-ext -I$top_srcdir/tests"
# shellcheck disable=SC2086  # a list of words
$CC $flags -c "$srcdir/stencils.c" -o "$tmp/stencils.o" || exit 99

build_mutant () {
  # shellcheck disable=SC2086
  $CC $flags "$tmp/stencils.o" "$tmp/$1" \
    "$top_builddir/ptx-post/.libs/libpost.a" \
    "$top_builddir/ptx-post/emu/.libs/libemu.a" \
    "$top_builddir/ptx-post/emu/.libs/libdriver.a" \
    "$top_builddir/ptx-post/.libs/libptx.a" \
    "$top_builddir/libgomp-ext/.libs/libabi.a" -lpthread -lm -ldl \
    -o "$tmp/mutant"
}

# survives: no kernel of some hundreds shows it.  A minute of the CPU's time for each
# thousand, however busy the machine is.
stencils=${STENCILS:-1000}
minutes=$(((stencils + 999) / 1000))
survives () {
  (ulimit -t $((60 * minutes))
   exec timeout $((900 * minutes)) "$tmp/mutant" "$stencils") >"$tmp/log" 2>&1 || return 1
  ! grep -q '^not ok 1' "$tmp/log"
}

mutants "$post" <<'END'
shuffle-write.c@@unchanged, it passes
shuffle-write.c@/^print_shuffle (/,/^}/s/to, from, abs (delta)/to, from, abs (delta) % 31 + 1/@a shuffle from one lane further
shuffle-write.c@/^write_turns/,/^}/s/d & 31)/(d + 1) \& 31)/@a rotation by one lane more
shuffle-write.c@/^print_exception/,/^}/s/fputc (.\\n., f);/return;/;/^print_exception/,/^}/s/ptx_print_insn (.*$/fputs ("mov.u32 $acr_low, 0;\\n", f);/@no load in corner cases
shuffle-write.c@/^print_halo_load/,/^}/s/? 32 + delta : delta,/? 33 + delta : delta - 1,/@a halo that is a lane too small
shuffle-write.c@/^print_halo_load/,/^}/s/-32 : 32/-31 : 31/@a halo from the wrong place
shuffle-write.c@/^print_shuffles/,/^}/s/"high", PREFIX "high")/"high", PREFIX "low")/@the low half twice
shuffle-write.c@/^write_reuse/,/^}/s/print_source (g, l->source, k)/print_source (g, l->source, 0)/@the first of a vector for all of it
shuffle-mask.c@s/d < 0 ? "before" : "after", abs (d));/d < 0 ? "before" : "after", abs (d) - 1);/@a corner that is a lane too small
shuffle-mask.c@s/"mask, -1%s;/"mask, 0%s;/;s/setp.ne%s.u32 " PREFIX "partial/setp.lt%s.u32 " PREFIX "partial/@warps that are not complete
shuffle-mask.c@s/setp.ne.and.u32 " PREFIX "odd/setp.lt.and.u32 " PREFIX "odd/@rows of a block that share a warp, with a halo
shuffle-mask.c@/min.u32 " PREFIX "before/s/PREFIX "before, " PREFIX "lane;/PREFIX "lane, " PREFIX "lane;/@rows of a block that share a warp, downwards
shuffle-mask.c@/min.u32 " PREFIX "after/s/PREFIX "after, " PREFIX "low;/PREFIX "low, " PREFIX "low;/@rows of a block that share a warp, upwards
shuffle-mask.c@/^needs_masks/,/^}/s/return (w->form/return i < 2 \&\& (w->form/@masks of another block of code
reuse-flow.c@/^may_change/,/^}/s/return !x || !y.*/return false;/;/^may_change/,/^}/s/^\t *|| x->group == y->group;//@a store in between that is missed
reuse-flow.c@/^find_kills/,/^}/s/may_change (s/false \&\& may_change (s/@all stores that are missed
reuse-flow.c@/^comes_back/,/^}/s/return comes;/return true;/@a store in an iteration before that is missed
reuse-flow.c@/^are_apart/,/^}/s/d > -(int64_t) bytes_of (load)/d > 0/@a store that touches the end of what is loaded
shuffle-carry.c@/^shuffle_print_kept_load/,/^}/s/"\\t.!" PREFIX "again/"\\t%%" PREFIX "again/;/^shuffle_print_kept_load/,/^}/s/"\\t%%/"\\t\x40/@no load in the first iteration
shuffle-carry.c@/^print_start/,/^}/s/runs%d, 0;/runs%d, -1;/@a loop that keeps what it had when it ran before
shuffle-carry.c@/^write_header/,/^}/s/shuffle_print_source (f, i, k);/shuffle_print_source (f, i, 0);/@the first of a vector for all that is kept
reuse.c@/^reuse_delta/,/^}/s/distance % stride != 0/false/@a distance that is no number of lanes
reuse.c@/^reuse_same_type/,/^}/s/return bytes == wide .*/return true;/@an extension of another kind
reuse.c@/^in_lockstep/,/^}/s/return false;/;/;/^in_lockstep/,/^}/s/l->check = true;/;/@lanes in different iterations
shuffle-carry.c@/^shuffle_counts/,/^}/s/return true;/return false;/@iterations that nobody counts
shuffle-mask.c@/^print_lockstep/,/^}/s/setp.ne.or.u32/setp.lt.or.u32/@lanes that are ahead of the first
reuse-prove.c@/^exclude_last/,/^}/s/&& distance != 0/|| distance == 0/@ways that do not exclude each other
eval.c@/^bitwise/,/^}/s/expr_add (p, b, a, -1)/expr_add (p, b, a, 1)/@a sum from exclusive or
END
done_testing
