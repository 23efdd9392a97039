# Can the tests fail?  Mistakes put into the plugin on purpose: a case or a generated
# program must find each.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
ext=$stage/lib/accrete/device
. "$top_srcdir/tests/libgomp-ext/mutant-lib.sh"
. "$top_srcdir/tests/plugin-mutants.sh"

# What finds most.
cases=
for case in columns.c forms.c block.c rejected.c last.c triangle.c several.c bounds.c \
            inside.c combined.c combined.f90 active.c reductions.c schedule.c split.c objects.c \
            calls.c index.c openacc.c rows.c own.c callees.cc lend.cc lend-team.cc simd.c covered.cc
do
  cases="$cases $srcdir/cases/$case"
done

inactive="$srcdir/cases/inactive.c $srcdir/cases/inactive.f90"
interchange="$srcdir/cases/interchange.c $srcdir/cases/interchange.f90
             $srcdir/cases/interchange-order.c"

# survives FILE: nothing finds the mistake, nor a crash or a hang.
# shellcheck disable=SC2317  # called by mutants
survives () {
  stage_mutant
  case $1 in
    unroll.cc) finds_nothing arrays.sh ;;
    spmd-exact.cc) finds_nothing exact.sh ;;
    spmd-early.cc) finds_nothing early.sh ;;
    interchange.cc) finds_nothing spmd.sh SPMD_CASES="$interchange" ;;
    reach.cc) finds_nothing reach.sh ;;
    spmd-agree.cc | spmd-atomic.cc | spmd-split.cc) finds_nothing agree.sh ;;
    spmd-body.cc | spmd-inactive.cc) finds_nothing spmd.sh SPMD_CASES="$inactive" ;;
    *) finds_nothing generated.sh SPMD_SEEDS='1 2' \
	 && finds_nothing spmd.sh SPMD_CASES="$cases" \
	 && finds_nothing blocks.sh && finds_nothing counts.sh \
	 && finds_nothing stock.sh ;;
  esac
}

