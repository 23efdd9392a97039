# Seeded defects of the passes addrspace, readonly, params, inline, errnos, atomics, vector,
# invariant and window are caught: by random kernels whose results differ, that fault or read stale data, or,
# where the compiler's tags alone would do or the kernels have nothing for a pass, by
# the cases in cases/.  POST_MUTANTS: only those of which the file or what they do has
# this pattern.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/random-lib.sh"

programs='acc,-O2 acc,-O0 omp,-O0'
for p in $programs; do
  seed=${RANDOM_SEED:-1}
  # shellcheck disable=SC2046  # a list of words
  compile $seed $(echo "$p" | tr , ' ') && link entry && run >"want-$p"
  like "$(cat "want-$p")" '^region 0 ' "$p: the program runs"
  mv device.s "device-$p.s"
  mv x.o "x-$p.o"
done
post=$tmp/mutant

# Why random kernel P does not come out as it should, or nothing.
differs () {
  cp "device-$1.s" device.s
  cp "x-$1.o" x.o
  case $1 in
    acc*) model=-fopenacc ;;
    omp*) model=-fopenmp ;;
  esac
  link entry addrspace,readonly >/dev/null
  if ! run | cmp -s - "want-$1"; then
    echo "results of $1"
  elif [ -n "$(check)" ]; then
    echo "stale reads of $1"
  fi
}

# The same for the cases.
fails_cases () {
  mkdir -p dir
  ln -sf "$tmp/mutant" dir/ptx-post
  bad=$(PASSES_PATH=$tmp/dir sh "$srcdir/passes.sh" | grep '^not ok' | head -n 1)
  [ -z "$bad" ] || echo "case $bad"
}

# mutant FILE SED-COMMAND WHAT
mutant () {
  echo "$1 $3" | grep -q "${POST_MUTANTS:-}" || return 0
  from=$(find "$top_srcdir/ptx-post" -name "$1")
  sed "$2" "$from" >"$tmp/$1"
  if cmp -s "$from" "$tmp/$1" \
      || ! $CC -O1 -DHAVE_CONFIG_H -I"$(dirname "$from")" \
	   -I"$top_srcdir/ptx-post" -I"$top_builddir" \
	   -I"$top_srcdir/libgomp-ext" "$tmp/$1" "$top_builddir/ptx-post/ptx_post-main.o" \
	   "$top_builddir/ptx-post/.libs/libpost.a" -o mutant >log 2>&1; then
    ok 1 "$3: builds" || diag "$(cat log)"
    return
  fi
  how=
  for p in $programs; do
    how=$(differs "$p")
    [ -z "$how" ] || break
  done
  : "${how:=$(fails_cases)}"
  [ -n "$how" ]
  ok $? "$3: caught by ${how:-nothing}"
}

mutant origin.c 's/if (a.space == b.space && a.window == b.window)/if (1)/' \
  'a pointer that may lead to two spaces'
mutant origin.c 's/if (a.slot != b.slot)/if (0)/' \
  'a pointer that may lead to two operands'
mutant origin.c '/case PTX_OP_SELP:/,/join/s/join (\(.*\), of_operand.*;/\1;/' \
  'the second choice of a selection'
mutant origin.c 's/join (o->reg\[r->index\], value)/value/
  s/enum { MAX_ROUNDS = 64 }/enum { MAX_ROUNDS = 2 }/; s/^  if (o->changed)/  if (0)/' \
  'the last definition only'
mutant origin.c '/ORIGIN_POINTER && x.off == 0/,/return unknown/s/return unknown/return in_space (PTX_SP_GLOBAL, false, ORIGIN_NO_SLOT)/' \
  'a pointer from memory'
mutant origin.c 's/return of_slot (o, x.off \/ 8);/return of_slot (o, x.off \/ 8 ^ 1);/' \
  'the wrong operand'
mutant origin.c 's/if (o->cell\[i\].off == off)/if (1)/' \
  'the wrong place in the broadcast buffer'
