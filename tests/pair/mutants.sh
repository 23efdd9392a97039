# Seeded defects of pairs are caught: by kernels whose results differ, hang or race,
# or by the refusals.  PAIR_MUTANTS: only those of which the file or what they do
# has this pattern.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/pair-lib.sh"
sources=$top_srcdir/ptx-post/pair
# One that hangs ends.
export ACCRETE_EMU_TIMEOUT=5

# Why the mutant is wrong, or nothing: TEST's first failure.
fails () {
  CUDA_HOME=/nowhere post=$tmp/mutant PAIR_RUNS=${PAIR_RUNS:-40} sh \
    "$srcdir/$1" 2>/dev/null | grep -m 1 '^not ok'
}

# mutant FILE TEST SED-COMMAND WHAT
mutant () {
  echo "$1 $4" | grep -q "${PAIR_MUTANTS:-}" || return 0
  sed "$3" "$sources/$1" >"$tmp/$1"
  if cmp -s "$sources/$1" "$tmp/$1" \
      || ! $CC -O1 -DHAVE_CONFIG_H -D_GNU_SOURCE -I"$top_srcdir/ptx-post" \
	   -I"$top_builddir" -I"$top_srcdir/libgomp-ext" "$tmp/$1" \
	   "$top_builddir/ptx-post/ptx_post-main.o" \
	   "$top_builddir/ptx-post/.libs/libpost.a" -o mutant >log 2>&1; then
    ok 1 "$4: builds" || diag "$(cat log)"
    return
  fi
  how=$(fails "$2")
  [ -n "$how" ]
  ok $? "$4: caught by ${how:-nothing}"
}

# Barriers.
mutant barrier.c kernels.sh 's/side->id\[i\] = next++/side->id[i] = i/' \
  'both sides have the same barriers'
mutant barrier.c kernels.sh 's/"%u", pair_warps_up (n)/"%u", pair_warps_up (n) + 32/' \
  'a barrier that counts a warp too many'
mutant barrier.c kernels.sh 's/"%u", pair_warps_up (n)/"%u", n > 64 ? 32 : pair_warps_up (n)/' \
  'a barrier that counts too few'
mutant barrier.c random.sh 's/i->nopnds == (is_reduction (i) ? 3 : 1)/i->nopnds == 1/' \
  'reductions over the whole block'
mutant barrier.c refused.sh 's/if (d.n == before)/if (1)/; s/d.n == 1 ? value : -1/o->sym->index/' \
  'computed numbers'
mutant barrier.c refused.sh 's/return d.n == 1 ? value : -1/return value/' \
  'numbers that are set twice'
mutant barrier.c refused.sh 's/next <= PAIR_BARRIERS/next < 99/' \
  'more barriers than there are'
mutant barrier.c refused.sh 's/side->id_counted\[id\] = true;/;/' \
  'a number with and without a count'

# Threads that leave.
mutant leave.c kernels.sh 's/  return found;$/  return false;/' \
  'nobody seems to leave early'
mutant leave.c random.sh 's/      case PTX_SR_NTID:/      case PTX_SR_TID:\n&/' \
  'threads seem to be alike'
mutant leave.c leave.sh 's/l->apart\[b\] || insn_varies/insn_varies/' \
  'registers that only some threads set'
mutant leave.c leave.sh 's/s->varies || (s->guarded \&\& \*now)/s->varies/' \
  'what a guard leaves as it was'
mutant leave.c leave.sh 's/if (f \&\& f->full_below)/if (0)/' \
  'barriers in functions'
mutant leave.c leave.sh 's/if (f->full_below \&\& func/if (f == side->funcs \&\& func/' \
  'functions that threads leave'
mutant leave.c leave.sh 's/|| insn->mod\[PTX_MC_SEM\]//' \
  'shared memory that changes meanwhile'
mutant leave.c leave.sh 's/loads_parameter (l, insn)/insn->space == PTX_SP_PARAM/' \
  'what functions return'
mutant leave.c leave.sh 's/if (pair_is_full (insn))/if (pair_is_barrier (insn))/' \
  'a reduction of some threads'
mutant leave.c leave.sh 's/b->succ\[k\], b->ipdom/b->succ[k], CFG_NONE/' \
  'where ways meet'
