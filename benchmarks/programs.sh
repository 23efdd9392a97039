#!/bin/sh
# Every benchmark program, one line each, for the tests and the bundle:
#   NAME COMPILER FLAGS SOURCE SMALL LARGE
# NAME      OPERATOR-FORM, see below; no two are the same.
# COMPILER  cc, cxx, fc or nvcc.
# FLAGS     what it needs besides -O2, separated by commas.
# SOURCE    relative to this folder.
# SMALL     arguments for tests, separated by commas: odd sizes, and a
#	    remainder modulo the warp along the innermost dimension.
# LARGE     arguments for a GPU: arrays far larger than its caches.
# Usage: programs.sh [PATTERN]...   (lines whose name matches a shell pattern)
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu

# FORM  what it is
# acc	  OpenACC parallel; gang loops around a vector loop
# worker  OpenACC parallel; gang worker loops around a vector loop
# kernels OpenACC kernels; loops marked independent
# auto	  OpenACC kernels; independence is left to the compiler to prove
# omp	  OpenMP target teams distribute parallel for, nests collapsed
# split	  OpenMP target teams distribute around parallel for
# accflat OpenACC, ompflat OpenMP: a thread for each parent, which does its
#	  children in turn (the programs in nest/, see forms.h there)
# accnest OpenACC, ompnest OpenMP: parents that launch their children; stock
#	  GCC refuses the first and compiles the second to nothing
# thrnest OpenACC: the same with a thread for each parent
# cuda	  CUDA by hand
# cuflat  CUDA, cunest: the same forms of programs in nest/ (cuda-forms.h there)
# libgomp's way to make any update atomic needs it.
atomic=-foffload-options=nvptx-none=-latomic
form_flags () {
  case $1 in
    acc) echo -fopenacc ;;
    worker) echo -fopenacc,-DWORKER ;;
    kernels) echo -fopenacc,-DKERNELS=independent ;;
    auto) echo -fopenacc,-DKERNELS=auto ;;
    omp) echo -fopenmp,$atomic ;;
    split) echo -fopenmp,$atomic,-DSPLIT ;;
    accflat) echo -fopenacc,-DFLAT ;;
    ompflat) echo -fopenmp,$atomic,-DFLAT ;;
    accnest) echo -fopenacc,-DNESTED ;;
    ompnest) echo -fopenmp,$atomic,-DNESTED ;;
    thrnest) echo -fopenacc,-DNESTED,-DTHREADS ;;
    cuda) echo -O3 ;;
    cuflat) echo -O3,-DFLAT ;;
    cunest) echo -O3,-rdc=true,-DNESTED ;;
  esac
}

