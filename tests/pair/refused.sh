# What cannot be paired is refused with the reason, and nothing is written.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/pair-lib.sh"

head='.version 8.0
.target sm_90
.address_size 64'
# unit FILE BODY [DECLARATIONS [HEAD [DIRECTIVES]]]: a kernel k that does that,
# and one that does nothing.
unit () {
  printf '%s\n%s\n' "${4:-$head}" "$3" >"$1"
  printf '.visible .entry k (.param .u64 a) %s {\n' "$5" >>"$1"
  printf '.reg .b32 %%r<9>; .reg .b64 %%w<9>; .reg .pred %%p<9>;\n' >>"$1"
  printf '%s\nret;\n}\n.visible .entry plain (.param .u64 a) { ret; }\n' "$2" \
    >>"$1"
}
# no NAME REASON A:K B:K OPTION...
no () {
  what=$1 reason=$2
  shift 2
  echo precious >pair.ptx
  "$post" --pair "$@" -o pair.ptx 2>log
  is "$?" 1 "$what: refused"
  like "$(cat log)" "is not paired: .*$reason" "$what: says why"
  is "$(cat pair.ptx)" precious "$what: writes nothing"
}
# body NAME REASON BODY [DECLARATIONS [OPTION]]
body () {
  unit u.ptx "$3" "$4"
  no "$1" "$2" u.ptx:k u.ptx:plain $5
}
yes () {
  what=$1
  shift
  "$post" --pair "$@" -o pair.ptx 2>log && accepts pair.ptx
  ok $? "$what: taken" || diag "$(cat log)"
}

body 'a computed barrier' 'number is computed' \
  'ld.param.u32 %r1, [a]; bar.sync %r1, 64;'
like "$(cat log)" '^ptx-post: u.ptx:7: k is not paired' \
  "a computed barrier: says where"
body 'a barrier number set twice' 'number is computed' \
  'mov.u32 %r1, 1; mov.u32 %r1, 2; bar.sync %r1, 64;'
unit u.ptx 'mov.u32 %r1, 1; bar.sync %r1, 64;'
yes 'a barrier number in a register' u.ptx:k u.ptx:plain
unit u.ptx 'ld.param.u32 %r1, [a]; bar.sync %r1, 64;'
yes 'a computed barrier, whole blocks' u.ptx:k u.ptx:plain --partition=block
body 'the grid of a launch' '%gridid' 'mov.u64 %w1, %gridid;'
body 'cooperative launches' 'nothing is known' 'mov.u32 %r1, %envreg2;'
body 'all of shared memory' '%total_smem_size' 'mov.u32 %r1, %total_smem_size;'
body 'clusters by a register' 'clusters' 'mov.u32 %r1, %cluster_ctarank;'
body 'clusters by a barrier' 'clusters' 'barrier.cluster.arrive; barrier.cluster.wait;'
body 'clusters by an address' 'clusters' 'mapa.u64 %w1, %w2, 1;'
body 'dependent launches' 'dependent launch' 'griddepcontrol.wait;'
body 'registers that move' 'registers between warps' 'setmaxnreg.dec.sync.aligned.u32 40;'
body 'warps in fours' 'warps in fours' 'wgmma.fence.sync.aligned;'
body 'an unknown instruction' 'frobnicate.u32 is not understood' 'frobnicate.u32 %r1, %r2;'
body 'an unknown statement' 'statement that is not understood' '.frobnicate 5;'
body 'a vector of places' 'a vector of special registers' \
  '.reg .v4 .u32 v; mov.v4.u32 v, %tid;'
body 'code of another unit' 'calls far, whose code is not here' 'call far;' \
  '.extern .func far;'
body 'shared memory of another unit' 'another unit defines' \
  'ld.shared.u32 %r1, [there];' '.extern .shared .align 4 .b32 there[32];'
unit u.ptx 'ld.shared.u32 %r1, [there];' \
  '.extern .shared .align 4 .b32 there[32];'
"$post" --pair u.ptx:k u.ptx:plain --partition=block -o pair.ptx 2>log
ok $? "shared memory of another unit, whole blocks: taken"
body 'dynamic shared memory of a function' 'd: dynamic shared memory of' \
  '.extern .shared .align 4 .b8 d[]; ld.shared.u32 %r1, [d];'
body 'a function by its address' 'by their addresses, and f depends' \
  'mov.u64 %w1, f; call %w1, (), proto;' \
  '.func f { .reg .b32 %r; mov.u32 %r, %tid.x; ret; }
proto: .callprototype _ ();'
body 'a function that ends threads' 'a function ends the thread' \
  'call f; bar.sync 0;' '.func f { exit; }'
body 'several barriers and early exits' 'several numbers' \
  'mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 3; @%p1 exit; bar.sync 0; bar.sync 1;'
body 'one barrier with and without a count' 'barrier 0 is of the whole block and has' \
  'mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 3; @%p1 exit; bar.sync 0; bar.sync 0, 64;'
unit u.ptx 'ld.shared.u32 %r1, [much];' '.shared .align 4 .b8 much[30000];'
no 'too much shared memory' 'together they have 60000 bytes' u.ptx:k u.ptx:k
body 'a reduction and early exits' 'reduce over the whole' \
  'mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 3; @%p1 exit; bar.red.popc.u32 %r2, 0, %p1;'
unit u.ptx "$(for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
		echo "bar.sync $i, 64;"; done)"
yes 'all barriers there are' u.ptx:k u.ptx:plain
sed -i 's/entry plain (.param .u64 a) {/& bar.sync 0;/' u.ptx
no 'more barriers than there are' 'they need 17 barriers' u.ptx:k u.ptx:plain

