# Nested regions.  Every file in cases/ is a program that says in comments
#   FLAGS: -fopenacc	for instance, instead of -fopenmp
#   NESTED: N		so many regions run in place
#   LAUNCHES: N		so many may run on a warp or block instead
#   DEFERS: N		so many of these also after their parent
#   UNIFORMS: N		so many values are the same to all and not passed on
#   SAYS: TEXT		a remark that the compiler makes
#   TOGETHER: -O...	where all levels of a recursion are one launch's
# It is built at -O0 -g and -O2, and prints on the emulated GPU, with
# libgomp-ext, wherever children run, and without it, with the checker, and on
# the host, what it prints as stock GCC builds it for the host.  (OpenACC is
# built without directives for that: stock GCC refuses it.)
# Files in errors/ do not compile: ERROR: TEXT is what is said about that line.
#
# NEST_CASES   the cases, all of them by default
# NEST_LEVELS  -O2: not at -O0, and nothing but the cases
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
ACCRETE_EMU_GPU=mini ACCRETE_NEST_MIN=1
export ACCRETE_EMU_GPU ACCRETE_NEST_MIN
emu=$stage/lib/accrete/emu

# The comments KEY of file $1.
expected () {
  sed -n "s/^.*\<$2: *//p" "$1" | sed 's/ *\*\/ *$//'
}

prints () {			# HOW COMMAND...
  how=$1
  shift
  timeout 60 "$@" >"$tmp/out" 2>&1
  is "$(cat "$tmp/out")" "$(cat "$tmp/want")" "$name: $how"
}

# Children are executed by those who are to do it, and not only in place.
who_ran () {			# WHO
  env ACCRETE_NEST="$1" ACC_DEVICE_TYPE=nvidia OMP_TARGET_OFFLOAD=mandatory \
    ACCRETE_REPORT=json "$run" --emulate "$tmp/prog" 2>"$tmp/report" >/dev/null
  near=$(json nest_near "$tmp/report") far=$(json nest_far "$tmp/report")
  here=$(json nest_inplace "$tmp/report")
  case $1 in
    auto) [ "$here" -gt 0 ] && [ "$near" -eq 0 ] && [ "$far" -eq 0 ] ;;
    grid) [ "$far" -gt 0 ] ;;
    *) [ "$near" -gt 0 ] && [ "$far" -eq 0 ] ;;
  esac
  ok $? "$name: executed by $1" || diag "in place $here, near $near, far $far"
}

# All levels of a recursion are one launch's, where the GPU holds that at once and
# blocks are no single warps, as TOGETHER says, by the level of optimization; else the
# host looks for more.
levels () {
  for off in jit-cache cooperative-launch; do
    prints "levels, off: $off" env ACCRETE_NEST=grid \
      ACCRETE_DISABLE=$off ACCRETE_EMU_STATS=1 ACC_DEVICE_TYPE=nvidia \
      OMP_TARGET_OFFLOAD=mandatory \
      sh -c '"$@" 2>"$0"' "$tmp/stats" "$run" --emulate "$tmp/prog"
    launches=$(sed -n 's/.*cuLaunchCooperativeKernel=\([0-9]*\).*/\1/p' "$tmp/stats")
    case $off in
      jit-cache)
	case $together in
	  *"${level%% *}"*) [ "${launches:-0}" -gt 0 ] ;;
	  *) [ "${launches:-0}" -eq 0 ] ;;
	esac ;;
      *) [ "${launches:-0}" -eq 0 ] && grep -q cuMemcpyDtoH= "$tmp/stats" ;;
    esac
    ok $? "$name: levels without the host, off: $off" || diag "$(cat "$tmp/stats")"
  done
}

