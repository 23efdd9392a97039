# Random kernels, compiled by GCC with each pass alone and with all in every
# order, give the same results bit for bit; and no load that readonly rewrites
# is of data that its kernel changes, which the emulated GPU's checker sees.
# RANDOM_RUNS programs for each way to compile, seeds from RANDOM_SEED.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/random-lib.sh"

# The pass entry, which OpenMP's SPMD kernels need, may come at any time.
# shuffle comes last where it follows what the others wrote.
orders='addrspace,readonly,shuffle addrspace,shuffle,readonly
  readonly,addrspace,shuffle readonly,shuffle,addrspace
  shuffle,addrspace,readonly shuffle,readonly,addrspace'

nc=0 seed=${RANDOM_SEED:-1} last=$((${RANDOM_SEED:-1} + ${RANDOM_RUNS:-1}))
while [ $seed -lt $last ]; do
  for way in 'acc -O2' 'acc -O0' 'omp -O2'; do
    name="seed $seed, $way"
    # shellcheck disable=SC2086  # two words
    compile $seed $way || { ok 1 "$name: compiles"; diag "$(cat log)"; continue; }
    link entry && want=$(run)
    like "$want" '^region 0 ' "$name: runs without passes"
    is "$(check)" '' "$name: and is right"
    wrong=
    for order in addrspace readonly shuffle $orders; do
      link entry "$order" && out=$(run)
      [ "$out" = "$want" ] || wrong="$wrong $order"
    done
    link addrspace,readonly,shuffle entry && out=$(run)
    [ "$out" = "$want" ] || wrong="$wrong entry-last"
    is "$wrong" '' "$name: the same with passes, in any order"
    is "$(check)" '' "$name: no stale reads"
    nc=$((nc + $(grep -c 'ld\.global\.nc' result.s)))
  done
  seed=$((seed + 1))
done
[ $nc -gt 0 ]; ok $? "and there were read-only loads ($nc)"
done_testing
