# What only the solver can see: addresses that are put together from bits, stores
# that control never comes to.  And what it cannot see in time.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/common.sh"

# becomes WHAT PATTERN: the kernel in $tmp/in.ptx, and what is in its place.
becomes () {
  post
  is $? 0 "$1: no error"
  like "$(cat "$tmp/out.ptx")" "$2" "$1"
}

# %k is %i, bit by bit; %i + 1 is not, for it may wrap around.
bits='and.b32 %j, %i, 31; and.b32 %k, %i, -32; or.b32 %k, %j, %k;
mul.wide.u32 %s, %k, 4; add.u64 %s, %s, %a;'
kernel "$bits" '%s' '%s+8' >"$tmp/in.ptx"
becomes 'the lane two further on, by bits' 'shfl\.sync\.down\.b32 %f2, .*, 2, 31'
kernel "$bits" '%s' '%s' >"$tmp/in.ptx"
becomes 'the same, by bits' 'mov\.b32 %f2, '

# Half of the lanes differ.
kernel 'and.b32 %j, %i, 15; and.b32 %k, %i, -32; or.b32 %k, %j, %k;
mul.wide.u32 %s, %k, 4; add.u64 %s, %s, %a;' '%s' '%s+4' >"$tmp/in.ptx"
post
unlike "$(cat "$tmp/out.ptx")" 'shfl' "bits that are lost: nothing"

# A minimum that never is one, and one that may be.
for limit in 1023 1000; do
  kernel "min.u32 %k, %i, $limit; mul.wide.u32 %s, %k, 4; add.u64 %s, %s, %a;" \
    '%s' '%s+4' >"$tmp/in.ptx"
  post
  case $limit in
    1023) like "$(cat "$tmp/out.ptx")" 'shfl' "a minimum with 1023, the last thread" ;;
    *) unlike "$(cat "$tmp/out.ptx")" 'shfl' "a minimum with $limit: nothing" ;;
  esac
done

# store CONDITION: a store under it and %n > 5, between the two loads.
store () {
  kernel '' '%t' '%t+4' "setp.le.u32 %p, %n, 5; @%p bra OVER;
setp.$1; @!%q bra OVER; st.global.f32 [%t+4], %f1; OVER:" >"$tmp/in.ptx"
}
store 'lt.u32 %q, %n, 3'
becomes 'a store where n > 5 and n < 3' 'shfl'
store 'lt.u32 %q, %n, 7'
post
unlike "$(cat "$tmp/out.ptx")" 'shfl' "a store where n > 5 and n < 7 is one"

# deep N: the same of a number that N operations lead to.  With many of them nothing is
# asked: Z3 may take long, and no public kernel has had an answer.
deep () {
  steps=$(seq "$1" | sed 's/.*/xor.b32 %y, %y, 5; min.u32 %y, %y, %n;/')
  kernel '' '%t' '%t+4' ".reg .u32 %y; mov.u32 %y, %n; $steps
setp.le.u32 %p, %y, 5; @%p bra OVER;
setp.lt.u32 %q, %y, 3; @!%q bra OVER; st.global.f32 [%t+4], %f1; OVER:" >"$tmp/in.ptx"
}
deep 8
becomes 'a store where y > 5 and y < 3, which 16 operations make' 'shfl'
deep 30
post
unlike "$(cat "$tmp/out.ptx")" 'shfl' "which 60 operations make: not asked"

