# What a region overwrites is not copied to the device: where that is so, and not
# where it is not.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"
on_emulated_gpu
export ACCRETE_EMU_GPU=mini ACCRETE_EMU_CHECK=1 ACCRETE_NOWAIT_MIN=0

# forms: of each form in $err, its name, how many operands it says, and how many
# there were.
forms () {
  printf '%s\n' "$err" | awk '
    function done() { if (form) print form, want, n + 0 }
    $1 == "form" { done(); form = $2; want = $3; n = 0 }
    / overwrite: [0-9]+ bytes need no copy$/ { n++ }
    END { done() }'
}

# check NAME PROGRAM
check () {
  stock "$2"
  want=$out
  [ "$status" = 0 ] && [ "$want" ]; ok $? "$1: stock" || diag "$status $err"
  ACCRETE_DEBUG=3 ours "$2"
  is "$status$out" "0$want" "$1: stock's results"
  is "$(printf '%s\n' "$err" | grep 'uninitialised')" '' \
    "$1: nothing is read that was not there"
  is "$(forms | awk '$2 != $3')" '' "$1: as many operands as each form says"
}

# Plain kernels also need ptx-post.
plugin="-fplugin=$top_builddir/plugin/.libs/accrete.so
        -fplugin-arg-accrete-disable=spmd"
for m in acc omp; do
  case $m in acc) flag=-fopenacc ;; omp) flag=-fopenmp ;; esac
  for way in C:-O0 C:-O2 C++:-O2 Fortran:-O0 Fortran:-O2; do
    case $way in
    C:*) compiler=$CC source=overwrite.c ;;
    C++:*) compiler="$CXX -x c++" source=overwrite.c ;;
    *) compiler=$FC source=overwrite.F90 ;;
    esac
    CC=$compiler compile overwrite $source $flag ${way#*:} $plugin
    check "$m $way" "$tmp/overwrite"
  done
  ACCRETE_DISABLE=overwrite ours "$tmp/overwrite"
  is "$status$out$(field h2d_dead)" "0${want}0" "$m: ACCRETE_DISABLE=overwrite"
done
done_testing
