#!/bin/sh
# Builds the programs of apps.list: NAME.stock by GCC alone, NAME.ours with accrete,
# NAME.aot with machine code in it besides where there is a ptxas, NAME.cuda the CUDA
# form where there is an nvcc; what they read is in data/NAME, what the compilers say in
# logs/NAME.FORM; kernels.so (kernels.c) where there is CUPTI.  Nothing is fetched, no checkout is changed, and what is there is not
# built again.
# Usage: build.sh APPS OUT [NAME...]   (a folder with the checkouts; a folder to fill)
# PREFIX (stage), CC, CXX, FC, NVCC, CUDA (/usr/local/cuda), OPT (-O3), FORMS (stock ours aot cuda), ARCH (sm_90)
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
here=$(cd "$(dirname "$0")" && pwd)
apps=$(cd "${1:?usage: build.sh APPS OUT [NAME...]}" && pwd) || exit
mkdir -p "${2:?usage: build.sh APPS OUT [NAME...]}/logs" "$2/data" && out=$(cd "$2" && pwd) || exit
shift 2
: "${CC:=gcc}" "${CXX:=g++}" "${FC:=gfortran}" "${NVCC:=nvcc}" "${OPT:=-O3}"
: "${FORMS:=stock ours aot cuda}" "${CUDA:=/usr/local/cuda}" "${ARCH:=sm_90}" "${PREFIX:=$here/../../stage}"
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
ours="-specs=$(cd "$PREFIX" && pwd)/lib/accrete/accrete.specs" || exit
# A ptxas that has dropped GCC's default architecture stops stock builds.
device='-foffload-options=-lm -foffload-options=nvptx-none=-latomic'
device="$device -foffload-options=nvptx-none=-Wa,--no-verify"

# ---- Changes: called in a copy of the sources, $data is the program's folder ----
deck () {			# SIZE FILE: read from the working directory
  mkdir -p "$data/$1" && cp -R "$2" "$data/$1/${3-}"
}
# What asks NVML is no part of it.
stream () {
  sed -i -e '/nvml\.h/d; /void nvml_error/,/^}/d; /NVML/d; /nvmlDevice_t/d' cuda/CUDAStream.cu
}
clover () {			# FILE: 87 steps of 960x960 cells
  sed -e 's/x_cells=.*/x_cells=10/; s/y_cells=.*/y_cells=2/; s/ymax=10.0/ymax=2.0/' \
    -e 's/end_step=.*/end_time=3.0/; s/test_problem.*/test_problem 1/' "$1" >small.in
  deck small small.in clover.in && deck large "$1" clover.in && ln -s "$here/mpi" mpi
}
tea () {
  sed 's/^\([xy]_cells\)=.*/\1=64/; s/^end_step=.*/end_step=1/' tea.in >small.in
  deck small small.in tea.in && deck small tea.problems \
    && deck large tea.in && deck large tea.problems
}
# No output: there is no pnetcdf.
weather () {
  ln -s "$here/mpi" mpi && find . -name '*_mpi_open*' -exec sed -i \
    -e 's/\(call \)\{0,1\}ncwrap *(.*, *__LINE__ *) *;\{0,1\}//' -e '/pnetcdf/d' \
    -e 's/len=nf[0-9]*_unlimited *;//' -e '/nf[90]*mpi_strerror/d' -e 's/nf_noerr/0/' \
    -e 's/ncmpi_strerror(ierr)/""/' -e 's/NC_NOERR/0/' {} +
}
npb () {			# BENCHMARK CLASS
  "$CC" -w sys/setparams.c* -lstdc++ -o sys/setparams && cd "$folder" \
    && ../sys/setparams "$1" "$2"
}
bude () { deck small "$apps/miniBUDE/data/bm1" && deck large "$apps/miniBUDE/data/bm1"; }
# The member of a structure that is mapped as a whole cannot be mapped as well.
bench () { sed -i '/map(to: *[a-zA-Z]*\.max_num_[a-z]*)/d' [sS]imulation.c; }
boxfilter () { cp -R "$apps/HeCBench/src/boxfilter-sycl" . && deck large boxfilter-sycl/data/lenaRGB.ppm; }