# ways CONDITION FIRST SECOND: FIRST, unless CONDITION; then, where n > 7, a load of
# the address SECOND.
ways () {
  kernel '' '%t' "$3" "setp.$1; @%p bra OVER; $2 OVER:
setp.le.u32 %q, %n, 7; @%q ret;" >"$tmp/in.ptx"
}
first='ld.global.f32 %f3, [%t+640];'
ways 'le.u32 %p, %n, 5' "$first" '%t+644'
becomes 'a load where n > 5, one where n > 7' 'shfl\.sync\.down\.b32 %f2, .*, 1, 31'
ways 'le.u32 %p, %n, 9' "$first" '%t+644'
post
unlike "$(cat "$tmp/out.ptx")" 'shfl' "a load where n > 9, one where n > 7: nothing"
ways 'le.u32 %p, %n, 7' "$first" '%t+644'
post --proof-ms=0
like "$(cat "$tmp/out.ptx")" 'shfl' "two loads where n > 7: no question to the solver"
store='st.global.f32 [%t+4], %f1;'
ways 'gt.u32 %p, %n, 5' "$store" '%t+4'
becomes 'a store where n <= 5, a load where n > 7' 'shfl'
ways 'gt.u32 %p, %n, 8' "$store" '%t+4'
post
unlike "$(cat "$tmp/out.ptx")" 'shfl' "a store where n <= 8, a load where n > 7: nothing"
kernel '' '%t' '%t+4' 'mov.u32 %m, 0; LOOP: add.u32 %m, %m, 1; setp.gt.u32 %p, %m, 5;
@%p bra OVER; st.global.f32 [%t+4], %f1; bra LOOP; OVER:' >"$tmp/in.ptx"
post
unlike "$(cat "$tmp/out.ptx")" 'shfl' "a store in iterations before the last: nothing"

# guards FIRST SECOND: where %k, which is %i less 3, and %m, one more, are below these
# limits, loads of the words at %k and %m; the index may be in range in one lane only.
guards () {
  kernel 'sub.u32 %k, %i, 3; sub.u32 %m, %i, 2; .reg .s64 %x;
cvt.s64.s32 %x, %k; shl.b64 %x, %x, 2; add.u64 %s, %x, %a;' '%s' '%s+4' \
    "OVER: setp.ge.$2; @%q ret;" | sed "/ld.global.f32 %f1/i setp.ge.$1; @%p bra OVER;" \
    >"$tmp/in.ptx"
}
guards 'u32 %p, %k, %n' 'u32 %q, %m, %n'
becomes 'a load of the next word where that is in range' \
  'shfl\.sync\.down\.b32 %f2, .*, 1, 31'
like "$(cat "$tmp/out.ptx")" 'setp.ne.u32 \$acr_partial, \$acr_mask, -1' \
  '... in warps that are there with all lanes'
guards 's32 %p, %k, %n' 's32 %q, %m, %n'
becomes '... as signed numbers' 'shfl'
guards 'u32 %p, %k, 50' 'u32 %q, %m, 60'
post
unlike "$(cat "$tmp/out.ptx")" 'shfl' "... or be in range where the source is not: nothing"
guards 'u32 %p, %k, 60' 'u32 %q, %m, 50'
becomes '... a larger range of the source' 'shfl'
post --proof-ms=0
unlike "$(cat "$tmp/out.ptx")" 'shfl' "... not without the solver"
# The source's lane is there by its own condition, too.
guards 'u32 %p, %k, %j' 'u32 %q, %m, %n'
post
unlike "$(cat "$tmp/out.ptx")" 'shfl' "a guard of something else: nothing"

# x * y = (x | y) * (x & y) + (x & ~y) * (y & ~x): true, and hard.
kernel 'xor.b32 %k, %i, %n; mad.lo.u32 %m, %i, %n, 77;
or.b32 %j, %k, %m; mul.wide.u32 %s, 0, 0;
.reg .u32 %x<9>;
mul.lo.u32 %x1, %k, %m;
and.b32 %x2, %k, %m; mul.lo.u32 %x2, %x2, %j;
not.b32 %x3, %m; and.b32 %x3, %x3, %k;
not.b32 %x4, %k; and.b32 %x4, %x4, %m;
mad.lo.u32 %x2, %x3, %x4, %x2;
mul.wide.u32 %s, %x1, 4; add.u64 %s, %s, %a;
mul.wide.u32 %t, %x2, 4; add.u64 %t, %t, %a; .reg .u64 %u; mov.u64 %u, %t;' \
  '%s' '%u' >"$tmp/in.ptx"
(post --proof-ms=200)
is $? 0 "a proof that takes too long: no error, in 10 s and 150 MB"
is "$(cat "$tmp/out.ptx")" "$(cat "$tmp/in.ptx")" "... and no change"
like "$(cat "$tmp/remarks")" 'proofs take more than 200 ms' "... and a remark"
done_testing
