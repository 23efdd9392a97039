# Which generated program a number stands for, for scripts that include this.
#
# Numbers go round through C, C++ and Fortran, OpenMP and OpenACC; every 36th
# number the level of each changes.  A number's program is generate.pl's of that
# seed; ONLY asks for a kind of scene.
# SPDX-License-Identifier: GPL-3.0-or-later

# Set lang, model, level and flags for number $1.
describe_program () {
  case $(($1 % 3)) in 0) lang=c ;; 1) lang=cc ;; 2) lang=f90 ;; esac
  case $(($1 / 3 % 2)) in 0) model=omp api=openmp ;; 1) model=acc api=openacc ;; esac
  case $((($1 % 6 + $1 / 36) % 3)) in 0) level=-O2 ;; 1) level=-O3 ;; 2) level='-O0 -g' ;; esac
  # GCC's own form of several reductions needs -latomic; stock C++ links forget
  # libgomp where it comes before what the offload compiler adds.
  flags="$level -w -f$api -foffload-options=nvptx-none=-latomic -foffload-options=-lm"
  libs='-lm -ldl -Wl,--no-as-needed -lgomp'
}

# Write the programs of these numbers, which differ in nothing else, to standard
# output, each as the function program_NUMBER; what their launches may be, to
# the file SIZES.  STOCK: for stock GCC.
write_programs () {
  describe_program "$1"
  # shellcheck disable=SC2046  # a list of options
  perl "$srcdir/generate.pl" --lang=$lang --model=$model ${ONLY:+--only="$ONLY"} \
    ${STOCK:+--stock} $(printf ' --seed=%s' "$@") --entry=program_ ${SIZES:+--sizes="$SIZES"}
}

compiler_of () {
  case $1 in c) echo "${CC:-gcc}" ;; cc) echo "${CXX:-g++}" ;; f90) echo "${FC:-gfortran}" ;; esac
}
