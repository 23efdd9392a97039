# Mistakes put into the transfers on purpose: the random test of gather.c, or
# the pool's, must see every one of them.  So must grid-walk.c of walks over grids.
# usage: mutants.sh; MUTANT_SEEDS="1 2 3..." are tried one after the other
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/mutants.sh"

ext=$top_srcdir/libgomp-ext
flags="-I$top_builddir -I$ext -I$top_srcdir/tests"
# shellcheck disable=SC2086  # a list of words
$CC -O1 $flags -r -nostdlib "$srcdir/gather.c" "$srcdir/gather-device.c" \
  "$srcdir/gather-model.c" "$srcdir/parts-wiring.c" -o "$tmp/gather-test.o" \
  || exit 99
# shellcheck disable=SC2086
$CC -O1 $flags -c "$srcdir/pool.c" -o "$tmp/pool-test.o" || exit 99
# shellcheck disable=SC2086
$CC -O1 $flags -c "$srcdir/grid-walk.c" -o "$tmp/grid-walk-test.o" || exit 99

# Pools are tested with those of the store.
build_mutant () {
  test=gather
  case $1 in store.c) test=pool ;; grid-walk.c) test=grid-walk ;; esac
  # shellcheck disable=SC2086  # a list of words
  $CC -O1 -w $flags "$tmp/$test-test.o" "$tmp/$1" \
    "$top_builddir/libgomp-ext/.libs/libparts.a" \
    "$top_builddir/libgomp-ext/.libs/libcode.a" \
    "$top_builddir/libgomp-ext/.libs/libabi.a" -lpthread -lm -o "$tmp/mutant"
}
# The random test also asks for counts, which a mutant need not reach.
survives () {
  if [ $test = grid-walk ]; then
    timeout 60 "$tmp/mutant" >"$tmp/log" 2>&1
    return
  fi
  for seed in ${MUTANT_SEEDS-1 2 3 4 5}; do
    case $test in
      gather)
	timeout 300 "$tmp/mutant" 1500 $seed >"$tmp/log" 2>&1
	grep -q '^ok 1 ' "$tmp/log" || return 1 ;;
      pool)
	timeout 300 "$tmp/mutant" 50000 $seed >"$tmp/log" 2>&1 || return 1 ;;
    esac
  done
}