check_case () {			# FILE LEVEL
  file=$1 level=$2 name="${1##*/} $2" flags=$(expected "$1" FLAGS)
  compiler=$(compiler "$file")
  # shellcheck disable=SC2086
  case $flags in
    -fopenacc) $compiler $level -w "$file" -o "$tmp/host" -lm ;;
    *) $compiler $level ${flags:--fopenmp} -w -foffload=disable -J "$tmp" \
         "$file" -o "$tmp/host" -lm ;;
  esac 2>/dev/null
  OMP_NUM_THREADS=1 "$tmp/host" >"$tmp/want"
  # shellcheck disable=SC2086
  if ! messages=$($compiler -specs="$specs" $level ${flags:--fopenmp} \
                  -fopt-info-omp-all -J "$tmp" "$file" -o "$tmp/prog" -lm 2>&1)
  then
    ok 1 "$name: builds" || diag "$messages"
    return
  fi
  is "$(printf '%s\n' "$messages" | grep -c 'runs in place')" \
    "$(expected "$file" NESTED)" "$name: regions in place" \
    || diag "$messages"
  launches=$(expected "$file" LAUNCHES)
  is "$(printf '%s\n' "$messages" | grep -c 'may run on a warp or block')" \
    "${launches:-0}" "$name: launches" || diag "$messages"
  prints 'with libgomp-ext' env ACC_DEVICE_TYPE=nvidia \
    OMP_TARGET_OFFLOAD=mandatory "$run" --emulate "$tmp/prog"
  defers=$(expected "$file" DEFERS)
  is "$(printf '%s\n' "$messages" | grep -c 'or after its parent')" \
    "${defers:-0}" "$name: launches that may be deferred" || diag "$messages"
  says=$(expected "$file" SAYS)
  [ -z "$says" ] || like "$messages" "$says" "$name: the compiler says why"
  uniforms=$(expected "$file" UNIFORMS)
  [ -z "$uniforms" ] \
    || is "$(printf '%s\n' "$messages" \
             | sed -n 's/.*all threads have the same, .*: //p' \
             | awk '{ n += $1 } END { print n }')" \
         "$uniforms" "$name: values that are not passed on"
  # What GCC itself makes without optimization has races.
  launcher="$run --check"
  [ "$level" != '-O0 -g' ] || launcher="$run --emulate"
  [ -z "$launches" ] || for who in warp block grid all; do
    prints "by $who" env ACCRETE_NEST=$who ACC_DEVICE_TYPE=nvidia \
      OMP_TARGET_OFFLOAD=mandatory $launcher "$tmp/prog"
  done
  [ -z "$defers" ] || for who in device-forget device-null device-tail \
                                device-warp device-block; do
    prints "by $who" env ACCRETE_NEST=$who ACC_DEVICE_TYPE=nvidia \
      OMP_TARGET_OFFLOAD=mandatory $launcher "$tmp/prog"
  done
  [ -z "$launches" ] || [ "$level" = '-O0 -g' ] || for who in warp block auto; do
    who_ran $who
  done
  [ -z "$defers" ] || [ "$level" = '-O0 -g' ] || who_ran grid
  together=$(expected "$file" TOGETHER)
  printf '%s\n' "$messages" | grep -q 'level by level' && levels
  # Nearly no room.
  [ -z "$defers" ] || for who in grid device-forget device-block; do
    prints "by $who or not" env ACCRETE_NEST=$who ACCRETE_NEST_QUEUE=1500 \
      ACC_DEVICE_TYPE=nvidia OMP_TARGET_OFFLOAD=mandatory \
      "$run" --emulate "$tmp/prog"
  done
  [ "$level" = '-O0 -g' ] \
    || prints 'checked' env ACC_DEVICE_TYPE=nvidia \
         OMP_TARGET_OFFLOAD=mandatory $launcher "$tmp/prog"
  prints 'stock launches' env ACC_DEVICE_TYPE=nvidia \
    OMP_TARGET_OFFLOAD=mandatory ACCRETE_DEVICE=0 LD_LIBRARY_PATH="$emu" \
    "$tmp/prog"
  prints 'on the host' env ACC_DEVICE_TYPE=host OMP_TARGET_OFFLOAD=disabled \
    OMP_NUM_THREADS=3 "$tmp/prog"
}

