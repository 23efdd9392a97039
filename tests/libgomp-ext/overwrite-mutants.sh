# Mistakes put on purpose into what finds out that data need not be copied to the
# device: the forms of overwrite.sh must show each.
# usage: overwrite-mutants.sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"
. "$srcdir/overwrite-lib.sh"
. "$srcdir/mutant-lib.sh"

# survives FILE: no form shows anything.
survives () {
  passes_from=$plugin lib=$tmp/plain
  case $1 in
    *.cc) passes_from=$tmp/plugin/accrete.so ;;
    *) lib=$tmp/mutant ;;
  esac
  for m in acc omp; do
    for source in overwrite.c overwrite.F90; do
      build_forms $m $source -O1 "$passes_from"
      stock "$tmp/overwrite"
      want=$out
      ACCRETE_DEBUG=3 ours "$tmp/overwrite"
      [ "$out" = "$want" ] && [ ! "$(wrong_forms)" ] || return 1
    done
  done
}
ln -s "$lib" "$tmp/plain"

mutants "$top_srcdir/plugin" "$top_srcdir/libgomp-ext" <<'END'
overwrite.c@@unchanged, it passes
overwrite.cc@@unchanged, it passes
overwrite.c@s/any = rows.i..stride <= bytes/any = true/@gaps between rows
overwrite.c@s/first >= bound : first <= bound/false : false/@loops without an iteration
overwrite.c@s/rows.n - 1..stride > row.stride/false/@rows in the order of the loops
overwrite.c@/^overwritten/,/^}/s/return s.begin >= s.end/return true/@operands that are stored in part
overwrite.c@/^overwritten/,/^}/s/i = -1/(void)0/@stores that begin where others end
effects.c@/^acr_call_may_read/,/^}/s/shares (operand (call, k, 0), operand (call, i, 0))/false/@a read of the same memory
effects.c@/^acr_call_may_read/,/^}/s/op->group != to->group/true/@any two groups count as apart
effects.c@/^acr_call_may_read/,/^}/s/op->group != to->group/false/@no groups are apart
overwrite.c@s/|| call->kinds.i. \& ACR_MAP_KIND_ALWAYS//@what is sent whether it is there or not
overwrite.c@/^acr_overwrite_begin/,/^}/s/c->nstores = 0/(void)0/@what was said for an earlier construct
overwrite.c@s/= ~ACR_TO/= ~3/@nothing is copied back
overwrite.c@/^take_loop/,/^}/s/.at -= extent/(void)0/@loops that count down
overwrite.cc@/^store_bar/,/^}/s/line_jumped_over_p ([^)]*)/false/@conditional stores
overwrite.cc@/^loop_bar/,/^}/s/(loop->conditional)/(false)/@conditional loops
overwrite.cc@/^loop_bar/,/^}/s/(loop->broken)/(false)/@loops that are left early
overwrite.cc@/^loop_bar/,/^}/s/!counted_alike_p (loop)/false/@unsigned numbers that are negative to the runtime
overwrite.cc@/^whole_p/,/^}/s/return is/return true || is/@stores of structures
overwrite.cc@/^same_value_p/,/^}/s/return false/return true/@what is on the device from before
overwrite.cc@/^unchanged_p/,/^}/s/return !.*/return true/@what the region changes
overwrite.cc@/contains (TREE_OPERAND (expr, 0))/s/.*/;/;s/return DECL_P (TREE_OPERAND (expr, 0))$/return DECL_P (TREE_OPERAND (expr, 0));/@private arrays
overwrite.cc@s/|| !TYPE_RESTRICT (.*))/|| false)/@arrays that pointers lead to
overwrite.cc@/^say (/,/^}/s/(less - more)/(0)/@bounds that are reached
overwrite.cc@/^candidate_p/,/^}/s/(int) i/(int) i + 1/@no operand is ever found
loop.cc@/case OMP_CLAUSE_LINEAR:/,/break;/s/if (loop .*/if (true)/@linear variables
loop.cc@s/l->changed.safe_push (.*)/(void) 0/@variables of reductions
loop.cc@s/append (l, gimple_omp_for_pre_body (loop));/(void) 0;/@what is computed in front of combined loops
END
done_testing