# Directives and sizes.
unit u.ptx '' '' '' '.reqntid 64, 1, 1'
no 'shares of a fixed block' 'leaves no shares' u.ptx:k u.ptx:plain \
  --partition=thread:1/1
no 'another block' 'wants other blocks' u.ptx:k u.ptx:plain --blocks=32/32
yes 'its own block' u.ptx:k u.ptx:plain --blocks=64/32
grep -q '^.reqntid 96, 1, 1' pair.ptx; ok $? "which the pair wants, too"
no 'too large blocks' 'blocks of 1088 threads' u.ptx:k u.ptx:plain --blocks=/1024
unit u.ptx '' '' '' '.reqnctapercluster 2, 1, 1'
no 'clusters by a directive' 'clusters' u.ptx:k u.ptx:plain
unit u.ptx '' '.visible .entry big (.param .align 8 .b8 b[4096]) { ret; }' \
  '.version 7.0
.target sm_70
.address_size 64'
no 'too many parameters' 'more than 4096 bytes' u.ptx:k u.ptx:big

# Dynamic shared memory of which one reads the size.
unit u.ptx 'mov.u32 %r1, %dynamic_smem_size; st.shared.u32 [d], %r1;' \
  '.extern .shared .align 16 .b8 d[];'
no 'the size of shared memory' 'dynamic_smem_size' u.ptx:k u.ptx:k \
  --partition=block
yes 'the size of shared memory, threads' u.ptx:k u.ptx:k

# Two units.
unit a.ptx '' '' '.version 6.0
.target sm_35
.address_size 32'
no 'addresses of 32 bits' 'address_size 64' a.ptx:k a.ptx:k
unit a.ptx 'bar.sync 0;' '' '.version 6.0
.target sm_35
.address_size 64'
unit b.ptx 'bar.sync 0;'
no 'lanes in step and independent ones' 'work in step' a.ptx:k b.ptx:k
unit a.ptx 'mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 3; @%p1 exit; bar.sync 0;' \
  '' '.version 6.0
.target sm_60
.address_size 64'
no 'early exits of lanes in step' 'takes sm_70' a.ptx:k a.ptx:k
unit a.ptx '' '' '.version 8.0
.target sm_90a
.address_size 64'
unit b.ptx '' '' '.version 8.6
.target sm_100
.address_size 64'
no 'an architecture and another one' 'for sm_90 only' a.ptx:k b.ptx:k
unit a.ptx 'shfl.idx.b32 %r1, %r1, 0, 31;' '' '.version 6.0
.target sm_70
.address_size 64'
unit b.ptx ''
no 'an instruction that is gone' 'not in PTX 8.0' a.ptx:k b.ptx:k
unit a.ptx '' '.extern .func (.param .b32 r) vprintf (.param .b64 x, .param .b64 y);'
unit b.ptx '' '.extern .func (.param .b32 r) vprintf (.param .b64 x);'
no 'other declarations' 'declares vprintf otherwise' a.ptx:k b.ptx:k
unit b.ptx '' '.visible .func (.param .b32 r) vprintf (.param .b64 x, .param .b64 y) { ret; }'
no 'what one declares and the other defines' 'link them first' a.ptx:k b.ptx:k
unit b.ptx '' '.global .texref pictures;'
no 'textures by name' 'declaration that is not understood' a.ptx:k b.ptx:k

# Names of both: the second unit's change, and its text with them.
unit a.ptx 'ld.global.u32 %r1, [x]; call f;' '.visible .global .b32 x = 5;
.func f { ret; }'
unit b.ptx '/* one *//* two */ ld.global.u32 %r1, [x]; call f;' \
  '.visible .global .b32 x = 7;
.func f { .reg .b32 x; ret; }'
yes 'names that both units have' a.ptx:k b.ptx:k
like "$(cat pair.ptx)" '^// accrete pair: renamed file=b.ptx from=x to=x_2$' \
  "the comments say it"
is "$(grep -c 'ld.global.u32 %r1, \[x_2\];' pair.ptx)" 2 "uses have the new name"
unit a.ptx 'call f;' '.func f { bar.sync 0; ret; }'
unit b.ptx 'call f;' '.func f { bar.sync 1; ret; }'
yes 'functions with barriers that have one name' a.ptx:k b.ptx:k

# The command line.
bad () {
  what=$1 reason=$2
  shift 2
  "$post" "$@" >out 2>log
  is "$?" 1 "$what: an error"
  like "$(cat log)" "$reason" "$what: named"
}
bad 'one kernel' 'takes two kernels' --pair a.ptx:k
bad 'three kernels' 'too many' --pair a.ptx:k a.ptx:k a.ptx:k
bad 'a missing file' 'none.ptx: No such file' --pair a.ptx:k none.ptx:k
bad 'a missing kernel' 'no kernel frob' --pair a.ptx:k b.ptx:frob
bad 'a kernel without a name' 'more than one kernel' --pair a.ptx b.ptx:k
bad 'a partition' 'not a partition: half' --pair --partition=half a.ptx:k b.ptx:k
bad 'shares of nothing' 'not a partition' --pair --partition=thread:0/1 a.ptx:k b.ptx:k
bad 'a block' 'not sizes of two blocks' --pair --blocks=32 a.ptx:k b.ptx:k
bad 'registers' 'not a number of registers' --pair --registers=64,48 a.ptx:k b.ptx:k
printf '.version 6.0\n.target sm_30\n  mov.u32 %%r1, 5' >cut.ptx
bad 'a cut file' 'cut.ptx:3:3: error' --pair a.ptx:k cut.ptx:k
"$post" --pair a.ptx:k b.ptx:k --explain 2>&1 >out | grep -q 'kernel=k__k'
ok $? "--explain says what the comments do"
done_testing
