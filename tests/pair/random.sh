# Random kernels, paired in every way, give what they give one after the other.
# PAIR_RUNS pairs, seeds from PAIR_SEED.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/pair-lib.sh"

seed=${PAIR_SEED:-1} last=$((${PAIR_SEED:-1} + ${PAIR_RUNS:-20}))
paired=0 refused=0 sizes=0
# A pair may be refused: of these reasons.
reasons='several numbers|has a count, too|reduce over the whole block'
reasons="$reasons|shared memory is that of both|together they need"
try () {
  name=$1 script=$2
  shift 2
  if "$post" --pair "$@" -o pair.ptx 2>log; then
    paired=$((paired + 1))
    "$run" "$script" pair.ptx >got 2>log
    status=$?
    [ $status -ne 3 ] || { sizes=$((sizes + 1)); return; }
    [ $status -eq 0 ] && cmp -s want got \
      || { ok 1 "seed $seed, $name"; diag "$(head -n 9 log; diff want got)"; }
    accepts pair.ptx \
      || { ok 1 "seed $seed, $name: ptxas takes it"; diag "$(head -n 5 log)"; }
  else
    refused=$((refused + 1))
    grep -Eq "$reasons" log \
      || { ok 1 "seed $seed, $name: refused"; diag "$(cat log)"; }
  fi
}
while [ $seed -lt $last ]; do
  "$builddir/random-pairs" $seed
  two=b.ptx:one
  [ -e b.ptx ] || two=a.ptx:two
  "$run" own >want 2>log \
    || { ok 1 "seed $seed: one after the other"; diag "$(head -n 9 log)"; }
  try 'blocks as parameters' own a.ptx:one $two
  try 'blocks fixed' own a.ptx:one $two --registers=64 \
    "--blocks=$(awk '/^kernel/ { printf "%s%s", n++ ? "/" : "", $5 }' own)"
  try 'blocks of the grid' own a.ptx:one $two --partition=block
  "$run" line >want 2>log \
    || { ok 1 "seed $seed: along x"; diag "$(head -n 9 log)"; }
  try 'shares' line a.ptx:one $two --partition=thread:2/1
  rm -f b.ptx
  seed=$((seed + 1))
done
[ $paired -gt $((3 * refused)) ]
ok $? "$paired pairs, $refused refused, $sizes not for their blocks"
[ "$tap_failed" -eq 0 ]; ok $? "all with the same results"
done_testing