# OPERATOR SOURCE SMALL LARGE FORM...  Those in shuffle/ are the operators of
# the paper's Table 2 in its languages (its own sizes are 32768,32768 and
# 512,1024,1024), and its three stencils of applications; OPERATOR-f is in
# Fortran where another of the name is in C, OPERATOR-cc in C++.
table () {
  cat <<END
divergence   shuffle/divergence.c  7,8,75   512,512,512   acc worker omp
gradient     shuffle/gradient.c    7,8,75   512,512,512   acc worker omp
lapgsrb      shuffle/lapgsrb.c     7,8,75   512,512,512   acc worker omp
laplacian    shuffle/laplacian.c   7,8,75   512,512,512   acc worker kernels auto omp
sincos       shuffle/sincos.F90    7,8,75   512,512,512   acc worker omp
tricubic     shuffle/tricubic.c    7,8,75   512,512,512   acc worker kernels auto omp
tricubic2    shuffle/tricubic2.c   7,8,75   512,512,512   acc worker omp
uxx1         shuffle/uxx1.c        7,8,75   512,512,512   acc worker omp
vecadd       shuffle/vecadd.c      7,8,75   512,512,512   acc worker omp
wave13pt     shuffle/wave13pt.c    7,8,75   512,512,512   acc worker kernels auto omp
gameoflife   shuffle/gameoflife.c  19,101   8192,8192     acc worker omp
gaussblur    shuffle/gaussblur.c   19,101   8192,8192     acc worker kernels auto omp
jacobi-f     shuffle/jacobi.F90    19,101   8192,8192     acc worker kernels auto omp
whispering   shuffle/whispering.c  19,101   8192,8192     acc worker omp
matmul       shuffle/matmul.F90    41,67    2048,2048     acc worker omp
matvec       shuffle/matvec.c      101,67   8192,8192     acc worker omp
triad        codegen/triad.c       1031     33554432      acc kernels auto omp
triad-f      codegen/triad.F90     1031     33554432      acc kernels auto omp
bins         codegen/bins.c        1031     33554432      acc omp
dot          codegen/dot.c         1031     33554432      acc omp
dot-f        codegen/dot.F90       1031     33554432      acc omp
jacobi       codegen/jacobi.c      19,101   8192,8192     acc worker kernels auto omp split
gaussblur-f  codegen/gaussblur.F90 19,101   8192,8192     acc kernels auto omp
laplacian-f  codegen/laplacian.F90 7,8,75   512,512,512   acc kernels auto omp
wave13pt-f   codegen/wave13pt.F90  7,8,75   512,512,512   acc kernels auto omp
tricubic-f   codegen/tricubic.F90  7,8,75   512,512,512   acc kernels auto omp
bfs          nest/bfs.c            1031,8   524288,8      acc omp accflat ompflat accnest thrnest ompnest
sssp         nest/sssp.c           1031,8   524288,8      acc omp accflat ompflat accnest thrnest ompnest
bt           nest/bt.c             301,32   131072,64     acc omp accflat ompflat accnest thrnest ompnest
gc           nest/gc.c             1031,8   524288,8      acc omp accflat ompflat accnest thrnest ompnest
mstf         nest/mstf.c           1031,8   524288,8      acc omp accflat ompflat accnest thrnest ompnest
mstv         nest/mstv.c           1031,8   524288,8      acc omp accflat ompflat accnest thrnest ompnest
sp           nest/sp.c             301,4,3   131072,4,3    acc omp accflat ompflat accnest thrnest ompnest
bh           nest/bh.c             151,24   32768,256     acc omp accflat ompflat accnest thrnest ompnest
ccl          nest/ccl.c            3,19,37  8,256,256     acc omp accflat ompflat accnest thrnest ompnest
qt           nest/qt.c             301,12,1 40000,12,1    acc omp accflat ompflat accnest thrnest ompnest
sssp-f       nest/sssp.F90         1031,8   524288,8      acc omp accflat ompflat accnest thrnest ompnest
bt-f         nest/bt.F90           301,32   131072,64     acc omp accflat ompflat accnest thrnest ompnest
bh-cc        nest/bh.cc            151,24   32768,256     acc omp accflat ompflat accnest thrnest ompnest
ccl-cc       nest/ccl.cc           3,19,37  8,256,256     acc omp accflat ompflat accnest thrnest ompnest
bfs          nest/bfs.cu           1031,8   524288,8      cuda cuflat cunest
sssp         nest/sssp.cu          1031,8   524288,8      cuda cuflat cunest
bt           nest/bt.cu            301,32   131072,64     cuda cuflat cunest
triad        codegen/triad.cu      1031     33554432      cuda
jacobi       codegen/jacobi.cu     19,101   8192,8192     cuda
gaussblur    codegen/gaussblur.cu  19,101   8192,8192     cuda
laplacian    codegen/laplacian.cu  7,8,75   512,512,512   cuda
wave13pt     codegen/wave13pt.cu   7,8,75   512,512,512   cuda
tricubic     codegen/tricubic.cu   7,8,75   512,512,512   cuda
hypterm      shuffle/hypterm.cu    13,14,75 256,256,256   cuda
rhs4th3fort  shuffle/rhs4th3fort.cu 13,14,75 256,256,256  cuda
derivative   shuffle/derivative.cu 13,14,75 256,256,256   cuda
END
}

table | while read -r operator source small large forms; do
  case $source in
    *.c) compiler=cc ;;
    *.cc) compiler=cxx ;;
    *.F90) compiler=fc ;;
    *.cu) compiler=nvcc ;;
  esac
  # What some need besides: the device's math functions, long lines.
  case $operator in
    sincos) more=,-foffload-options=-lm ;;
    bh | bh-cc) more=,-fno-math-errno,-foffload-options=-lm ;;
    bt-f | sssp-f) more=,-ffree-line-length-none ;;
    *) more= ;;
  esac
  for form in $forms; do
    for pattern in "${@:-*}"; do
      # shellcheck disable=SC2254  # a pattern
      case $operator-$form in
        $pattern)
	  echo "$operator-$form $compiler $(form_flags "$form")$more" \
	    "$source $small $large"
	  break ;;
      esac
    done
  done
done
