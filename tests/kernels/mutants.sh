# Can the tests fail?  Mistakes put into the plugin on purpose: the cases with
# several parts or random nests must find each.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
ext=$stage/lib/accrete/device
. "$top_srcdir/tests/libgomp-ext/mutant-lib.sh"
. "$top_srcdir/tests/plugin-mutants.sh"
cp "$builddir/random-nests" "$tmp/build/"

# survives FILE: nothing finds the mistake, nor a crash or a hang.
# shellcheck disable=SC2317  # called by mutants
survives () {
  stage_mutant
  finds_nothing cases.sh CASES='[dp]*' LEVELS=-O2 \
    && finds_nothing random.sh RANDOM_RUNS=3
}

mutants "$top_srcdir/plugin" <<'END'
kernels-host.cc@@unchanged, it passes
kernels-host.cc@s/else if (!integer_onep (one))/else if (false \&\& !integer_onep (one))/@the guard of the first part alone
kernels-host.cc@/^guard_of_all/,/^}/s/return all;/return boolean_true_node;/@no guard
kernels-host.cc@/^emit_line/,/^}/s/emit_last_values (w, p, values, seq);//@indices keep their first values
kernels-host.cc@s/^  if (clauses)$/  if (false)/@no data construct
kernels-last.cc@/^kernels_live_p/,/^}/s/return looked_at_p (&s, at);/return false;/@scalars are dead behind a nest
kernels-last.cc@/^takes_p/,/^}/s/loop->exposed.contains (var)/false/@the next nest reads nothing
kernels-region.cc@/^stores_p/,/^}/s/ || p->stored.contains (var)//@what the last iteration stores is lost
kernels-region.cc@/^stores_p/,/^}/s/return kernels_reduced_p (w, var) ||/return/@a sum is lost
kernels-clause.cc@/^host_operand_leaf_p/,/^}/s/if (CONSTANT_CLASS_P (expr))/if (CONSTANT_CLASS_P (expr) || TREE_CODE (expr) == ADDR_EXPR)/@the host's address on the device
kernels-parts.cc@s/if (b->write \&\& in == nest->nest/if (false/@a load in front of a nest that stores there
kernels-parts.cc@s/if (p != q \&\& /if (false \&\& /@a jump leaves a part
kernels-parts.cc@s/return "parts share an array of the region's own";/continue;/@each part has an array of its own
kernels-code.cc@s/? w->bound$/? ssize_int (0)/@another iteration is the last one
kernels-scalar.cc@/^own_scalar_of/,/^}/s/if (s.written)/if (false)/@what is set by reference is lost
kernels-bar.cc@s/return changes_p (w, OMP_CLAUSE_SIZE (c))/return false/@as much is mapped as the region has said
kernels-bar.cc@s/\&\& changes_p (w, OMP_CLAUSE_DECL (c))/\&\& false/@each part has the first value of a pointer
kernels-bar.cc@s/if (w->parts.length () > 1 \&\& own_address_p (w))/if (false)/@the address of another part's array
kernels-contract.cc@s/if (flag_fp_contract_mode == FP_CONTRACT_OFF/if (true/@the host rounds a product
kernels-clause.cc@/^host_operand_leaf_p/,/^}/s/DECL_P (expr) \&\& register_p (expr)/DECL_P (expr)/@the host reads what the device has written
kernels-last.cc@/^claimed_p/,/^}/s/if (!claimed)/if (false)/@another variable of that name
kernels-host.cc@s/if (!kernels_host_decides_p (w))/if (!kernels_several_p (w))/@a region without its nest does not wait
kernels-host.cc@s/tree all = w->assumed;/tree all = boolean_true_node;/@an array is never allocated anew
kernels-cold.cc@s/i < tests.length () \&\& guard/i < 1 \&\& guard/@shapes are always the same
depend.cc@/^variable_apart_p/,/^}/s/object_by_name_only_p (x->name.var)/true/@a pointer leads to no variable
END
done_testing
