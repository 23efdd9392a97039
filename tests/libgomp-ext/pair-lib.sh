# Sourced behind lib.sh: programs with kernels beside each other, and how many of them
# there have to be.
# SPDX-License-Identifier: GPL-3.0-or-later
export ACCRETE_EMU_GPU=mini ACCRETE_EMU_STATS=1 ACCRETE_GEOMETRY=model ACCRETE_NOWAIT_MIN=0
hows='beside again same one waits ordered updates between inexact said fails once changes integers sums chain there apart reads copies joined needed flows anti before'

build_programs () {
  marked pair pair.c -fopenacc
  compile pair.stock pair.c -fopenacc
  marked pair-prints pair.c -fopenacc -DPRINTS
  marked pair-global pair.c -fopenacc -DGLOBAL
  marked pair-known pair.c -fopenacc -DKNOWN
  marked tasks pair-tasks.c -fopenmp
  marked long pair-tasks.c -fopenmp -DN=200000
}

# pairs_as_wanted HOW: after 12 rounds with 1:1.
pairs_as_wanted () {
  case $1 in
    beside | same | integers | sums | one | apart | reads | needed) least=18 most=18 ;;
    again | before) least=16 most=24 ;;
    once) least=18 most=18 ;;
    changes) least=4 most=4 ;;
    random) return 0 ;;
    *) least=0 most=0 ;;
  esac
  [ "$(field paired)" -ge $least ] && [ "$(field paired)" -le $most ]
}

# grids: blocks of the last two launches.
grids () {
  # shellcheck disable=SC2046,SC2116  # words in a line
  echo $(printf '%s\n' "$err" \
    | sed -n 's/.*cuLaunchKernel [^(]*(\([0-9]*\),.*/\1/p' | tail -n 2)
}

# room: bytes of shared memory that the last launch but one asked for.
room () {
  printf '%s\n' "$err" \
    | sed -n 's/.*cuLaunchKernel .* \([0-9]*\) bytes of shared memory more/\1/p' | tail -n 2 \
    | head -n 1
}

# tasks_as_wanted HOW: the same, where no task ends before the next has begun.
tasks_as_wanted () {
  case $1 in
    beside) [ "$(field paired)" -gt 0 ] ;;
    *) [ "$(field paired)" -eq 0 ] ;;
  esac
}

# short_as_wanted HOW: 12 rounds with 1:1 of tasks that are none.
short_as_wanted () {
  case $1 in
    beside) paired=16 waits=14 ;;
    wait) paired=0 waits=24 ;;
    *) paired=0 waits=14 ;;
  esac
  [ "$(field paired)" -eq $paired ] && [ "$(calls cuStreamSynchronize)" -ge $waits ]
}

# left: regions that were no tasks in order to be beside another.
left () {
  n=$(printf '%s\n' "$err" \
    | sed -n "s/.*asynchronous-target \\(.*\\), as its kernel shares.*/\\1/p" \
    | awk '{ n += $1 == "once" ? 1 : $1 } END { print n + 0 }')
  echo "$n"
}

# long_as_wanted HOW: 40 rounds with 1:1 of regions that are long, of which two are
# measured.  The others are tasks, but for those that are beside each other, and as long
# as they may be.  On a loaded machine a construct may seem to wait: one of three tries.
long_as_wanted () {
  for _ in 1 2 3; do
    ACCRETE_NOWAIT_MIN=500 ACCRETE_PAIR=1:1 report=text ours "$tmp/long" "$1" 40
    ! has_left "$1" || return 0
  done
  return 1
}
has_left () {
  case $1 in
    beside | after) least=76 most=76 ;;
    chain | wait) least=32 most=36 ;;
    copy) least=1 most=1 ;;
    few) least=0 most=0 ;;
  esac
  [ "$(left)" -ge $least ] && [ "$(left)" -le $most ]
}
