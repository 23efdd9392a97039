# The nested forms of the programs in benchmarks/nest pass their own checks
# against the host, on the host and on the emulated GPU, whoever executes their
# children there; the checker finds nothing wrong.
#
# NEST_PROGRAMS  pattern of their names, all by default
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
. "$top_srcdir/tests/gcc.sh"
bench=$top_srcdir/benchmarks
export ACCRETE_EMU_GPU=mini ACCRETE_NEST_MIN=1

sh "$bench/programs.sh" "${NEST_PROGRAMS:-*nest}" | grep -v ' nvcc ' >"$tmp/table"
for level in -O0 -O2; do
  sh "$bench/build-programs.sh" "$tmp/$level" "-specs=$specs" $level $stock_flags \
    <"$tmp/table"
done

passes () {			# HOW COMMAND...
  how=$1
  shift
  timeout 60 "$@" >"$tmp/out" 2>&1
  ok $? "$name $level: $how" || diag "$(cat "$tmp/out")"
}

executed_by () {		# WHO ARGS...
  who=$1
  shift
  env ACC_DEVICE_TYPE=nvidia OMP_TARGET_OFFLOAD=MANDATORY ACCRETE_NEST=$who \
    ACCRETE_REPORT=json "$run" --emulate "$tmp/-O2/$name" "$@" \
    2>"$tmp/report" >/dev/null
  near=$(json nest_near "$tmp/report") far=$(json nest_far "$tmp/report")
  case $who in
    grid) [ "$far" -gt 0 ] ;;
    *) [ "$near" -gt 0 ] && [ "$far" -eq 0 ] ;;
  esac
  ok $? "$name: executed by $who" || diag "near $near, far $far"
}

while read -r name _ _ _ small _; do
  # shellcheck disable=SC2046  # a list of arguments
  set -- $(echo "$small" | tr , ' ')
  for level in -O0 -O2; do
    [ -x "$tmp/$level/$name" ]
    ok $? "$name $level: builds" || diag "$(cat "$tmp/$level/$name.log")"
    passes 'on the host' env ACC_DEVICE_TYPE=host OMP_TARGET_OFFLOAD=DISABLED \
      OMP_NUM_THREADS=2 "$tmp/$level/$name" "$@"
    passes 'on the emulated GPU' env ACC_DEVICE_TYPE=nvidia ACCRETE_NEST=all \
      OMP_TARGET_OFFLOAD=MANDATORY "$run" --emulate "$tmp/$level/$name" "$@"
  done
  # Its functions call themselves: the driver's stack would not do.
  case $name in
    qt-*)
      like "$(ACC_DEVICE_TYPE=nvidia ACCRETE_DEBUG=1 "$run" --emulate \
	      "$tmp/-O2/$name" "$@" 2>&1)" 'threads have [0-9]+ bytes of stack' \
	"$name: stack" ;;
  esac
  # All of its levels are one launch's, in both models.
  case $name in
    qt-*)
      ACC_DEVICE_TYPE=nvidia ACCRETE_NEST=grid ACCRETE_EMU_STATS=1 "$run" \
	--emulate "$tmp/-O2/$name" "$@" 2>"$tmp/stats" >/dev/null
      case $name in *-accnest) want=0 ;; *) want=1 ;; esac
      is "$(grep -c 'cuLaunchCooperativeKernel=1 ' "$tmp/stats")" $want \
	"$name: levels by one launch" || diag "$(cat "$tmp/stats")" ;;
  esac
  # Who is to execute children does.
  case $name in
    *-accnest) ;;
    *) for who in warp block grid; do
         executed_by $who "$@"
       done ;;
  esac
  for who in inplace warp block grid device-forget device-block; do
    # A loop whose lanes execute children leaves nothing to choose.
    case $name-$who in *-accnest-[!i]*) continue ;; esac
    # By one thread: the checker learns which words are atomic as it goes.
    passes "by $who, checked" env ACCRETE_EMU_THREADS=1 ACCRETE_NEST=$who \
      ACC_DEVICE_TYPE=nvidia OMP_TARGET_OFFLOAD=MANDATORY \
      sh "$top_srcdir/tests/checked.sh" $interface "$run" "$tmp/-O2/$name" "$@"
  done
done <"$tmp/table"
done_testing