for file in ${NEST_CASES-"$srcdir"/cases/*.c "$srcdir"/cases/*.cc \
            "$srcdir"/cases/*.f90}; do
  check_case "$file" -O2
  [ "${NEST_LEVELS-}" = -O2 ] || check_case "$file" '-O0 -g'
done
[ "${NEST_LEVELS-}" != -O2 ] || { done_testing; exit; }

# The device does launch kernels, when they are asked for, and says when it could
# not: more blocks run than that the host has started, or fewer by so many.
blocks () {			# VARIABLE=VALUE...
  env ACC_DEVICE_TYPE=nvidia OMP_TARGET_OFFLOAD=mandatory ACCRETE_REPORT=counters \
    ACCRETE_EMU_STATS=1 "$@" "$run" --emulate "$tmp/prog" 2>&1 >/dev/null \
    | sed -n 's/.* blocks=\([0-9]*\).*/\1/p; s/^accrete: refused *\([0-9]*\).*/\1/p' \
    | sort -n | tr '\n' ' '
}
file=$srcdir/cases/launch.c
"$CC" -specs="$specs" -O2 -fopenmp -w "$file" -o "$tmp/prog" -lm
hosts=$(blocks ACCRETE_NEST=warp)
for who in device-forget device-warp device-block; do
  all=$(blocks ACCRETE_NEST=$who) few=$(blocks ACCRETE_NEST=$who ACCRETE_NEST_QUEUE=1500)
  [ "${all%% *}" = 0 ] && [ "${hosts%% *}" = 0 ] \
    && [ "$(echo ${all#* })" -gt "$(echo ${hosts#* })" ]
  ok $? "kernels launched by $who" || diag "blocks: $all, not $hosts"
  [ "${few%% *}" -gt 0 ]
  ok $? "launches that failed by $who" || diag "$few"
done

launching () {			# WHO
  env ACC_DEVICE_TYPE=nvidia OMP_TARGET_OFFLOAD=mandatory ACCRETE_REPORT=json \
    ACCRETE_NEST="$1" "$run" --emulate "$tmp/prog" 2>"$tmp/report" >/dev/null
  json launching "$tmp/report"
}
[ "$(launching device-null)" -gt 0 ]
ok $? "kernels that launch are counted"
is "$(launching grid)" 0 "others are not"

# Where a thread executes more iterations at least, fewer look for launches; all are
# executed all the same.
coarse () {			# FACTOR WHO VARIABLE=VALUE...
  env OMP_TARGET_OFFLOAD=mandatory ACCRETE_EMU_STATS=1 ACCRETE_NEST_COARSE="$1" \
    ACCRETE_NEST="$2" "$3" "$run" --emulate "$tmp/prog" 2>"$tmp/stats" >"$tmp/out-$1"
  sed -n 's/.* instructions=\([0-9]*\).*/\1/p' "$tmp/stats"
}
for who in block grid; do
  fine=$(coarse 1 $who ACCRETE_GEOMETRY=2x128)
  for factor in 3 8 1000; do
    few=$(coarse $factor $who ACCRETE_GEOMETRY=2x128)
    [ "$few" -lt "$fine" ]
    ok $? "coarsening by $who: $factor" || diag "$few, not $fine"
    is "$(cat "$tmp/out-$factor")" "$(cat "$tmp/out-1")" "right by $who: $factor"
  done
done

# A program whose settings are of another version runs its children in place.
sed 's/acr_nest_4/acr_nest_0/g' "$tmp/prog" >"$tmp/other" && chmod +x "$tmp/other"
cmp -s "$tmp/prog" "$tmp/other"; is $? 1 "the settings have a version"
OMP_TARGET_OFFLOAD=mandatory ACCRETE_REPORT=json ACCRETE_NEST=grid \
  "$run" --emulate "$tmp/other" >"$tmp/out" 2>"$tmp/report"
is "$? $(json deferred "$tmp/report") $(cat "$tmp/out")" \
  "0 0 $("$run" --emulate "$tmp/prog" 2>/dev/null)" "settings of another version"

