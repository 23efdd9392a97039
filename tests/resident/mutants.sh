# Can the tests fail?  Mistakes put into the plugin on purpose: the cases or random
# loops must find each.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
# Kernels are there from the beginning; late.sh has what is else.
export ACCRETE_DISABLE=tiered-compilation
ext=$stage/lib/accrete/device
. "$top_srcdir/tests/libgomp-ext/mutant-lib.sh"
. "$top_srcdir/tests/plugin-mutants.sh"
mkdir "$tmp/kept"
cp "$builddir/random-loops" "$tmp/build/"

# survives FILE: nothing finds the mistake, nor a crash or a hang.
# shellcheck disable=SC2317  # called by mutants
survives () {
  stage_mutant
  finds_nothing exact.sh && finds_nothing cases.sh \
    && finds_nothing random.sh RANDOM_RUNS=2 RANDOM_STOCK="$tmp/kept"
}

mutants "$top_srcdir/plugin" <<'END'
resident-kernel.cc@@unchanged, it passes
resident-kernel.cc@s/^  add_barrier (rounds, &seq);//@parts without a barrier
resident-kernel.cc@s/c.set (r->counted, r->counted + r->blocks);//@a barrier that waits for the first round alone
resident-kernel.cc@s/kernel_epilogue (x, rounds.first == 0)/kernel_epilogue (x, rounds.first == 5000)/@nobody says what came of it
resident.cc@/^take_values/,/^}/s/c.set (l->out\[i\], value);//@scalars are not given back
resident.cc@s/^  if (e->test)/  if (false)/@loops without a round
resident-host.cc@/^find_needed/,/^}/s/more |= need_operands (l, l->code\[i\], 1);/;/@what is computed from what is not
resident-operand.cc@/^value_before/,/^}/s/return host_values_of (v, at);/continue;/@operands that are not what is set
resident-kernel.cc@/^begin_results/,/^}/s/rounds->first == 0/rounds->rank == 5000/@a result on top of another round's
resident-kernel.cc@/^begin_flags/,/^}/s/c.set (others, 1);/;/@a flag that is not what threads have
resident-kernel.cc@/^end_flags/,/^}/s/c.set (var, c.let/c.set (flags->round, c.let/@a flag that threads do not look at
resident-operand.cc@/^same_always_p/,/^}/s/!CONST_CAST (host_loop \*, l)->sets.contains (t)/true/@sizes that change
resident-copy.cc@/^turn_number/,/^}/s/number_of (b, gimple_assign_rhs1 (from))/number_of (b, gimple_assign_lhs (from))/@pointers that are not given back
resident-operand.cc@/^merge_ways/,/^}/s/yes ? x : y/yes ? y : x/@the other way's value
resident.cc@/^kernel_bar/,/^}/s/why = "a region/if (false) why = "a region/@a copy that is thrown away is seen
resident-clause.cc@/^building_merge_maps/,/^}/s/return "data that only/if (false) return "data that only/@what only some rounds map
resident-static.cc@s/^  gimple_seq_add_seq (&seq, after);/;/@numbers of the file that are not given back
resident-static.cc@s/ && !TREE_ADDRESSABLE (var)//@a number whose address somebody has
resident-static.cc@s/return s.calls ||/return/@a number that functions of regions may know
spmd-exact.cc@/^spmd_free_p/,/^}/s/exact_p (nest, true, true)/true/@any grid for all
spmd-exact.cc@/^spmd_free_p/,/^}/s/exact_p (nest, true, true)/exact_p (nest, true, false)/@integers that are accessed atomically
spmd-exact.cc@/^may_show_p/,/^}/s/return !INTEGRAL_TYPE_P (TREE_TYPE (.*/return (bool) (0 \&\& ((/;s/^	  as_a<gomp_atomic_load \*> (stmt))));/	  1)));/@floating-point numbers that are accessed atomically
spmd-exact.cc@/^integer_access_p/,/^}/s/ && INTEGRAL_TYPE_P (TREE_TYPE (to))//@what GCC's functions access that is no integer
spmd-exact.cc@/^integer_access_p/,/^}/s/return POINTER_TYPE_P/return false \&\& POINTER_TYPE_P/@what GCC's functions access
spmd-exact.cc@/^integers_only_p/,/^}/s/!type || !INTEGRAL_TYPE_P (type)/!type/@sums of floating-point numbers
spmd-exact.cc@/^reduction_shows_p/,/^}/s/look->free \&\& integers_only_p (stmt)/false/@sums of integers
stmt.cc@/^stmt_volatile_p/,/^}/s/return true/return false/@volatile accesses
resident-region.cc@/^add_state/,/^}/s/GOMP_MAP_TO)/GOMP_MAP_ALLOC)/@words of a chain that begin as anything
resident-copy.cc@/^resident_state/,/^}/s/rest ? i - x->own : i/rest ? 0 : i/@a chain's words in one place
chain-append.cc@/^compare/,/^}/s/c.set (v->strays, 1);/;/@stores that are not in their windows
chain-hand.cc@/^look_back/,/^}/s/c.set (distance, distance + SPMD_WARP);/c.set (distance, distance + 1);/@a window of rounds that is looked at twice
chain-hand.cc@/^look_at_words/,/^}/s/others | (its ^ n)/others | val (its == 0).as (unsigned_type_node)/@words of other rounds
chain-hand.cc@/^take_looking_back/,/^}/s/c.set (var, combine (r, of, before\[of\], var));/;/@what is handed on is not taken
chain-kernel.cc@s/c.if_ (r->fine == 0, \[&\] { turns_await_finished (r, c); });//@stray stores that are not waited for
chain-skip.cc@s/^      end_round ();//@a round that is left before it ends
chain-skip.cc@s/c.set (r->mine, 0);/;/@a block that left the loop before says what came of it
chain-skip.cc@s/r->c->steps\[i\].each;/1;/@numbers that go up by another step
chain-skip.cc@s/^      if (!grows_by (&known, step.var, &step.each))/      if (false)/@numbers that go up by no step
chain-skip.cc@s/equal ? by <= left : by < left/by < left/@the last round of a loop up to its bound
END
done_testing
