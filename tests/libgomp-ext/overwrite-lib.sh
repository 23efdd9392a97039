# Sourced behind lib.sh: the forms of overwrite.c and overwrite.F90.
# SPDX-License-Identifier: GPL-3.0-or-later

on_emulated_gpu
export ACCRETE_EMU_GPU=mini ACCRETE_EMU_CHECK=1 ACCRETE_NOWAIT_MIN=0

# build_forms MODEL SOURCE LEVEL PLUGIN [LANGUAGE]
build_forms () {
  case $2 in *.F90) compiler=$FC ;; *) compiler=$CC ;; esac
  case ${5-} in C++) compiler="$CXX -x c++" ;; esac
  case $1 in acc) model=-fopenacc ;; omp) model=-fopenmp ;; esac
  # Plain kernels also need ptx-post.
  CC=$compiler compile overwrite $2 $model $3 "-fplugin=$4" \
    -fplugin-arg-accrete-disable=spmd
}
# wrong_forms: the forms in $err, each with how many operands it says need no copy,
# and how many there were, where these differ.
wrong_forms () {
  printf '%s\n' "$err" | awk '
    function done() { if (form && want != n + 0) print form, want, n + 0 }
    $1 == "form" { done(); form = $2; want = $3; n = 0 }
    / overwrite: [0-9]+ bytes need no copy$/ { n++ }
    END { done() }'
}
