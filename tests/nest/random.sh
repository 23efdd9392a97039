# Random programs with nested regions print, on the emulated GPU and on the
# host, what they print without directives: RANDOM_RUNS programs of each
# language, seeds from RANDOM_SEED, and as many whose children may be launched,
# which are executed by each that can do so; every third one without
# optimization.  For every second seed there is one more of each language where
# the parent or another child uses what each child has done: nothing may be
# deferred there.
#
# RANDOM_ONE	each program is executed in one way only, by turns
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini
regions=${RANDOM_REGIONS:-4} one=${RANDOM_ONE-}
cd "$tmp" || exit 99

prints () {			# HOW COMMAND...
  how=$1
  shift
  timeout 120 "$@" >got 2>&1
  is "$(cat got)" "$(cat want)" "$language seed $seed $level $kind: $how"
}

executed () {			# WHO...
  [ -z "$one" ] || shift $((seed % $#))
  for who; do
    case $who in
      host) prints 'on the host' env ACC_DEVICE_TYPE=host \
	      OMP_TARGET_OFFLOAD=disabled OMP_NUM_THREADS=2 ./prog ;;
      *) prints "on the emulated GPU, by $who" env ACCRETE_NEST=$who \
	   ACCRETE_NEST_MIN=1 ACC_DEVICE_TYPE=nvidia \
	   OMP_TARGET_OFFLOAD=mandatory "$run" --emulate ./prog ;;
    esac
    [ -z "$one" ] || break
  done
}

remarks () {			# TEXT
  grep -c "$1" messages
}

try () {			# LANGUAGE FLAG [launch|used]
  language=$1 level=-O2 kind=${3-}
  [ $((seed % 3)) -ne 0 ] || level=-O0
  "$builddir/random-nested" $language $seed $regions $kind >prog.c
  "$CC" -DPLAIN -O1 -w prog.c -o plain && ./plain >want
  if ! "$CC" -specs="$specs" $level -w "$2" -fopt-info-omp prog.c -o prog \
       >messages 2>&1; then
    ok 1 "$language seed $seed compiles" || diag "$(head -n 5 messages)"
    return
  fi
  inside=$((inside + $(remarks 'runs in place$')))
  case $kind in
    '') executed inplace host ;;
    launch)
      launches=$((launches + $(remarks 'may run on')))
      deferred=$((deferred + $(remarks 'after its parent')))
      executed inplace grid block device-forget warp auto device-block \
	device-warp host ;;
    used)
      used=$((used + $(remarks 'may run on')))
      is "$(remarks 'after its parent')" 0 \
	"$language seed $seed $level $kind: nothing is deferred"
      executed grid device-forget ;;
  esac
}

inside=0 launches=0 deferred=0 used=0
seed=${RANDOM_SEED:-1} last=$((${RANDOM_SEED:-1} + ${RANDOM_RUNS:-2}))
while [ $seed -lt $last ]; do
  for kind in '' launch used; do
    [ "$kind" != used ] || [ $((seed % 2)) -eq 1 ] || continue
    try omp -fopenmp $kind
    try acc -fopenacc $kind
  done
  seed=$((seed + 1))
done
[ $inside -gt $((2 * regions)) ]
ok $? "$inside regions were inside others"
[ $launches -gt $((2 * regions)) ] && [ $deferred -gt 0 ] && [ $used -gt 0 ]
ok $? "$launches of them could be launched, $deferred deferred; $used must not be"
done_testing
