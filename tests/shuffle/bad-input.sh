# Kernels that the pass shuffle does not understand, or that are too large, stay
# as they are, in bounded time and memory; a remark says why.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/common.sh"

# stays WHAT REMARK: $tmp/in.ptx does, because of REMARK.
stays () {
  post
  is $? 0 "$1: no error"
  is "$(cat "$tmp/out.ptx")" "$(cat "$tmp/in.ptx")" "$1: stays"
  like "$(cat "$tmp/remarks")" "$2" "$1: the remark"
}

kernel '' >"$tmp/in.ptx"
post
like "$(cat "$tmp/out.ptx")" 'shfl\.sync\.down' "without anything odd, it does not stay"

kernel 'TABLE: .branchtargets L1, L2;
and.b32 %j, %i, 1;
brx.idx %j, TABLE;
L1: add.u32 %i, %i, 1;
L2: add.u32 %i, %i, 1;' >"$tmp/in.ptx"
stays 'an indirect branch' 'indirect'

kernel 'and.b32 %j, %i, 1;
setp.eq.u32 %p, %j, 0;
@%p bra L2;
L1: add.u32 %i, %i, 1;
L2: add.u32 %i, %i, 3;
setp.lt.u32 %q, %i, 99;
@%q bra L1;' >"$tmp/in.ptx"
stays 'a loop with two entries' 'irreducible'

kernel 'frobnicate.u32 %j, %i;' >"$tmp/in.ptx"
stays 'an unknown instruction' 'k: '

# 10,000 instructions: loads of rows far from each other, and a loop around.
kernel "$(awk 'BEGIN {
  print "LOOP:"
  for (i = 0; i < 2500; i++) {
    print "mad.lo.u32 %j, %i, " i % 7 ", " i ";"
    print "mul.wide.u32 %t, %j, 4;"
    print "add.u64 %t, %t, %a;"
    print "ld.global.f32 %f" i % 99 ", [%t+" 4 * i "];"
  }
  print "add.u32 %i, %i, 32; setp.lt.u32 %q, %i, 999; @%q bra LOOP;" }')" \
  >"$tmp/in.ptx"
post
is $? 0 "10,000 instructions: in 10 s and 150 MB"
like "$(cat "$tmp/remarks")" 'shuffle' "10,000 instructions: a remark"

# A thousand loops, one in the other, and one behind the other.
for how in nested following; do
  kernel "$(awk -v how=$how 'BEGIN {
    n = 1000
    for (i = 0; i < n; i++) {
      print "L" i ":"
      if (how == "following")
	print "add.u32 %i, %i, 1; setp.lt.u32 %q, %i, " i "; @%q bra L" i ";"
    }
    for (i = n; how == "nested" && i--;)
      print "add.u32 %i, %i, 1; setp.lt.u32 %q, %i, " i "; @%q bra L" i ";" }')" \
    >"$tmp/in.ptx"
  post
  is $? 0 "$how loops: in 10 s and 150 MB"
  like "$(cat "$tmp/remarks")" 'shuffle' "$how loops: a remark"
done
done_testing