mutant leave.c leave.sh '/^part (/i\
part_marked (struct leaving *l, int from)\
{\
  const struct cfg_block *b = \&l->cfg->block[from];\
  int *stack = xcalloc (l->cfg->nblocks, sizeof *stack);\
  for (int k = 0; k < b->nsucc; k++)\
    cfg_flood (l->cfg, b->succ[k], b->ipdom, l->apart, stack);\
  free (stack);\
}\
static inline void
s/part (l, b);/part_marked (l, b);/' \
  'marks of an inner branch that stop those of an outer one'
mutant write.c kernels.sh 's/if (!side->drains || s->func/if (1 || s->func/' \
  'threads that leave do not come any more'
mutant settle.c random.sh 's/(ragged || pair_leaves_early/(pair_leaves_early/' \
  'lanes that the last warp lacks'
mutant settle.c refused.sh 's/if (side->several_full)/if (0)/' \
  'early exits and several barriers'
mutant settle.c refused.sh 's/if (side->red)/if (0)/' 'early exits and reductions'
mutant settle.c refused.sh 's/side->unit->target < PAIR_LANES_SM/0/' \
  'early exits on GPUs whose lanes go in step'

# Who works for which side.
mutant geometry.c kernels.sh 's/  return (threads + PAIR_WARP - 1)/&/; s/pair_warps_up (n));/pair_warps_up (n) + 32);/' \
  'a partition that is off by a warp'
mutant geometry.c kernels.sh '/pair_by_threads (p) && side->index)/,/first;/d' \
  'threads of the second side that count from elsewhere'
mutant geometry.c kernels.sh 's/rem.u32 #%s_x/div.u32 #%s_x/' 'x of a box'
mutant geometry.c kernels.sh 's/setp.eq.u32 #q, %s, #%s_x;/setp.ne.u32 #q, %s, #%s_x;/' \
  'a box that is taken for a line'
mutant geometry.c kernels.sh 's/setp.ge.u32 #q, #block, #n;/setp.gt.u32 #q, #block, #n;/' \
  'a block that a grid does not have'
mutant geometry.c kernels.sh '/^write_surplus/,/^}/s/setp.ge/setp.gt/' \
  'a thread too many in a block'
mutant geometry.c random.sh 's/add.u32 #t, #t, #n;/add.u32 #t, #t, 1;/' \
  'blocks of the grid shared out wrong'
mutant geometry.c kernels.sh 's/shr.u32 #warpid, #thread, 5/mov.u32 #warpid, %%warpid/' \
  'warps that count from the block'"'"'s first'
mutant reach.c kernels.sh 's/PAIR_V_##id != PAIR_V_DYNAMIC || p->moves_dynamic/PAIR_V_##id > PAIR_V_TID_X/' \
  'x of a thread is not its own'

# Shared memory.
mutant reach.c kernels.sh '/^name_shared/,/^}/s/pair_by_threads (p)/0/; s/f->shared || f->barriers/f->barriers/' \
  'shared variables of the unit that are one'
mutant geometry.c kernels.sh 's/add.u32 #offset, #dynamic_size, %u;", side->align - 1/mov.u32 #offset, %u;", side->align - 1/' \
  'dynamic shared memory in one place'
mutant geometry.c kernels.sh 's/sub.u32 #dynamic_size, #t, #offset/mov.u32 #dynamic_size, #t/' \
  'the size of dynamic shared memory'
mutant write.c kernels.sh 's/  if (!from->off)/  if (1)/' 'an offset in dynamic shared memory'
mutant reach.c kernels.sh 's/      name_after_side (p, side, f->f->sym->name);/      ;/' \
  'functions of both sides that are one'
mutant geometry.c kernels.sh 's/bar.sync %u, #count;", side->id/mov.u32 #t, %u;", side->id/' \
  'a record that is read too early'

# Units.
mutant unit.c refused.sh 's/if (!other)/if (1)/' 'names of both units'
mutant unit.c refused.sh 's/old->target < PAIR_LANES_SM/0/' 'lanes in step'
mutant unit.c refused.sh 's/if (lost.version \&\&/if (0 \&\&/' 'instructions that are gone'
mutant accept.c refused.sh 's/if (sym)$/if (0)/' 'special registers that are new'
mutant accept.c refused.sh 's/return find_rule/&/; s/if (begins (mnemonic, rules\[i\].what))/if (0)/' \
  'instructions that are refused'
mutant settle.c refused.sh 's/if (forms_clusters/if (0 \&\& forms_clusters/' 'clusters'
mutant settle.c refused.sh 's/side->indirect \&\& f->copy/0/' 'calls by address'
mutant reach.c refused.sh 's/if (f->exit/if (0/' 'functions that end the thread'
done_testing
