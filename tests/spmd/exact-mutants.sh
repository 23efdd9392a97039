# Mistakes put on purpose into what says whether a kernel's results follow its
# geometry: exact.sh must find each.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
ext=$stage/lib/accrete/device
. "$top_srcdir/tests/libgomp-ext/mutant-lib.sh"
. "$top_srcdir/tests/plugin-mutants.sh"

# shellcheck disable=SC2317  # called by mutants
survives () {
  stage_mutant
  finds_nothing exact.sh
}

mutants "$top_srcdir/plugin" <<'END'
spmd-exact.cc@@unchanged, it passes
spmd-exact.cc@/^harmless_call_p/,/^}/s/!call_looks_p (.*));/true;/@functions that look at what others set
spmd-exact.cc@/^update_p/,/^}/s/!INTEGRAL_TYPE_P (TREE_TYPE (old))/false/@sums of floating-point numbers
spmd-exact.cc@/^update_p/,/^}/s/|| gimple_omp_atomic_need_value_p (load)//@what was there before is asked for
spmd-exact.cc@/^update_p/,/^}/s/|| gimple_omp_atomic_need_value_p (store)//@what is there now is asked for
spmd-exact.cc@/^update_p/,/^}/s/|| gimple_assign_rhs1 (change) != old//;/^update_p/,/^}/s/|| gimple_assign_rhs2 (change) == old//@differences from what is there
spmd-exact.cc@/^update_p/,/^}/s/&& same;/;/@updates of two kinds
spmd-exact.cc@/^update_of/,/^}/s/return ERROR_MARK/return code/@any update
spmd-exact.cc@/^reduction_shows_p/,/^}/s/look->blocks ||//@reductions of rows and blocks
spmd-exact.cc@/^reduction_shows_p/,/^}/s/|| !look->inner/|| false/@reductions of the whole loop
END
done_testing