mutant origin.c 's/ACR_MAP_PTR ? 1 : 2/ACR_MAP_PTR ? 0 : 1/' \
  'a pointer too few on the way'
mutant origin.c 's/&& !o->pointers_change)/)/' 'pointers that change'
mutant addrspace.c 's/cvta.to.%s.u64 %%acr_window, %s;/mov.u64 %%acr_window, %s;/; s/ptx_space_text\[space\], a->elt/a->elt/' \
  'the way into a window left out'
mutant addrspace.c 's/if (x.window)/if (0)/' 'a window entered twice'
mutant addrspace.c 's/if (x.kind != ORIGIN_SPACE)/if (0)/' 'any origin'
mutant readonly.c 's/!acr_region_constant (region, x.slot)/op->access \& ACR_ACCESS_WRITE/' \
  'data written through another operand'
mutant readonly.c 's/!acr_region_constant (region, x.slot)/0/' 'data written'
mutant readonly.c 's/^  const char \*why = why_unsafe.*/  const char *why = NULL;/' \
  'code that does not keep to its tag'
mutant readonly.c 's/why = why_call_unsafe (s->insn, depth);/;/' 'calls that write'
mutant readonly.c 's/  if (!f->has_body)/  if (0)/; s/depth == MAX_CALL_DEPTH/!f->has_body || &/; s/return "the function has deep.*/return NULL;/' \
  'calls out of the unit'
mutant readonly.c 's/!(op->access & ACR_ACCESS_WRITE)/0/' \
  'stores to what the tag calls read-only'
mutant readonly.c 's/&& !i->mod\[PTX_MC_CACHE\] && !i->flags/\&\& !i->mod[PTX_MC_CACHE]/; s/!i->mod\[PTX_MC_SEM\]/1/' \
  'volatile loads'
mutant readonly.c 's/post_may_use (p, [^)]*)/1/' \
  'a GPU that is too old'
mutant params.c 's/      if (c.n && !moves && !end)/      if (0)/' 'an address that is stored'
mutant params.c 's/ || modified_p (i)//' 'loads with modifiers'
mutant params.c 's/a->off % (bytes \* i->vec)/0/' 'loads that are not aligned'
mutant params.c 's/ && u->size <= ACR_ARGS_MAX//' 'blocks that are too large'
mutant params.c 's/u->is_base\[i\] && u->ndefs\[i\] != 1/0/' 'registers with other values'
mutant params.c 's/find_load (u) != 1/!find_load (u)/' 'a second load of the parameter'
mutant params.c 's/else if (is_mentioned (.*))/else if (0)/' 'launches by the device'
mutant params.c 's/if (same_kernel (f, g))/if (g == f)/' 'variants that do otherwise'
mutant params.c 's/ || done (u)//' 'a second run'

# What random kernels do not have.
programs=
mutant inline.c 's/ || stack_recurs (f)//; s/stack_recurs (f) || //' 'recursion'
mutant inline.c 's/ && !i->guard && s->next == f->last//' 'several returns'
mutant inline.c 's/(ptx_op_info\[i->op\].flags & PTX_OF_CONVERGENT)/0/' \
  'functions that meet other threads'
mutant inline.c 's/ || asks_where (i)//' 'functions that ask where they run'
mutant inline.c 's/i->op == PTX_OP_ALLOCA/0/' 'room on the stack'
mutant inline.c 's/s->syms\[i\]->space != PTX_SP_PARAM/0/' 'frames'
mutant inline.c 's/ || !is_understood (callee, f)//' \
  'what is not known in front of the kernel'
mutant inline.c 's/s->insn->guard || (results/(results/' 'calls with a guard'
mutant inline.c 's/p && p->type == i->type\[0\] &&/p \&\&/' 'parts of a parameter'
mutant inline.c 's/tags_is_kernel (p->tags, f)/f->is_entry/' \
  'kernels that are no SPMD kernels'
