# Can the tests fail?  Mistakes put into the plugin on purpose: the cases that are
# about the same must find each.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
ext=$stage/lib/accrete/device
. "$top_srcdir/tests/libgomp-ext/mutant-lib.sh"
. "$top_srcdir/tests/plugin-mutants.sh"

# survives FILE: nothing finds the mistake, nor a crash or a hang.
# shellcheck disable=SC2317  # called by mutants
survives () {
  stage_mutant
  cases=$srcdir/cases
  case $1 in
    nested-far.cc) set -- "$cases/levels.c" ;;
    nested-execute.cc) set -- "$cases/launch.c" ;;
    nested-order.cc | alias.cc) set -- "$cases/uniform-memory.c" ;;
    *) set -- "$cases/addresses.c" "$cases/looks.c" "$cases/allocate.f90" ;;
  esac
  finds_nothing nest.sh NEST_CASES="$*" NEST_LEVELS=-O2
}

mutants "$top_srcdir/plugin" <<'END'
nested-far.cc@@unchanged, it passes
nested-far.cc@s/c.need (more != 0, end);/c.go (end);/@levels after the first are lost
nested-far.cc@s/c.need (now == old, seen);/c.go (seen);/@nobody waits for the other blocks
nested-far.cc@s/c.set (nested_head (&s, &s.queues.i., c), 0);/;/@the queue is never empty
nested-execute.cc@s/e->base + each));/e->base + each - (coarse.as (n) != 0)));/;s/(coarse.as (n) != 0)/(coarse.as (n) >> u64 (2))/@a coarse part lacks an iteration
nested-escape.cc@/^nested_find_holders/,/^}/s/return !s.lost;/holders->empty (); return true;/@any address goes anywhere
nested-escape.cc@/^note_call/,/^}/s/note_holder (s, lhs);/;/@a function gives no address back
nested-escape.cc@/^note_holder/,/^}/s/s->changed |= !s->holders->add (base);/s->lost = true;/@nobody may have an address of his own
nested-member.cc@/^structure_of/,/^}/s/return VAR_P (ref).*/return NULL_TREE;/@no member goes on
nested-member.cc@/^variable_for/,/^}/s/operand_equal_p (f->value, ref, 0)/true/@all members are the first one
nested-order.cc@/^nested_always_before_p/,/^}/s/return met .*/return true;/@what may not have been loaded is loaded
nested-order.cc@/^add_next/,/^}/s/next->safe_push (.label);/;/@nobody jumps
alias.cc@/^alias_constant_p/,/^}/s/ || o->access != ACR_ACCESS_READ//@what threads change is loaded again
nested-parent.cc@/^nested_parent_why_not/,/^}/s/p->waits \&\& i < p->silent/false/@who may be waited for waits
nested-parent.cc@/^nested_parent_why_not/,/^}/s/ \&\& i < p->silent//@who looks at all is waited for
END
done_testing