mutants "$ext" <<'END'
gather.c@@unchanged, it passes
stream.c@/^acr_stream_drain (/,/^}/s/(here & ranks)/(here \& ranks \& ~ACR_SUBMITS)/@a dropped drain
stream.c@/^acr_stream_pass (/,/^}/s/drain (conflicts)/(void)0/@nothing is in the way of a command that passes
gather.c@/^keep (/,/^}/s/copy_spans (c)/(void)0/@what is left to the next construct is read then
gather.c@/^append (/,/^}/s/  \(fill (.*);\)/  \1 run->end = m.end;/@a gap over the end of a block's data
construct.c@/^alignment (/,/^}/s/least = 8/least = 0/;/^alignment (/,/^}/s/8 < least/8 > least/@padding as of the largest operand
gather.c@/^dead_gap/,/^}/s/begin <= end/true/@a gap over a block in between
gather.c@/^append (/,/^}/s/dst, n, m.base,/dst, n, run->dma.base,/@a DMA across two allocations
gather.c@/^sort_runs/,/^}/s/return false/return true/@runs that overlap are put in order
gather.c@/^join_runs/,/^}/s/(run.k..dma.from - to->dma.from)/0/@neighbours are joined at the wrong place
gather.c@/^acr_gather_end/,/^}/s/flush ()/(void)0/@a dropped flush at the end
gather.c@/^is_unwritten/,/^}/s/f->written <= p/true/@a gap over what was written
gather.c@/^unwritten_behind/,/^}/s/p >= m->data_end/true/@the end of a block counts as slack
transfer.c@/^send (/,/^}/s/acr_gather_wrote (.*)/(void)0/@bytes that the driver sent count as never written
gather.c@/^acr_gather_wrote_all/,/^}/s/end = 0/end += 0/@what a kernel wrote counts as never written
gather.c@s/c && c->nsent == nsent/c/@a buffer reused under a later copy
gather.c@/^issue/,/^}/s/copy_spans (c)/c->nspans = 0/@operands never copied to the buffer
gather.c@/^issue/,/^}/s/r = acr_driver.memcpy_h2d (.*);/r = 0;/@a failed copy that is not repeated
readback.c@s/ \&\& !acr_stream_has (ACR_KERNELS)//@results fetched in front of a kernel that is kept
hold.c@/^hand_over/,/^}/s/hand_to_driver (.*);/CUDA_SUCCESS;/@a kernel that is never launched
hold.c@/^is_behind/,/^}/s/acr_uses_conflict (.*)/false/@kernels of a list in any order
hold.c@/^find_levels/,/^}/s/level + 1;/level;/@a kernel on the level of one that it conflicts with
hold.c@/^find_levels/,/^}/s/>= level/== 0/@a kernel that conflicts with the lowest level alone
hold.c@/^add (/,/^}/s/k->nuses = uses.n - first/k->nuses = 1/@one of a kernel's operands alone
gather.c@/^hold (/,/^}/s/ACR_KERNELS/0/@a lost dependence: kernel, copy to its operand
gather.c@/^join_runs/,/^}/s/run.j..at - to->at == d->from - to->dma.from/true/@neighbours joined that lie elsewhere in the buffer
gather.c@/^open_window/,/^}/s/c->out_at += w->bytes/(void)0/@copies beyond the window in its place
gather.c@/^acr_gather_part/,/^}/s/acr_stream_drain (ACR_ALL)/(void)0/@what is held back by a thread that ends
hold.c@s/{ ACR_KERNELS, ACR_SENDS, /{ ACR_KERNELS, 0, /@a kernel before the copies that came before it
hold.c@/^add (/,/^}/s/!acr_uses_add/(uses.n = 0) || !acr_uses_add/@the blocks of the last kernel alone
uses.c@/^add_operand/,/^}/s/return add_object (.*/return true; (void)(0,/@operands not noted
uses.c@/^add_other/,/^}/s/add_block (u, p)/true/@pointers that libgomp maps not noted
hold.c@/^copy_launch/,/^}/s/memcpy (k->args, l->params.0., l->kernel->args)/k->args/@arguments that are not copied
hold.c@/^copy_launch/,/^}/s/acr_launch_own_params (.*)/(void)0/@parameters that are not copied
uses.c@/^add_object/,/^}/s/o.end - o.begin, written/1, written/@an object's first byte alone
object.c@/^acr_object_around/,/^}/s/meet (o, all)/(struct acr_bytes){ at, at + 1 }/@a byte of an object for all of it
gather.c@/^append_placed/,/^}/s/  \(fill (.*);\)/  \1 run->end = m->end;/@runs joined over the end of a block's data
gather.c@/^join_runs/,/^}/s/run.j - 1..end, run.j..begin/0, 0/@runs joined over what is between them
store.c@/^acr_store_take_at/,/^}/s/b->requested/false/@a place given away twice
store.c@/^acr_store_take_at/,/^}/s/bytes > b->chunk->block_bytes/false/@a place for more than it holds
stream.c@/^acr_stream_other_thread/,/^}/s/ACR_ALL/ACR_COPIES/@another thread finds what is held back
readback.c@/^acr_readback_changed/,/^}/s/forget (c, p, n)/(void)0/@a lost dependence: copy to the device, copy back
readback.c@/^acr_readback_launched/,/^}/s/acr_readback_drop (c)/(void)0/@a lost dependence: kernel, copy back
readback.c@/^acr_readback_changed/,/^}/s/acr_stream_drain (.*)/(void)0/@a lost dependence: copy back, copy to the device
readback.c@/^acr_readback_drop/,/^}/s/acr_stream_drain (.*)/(void)0/@copies owed for ever
stream.c@/^acr_stream_other_thread/,/^}/s/ACR_ALL/ACR_ALL \& ~ACR_COPIES/@another thread finds what is owed
readback.c@s/if (acr_staging_wait (w->staging))/if (0)/@no wait for the fetch
readback.c@s/(src - piece->src)/0/@the wrong part of a piece
fetch.c@s/l->at + (p->src - l->dma.from)/l->at/@neighbours not where the DMA brings them
construct.c@/^acr_construct_operand/,/^}/s/return false/return true/@libgomp's own memory taken for an operand
lend.c@/^reserve (/,/^}/s/c->lent->sent/0/@libgomp's buffer lent again under the copy from it
gather.c@/^send_lent/,/^}/s/flush ()/(void)0/@what libgomp has merged overtakes what is held back
copier.c@s/(&job.next, job.slice)/(\&job.next, job.slice + 1)/@a byte lost between slices
unchanged.c@/^changes (/,/^}/s/leave (watched.i., WRITTEN)/(void)0/@another copy to what is held
unchanged.c@/^acr_unchanged_launch/,/^}/s/leave (watched.i., WRITTEN)/(void)0/@a kernel that writes what is held
unchanged.c@/^acr_unchanged_launch/,/^}/s/if (!r)/if (0)/;/^acr_unchanged_launch/,/^}/s/(acr_region_may_write/(r \&\& acr_region_may_write/@a kernel of which nothing is known
unchanged.c@/^acr_unchanged_launch/,/^}/s/known_to = serial/(void)0/@an address that a kernel may have stored
unchanged.c@/^watch (/,/^}/s/acr_object_around (.*);/((struct acr_bytes){ (uintptr_t) data, (uintptr_t) data + r->n });/@a kernel that gets another address of the variable
unchanged.c@/^acr_unchanged_freed/,/^}/s/acr_unchanged_changes (.*)/(void)0/;s/ || r->block != block//@a block that was freed
unchanged.c@/^send (/,/^}/s/memcmp (r->bytes, src, r->n)/memcmp (r->bytes, src, r->n < 64 ? r->n : 64)/@only the first bytes are compared
unchanged.c@/^is_there (/,/^}/s/acr_construct_alone ()/true/;/^acr_unchanged_forget/,/^}/s/acr_unchanged_changes (.*)/(void)0/@another thread
unchanged.c@/^applies (/,/^}/s/ \&\& !acr_address_known ()//@what the program may write by itself
unchanged.c@/^is_there (/,/^}/s/acr_unchanged_changes (p, n)/(void)0/@a copy that is not looked at
dead.c@/^acr_copy_is_dead/,/^}/s/acr_region_may_write (.*bytes)/false/@a copy back of what a kernel has written
dead.c@/^acr_copy_is_dead/,/^}/s/!acr_construct_place (.*).block/false/@a copy back of what was there before
effects.c@/^acr_call_bounded/,/^}/s/r->launches > 1/false/@a kernel with children in a queue
effects.c@/^acr_region_may_write/,/^}/s/shares (operand (call, i, 1), bytes)/false/@what a region writes
late.c@/^acr_late_end/,/^}/s/look_at_all ()/(void)0/@nothing settled at the end of a construct without the flag
late.c@/^may_write/,/^}/s/acr_region_may_write (.*);/false;/@a kernel that writes what is to be copied back
grid-walk.c@@unchanged, walks pass
grid-walk.c@/^go (/,/^}/s/column >= COLUMNS/column > COLUMNS/@a step to a number that there is not
grid-walk.c@/^go (/,/^}/s/s->to_rows || column < ACR_WALK_THREADS/false/@steps from rows to threads
grid-walk.c@/^go (/,/^}/s/!s->to_rows \&\& column >= ACR_WALK_THREADS/false/@steps from threads to rows
grid-walk.c@/^go (/,/^}/s/ACR_WALK_ROWS . 2/0/@rows of the least width first
grid-walk.c@/^is_open/,/^}/s/w->grids < MOST/true/@as many grids as there are
grid-walk.c@/^is_open/,/^}/s/ && w->best.grid. <= HOPELESS \* w->best.w->at.//@a grid without hope that is tried again
grid-walk.c@/^is_open/,/^}/s/< TRIES/< 1/@a grid that is tried once
grid-walk.c@/^move/,/^}/s/w->tries.grid. >= TRIES/true/@a move by the first try
grid-walk.c@/^move/,/^}/s/w->best.grid. > 0/true/@a move to what was never seen
grid-walk.c@/^move/,/^}/s/MARGIN \*//@a move for nothing
grid-walk.c@/^move/,/^}/s/< MARGIN/> MARGIN/@a move to what is slower
grid-walk.c@/^acr_walk_cannot/,/^}/s/w->tries.grid. = TRIES/w->tries[grid] = 0/@a grid that is not there, again and again
grid-walk.c@/^acr_walk_took/,/^}/s/us < w->best.grid./us > w->best[grid]/@the longest time
grid-walk.c@/^acr_walk_took/,/^}/s/!w->best.grid. || //@a time that nobody notes
grid-walk.c@/^times_two/,/^}/s/n >> -by/n << by/@fewer that are more
grid-walk.c@/^acr_walk_row/,/^}/s/width < 0/width <= 0/@narrow rows that are none
grid-walk.c@/^acr_walk_threads/,/^}/s/row ? ACR_WIDE_ROWS \* row/row ? row/@one row a block
staging.c@/^acr_staging_get/,/^}/s/!acr_staging_wait (s)/true/@a buffer reused under the work on it
END
done_testing