# Parents are spread over more threads than there are, when a warp or block
# executes their children and nobody says how many.
threads () {			# VARIABLE=VALUE...
  env OMP_TARGET_OFFLOAD=mandatory ACCRETE_DEBUG=3 "$@" \
    "$run" --emulate "$tmp/prog" 2>&1 >/dev/null \
    | sed -n 's/.*cuLaunchKernel rows.* (\([0-9]*\),1,1) (\([0-9]*\),1,1):.*/\1 \2/p' \
    | awk '{ print $1 * $2 }'
}
few=$(threads ACCRETE_NEST=inplace)
for who in warp block; do
  [ "$(threads ACCRETE_NEST=$who)" -ge $((2 * few)) ]
  ok $? "parents spread by $who" || diag "$few: $(threads ACCRETE_NEST=$who)"
  is "$(threads ACCRETE_NEST=$who ACCRETE_GEOMETRY=6x128)" "$few" \
    "parents by $who where the user says so"
done

# What the command line says about a child.
line=$(grep -n '#pragma omp target teams' "$srcdir/repeat.c" | sed -n '2s/:.*//p')
said () {			# ARGUMENT
  "$CC" -specs="$specs" -O2 -fopenmp -fopt-info-omp-all -c "$srcdir/repeat.c" \
    -o "$tmp/x.o" -fplugin-arg-accrete-nest="$1" 2>&1 \
    | sed -n 's/.*nested omp target: \(not\|may\)/\1/p; s/^.*warning: //p'
}
is "$(said "repeat.c:$line:inplace")" \
  'not for several threads: the command line says so' 'a child in place'
is "$(said "other.c:$line:inplace,$line:group")" 'may run on a warp or block' \
  'a child that is not deferred'
is "$(said "$line:inplace,repeat.c:$line:any")" \
  'may run on a warp or block, or after its parent' 'the last word counts'
like "$(said "$line:nowhere")" 'not a list of' 'an argument that is wrong'

# With "auto" a kernel's form is found, and known the next time.
"$CC" -specs="$specs" -O2 -fopenmp -w "$srcdir/repeat.c" -o "$tmp/prog"
for known in 0 1; do
  env ACCRETE_NEST=auto ACCRETE_REPORT=json OMP_TARGET_OFFLOAD=mandatory \
    "$run" --emulate "$tmp/prog" >"$tmp/out" 2>"$tmp/report"
  ok $? "auto: right" || diag "$(cat "$tmp/out")"
  is "$(json nest_measured "$tmp/report") $(json nest_known "$tmp/report")" \
    "$((1 - known)) $known" "auto: measured, known"
done
# The report says who executes the children of each construct, and why.
says () {			# WHO CACHE
  env ACCRETE_NEST="$1" XDG_CACHE_HOME="$2" ACCRETE_REPORT=text \
    OMP_TARGET_OFFLOAD=mandatory "$run" --emulate "$tmp/prog" 2>&1 >/dev/null \
    | sed -n 's/.*its child regions run //p'
}
like "$(says auto "$XDG_CACHE_HOME")" ', as measured before$' "report: known"
like "$(says auto "$tmp/nowhere")" ', as measured$' "report: measured"
is "$(says block "$tmp/nowhere")" 'by blocks, as ACCRETE_NEST says' \
  "report: as the user says"

for file in "$srcdir"/errors/*; do
  name=${file##*/}
  flags=$(expected "$file" FLAGS)
  messages=$($(compiler "$file") -specs="$specs" ${flags:--fopenmp} -c "$file" \
             -o "$tmp/x.o" -fno-diagnostics-show-caret 2>&1)
  [ $? -ne 0 ]
  ok $? "$name: an error"
  grep -n ERROR: "$file" | sed 's/ *\*\/ *$//; s/:.*ERROR: */ /' \
    >"$tmp/expected"
  while read -r line text; do
    like "$messages" "^[^:]*:$line:[0-9]+: [Ee]rror: .*$text" "$name: on line $line"
  done <"$tmp/expected"
done
done_testing
