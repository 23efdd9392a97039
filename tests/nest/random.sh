# Sourced by random-acc.sh and random-omp.sh, which say the language.  Random
# programs with nested regions print, on the emulated GPU and on the host, what they
# print without directives: RANDOM_RUNS files of RANDOM_PACK programs, from seed
# RANDOM_SEED; as many whose children may be launched; and every second one more
# where the parent or another child uses what each child has done, so that nothing
# may be deferred.  Half of the files are compiled without optimization.  A ptxas
# that is there verifies those of seed 1 only: it takes longer than all else.
#
# RANDOM_REGIONS  of a program
# RANDOM_WAYS	who executes children: so many of those that can, by turns; all by
#		default
# RANDOM_FLAGS	more flags
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini
pack=${RANDOM_PACK:-4} regions=${RANDOM_REGIONS:-1}
cd "$tmp" || exit 99

prints () {			# HOW COMMAND...
  how=$1
  shift
  timeout $((60 + 10 * pack)) "$@" >got 2>&1
  cmp -s got want; ok $? "$what: $how" || diag "$(diff want got | head -n 20)"
  runs=$((runs + 1))
}

# With "all" launches have one form after the other; "-full": hardly any room.
executed () {			# WHO...
  ways=$# first=0
  [ -z "${RANDOM_WAYS-}" ] || ways=$RANDOM_WAYS first=$((number * ways % $#))
  for who in "$@" "$@"; do
    [ $((first -= 1)) -lt 0 ] && [ $((ways -= 1)) -ge 0 ] || continue
    times=1 queue=32M least=1
    case $who in
      all) times=20 least=0 ;;
      *-full) queue=1500 ;;
    esac
    case $who in
      host) prints 'on the host' env ACC_DEVICE_TYPE=host \
	      OMP_TARGET_OFFLOAD=disabled OMP_NUM_THREADS=2 ./prog ;;
      *) prints "on the emulated GPU, by $who" env ACCRETE_NEST="${who%-full}" \
	   ACCRETE_NEST_MIN=$least ACCRETE_NEST_QUEUE=$queue \
	   ACC_DEVICE_TYPE=nvidia OMP_TARGET_OFFLOAD=mandatory \
	   "$run" --emulate ./prog $times ;;
    esac
  done
}

remarks () {			# TEXT
  grep -c "$1" messages
}

try () {			# [launch|used]
  level=-O2 kind=${1-} verify=$stock_flags
  [ $((number / 2 % 2)) -eq 0 ] || level=-O0
  [ $seed -ne 1 ] || verify=
  what="$language seeds $seed to $((seed + pack - 1)) $level $kind"
  "$builddir/random-nested" $language $seed $pack $regions $kind >prog.c
  rm -f want
  "$CC" -DPLAIN -O0 -w prog.c -o plain && ./plain >want
  # shellcheck disable=SC2086  # lists
  if ! "$CC" -specs="$specs" $level -w -fopen${language#o} -fopt-info-omp ${RANDOM_FLAGS-} \
       $verify prog.c -o prog >messages 2>&1; then
    ok 1 "$what: compiles" || diag "$(head -n 5 messages)"
    return
  fi
  inside=$((inside + $(remarks 'runs in place$')))
  case $kind in
    '')
      programs=$((programs + pack))
      executed inplace all warp host grid block ;;
    launch)
      programs=$((programs + pack))
      launches=$((launches + $(remarks 'may run on')))
      deferred=$((deferred + $(remarks 'after its parent')))
      executed inplace grid block device-forget all warp device-block host \
	device-warp grid-full device-null device-tail ;;
    used)
      must_not=$((must_not + pack))
      used=$((used + $(remarks 'may run on')))
      is "$(remarks 'after its parent')" 0 "$what: nothing is deferred"
      executed grid device-forget all block ;;
  esac
}

inside=0 launches=0 deferred=0 used=0 programs=0 must_not=0 runs=0
seed=${RANDOM_SEED:-1} last=$((${RANDOM_SEED:-1} + pack * ${RANDOM_RUNS:-2}))
while [ $seed -lt $last ]; do
  number=$((seed / pack + 1))	# of the file
  for kind in '' launch used; do
    [ "$kind" != used ] || [ $((number % 2)) -eq 1 ] || continue
    try $kind
  done
  seed=$((seed + pack))
done
[ $inside -gt $((2 * regions)) ]
ok $? "$programs programs, $inside regions were inside others, $runs runs"
[ $launches -gt $((2 * regions)) ] && [ $deferred -gt 0 ]
ok $? "$launches of them could be launched, $deferred deferred"
[ $used -gt 0 ]
ok $? "$must_not more programs, $used that could be launched, but not deferred"
done_testing