mutant inline.c '/^put_in_place/,/^}/s/c->get->insn->opnd\[0\]->sym->name/"%acr_out"/' \
  'a result in the wrong register'
mutant inline.c '/^write_inside/,/^}/s/from->index/0/' 'the first argument for all'
mutant invariant-register.c 's/return i && !i->guard &&/return i \&\&/' 'operations under a predicate'
mutant invariant-register.c '/->ntypes; t++/,/return false/s/return false/continue/; s/^  return !(cls & .*/  return true/; s/^	 && (cls & PTX_TC_PRED.*/;/' \
  'real numbers'
mutant invariant-register.c 's/ && eval_steady (o->sreg)//' 'clocks'
mutant invariant-find.c 's/ && !m->changes\[r\]//' 'what the rounds change'
mutant invariant-register.c 's/bool before = .*cfg_dominates.*/bool before = !cfg_in_loop (g, m->loop, b);/' \
  'what one way to the loop sets'
mutant invariant.c 's/tag && tag->resident/tag/' 'kernels that are no resident loops'
mutant invariant.c 's/bool neg = /bool neg = !/' 'what the other way sets'
mutant invariant-find.c 's/bool alone = .*/bool alone = true;/' 'registers that are set elsewhere'
mutant invariant-find.c 's/    same = is_same (.*/    same = true;/' 'other operands'
mutant invariant-register.c '/^rename_result (/,/^}/s/invariant_read_instead (m, s = s->next, reg, to)/s = s->next/' \
  'readers of a register that has another name'
mutant vector.c 's/ || !may_be_between (t->insn, a)//; s/|| !may_be_between (t->insn, a)//' \
  'what is between two accesses'
mutant vector.c 's/^\(.*&& \)!sets (i, base_of (a))/\11/' 'a new address between'
mutant vector.c 's/load || !sets (i, value_of (a))/1/' 'a new value between'
mutant vector.c 's/: PTX_OF_READS_MEM | PTX_OF_WRITES_MEM/: PTX_OF_WRITES_MEM/' \
  'a store behind a load'
mutant vector.c 's/^  if (value == other || value == base_of (t->insn)/  if (value == base_of (t->insn)/' \
  'two loads to a register'
mutant vector.c 's/sets (b->insn, value) || //' 'a register that is set between'
mutant vector.c 's/ || uses (b->insn, value)//' 'a register that is used between'
mutant vector.c 's/ || i->mod\[PTX_MC_SEM\]$//' 'volatile accesses'
mutant vector.c 's/ || !is_data (o, s)//' "the region's arguments"
mutant vector.c 's/return stores ? n : 0/return n/' 'threads that share neighbours'
mutant vector.c 's/ < LEAST/ < 1/' 'a form for one pair'
mutant vector.c 's/< address_of (a)->off };/< INT64_MIN };/' \
  'the higher address first'
mutant vector.c 's/(unsigned long long) -off & /0 \& /' 'alignment of the register alone'
mutant vector.c 's/ || is_done (f)//' 'a form more each time'
mutant window.c 's/s->kind == PTX_S_INSN && insn_sets (s->insn, reg)/false/' \
  'a register that is set again in its block'
mutant window.c 's/^  if (from->block != at->block)/  if (false)/' \
  'a register that is set again in another block'
mutant window.c 's/if (a->n != 1 || /if (/' 'an address that is set twice'
mutant window.c 's/if (i->guard || i->flags/if (i->flags/' 'an address under a condition'
mutant window.c 's/ || !sum.var)/)/' 'a pointer'
mutant window.c 's/if (!is_word (i->type\[t\]))/if (false)/; s/ || !is_word (reg->type))/)/' \
  'bits that are cut off'
