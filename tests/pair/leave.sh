# Where threads may leave a block while others still meet at its barriers, those
# that leave keep to the barriers; elsewhere they do not have to.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/pair-lib.sh"

# leaves yes|no NAME BODY [DECLARATIONS]: of a kernel whose %r0 is the thread, %r1
# the block and %w0 a parameter.
leaves () {
  printf '.version 7.0\n.target sm_70\n.address_size 64\n%s
.visible .entry k (.param .u64 a) {\n.reg .b32 %%r<9>;\n.reg .b64 %%w<9>;
.reg .pred %%p<9>;\nmov.u32 %%r0, %%tid.x;\nmov.u32 %%r1, %%ctaid.x;
ld.param.u64 %%w0, [a];\n%s\nret;\n}\n.visible .entry plain { ret; }\n' \
    "$4" "$3" >u.ptx
  "$post" --pair u.ptx:k u.ptx:plain -o pair.ptx 2>log && accepts pair.ptx \
    || { ok 1 "$2: is made"; diag "$(cat log)"; return; }
  is "$(grep -c 'early-exits=kept' pair.ptx)" \
    "$([ "$1" = no ] && echo 0 || echo 1)" "$2: $1"
}

leaves no 'no branch' 'bar.sync 0;'
leaves no 'no barrier' 'setp.eq.u32 %p0, %r0, 3; @%p0 exit;'
leaves yes 'some threads end' 'setp.eq.u32 %p0, %r0, 3; @%p0 exit; bar.sync 0;'
leaves yes 'some threads return' \
  'setp.eq.u32 %p0, %r0, 3; @%p0 ret; barrier.sync 0;'
leaves yes 'some threads go to the end' \
  'setp.eq.u32 %p0, %r0, 3; @%p0 bra $L; bar.sync 0; $L: st.global.u32 [%w0], %r0;'
leaves no 'a block ends' 'setp.eq.u32 %p0, %r1, 3; @%p0 exit; bar.sync 0;'
leaves no 'all barriers are before' \
  'bar.sync 0; setp.eq.u32 %p0, %r0, 3; @%p0 exit; st.global.u32 [%w0], %r0;'
leaves no 'ways meet before the barrier' \
  'setp.eq.u32 %p0, %r0, 3; @%p0 bra $L; st.global.u32 [%w0], %r0; $L: bar.sync 0;'
leaves no 'a loop of as many rounds for all' \
  'mov.u32 %r2, 9; $L: bar.sync 0; sub.u32 %r2, %r2, 1; setp.ne.u32 %p0, %r2, 0; @%p0 bra $L;'
leaves yes 'a loop of rounds of their own' \
  'mov.u32 %r2, %r0; $L: bar.sync 0; sub.u32 %r2, %r2, 1; setp.ne.u32 %p0, %r2, 0; @%p0 bra $L;'
leaves no 'a register that is used again' \
  'setp.eq.u32 %p0, %r0, 3; @%p0 st.global.u32 [%w0], %r0; setp.eq.u32 %p0, %r1, 3; @%p0 exit; bar.sync 0;'
leaves yes 'what some threads set' \
  'mov.u32 %r2, 0; setp.eq.u32 %p0, %r0, 3; @%p0 bra $L; mov.u32 %r2, 1; $L: setp.eq.u32 %p1, %r2, 1; @%p1 exit; bar.sync 0;'
leaves yes 'what some threads set, by a guard' \
  'mov.u32 %r2, 0; setp.eq.u32 %p0, %r0, 3; @%p0 mov.u32 %r2, 1; setp.eq.u32 %p1, %r2, 1; @%p1 exit; bar.sync 0;'
leaves yes 'what a guard may leave as it was' \
  'mov.u32 %r2, %r0; setp.eq.u32 %p0, %r1, 3; @%p0 mov.u32 %r2, 1; setp.eq.u32 %p1, %r2, 1; @%p1 exit; bar.sync 0;'
leaves yes 'what a loop has set' \
  'mov.u32 %r2, 0; mov.u32 %r3, %r0; $L: add.u32 %r2, %r2, 1; sub.u32 %r3, %r3, 1; setp.gt.s32 %p0, %r3, 0; @%p0 bra $L; setp.eq.u32 %p1, %r2, 1; @%p1 exit; bar.sync 0;'
# The inner branch is known to part threads before the outer one is.
leaves yes 'what some threads set, behind another branch in a loop' \
  'mov.u32 %r2, 0; mov.u32 %r3, 0; mov.u32 %r4, 9;
