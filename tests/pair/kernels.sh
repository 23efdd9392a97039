# Each kernel of kernels.ptx with itself and with each other one, in every
# partition: bit for bit what they give one after the other.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/pair-lib.sh"
cp "$srcdir/kernels.ptx" k.ptx

# kernel NAME SIDE FORM: a line of a script.  Form "own": blocks that suit it,
# "line": of 128 and 64 threads along x.
kernel () {
  o=@o$2 i=@i$2
  case $1 in
    map) args="$o $i 900" grid=3,2,1 block=96,1,1 dynamic=0 ;;
    reduce) args="$o $i" grid=7,1,1 block=128,1,1 dynamic=0 ;;
    turn) args="$o $i" grid=5,1,1 block=50,1,1 dynamic=$((208 + $2 * 12)) ;;
    place) args="$o" grid=3,2,2 block=5,4,3 dynamic=0 ;;
    early) args="$o $i 230" grid=4,1,1 block=100,1,1 dynamic=0 ;;
    lanes) args="$o $i" grid=4,1,1 block=96,1,1 dynamic=0 ;;
    calls) args="$o $i" grid=2,3,1 block=16,6,1 dynamic=0 ;;
    count) args="$o $i" grid=9,1,1 block=70,1,1 dynamic=0 ;;
  esac
  if [ "$3" = line ]; then
    block=$((192 - 64 * $2)),1,1
    grid=5,1,1 dynamic=$((dynamic ? 1024 : 0))
  fi
  echo "kernel ${4:-k.ptx} $1 $grid $block $dynamic $args"
}
script () {
  for s in 1 2; do
    printf 'buffer o%d 2000 0\nbuffer i%d 2000 %d\n' $s $s $((3 * s))
  done
  kernel $1 1 $3
  kernel $2 2 $3 "$4"
}
blocks () { awk '/^kernel/ { printf "%s%s", n++ ? "/" : "", $5 }' "$1"; }

all='map reduce turn place early lanes calls count'
done=
for a in $all; do
  done="$done $a"
  for b in $done; do
    script $a $b own >own && "$run" own >want
    ok $? "$a, $b: one after the other"
    pair "$a, $b: blocks as parameters" own k.ptx:$a k.ptx:$b
    pair "$a, $b: blocks fixed" own k.ptx:$a k.ptx:$b "--blocks=$(blocks own)"
    # Which part of shared memory is its own it could not read there.
    [ $a-$b = turn-turn ] \
      || pair "$a, $b: blocks of the grid" own k.ptx:$a k.ptx:$b --partition=block
    script $a $b line >line && "$run" line >want
    pair "$a, $b: shares" line k.ptx:$a k.ptx:$b --partition=thread:2/1
  done
done

# A launch against what the comments say traps.
# traps NAME VARIABLE VALUE A B OPTION...
traps () {
  what=$1 variable=$2 value=$3
  script $4 $5 own >own
  "$post" --pair k.ptx:$4 k.ptx:$5 $6 -o pair.ptx
  "$run" own pair.ptx >got 2>log
  ok $? "$what: right with the right size" || diag "$(cat log)"
  (export "$variable=$value"; ! "$run" own pair.ptx >got 2>log)
  ok $? "$what: ends"
  like "$(cat log)" 'trap' "$what: with a trap"
}
traps 'too large a block' PAIR_BLOCK 256 map reduce
traps 'too small a block' PAIR_BLOCK 192 map reduce
traps 'too small a grid' PAIR_GRID 6 map reduce
traps 'no shares' PAIR_BLOCK 40 map map --partition=thread:2/1
traps 'no share for the first' PAIR_BLOCK 32 map map --partition=thread:1/2
traps 'too small a block, whole blocks' PAIR_BLOCK 64 map reduce \
  --partition=block
traps 'too large a grid, whole blocks' PAIR_GRID 14 map reduce --partition=block
traps 'too little shared memory' PAIR_DYNAMIC 220 turn turn

# ptxas gives each its own shared memory, too, and the registers asked for.
if [ -n "$ptxas" ]; then
  "$post" --pair k.ptx:reduce k.ptx:early --blocks=128/128 --registers=24 \
    -o pair.ptx
  "$ptxas" -v -arch=sm_90 pair.ptx -o /dev/null 2>&1 \
    | grep -A 3 "'reduce__early'" >log
  like "$(cat log)" ' 8192 bytes smem' "shared memory lies side by side"
  like "$(cat log)" 'Used (1?[0-9]|2[0-4]) registers' "registers are bounded"
else
  skip "no ptxas" "shared memory lies side by side"
fi
done_testing