mutant window.c 's/w->uses\[window->index\] != 1/false/' 'a window of two accesses'
mutant window.c 's/r->place && same_place (r->stmt->insn, w->stmt->insn)/r->place/' 'one of two places'
mutant window.c 's/-factor, from/factor, from/' 'differences as sums'
mutant errnos.c 's/asks (s) && !only_stores (f, s)/false/' 'somebody who reads errno'
mutant errnos.c 's/func_mentions (f, structure)/false/' \
  "somebody who names libc's structure"
mutant errnos.c 's/: names_it (s->insn)/: false/' \
  'somebody who has the address of the function'
mutant errnos.c 's/^	s->reader = name;/	;/' 'functions that are found nowhere'
mutant errnos.c 's/^	look_at (def->func, s);/	;/' 'functions of libraries that read errno'
mutant atomics.c 's/found = nothing_wanted (&u)/found = true/' \
  'atomic sums that somebody wants'
mutant atomics.c 's/i->op != PTX_OP_SUB)/1)/; s/neg.%s %%acr_by, %%acr_by/mov.%s %%acr_by, %%acr_by/' \
  'differences as sums'
mutant atomics.c 's/setp.eq.b32 %%acr_again, %%acr_new/setp.ne.b32 %%acr_again, %%acr_new/' \
  'small numbers that are not added'
mutant atomics.c 's/if (strcmp (type, "f32") == 0 .*/if (0)/' \
  'small numbers by the instruction that takes them as zero'
mutant atomics.c 's/(is_register (by) ? role_of (u, by->sym) == OUTSIDE/(is_register (by) ? true/; s/(!is_register (by) || role_of (u, by->sym) == OUTSIDE)/true/' \
  'what is added changes in the loop'
mutant atomics.c 's/i->mod\[PTX_MC_CMP\] == PTX_M_NE/true/' \
  'a loop that ends when others came in between'
mutant atomics.c 's/!i->guard_neg$/true/' 'a loop that goes on once it has swapped'
mutant atomics.c 's/has_role (u, next->opnd\[1\], SEEN)/true/' \
  'a loop that expects something else'
mutant atomics.c 's/i->guard != under/false/' 'what is set under another guard'
mutant hoist.c 's/PTX_OF_CONTROL | PTX_OF_WRITES_MEM | /PTX_OF_CONTROL | /; s/| PTX_OF_EFFECT))/))/' \
  'loads that pass stores'
mutant hoist.c 's/|| (s->insn->op == PTX_OP_LD \&\& s->insn->mod\[PTX_MC_SEM\])//' \
  'loads that pass volatile ones'
mutant hoist.c 's/w->may\[k\] \&\& !meets (i, true, w->written)/w->may[k]/' \
  'addresses that are not there yet'
mutant hoist.c 's/\&\& !meets (i, false, w->read);/;/' 'registers that are wanted before'
mutant clone.c 's/!(own \&\& (own->kind != PTX_SYM_FUNC || own->func->has_body))/true/' \
  "a program's own square root"
mutant exps.c 's/if (stores_errno (p->unit))/if (0)/' \
  'an exponential with errno'
mutant exps.c 's/if (arithmetic_of (f) != e->instructions/if (!arithmetic_of (f)/' \
  'an exponential of other arithmetic'
mutant exps.c 's/|| (own \&\& !find (p, own, \&below, \&ignored))/|| (own \&\& !find (p, own, \&below, \&ignored) \&\& !p)/' \
  "an exponential whose own is another's"
mutant arithmetic.c 's/|| i->opnd\[k\]->kind == PTX_O_INT//' 'an exponential of another bound'
mutant exps.c 's/"0f42b17180"/"0f42b17217"/' "an exponential with its own bound"
mutant trigs.c 's/ && arithmetic_of (f) == k->arithmetic//' 'a sine of other arithmetic'
mutant addrspace.c 's/o->sym->size <= MAX_TABLE/true/' 'large tables in constant memory'
mutant addrspace.c "s/ \&\& !strchr (i->mnemonic + 3, '.')//" 'volatile loads of constant memory'
mutant addrspace.c 's/found || s->insn->guard/false/' 'addresses in one of two tables'
done_testing
