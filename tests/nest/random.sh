# Random programs with nested regions print, on the emulated GPU and on the
# host, what they print without directives: RANDOM_RUNS programs of each
# language, seeds from RANDOM_SEED, and as many whose children may be launched,
# which are executed by each that can do so; every third one without
# optimization.  In most of these a parent uses what its children have done, so
# they must not be deferred; some may be.
#
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini
regions=${RANDOM_REGIONS:-4}
cd "$tmp" || exit 99

prints () {			# HOW COMMAND...
  how=$1
  shift
  timeout 120 "$@" >got 2>&1
  is "$(cat got)" "$(cat want)" "$language seed $seed $level: $how"
}

on_gpu () {			# WHO
  prints "on the emulated GPU, by $1" env ACCRETE_NEST=$1 ACCRETE_NEST_MIN=1 \
    ACC_DEVICE_TYPE=nvidia OMP_TARGET_OFFLOAD=mandatory "$run" --emulate ./prog
}

try () {			# LANGUAGE FLAG [launch]
  language=$1 level=-O2
  [ $((seed % 3)) -ne 0 ] || level=-O0
  "$builddir/random-nested" $language $seed $regions ${3-} >prog.c
  "$CC" -DPLAIN -O1 -w prog.c -o plain && ./plain >want
  if ! "$CC" -specs="$specs" $level -w "$2" -fopt-info-omp prog.c -o prog \
       >messages 2>&1; then
    ok 1 "$language seed $seed compiles" || diag "$(head -n 5 messages)"
    return
  fi
  inside=$((inside + $(grep -c 'runs in place$' messages)))
  on_gpu inplace
  if [ -n "${3-}" ]; then
    launches=$((launches + $(grep -c 'may run on' messages)))
    deferred=$((deferred + $(grep -c 'after its parent' messages)))
    on_gpu warp
    on_gpu block
    on_gpu grid
    on_gpu device-forget
    on_gpu device-warp
    on_gpu device-block
  fi
  prints 'on the host' env ACC_DEVICE_TYPE=host OMP_TARGET_OFFLOAD=disabled \
    OMP_NUM_THREADS=2 ./prog
}

inside=0 launches=0 deferred=0 seed=${RANDOM_SEED:-1} last=$((${RANDOM_SEED:-1} + ${RANDOM_RUNS:-2}))
while [ $seed -lt $last ]; do
  try omp -fopenmp
  try acc -fopenacc
  try omp -fopenmp launch
  try acc -fopenacc launch
  seed=$((seed + 1))
done
[ $inside -gt $((2 * regions)) ]
ok $? "$inside regions were inside others"
[ $launches -gt $((2 * regions)) ] && [ $deferred -gt 0 ]
ok $? "$launches of them could be launched, $deferred deferred"
done_testing