$L: setp.ne.u32 %p0, %r3, 0; @%p0 bra $M;
setp.eq.u32 %p1, %r0, 3; @%p1 bra $T; st.global.u32 [%w0], %r0; bra $X;
$T: st.global.u32 [%w0+4], %r0;
$X: mov.u32 %r2, %r4;
$M: add.u32 %r3, %r3, %r0; sub.u32 %r4, %r4, 1;
setp.ne.u32 %p1, %r4, 0; @%p1 bra $L;
setp.eq.u32 %p1, %r2, 1; @%p1 exit; bar.sync 0;'
leaves yes 'a barrier in a function' \
  'setp.eq.u32 %p0, %r0, 3; @%p0 exit; call f;' '.func f { bar.sync 0; ret; }'
leaves yes 'a barrier in a function of a function' \
  'setp.eq.u32 %p0, %r0, 3; @%p0 exit; call g;' '.func f { bar.sync 0; ret; }
.func g { call f; ret; }'
leaves yes 'a barrier behind an alias' \
  'setp.eq.u32 %p0, %r0, 3; @%p0 exit; call g;' '.visible .func g;
.visible .func f { bar.sync 0; ret; }
.alias g, f;'
leaves yes 'some threads go out of a function' 'call f;' \
  '.func f { .reg .b32 %t; .reg .pred %p; mov.u32 %t, %tid.x; setp.eq.u32 %p, %t, 3; @%p ret; bar.sync 0; ret; }'
leaves no 'all threads go through a function' 'call f;' \
  '.func f { .reg .b32 %t; .reg .pred %p; mov.u32 %t, %ctaid.x; setp.eq.u32 %p, %t, 3; @%p ret; bar.sync 0; ret; }'
leaves no 'a function without one' \
  'bar.sync 0; setp.eq.u32 %p0, %r0, 3; @%p0 exit; call f;' '.func f { ret; }'
leaves no 'a barrier with a count' 'setp.eq.u32 %p0, %r0, 3; @%p0 exit; bar.sync 1, 32;'
leaves no 'what a reduction gives' \
  'setp.eq.u32 %p0, %r0, 3; bar.red.or.pred %p1, 0, %p0; @%p1 exit; bar.sync 0;'
leaves yes 'what some threads reduce' \
  'setp.eq.u32 %p0, %r0, 3; bar.red.or.pred %p1, 1, 64, %p0; @%p1 exit; bar.sync 0;'
s='.shared .align 4 .b32 s;'
leaves no 'what all load from shared memory' \
  'bar.sync 0; ld.shared.u32 %r2, [s]; setp.eq.u32 %p0, %r2, 3; @%p0 exit; bar.sync 0;' "$s"
leaves yes 'what each loads from shared memory' \
  'bar.sync 0; shl.b32 %r3, %r0, 2; ld.shared.u32 %r2, [%r3]; setp.eq.u32 %p0, %r2, 3; @%p0 exit; bar.sync 0;' "$s"
leaves yes 'what others may change meanwhile' \
  'bar.sync 0; ld.volatile.shared.u32 %r2, [s]; setp.eq.u32 %p0, %r2, 3; @%p0 exit; bar.sync 0;' "$s"
leaves yes 'global memory' \
  'ld.global.u32 %r2, [%w0]; setp.eq.u32 %p0, %r2, 3; @%p0 exit; bar.sync 0;'
leaves no 'read-only memory' \
  'ld.global.nc.u32 %r2, [%w0]; setp.eq.u32 %p0, %r2, 3; @%p0 exit; bar.sync 0;'
leaves yes 'what a function gives' \
  '{ .param .b32 b; call (b), f; ld.param.b32 %r2, [b]; } setp.eq.u32 %p0, %r2, 3; @%p0 exit; bar.sync 0;' \
  '.func (.param .b32 r) f { .reg .b32 %t; mov.u32 %t, %tid.x; st.param.b32 [r], %t; ret; }'
leaves yes 'lanes' \
  'mov.u32 %r2, %laneid; setp.eq.u32 %p0, %r2, 3; @%p0 exit; bar.sync 0;'
leaves yes 'a vote' \
  'setp.eq.u32 %p0, %r0, 3; vote.sync.any.pred %p1, %p0, -1; @%p1 exit; bar.sync 0;'
leaves yes 'an instruction that the tables do not know' \
  'setp.eq.u32 %p0, %r1, 3; @%p0 exit; istypep.texref %p1, %w0; bar.sync 0;'
done_testing
