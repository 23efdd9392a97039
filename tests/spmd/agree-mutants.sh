# Mistakes put on purpose into what threads of a team tell each other: agree.sh must find
# each.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
ext=$stage/lib/accrete/device
. "$top_srcdir/tests/libgomp-ext/mutant-lib.sh"
. "$top_srcdir/tests/plugin-mutants.sh"

# shellcheck disable=SC2317  # called by mutants
survives () {
  stage_mutant
  finds_nothing agree.sh
}

mutants "$top_srcdir/plugin" <<'END'
spmd-agree.cc@@unchanged, it passes
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
