# Can the tests fail?  Mistakes put into the plugin on purpose: the cases or random
# chains must find each.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
ext=$stage/lib/accrete/device
. "$top_srcdir/tests/libgomp-ext/mutant-lib.sh"
. "$top_srcdir/tests/plugin-mutants.sh"
mkdir "$tmp/kept"
cp "$builddir/random-chains" "$tmp/build/"

# survives FILE: nothing finds the mistake, nor a crash or a hang.
# shellcheck disable=SC2317  # called by mutants
survives () {
  stage_mutant
  finds_nothing cases.sh && finds_nothing exact.sh \
    && finds_nothing present.sh && finds_nothing tested.sh \
    && finds_nothing random.sh RANDOM_RUNS=2 RANDOM_STOCK="$tmp/kept"
}

mutants "$top_srcdir/plugin" <<'END'
fuse.cc@@unchanged, it passes
fuse.cc@s/unshare_expr (c->guard)/boolean_true_node/@the guard dropped
depend.cc@s/return !border || (i < border) != (j < border);/return !border;/@no pairs of two bodies count
depend.cc@/^one_place_p/,/^}/s/|| !affine_equal_p (&a->address, &b->address)//@all places are one
fuse-bounds.cc@s/if (!affine_constant_p (&distance, &further))/return true; if (false)/@all bounds are the same
fuse-bounds.cc@/^guard_range/,/^}/s/if (end)/if (false)/@a body outside of its range
fuse-legal.cc@/^needs_bar/,/^}/s/return "one of.*/continue;/@a copy that is thrown away is seen
fuse-legal.cc@/^scalars_bar/,/^}/s/return "iterations set.*/continue;/@scalars of all iterations
fuse-host.cc@/^assignment_bar/,/^}/s/return "a variable of the one before changes";/return NULL;/@what the first reads is set before it
fuse-clause.cc@/^take_clause/,/^}/s/other \&\& same_operands_p (m->f, other, c)/other/@any queue will do
fuse-clause.cc@/^first_bar/,/^}/s/? reduced/? NULL/@the result of a reduction is used
fuse-exact.cc@s/made = memory_clobber ();/;/@nothing between the bodies
fuse-exact.cc@s/made = code_opaque_copy (gimple_assign_lhs (stmt),/if (0) made = code_opaque_copy (gimple_assign_lhs (stmt),/@what is handed over is seen through
fuse-forward.cc@/^source_of/,/^}/s/if (a->write \&\& !apart_p (w, a, load))/if (false)/@a store in between is not seen
loop.cc@/^line_always_p/,/^}/s/!line_jumped_over_p (l, a->in, at, at + 1)/true/@what may not be stored is handed over
fuse-forward.cc@/^overwritten_p/,/^}/s/if (loads_p (w, k).*/if (false)/@a dropped store is read in the body
fuse-forward.cc@/^unread_p/,/^}/s/if (loads_p (w, k)/if (false \&\& loads_p (w, k)/@the same, of an object of its own
fuse.cc@s/c->guard = fuse_renamed (f, c->guard);/;/@a condition is about what came later
alias.cc@/^conflict_p/,/^}/s/return (a->access.*/return false;/@what is not tested is apart
fuse-forward.cc@s/(products \&\& !one_value_p/(false \&\& !one_value_p/@two loads of one place are one
fuse-forward.cc@s/w->products.add (value);/;/@a product that is no longer stored
fuse-forward.cc@s/return !\*product || products == 1;/return true;/@the same product twice
fuse-unread.cc@s/return !s.found;/return true;/@a dropped store is read elsewhere
fuse-unread.cc@/^own_object_p/,/^}/s/return object_allocation (name.var);/return true;/@memory of the caller's
fuse-unread.cc@/^call_harmless_p/,/^}/s/return s->name.depth == 1.*/return true;/@a function that has the address
fuse-host.cc@s/number_forget (&f->numbers, lhs);/;/@what may change between is what it was
fuse-pay.cc@s/c->registers += .*/;/@constants need no registers
fuse-clause.cc@s/{ OMP_CLAUSE_NUM_GANGS, CLAUSE_SAME },/{ OMP_CLAUSE_NUM_GANGS, CLAUSE_SPENT },/@any number of gangs
fuse-variable.cc@/^fuse_add_sets/,/^}/s/set->add (gimple_omp_for_index (stmt, k));/;/@an index of a loop inside from before the body
fuse-rows.cc@/^rounds_p/,/^}/s/return p.bars;/return false;/@a loop that becomes one of rows rounds otherwise
fuse-rows.cc@s/s->elsewhere |= .*/;/@a variable of threads is one of others outside
fuse-rows.cc@s/take_who (map->loop, rows->loop);/;/@a loop without rows keeps its threads
fuse-pay.cc@/^meet_p/,/^}/s/if (a->in == b->in)/if (true)/@loops inside have nothing in common
fuse-bounds.cc@s/f->loops_inside = find_bounds (&f->a, n, &first, &f->a_own);/fuse_shape was; auto_vec<fuse_own> none; fuse_take (f->first, \&was); f->loops_inside = find_bounds (\&was, n, \&first, \&none);/@a bound that changes between
fuse-host.cc@/^fuse_rename (/,/^}/s/  rename (f, gimple_omp_body_ptr (stmt), /  gimple_seq none = NULL; rename (f, \&none, /@the body has what is set again
fuse-jam.cc@s/names_apart_p (&second, &below)/true/@the second loop passes what it uses
fuse-jam.cc@/^memory_apart_p/,/^}/s/return false;/continue;/@the same, in memory
fuse-jam.cc@/^part/,/^}/s/names_apart_p (&own, &first)/true/@what follows from the first loop goes in front of it
fuse-jam.cc@/^independent_p/,/^}/s/bool yes = .*/bool yes = true || loop/@iterations of the two loops depend on each other
fuse-jam.cc@/^count_alike_p/,/^}/s/\&\& fuse_count_alike_p (a, b)//@loops inside count differently
fuse-jam.cc@s/gimple_seq_add_stmt_without_update (&all, mark);/;/@nothing between the parts of a loop
fuse-turn.cc@/^fuse_sums_bar/,/^}/s/if (b->in/if (false \&\& b->in/@sums are where others read or store
fuse-turn.cc@s/gimple_build_assign (place_of (c), c->start)/gimple_build_assign (place_of (c), build_zero_cst (TREE_TYPE (c->start)))/@what sums begin with
fuse-turn.cc@/^take_outer/,/^}/s/|| !plain_p (all\[i\], false)/|| !plain_p (all[i], true)/@what makes results of sums loads them
fuse-turn.cc@/^uses_head_p/,/^}/s/return true;/continue;/@what is set in front of the loop inside is needed
fuse-turn.cc@/^along_rows_p/,/^}/s/|| (affine_constant_p.*/|| true;/@the matrix lies the other way
fuse.cc@s/fuse_sums_finish (f->merged);/;/@sums of several threads are no atomic updates
fuse.cc@s/if (!fuse_need_present (&f, sums.source))/if (false)/@sums of data that is not there yet
fuse.cc@s/c->after = f->turned->after;/c->after = f->turned->before;/@no results are made of sums
spmd-sums.cc@s/c.set (sums->total, end);/;/@sums that stay where they are
spmd-sums.cc@s/c.set (k, k + ACR_SUMS_ROW);/;/@all sums go to one place
fuse-merge.cc@/^share_indices/,/^}/s/rename_inner (f, .*/;/@a loop inside counts with the index of the one around
depend.cc@/^depend_objects_apart_if_p/,/^}/s/return false;/return true;/@conditions are about all objects
fuse-forward.cc@/^of_bodies_p/,/^}/s/return a->in .*/return true;/@accesses of other loops are between the two
fuse.cc@/^nest_bar/,/^}/s/\&\& !fuse_perfect_p (f->merged)/\&\& false/@a nest that all threads share out is none any more
fuse-own.cc@/^sets_first_p/,/^}/s/return !loop->exposed.contains (var);/return true;/@a scalar of the iteration before
fuse-own.cc@/^home_of/,/^}/s/\&\& !stmt_mentions_p (body, var, found\[i\])//@a row's scalar is one of threads
fuse.cc@s/  fuse_make_own (&f->b, f->b_own);//@both have one scalar
fuse-own.cc@s/map.put (own\[i\].var, fuse_variable (TREE_TYPE (own\[i\].var), &vars));/;/@the other one's copy of a scalar is gone
depend.cc@/^told_apart_p/,/^}/s/return false;/return true;/@places of lists are apart
fuse-legal.cc@s/  line_forget_loaded (&f->l, load_apart_p, f);//@lists that are stored
subscripts.cc@/^fixed_p/,/^}/s/if (s \&\& s->loaded)/if (false)/@all iterations load the same
subscripts.cc@/^solve/,/^}/s/return known_p (e, e->n) .*/return true;/@all systems tell iterations apart
subscripts.cc@/^subscripts_stored_p/,/^}/s/|| !line_always_p (l, a)//@what some iterations store
subscripts.cc@/^subscripts_once_p/,/^}/s/return !listed .*/return true;/@a list names each place once
flow.cc@s/(!TYPE_UNSIGNED (TREE_TYPE (expr))$/(true/@multiples of what may be anything
subscripts.cc@/^begins_p/,/^}/s/    return false;/    return true;/@loops inside that may have no iteration
fuse-map.cc@s/if (takes_memory_p (f, first) &&/if (false \&\& takes_memory_p (f, first) \&\&/@more memory at once
END

# Which matrices are large, and whether their kernels are there, is turned.sh's.
# shellcheck disable=SC2317  # called by mutants
survives () {
  stage_mutant
  finds_nothing turned.sh
}

mutants "$top_srcdir/plugin" <<'END'
fuse-turn.cc@@unchanged, it passes
fuse-turn.cc@/^fuse_sums_pay_bar/,/^}/s/ssize_int (CEIL (least_row, a->size))/ssize_int (1)/@rows of any length
fuse-turn.cc@/^fuse_sums_pay_bar/,/^}/s/ssize_int (least_bytes)/ssize_int (1)/@matrices of any size
fuse-turn.cc@/^fuse_sums_pay_bar/,/^}/s/ssize_int (MOST_BYTES .*/ssize_int (INT_MAX));/@more columns than a team keeps
fuse-turn.cc@s/region_asked (f->merged, number);/;/@the kernel is compiled as the program starts
fuse-turn.cc@s/region_asked (f->turned->after, number);/;/@so is what makes results of sums
fuse.cc@s/need (f, fuse_sums_ready (f));/fuse_sums_ready (f);/@nobody asks whether the kernels are there
END
done_testing
