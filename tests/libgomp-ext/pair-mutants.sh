# Mistakes put on purpose into what lets kernels run beside each other: the tests of
# pair.sh must show each.
# usage: pair-mutants.sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"
. "$srcdir/pair-lib.sh"
. "$srcdir/mutant-lib.sh"

on_emulated_gpu
build_programs
for how in $hows random; do
  stock "$tmp/pair.stock" "$how" 8 4
  printf '%s\n' "$out" >"$tmp/want-$how"
done
for how in beside chain wait copy; do
  ACCRETE_PAIR=off ours "$tmp/tasks" $how 12
  printf '%s\n' "$out" >"$tmp/want-short-$how"
done
# survives FILE: each way to run has stock's results, and as many pairs as it should.
survives () {
  lib=$tmp/mutant
  for how in $hows random; do
    for choice in 1:1 1/4 serial; do
      ACCRETE_PAIR=$choice ours "$tmp/pair" "$how" 8 4
      [ "$status$out" = "0$(cat "$tmp/want-$how")" ] || return 1
    done
    ACCRETE_PAIR=1:1 ours "$tmp/pair" "$how" 12
    pairs_as_wanted "$how" || return 1
  done
  ACCRETE_PAIR=off ACCRETE_DEBUG=3 ours "$tmp/pair" beside 12
  all=$(grids)
  ACCRETE_PAIR=2+2 ACCRETE_DEBUG=3 ours "$tmp/pair" beside 12
  [ "${all% *} 18" = "$(grids | sed 's/ .*//') $(field paired)" ] || return 1
  [ "$(room)" -gt 0 ] || return 1
  ACCRETE_PAIR=serial ours "$tmp/pair" beside 12
  [ "$(calls cuStreamWaitEvent)" -ge 9 ] || return 1
  ACCRETE_PAIR=1:1 ours "$tmp/pair" one 12
  [ "$(calls cuStreamWaitEvent)" -eq "$(field paired)" ] || return 1
  for program in prints global known; do
    ACCRETE_PAIR=1:1 ours "$tmp/pair-$program" one 12
    [ "$(field paired)" -eq 0 ] || return 1
  done
  for how in beside chain; do
    ACCRETE_PAIR=1:1 ACCRETE_EMU_DELAY=1 ours "$tmp/tasks" $how 12
    tasks_as_wanted $how || return 1
  done
  for how in beside chain wait copy; do
    ACCRETE_NOWAIT_MIN=50000000 ACCRETE_PAIR=1:1 ACCRETE_EMU_DELAY=1 \
      ours "$tmp/tasks" $how 12
    short_as_wanted $how && [ "$status$out" = "0$(cat "$tmp/want-short-$how")" ] \
      || return 1
  done
  for how in few beside chain copy after; do
    long_as_wanted $how || return 1
  done
  ACCRETE_PAIR=1:1 ACCRETE_DEBUG=3 ours "$tmp/pair" beside 12
  [ "$(grids)" = "8 8" ] || return 1
  rm -rf "$XDG_CACHE_HOME"
  for how in once turned; do
    ACCRETE_PAIR=auto ours "$tmp/pair" $how 150
    [ "$(field geometry_measured)" -gt 0 ] || return 1
  done
}

mutants "$top_srcdir/libgomp-ext" <<'END'
pair.c@@unchanged, it passes
pair.c@/^may_cut/,/^}/s/!r->exact/false/@results that follow the grid
pair.c@/^may_cut/,/^}/s/!l->trips || //@a grid that the program says
pair.c@/^beside/,/^}/s/w->stream == l->stream/false/@two kernels of one queue as of two
pair.c@/^acr_pair_part/,/^}/s/take (&w)/w.first.key = 0/@waits and orders do not part two kernels
pair.c@/^is_on/,/^}/s/waiting.stream == stream || //@a wait for one stream does not
pair.c@/^is_on/,/^}/s/!stream && waiting.ordered/false/@a copy on the NULL stream does not
pair.c@/^acr_pair_choose/,/^}/s/follow (l, &w);/p->key = 0;/@the second one as it is
pair.c@/^acr_pair_choose/,/^}/s/is .. w.first.expects == is/is/@any second one
pair.c@/^note (/,/^}/s/acr_follow_note (.*)/acr_follow_note (p->place, p->expects ? p->expects : next)/@what was foretold is taken to come
pair.c@/^wait_for_second/,/^}/s/(void)acr_driver.event_record (event, l->stream)/(void)0/;/^begin_second/,/^}/s/(void)acr_driver.stream_wait_event (.*)/(void)0/@nobody waits with serial
pair.c@/^cut/,/^}/s/acr_pair_rooms (p->choice)/false/@a smaller grid where blocks are to be fewer at a time
room.c@/^find/,/^}/s/return now == each ? bytes : 0/return 0/@no limit at a time
room.c@/^find/,/^}/s/!allow (l->fn, bytes)/false/@shared memory that the driver does not know of
pair.c@/^may_pass/,/^}/s/!acr_uses_conflict (.*)/true/@dependent kernels of one queue
pair.c@/^may_pass/,/^}/s/!w->last || //@a copy between two kernels of one queue
defer.c@/^acr_defer_tasks/,/^}/s/acr_defer_settle ()/(void)0/@a taskwait that does not wait for short tasks
uses.c@/^acr_uses_tell_all/,/^}/s/!(ALL . ~facts_of (c))/true/@kernels that print
uses.c@/^acr_uses_tell_all/,/^}/s/!acr_address_known ()/true/@a program that has addresses
uses.c@/^acr_uses_tell_all/,/^}/s/!acr_image_variables ()/true/@static variables
uses.c@/^acr_uses_conflict/,/^}/s/a.i..written ||//@what the first one writes and the second one reads
uses.c@/^acr_uses_conflict/,/^}/s/|| b.k..written//@what the first one reads and the second one writes
uses.c@/^add_object/,/^}/s/p - (.*o.begin, written/p, 1, written/@objects of one byte
aside.c@/^acr_aside_leave/,/^}/s/r = acr_driver.stream_wait_event (.*)/r = CUDA_SUCCESS/@what comes later is not behind the second one
aside.c@/^acr_aside_enter/,/^}/s/|| acr_driver.stream_wait_event (.*))$/)/@the second one is behind nothing
pair.c@/^choose/,/^}/s/acr_hash_word (acr_hash_word (0, p->key), p->expects)/acr_hash_word (0, p->key + p->expects)/@the other way round it is the same pair
span.c@/^acr_span_made/,/^}/s/change (OPEN, AWAITED)/(void)0/@a span that nobody collects
span.c@/^acr_span_drop/,/^}/s/change (OPEN, DROPPED)/(void)0/@a span that is not dropped
follow.c@/^is_sure/,/^}/s/s->seen >= s->sure/true/@once is enough to foretell
leave.c@/^acr_leave_wants/,/^}/s/r->fills/true/@tasks beside which there is room are none
leave.c@/^acr_leave_wants/,/^}/s/r->vain < VAIN/true/@nor are those that are beside nothing
leave.c@/^acr_leave_begin/,/^}/s/ends = true/(void)0/@nor is one beside which a copy comes
leave.c@/^acr_leave_waited/,/^}/s/left = false/(void)0/@a copy behind the wait counts
geometry.c@/^acr_geometry_part/,/^}/s/ \* l->processors;/;/@part of one multiprocessor
END
done_testing