# ---- Builds --------------------------------------------------------------------
# Where the sources of PART:FOLDER $1 are, with the change $2 made to a copy.
sources () {			# PART:FOLDER CHANGE
  part=$apps/${1%%:*} folder=${1#*:}
  [ -d "$part/$folder" ] || { echo "error: no folder ${1%%:*}/$folder"; return 1; }
  [ "$2" = - ] && folder=$part/$folder && return
  rm -rf "$work/copy" && cp -R "$part" "$work/copy" || return
  # shellcheck disable=SC2086  # a function and its arguments
  (cd "$work/copy" && $2) && folder=$work/copy/$folder
}

# Compile the row's sources with FLAGS into $work/SIDE.
compile () (			# SIDE FLAGS...
  side=$work/$1 files='' flags='' n=100
  shift
  rm -rf "$side"
  mkdir "$side" && cd "$folder" || exit
  for word in $build; do
    case $word in
      *.c | *.cc | *.cpp | *.f90 | *.F90) files="$files $word" ;;
      *) flags="$flags $word" ;;
    esac
  done
  for file in $files; do
    n=$((n + 1))
    case $file in
      *.c) compiler=$CC ;;
      *.f90 | *.F90) compiler="$FC -J$side" ;;
      *) compiler="$CXX -std=c++17" ;;
    esac
    # shellcheck disable=SC2086  # lists of words
    $compiler $OPT -w -f"open$model" $device $flags "$@" -c "$file" -o "$side/$n.o" || exit
  done
)

link () {			# SIDE FORM FLAGS...
  objects=$work/$1 program=$out/$name.$2
  shift 2
  case $language in c) linker=$CC ;; cc) linker=$CXX ;; *) linker=$FC ;; esac
  # shellcheck disable=SC2086
  $linker $OPT -f"open$model" $device "$@" "$objects"/*.o -lm -o "$program"
}

# The form's commands; what they print is its log.
form () {
  case $1 in
    stock) sources "$where" "$change" && compile stock && link stock stock ;;
    ours) sources "$where" "$change" && compile ours "$ours" -fopt-info-omp-all \
	    && link ours ours "$ours" ;;
    aot) [ -d "$work/ours" ] || { sources "$where" "$change" && compile ours "$ours"; } \
	   || return
	 (ACCRETE_AOT=$ARCH; export ACCRETE_AOT; link ours aot "$ours") ;;
    cuda) case $cuda in
	    *\;*) ;;
	    *) ln -sf "$cuda.cuda" "$out/$name.cuda"; return ;;
	  esac
	  sources "$(part 1)" "$(part 2)" && cd "$folder" && model=cuda || return
	  # shellcheck disable=SC2046,SC2086
	  $NVCC $OPT -w -std=c++17 -arch="$ARCH" -x cu $(part 3) -o "$out/$name.cuda" ;;
  esac
}
part () { echo "$cuda" | cut -d ';' -f "$1" | sed 's/^ *//; s/ *$//'; }

awk -f "$here/rows.awk" "$here/apps.list" >"$out/apps.txt"
cp "$here/run.sh" "$out/run.sh"
cupti=$(dirname "$(dirname "$(command -v "$NVCC" || echo "$CUDA/bin/nvcc")")")
[ ! -e "$cupti/include/cupti.h" ] \
  || "$CC" -O2 -shared -fPIC -I"$cupti/include" "$here/kernels.c" -o "$out/kernels.so" \
       -L"$cupti/lib64" -lcupti || exit
tab=$(printf '\t')
while IFS=$tab read -r name language where change build _ _ _ _ cuda; do
  for wanted in "${@:-*}"; do
    # shellcheck disable=SC2254  # a pattern
    case $name in $wanted) break ;; *) false ;; esac
  done || continue
  model=${language#*-} language=${language%-*} model=${model#open} data=$out/data/$name
  case $model in omp) model=mp ;; esac
  rm -rf "${work:?}"/*
  for form in $FORMS; do
    case $form in
      aot) command -v ptxas >/dev/null || [ -x /usr/local/cuda/bin/ptxas ] || continue ;;
      cuda) { [ "$cuda" != - ] && command -v "$NVCC" >/dev/null; } || continue ;;
    esac
    [ ! -x "$out/$name.$form" ] || continue
    log=$out/logs/$name.$form
    if (form "$form") >"$log" 2>&1 </dev/null; then
      echo "$name $form built"
    else
      echo "$name $form not built: $(grep -m 1 -iE 'error: |undefined|fatal' "$log" || tail -n 1 "$log")"
    fi
  done
done <"$out/apps.txt"
