# Which generated program a number stands for, for scripts that include this.
#
# Numbers go round through C, C++ and Fortran, -O2 and -O0 -g, three fifths
# OpenMP regions that may become SPMD kernels, one fifth OpenACC, one fifth
# OpenMP that must not; and one or two regions.  A number's program is
# generate.pl's of that seed.
# SPDX-License-Identifier: GPL-3.0-or-later

# Set lang, level, model, api and regions for number $1.
describe_program () {
  case $(($1 % 3)) in 0) lang=c ;; 1) lang=cc ;; 2) lang=f90 ;; esac
  case $(($1 / 3 % 2)) in 0) level=-O2 ;; 1) level='-O0 -g' ;; esac
  case $(($1 / 6 % 5)) in
    3) model=acc api=openacc ;;
    4) model=forkjoin api=openmp ;;
    *) model=omp api=openmp ;;
  esac
  regions=$((1 + $1 / 30 % 2))
}

# Write the programs of these numbers, which differ in nothing else, to standard
# output, each as the function program_NUMBER.
write_programs () {
  describe_program "$1"
  # shellcheck disable=SC2046  # a list of options
  perl "$srcdir/generate.pl" --lang=$lang $(printf ' --seed=%s' "$@") \
    --regions=$regions --model=$model --entry=program_
}

# What it is compiled with besides the specs: -latomic for GCC's own form of
# several reductions, which is there without optimization.
program_flags () {
  describe_program "$1"
  echo "$level -w -f$api -foffload-options=nvptx-none=-latomic" \
    "-foffload-options=-lm"
}