mutants "$top_srcdir/plugin" <<'END'
spmd.cc@@unchanged, it passes
reach.cc@s/affine_constant (less - more)/affine_constant (0)/@near-bound
reach.cc@s/affine_constant (-from->bias)/affine_constant (0)/@begin-of-a-part
reach.cc@/^tested_p/,/^}/s/return true/return false/@reads-of-a-test
reach.cc@/^copies_return_p/,/^}/s/return true/return false/@copies-that-return
reach.cc@/^told_p/,/^}/s/if (access . ~ACR_ACCESS_READ_WRITE)/if (false)/@sections-of-atomic
reach.cc@s/to->write = from->write/to->write = false/@stores-that-read
reach.cc@/^take_sections/,/^}/s/s->whole.contains (i)/false/@some-of-all-sections
reach.cc@/^note_access/,/^}/s/s->broken = true;/;/@unseen-accesses
reach.cc@s/as->natural = .*/as->natural = false;/@signs-of-64-bits
reach.cc@s/2 . i + TYPE_UNSIGNED (type)/2 * i/@signs-of-values
interchange.cc@s/if (along == MOVE_NEXT .. over != MOVE_NOT)/if (false)/@loops of which neither is better
interchange.cc@s/return any .. !line_short_p (other)/return any/@a last loop of few iterations
interchange.cc@s/if (OMP_CLAUSE_SCHEDULE_CHUNK_EXPR (c))/if (false)/@loops whose threads the program chooses
interchange.cc@s/if (r.what->kind != ACR_KIND_OMP_TARGET .*/if (data_construct_p (\&r))/@loops of kernels and serial constructs
interchange.cc@s/if (!last || around_others_p (l, last))/if (!last)/@loops around those of the threads
spmd-space.cc@s/"trips", trips + 1/"trips", trips + 0/@one-iteration-less
spmd-kernel.cc@s/"number", k + 1/"number", k + 2/@wrong-last-owner
spmd-reduce.cc@/c.if_ (lane == 0,/{n;d;}@reduction-race
spmd-reduce.cc@s/alone = val (block->size) </alone = val (block->size) !=/@everybody-adds
spmd-place.cc@s/limit (place->threads,$/limit (c.let ("n", place->threads),/@no-thread-limit
spmd-deal.cc@s/!(last \&\& integer_onep (size))/!last/@no-chunks
spmd-deal.cc@s/if (!size\[0\] \&\& !nest->tells)/if (!size[0])/@cyclic-static
spmd-deal.cc@s/^  if (nest->tells \&\& teams \&\& threads/  if (false \&\& teams \&\& threads/@teams-in-turn
spmd-share.cc@s/nest->carries = carries_p (&s);/nest->carries = false \&\& carries_p (\&s);/@nothing-carried
spmd-deal.cc@s/((c \&\& static_p (c))/((c \&\& static_p (c) \&\& !OMP_CLAUSE_OPERAND (c, 0))/@tiles-in-turn
spmd-nest.cc@s/|| (order \&\& !OMP_CLAUSE_ORDER_UNCONSTRAINED (order))/|| (order \&\& false)/@another-order
spmd-count.cc@s/c.set (spmd_copy_expr (outside, gimple_assign_lhs (stmt)), value)/gimple_seq_add_stmt (c, gimple_build_assign (spmd_copy_expr (outside, gimple_assign_lhs (stmt)), value))/@unwritten-bound
spmd-count.cc@s/^  if (!member_p (nest, expr))/  if (!member_p (nest, expr) || true)/@no-members
kernels-region.cc@s/^    return \*var;/    return size;/@region-gangs
spmd-place.cc@s/(nest->asks || count)/(nest->asks || (count \&\& false))/@uncounted-teams
spmd-own.cc@s/bool copied = p->copy_in/bool copied = false \&\& p->copy_in/@no-first-value
spmd-space.cc@s/r.down ? first - way/r.down ? first + way/@wrong-direction
spmd-kernel.cc@s/spmd_reduce_grid (\&sharing->privates\[i\], leads,/spmd_reduce_grid (\&sharing->privates[i], leads ? NULL_TREE : leads,/@all-of-a-team-count
spmd-object.cc@s/{ merge_warps (p, mine/{ if (!block) merge_warps (p, mine/@lost-warps
spmd-object.cc@s/{ spmd_start_object (p, mine, c); }/{}/@stale-lanes
spmd-object.cc@s/^      spmd_lock (c);//@no-lock
spmd-object.cc@s/\*bias = tree_to_shwi/*bias = 0 * tree_to_shwi/@half-a-section
spmd-test.cc@s/c.set (left, left \& (left - 1));/c.set (left, 0);/@first-row-only
spmd-acc.cc@s/if (!steady_bounds_p (s, loop))/if (!steady_bounds_p (s, loop) \&\& false)/@inner-bound
spmd-space.cc@s/return c.let ("bound", bound);/return bound;/@bounds-of-now
spmd-acc.cc@s/if (n \&\& !integer_onep/if (n \&\& false \&\& !integer_onep/@any-gangs
spmd-share.cc@s/\&\& !spmd_address_taken_p (nest, var)//@lent-to-lanes
call.cc@s/ \&\& !s->bound;/;/@moved-variables
device.cc@s/->offloadable = 1;/->offloadable = 0;/@left-behind
call.cc@s/refuse (s, "a recursive function");/refuse (s, NULL);/@any-call
spmd-index.cc@s/(unsigned HOST_WIDE_INT) in_a \* factor/(unsigned HOST_WIDE_INT) in_a/@lost-factor
spmd-index.cc@s/if (!done)/if (!done \&\& false)/@stale-sum
spmd-space.cc@s/fold_build2 (MAX_EXPR, TREE_TYPE (n), trips, n)/fold_build2 (MIN_EXPR, TREE_TYPE (n), trips, n)/@shortest-row
spmd-kernel.cc@s/^  spmd_space_inside (space, out, seq);//@outside-a-row
spmd.cc@s/if (i \&\& spmd_one_block_p/if (false \&\& spmd_one_block_p/@second-before-first
spmd-level.cc@s/|| nest->several || nest->asks/|| nest->asks/@many-teams
spmd.cc@s/while (loops->last ()->nest.more)/while (false)/@one-loop-only
call.cc@s/  if (s.why || s.looks || s.stores)/  if (s.why || s.looks)/@any-effect
spmd-share.cc@s/if (nest->several \&\& leaves_values_p/if (false \&\& leaves_values_p/@kept-values
spmd-share.cc@s/return leaves \&\& spmd_value_seen_p/return false \&\& spmd_value_seen_p/@last-value-between
call.cc@s/^  return !s.why \&\& !s.looks \&\& !s.stores \&\& !s.numbers$/  return !s.why \&\& !s.looks \&\& !s.stores/@kept-address
lend.cc@/^visit_store/,/^}/s/s->fails |= address/s->fails |= false \&\& address/@stored-through
lend.cc@s/^    s->changed |= !s->holders.add (lhs);/    ;/@unknown-copy
spmd-share.cc@s/\&\& spmd_temporary_p (nest, var))$/)/@set-by-lanes
spmd-early.cc@/^beside_p/,/^}/s/return (low/return true || (low/@any-bytes
spmd-early.cc@/^beside_p/,/^}/s/>= store->size/>= 0/@part-of-a-store
spmd-early.cc@s/|| affine_mentions_p (&store->address/|| false \&\& affine_mentions_p (\&store->address/@moving-store
spmd-early.cc@/^test_p/,/^}/s/|| mentioned_p (e, gimple_assign_lhs (stmt))/|| false/@of-the-test
spmd-early.cc@s/ + !inclusive/ + inclusive/@past-the-end
spmd-early.cc@s/  if (leaves_product_p (e))/  if (false)/@product-of-the-last
spmd-early.cc@/^rounds_alike_p/,/^}/s/|| makes_number_p (e, at)/|| false/@number-of-the-index
lone.cc@s/build_zero_cst/build_one_cst/@lanes-in-step
lend.cc@s/^  return s.good == s.mentions;/  return true;/@any-result
spmd-acc-axes.cc@s/least_bit_hwi (l->inside | LATER) >> 1/least_bit_hwi (l->inside | LATER) >> 2/@no-inner-axis
spmd-accept.cc@s/ \&\& call_access (call) == ACR_ACCESS_UNKNOWN/ \&\& false/@all-make-calls
spmd-acc-axes.cc@s/^\treturn true;/\tcontinue;/@wrong-order
spmd-space.cc@s/carry = c.let ("carry", .*);/&carry = build_zero_cst (type);/@lost-carry
spmd-inactive.cc@s/omp_reduction_init (p.reduction, TREE_TYPE (p.own))/p.var/@sum-of-a-sum
spmd-inactive.cc@s/p.copy_in = OMP/p.copy_in = false \&\& OMP/@no-first-copy
spmd-inactive.cc@s/case QUERY_THREAD_NUM:/case QUERY_TEAM_NUM:/@thread-around
spmd-inactive.cc@s/level + levels/level + 1/@one-level
spmd-body.cc@s/if (gimple_omp_for_combined_p (loop))/if (false)/@loop-in-loop
spmd-inactive.cc@s/BUILT_IN_GOMP_BARRIER/BUILT_IN_GOMP_CANCEL/@inactive-waits
spmd-inactive.cc@s/body->stays |= is_gimple_omp (stmt);/;/@single-of-a-team
plugin.cc@s/^  spmd_restore_inactive (r, .*//@inactive-on-host
spmd-tile.cc@s/carry = c.let ("carry", over.as (unsigned_type_node));/carry = u32 (0);/@lost-turn
spmd-tile.cc@s/select (over != 0, less, sum)/sum/@turns-too-far
spmd-place.cc@s/c.need (val (place->inside) != boolean_false_node, idle);/;/@columns-twice
spmd-columns.cc@s/val (place->inside) \& val (val (place->part) == 0)/val (val (place->part) == 0)/@columns-outside-store
spmd-columns.cc@0,/spmd_meet (&place->team, c);/s/spmd_meet (&place->team, c);//@columns-run-on
spmd-columns.cc@s/first + rank + lanes)/first + rank + lanes + lanes)/@columns-lost-part
spmd-columns.cc@s/slot (type, first + place->lane, c)/slot (type, first + rank, c)/@columns-own-sum
spmd-kernel.cc@s/more, k, u64 (column_threads\[i\])/more, k, u64 (column_threads[0])/@columns-lost-rows
columns.cc@s/|| (along == MOVE_NEXT \&\& over != MOVE_NOT)//@columns-both-ways
block-team.cc@0,/block_meet (c);/s/block_meet (c);//@block-nothing-in-between
block-thread.cc@s/if (b->loads)/if (false)/@block-no-beginning
block-thread.cc@s/if (waits_p (loop) \&\& !w->combined)/if (false)/@block-loops-run-on
block-meet.cc@s/u32 (last)/u32 (1)/@block-always-last
block-race.cc@s/(unordered ||/(true ||/@block-any-race
block-leak.cc@s/^    s->leaks = true;/    s->leaks = false;/@block-no-leak
block-leak.cc@s/s->leaks |= call_keeps_p (call);//@block-kept
block-alone.cc@s/== spmd_mentions (&in.set, \*b->code)/!= 0/@block-first-knows
block-thread.cc@s/if (gimple_omp_for_combined_into_p (stmt))/if (false)/@block-loop-twice
block-find.cc@s/simd_p (loop) ? spmd_body_why_not (loop) : NULL/spmd_body_why_not (loop)/@block-last-values
block.cc@s/c.set (team, team + step);/c.set (team, teams);/@block-one-team-each
block-team.cc@s/gimple_seq_add_stmt (\&seq, gimple_build_assign (lhs, slot));//@block-untold
block-share.cc@s/else if (b->copied.contains (var))/else if (false)/@block-old-values
block-thread.cc@s/c.if_ (val (w->place->id) == one,/c.if_ (val (w->place->id) >= one,/@block-everybody-one
unroll.cc@s/^\t  all \&= !loop->unroll$/\t  all \&= true || !loop->unroll/@array-any-way
unroll.cc@s/(gsi_stmt (gsi), true)/(gsi_stmt (gsi), false)/@array-no-calls
unroll.cc@s/a.stays |= !follows_loops/a.stays |= false \&\& !follows_loops/@array-any-subscript
unroll.cc@s/MAX_ARRAY_TRIP = 32/MAX_ARRAY_TRIP = 33/@array-too-long
unroll.cc@s/MAX_ARRAY_BYTES = 256/MAX_ARRAY_BYTES = 65536/;s/MAX_ARRAY_ELEMENTS = 32/MAX_ARRAY_ELEMENTS = 64/;s/MAX_ARRAY_TRIP = 32/MAX_ARRAY_TRIP = 34/@array-too-large
unroll.cc@s/CALL_STATEMENTS = 50/CALL_STATEMENTS = 1/@array-too-much
spmd-exact.cc@/^harmless_call_p/,/^}/s/!call_looks_p (.*));/true;/@functions that look at what others set
spmd-exact.cc@/^update_p/,/^}/s/!INTEGRAL_TYPE_P (TREE_TYPE (old))/false/@sums of floating-point numbers
spmd-exact.cc@/^update_p/,/^}/s/|| gimple_omp_atomic_need_value_p (load)//@what was there before is asked for
spmd-exact.cc@/^update_p/,/^}/s/|| gimple_omp_atomic_need_value_p (store)//@what is there now is asked for
spmd-exact.cc@/^update_p/,/^}/s/|| gimple_assign_rhs1 (change) != old//;/^update_p/,/^}/s/|| gimple_assign_rhs2 (change) == old//@differences from what is there
spmd-exact.cc@/^update_p/,/^}/s/&& same;/;/@updates of two kinds
spmd-exact.cc@/^update_of/,/^}/s/return ERROR_MARK/return code/@any update
spmd-exact.cc@/^reduction_shows_p/,/^}/s/look->blocks ||//@reductions of rows and blocks
spmd-exact.cc@/^reduction_shows_p/,/^}/s/|| !look->inner/|| false/@reductions of the whole loop
spmd-agree.cc@/^add_operand/,/^}/s/w->grown |= !w->decide->add (op);/;/@loads on which branches depend
spmd-agree.cc@/^look_at_setter/,/^}/s/add_operand (w, gimple_op (stmt, i));/;/@loads from which variables of branches are set
spmd-agree.cc@/^spmd_agreed_p/,/^}/s/decide->contains (gimple_assign_lhs (stmt))/false/@what is loaded is not told
spmd-agree.cc@/^spmd_tell/,/^}/s/val (team->rank) == 0/val (team->rank) == 32/@what another warp has loaded
spmd-agree.cc@/^spmd_tell/,/^}/s/^  c.set (var, unshare_expr (slot));//@nobody listens
spmd-agree.cc@/^spmd_told/,/^}/s/tellable_p (nest, value)/false/@nobody says what an access gave
spmd-split.cc@/^spmd_execute_split/,/^}/s/^  spmd_atomic_hide (body);//@atomic accesses of OpenACC's teams, by each thread
spmd-split.cc@/^access_once/,/^}/s/value ? value : changed/value/@what is captured behind a change
spmd-split.cc@/^only_once/,/^}/s/spmd_told (w->nest, value)/NULL_TREE/@what happened once
spmd-split.cc@/^split_stmt/,/^}/s/is_gimple_call (stmt) ? lhs : NULL_TREE/NULL_TREE/@what a call gave
spmd-split.cc@/^agreed_load/,/^}/s/val (w->place->team.size) > SPMD_WARP/val (w->place->team.size) > 64/@teams of two warps
spmd-split.cc@/^first_only/,/^}/s/val (place->team.rank) == 0/val (place->team.rank) >= 0/@all do what happens once
spmd-atomic.cc@/^half_p/,/^}/s/needed ? operand (stmt) : NULL_TREE/NULL_TREE/@what code behind an access needs
END
done_testing
