# Can the tests fail?  Each mutant is a small change to the plugin, built in a
# temporary folder; a case or a generated program must find it.
#
# MUTANTS  names of some, all by default
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"

# Name, file of the plugin, change (sed).
list='
one-iteration-less spmd-space.cc s/"trips", trips + 1/"trips", trips + 0/
wrong-last-owner spmd-kernel.cc s/"number", k + 1/"number", k + 2/
reduction-race spmd-reduce.cc /c.if_ (lane == 0,/{n;d;}
everybody-adds spmd-reduce.cc s/alone = val (block->size) </alone = val (block->size) !=/
no-thread-limit spmd-place.cc s/limit (place->threads,$/limit (c.let ("n", place->threads),/
no-chunks spmd-deal.cc s/!(last \&\& integer_onep (size))/!last/
cyclic-static spmd-deal.cc s/if (!size\[0\] \&\& !nest->tells)/if (!size[0])/
teams-in-turn spmd-deal.cc s/^  if (nest->tells \&\& teams \&\& threads/  if (false \&\& teams \&\& threads/
nothing-carried spmd-share.cc s/nest->carries = carries_p (&s);/nest->carries = false \&\& carries_p (\&s);/
tiles-in-turn spmd-deal.cc s/((c \&\& static_p (c))/((c \&\& static_p (c) \&\& !OMP_CLAUSE_OPERAND (c, 0))/
another-order spmd-nest.cc s/|| (order \&\& !OMP_CLAUSE_ORDER_UNCONSTRAINED (order))/|| (order \&\& false)/
unwritten-bound spmd-count.cc s/code_set (spmd_copy_expr (outside, gimple_assign_lhs (stmt)), value, seq)/gimple_seq_add_stmt (seq, gimple_build_assign (spmd_copy_expr (outside, gimple_assign_lhs (stmt)), value))/
no-members spmd-count.cc s/^  if (!member_p (nest, expr))/  if (!member_p (nest, expr) || true)/
region-gangs kernels-region.cc s/^    return \*var;/    return size;/
uncounted-teams spmd-place.cc s/(nest->asks || count)/(nest->asks || (count \&\& false))/
no-first-value spmd-own.cc s/if (p->copy_in/if (false \&\& p->copy_in/
wrong-direction spmd-space.cc s/r.down ? first - way/r.down ? first + way/
all-of-a-team-count spmd-kernel.cc s/spmd_reduce_grid (\&sharing->privates\[i\], leads,/spmd_reduce_grid (\&sharing->privates[i], leads ? NULL_TREE : leads,/
lost-warps spmd-object.cc s/{ merge_warps (p, mine/{ if (!block) merge_warps (p, mine/
stale-lanes spmd-object.cc s/{ spmd_start_object (p, mine, c); }/{}/
no-lock spmd-object.cc s/^      spmd_lock (c);//
half-a-section spmd-object.cc s/\*bias = tree_to_shwi/*bias = 0 * tree_to_shwi/
first-row-only spmd-test.cc s/c.set (left, left \& (left - 1));/c.set (left, 0);/
inner-bound spmd-acc.cc s/if (!steady_bounds_p (s, loop))/if (!steady_bounds_p (s, loop) \&\& false)/
bounds-of-now spmd-space.cc s/return c.let ("bound", bound);/return bound;/
any-gangs spmd-acc.cc s/if (n \&\& !integer_onep/if (n \&\& false \&\& !integer_onep/
lent-to-lanes spmd-share.cc s/\&\& !spmd_address_taken_p (nest, var)//
moved-variables call.cc s/ \&\& !s->bound;/;/
left-behind device.cc s/->offloadable = 1;/->offloadable = 0;/
any-call call.cc s/refuse (s, "a recursive function");/refuse (s, NULL);/
lost-factor spmd-index.cc s/(unsigned HOST_WIDE_INT) in_a \* factor/(unsigned HOST_WIDE_INT) in_a/
stale-sum spmd-index.cc s/if (!done)/if (!done \&\& false)/
shortest-row spmd-space.cc s/fold_build2 (MAX_EXPR, TREE_TYPE (n), trips, n)/fold_build2 (MIN_EXPR, TREE_TYPE (n), trips, n)/
outside-a-row spmd-kernel.cc s/^  spmd_space_inside (space, out, seq);//
second-before-first spmd.cc s/if (i \&\& spmd_one_block_p/if (false \&\& spmd_one_block_p/
many-teams spmd-level.cc s/|| nest->several || nest->asks/|| nest->asks/
one-loop-only spmd.cc s/while (loops->last ()->nest.more)/while (false)/
any-effect call.cc s/  if (s.why || s.looks || s.stores)/  if (s.why || s.looks)/
kept-values spmd-share.cc s/if (nest->several \&\& leaves_values_p/if (false \&\& leaves_values_p/
kept-address call.cc s/^  return !s.why \&\& !s.looks \&\& !s.stores \&\& !s.numbers$/  return !s.why \&\& !s.looks \&\& !s.stores/
stored-through lend.cc /^visit_store/,/^}/s/s->fails |= address/s->fails |= false \&\& address/
unknown-copy lend.cc s/^    s->changed |= !s->holders.add (lhs);/    ;/
lanes-in-step lone.cc s/build_zero_cst/build_one_cst/
any-result lend.cc s/^  return s.good == s.mentions;/  return true;/
no-inner-axis spmd-acc-axes.cc s/least_bit_hwi (l->inside | LATER) >> 1/least_bit_hwi (l->inside | LATER) >> 2/
all-make-calls spmd-accept.cc s/ \&\& call_access (call) == ACR_ACCESS_UNKNOWN/ \&\& false/
wrong-order spmd-acc-axes.cc s/^\treturn true;/\tcontinue;/
lost-carry spmd-space.cc s/carry = c.let ("carry", .*);/&carry = build_zero_cst (type);/
lost-turn spmd-tile.cc s/carry = c.let ("carry", over.as (unsigned_type_node));/carry = u32 (0);/
turns-too-far spmd-tile.cc s/select (over != 0, less, sum)/sum/
'

# Of teams with columns.
list="$list
columns-twice spmd-place.cc s/c.need (val (place->inside) != boolean_false_node, idle);/;/
columns-outside-store spmd-columns.cc s/val (place->inside) \\& val (val (place->part) == 0)/val (val (place->part) == 0)/
columns-run-on spmd-columns.cc 0,/spmd_meet (&place->team, c);/s/spmd_meet (&place->team, c);//
columns-lost-part spmd-columns.cc s/first + rank + lanes)/first + rank + lanes + lanes)/
columns-own-sum spmd-columns.cc s/slot (type, first + place->lane, c)/slot (type, first + rank, c)/
columns-lost-rows spmd-kernel.cc s/more, k, u64 (column_threads\\[i\\])/more, k, u64 (column_threads[0])/
columns-both-ways columns.cc s/|| (along == MOVE_NEXT \\&\\& over != MOVE_NOT)//
"

# Of kernels whose blocks are teams.
list="$list
block-nothing-in-between block-team.cc 0,/block_meet (c);/s/block_meet (c);//
block-no-beginning block-thread.cc s/if (b->loads)/if (false)/
block-loops-run-on block-thread.cc s/if (waits_p (loop) \\&\\& !w->combined)/if (false)/
block-always-last block-meet.cc s/u32 (last)/u32 (1)/
block-any-race block-race.cc s/(unordered ||/(true ||/
block-no-leak block-leak.cc s/^    s->leaks = true;/    s->leaks = false;/
block-kept block-leak.cc s/s->leaks |= call_keeps_p (call);//
block-first-knows block-alone.cc s/in->common |= !decl_temporary_p (lhs);//
block-one-team-each block.cc s/c.set (team, team + step);/c.set (team, teams);/
block-untold block-team.cc s/gimple_seq_add_stmt (\&seq, gimple_build_assign (lhs, slot));//
block-old-values block-share.cc s/else if (b->copied.contains (var))/else if (false)/
block-everybody-one block-thread.cc s/c.if_ (val (w->place->id) == one,/c.if_ (val (w->place->id) >= one,/
"

# Of small arrays.
list="$list
array-any-way unroll.cc s/^\t  all \\&= !loop->unroll$/\t  all \\&= true || !loop->unroll/
array-no-calls unroll.cc s/(gsi_stmt (gsi), true)/(gsi_stmt (gsi), false)/
array-any-subscript unroll.cc s/a.stays |= !follows_loops/a.stays |= false \\&\\& !follows_loops/
array-too-long unroll.cc s/MAX_ARRAY_TRIP = 32/MAX_ARRAY_TRIP = 33/
array-too-large unroll.cc s/MAX_ARRAY_BYTES = 256/MAX_ARRAY_BYTES = 65536/;s/MAX_ARRAY_ELEMENTS = 32/MAX_ARRAY_ELEMENTS = 64/;s/MAX_ARRAY_TRIP = 32/MAX_ARRAY_TRIP = 34/
array-too-much unroll.cc s/CALL_STATEMENTS = 50/CALL_STATEMENTS = 1/
"

build=$(cd "$top_builddir" && pwd)
src=$(cd "$top_srcdir" && pwd)

# Build the mutant of FILE by CHANGE into $tmp/stage.
build_mutant () {
  rm -rf "$tmp/plugin" "$tmp/src" "$tmp/stage"
  cp -Rp "$build/plugin" "$tmp/plugin"
  cp -Rp "$src/plugin" "$tmp/src"
  # They name the real source.
  find "$tmp/plugin" -path '*/.deps/*.Plo' -exec sh -c ': >"$1"' sh {} \;
  cp -R "$builddir/stage" "$tmp/stage"
  from=$(cd "$src/plugin" && find . -name "$1")
  sed "$2" "$src/plugin/$from" >"$tmp/src/$from"
  cmp -s "$src/plugin/$from" "$tmp/src/$from" && return 1
  rm -f "$tmp/plugin/${from%.cc}.lo" "$tmp/plugin/accrete-passes.la"
  $MAKE -C "$tmp/plugin" -o Makefile top_builddir="$build" top_srcdir="$src" \
    srcdir="$tmp/src" VPATH="$tmp/src" accrete-passes.la \
    >"$tmp/build.log" 2>&1 || { diag "$(tail "$tmp/build.log")"; return 1; }
  cp "$tmp/plugin/.libs/accrete-passes.so" \
    "$(find "$tmp/stage" -name accrete-passes.so)"
}

# A mutant's kernel may not come to its end.
ACCRETE_EMU_TIMEOUT=20
export ACCRETE_EMU_TIMEOUT

# Does anything fail with the mutant?
found () {
  SPMD_STAGE=$tmp/stage sh "$srcdir/arrays.sh" >"$tmp/log" 2>&1
  grep -q '^not ok' "$tmp/log" && return 0
  SPMD_STAGE=$tmp/stage sh "$srcdir/blocks.sh" >"$tmp/log" 2>&1
  grep -q '^not ok' "$tmp/log" && return 0
  for seed in 1 2; do
    SPMD_STAGE=$tmp/stage SPMD_SEEDS=$seed \
      sh "$srcdir/generated.sh" >"$tmp/log" 2>&1
    grep -q '^not ok' "$tmp/log" && return 0
  done
  SPMD_STAGE=$tmp/stage SPMD_CASES="$srcdir/cases/columns.c $srcdir/cases/forms.c $srcdir/cases/block.c $srcdir/cases/rejected.c \
    $srcdir/cases/last.c $srcdir/cases/triangle.c $srcdir/cases/several.c \
    $srcdir/cases/bounds.c $srcdir/cases/inside.c $srcdir/cases/reductions.c \
    $srcdir/cases/schedule.c $srcdir/cases/split.c $srcdir/cases/objects.c $srcdir/cases/calls.c \
    $srcdir/cases/index.c $srcdir/cases/openacc.c $srcdir/cases/rows.c \
    $srcdir/cases/own.c $srcdir/cases/callees.cc $srcdir/cases/lend.cc $srcdir/cases/simd.c \
    $srcdir/cases/covered.cc" \
    sh "$srcdir/spmd.sh" >"$tmp/log" 2>&1
  grep -q '^not ok' "$tmp/log" && return 0
  SPMD_STAGE=$tmp/stage sh "$srcdir/counts.sh" >"$tmp/log" 2>&1
  grep -q '^not ok' "$tmp/log" && return 0
  SPMD_STAGE=$tmp/stage sh "$srcdir/stock.sh" >"$tmp/log" 2>&1
  grep -q '^not ok' "$tmp/log"
}

MAKE=${MAKE:-make}
printf '%s\n' "$list" | grep . >"$tmp/list"
while read -r mutant file change; do
  case " ${MUTANTS-$mutant} " in
    *" $mutant "*) ;;
    *) continue ;;
  esac
  if build_mutant "$file" "$change"; then
    found
    ok $? "$mutant is found" && diag "by $(grep -m 1 '^not ok' "$tmp/log")"
  else
    ok 1 "$mutant can be built"
  fi
done <"$tmp/list"
done_testing
