#!/bin/sh
# Does a change of the plugin leave the code of programs as it was?  A tool for
# whoever changes the plugin's structure, not a test of its own:
#
#   same-code.sh save FOLDER PLUGIN	before: keep what PLUGIN, an accrete.so,
#					makes of every program
#   same-code.sh check FOLDER PLUGIN	after: say which programs come out
#					differently, and how
#
# A program is kept as four files: .ptx, the device's code before ptx-post;
# .host, the host's at the end of GCC's tree passes; .facts, the tags and the
# plugin's dump; .says, remarks and messages.  PATTERN in the environment takes
# programs by name, JOBS compiles so many at a time.
#
# Numbers that GCC counts up for declarations are left out.  What remains is
# compared byte by byte.  Compilers run without address space randomization: GCC
# walks over some of its tables in the order of addresses.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
tests=$(cd "$(dirname "$0")/.." && pwd)
top=$(dirname "$tests")
export LC_ALL=C

usage () { sed -n 's/^# *\(same-code.sh\)/usage: \1/p' "$0" >&2; exit 1; }

# ---- The programs: NAME SOURCE FLAG... ----

cases () {			# FOLDER DEFAULT-FLAG...
  folder=$1
  shift
  for source in "$tests/$folder"/*.c "$tests/$folder"/*.cc \
		"$tests/$folder"/*.[fF]90; do
    [ -f "$source" ] || continue
    flags=$(sed -n 's/^.*\<FLAGS: *//p' "$source" | sed 's/ *\*\/ *$//;q')
    case $source in *-acc.*) model=-fopenacc ;; *) model=-fopenmp ;; esac
    for level in "$@"; do
      echo "$folder-${source##*/}$level $source $level ${flags:-$model}"
    done
  done | tr '/' '\a' | sed 's,^\([^ ]*\)\a,\1-,;s,^\([^ ]*\)\a,\1-,' | tr '\a' '/'
}

benchmarks () {
  sh "$top/benchmarks/programs.sh" | grep -v ' nvcc ' \
    | while read -r name _ flags source _; do
	echo "$name $top/benchmarks/$source -O2 $(echo "$flags" | tr , ' ')"
      done
}

# Generated ones, many scenes to a file; they are written to GENERATED.
generated () {
  for lang in c cc f90; do
    for model in omp acc; do
      for seed in 1 2 3; do
	file=$generated/whole-$model-$seed.$lang
	# shellcheck disable=SC2046  # a list of options
	perl "$tests/whole/generate.pl" --lang=$lang --model=$model \
	  $(printf ' --seed=%s' $((seed * 4)) $((seed * 4 + 1)) \
	    $((seed * 4 + 2)) $((seed * 4 + 3))) --entry=program_ >"$file"
	echo "${file##*/} $file -O2 -c -fopen$model"
	file=$generated/spmd-$model-$seed.$lang
	perl "$tests/spmd/generate.pl" --lang=$lang --seed=$seed --regions=8 \
	  --model=$model >"$file"
	echo "${file##*/} $file -O2 -fopen$model"
      done
    done
  done | sed 's/-fopenomp/-fopenmp/'
}

programs () {
  cases spmd/cases -O2 -O0
  cases nest/cases -O2
  cases kernels/cases -O2
  cases fuse/cases -O2
  cases resident/cases -O2
  cases plugin/cases -O2
  cases jam -O2
  benchmarks
  generated
}

# ---- One program ----

# Without jumps to the next statement, second labels of a place, the numbers of
# declarations and temporaries, and temporary files' names.
plain () {
  awk '{ label = $1; sub (/:$/, ";", label)
	 is_label = $0 ~ /^ *<D[.][0-9]+>:$/
	 if (is_label && jump == label) held = ""
	 if (held != "") print held
	 held = is_label && was_label ? "" : $0
	 was_label = is_label; jump = $1 == "goto" ? $2 : "" }
       END { if (held != "") print held }' "$@" \
  | sed -E 's/\b([A-Za-z_][A-Za-z0-9_]*)[.][0-9]+/\1./g; s/_[0-9]{4,}\b/_/g
	  s/(uid|order)=[0-9]+/\1=/g; s,/tmp/[A-Za-z0-9._]+,,g'
}

# Called by itself for each program: one TO PLUGIN NAME SOURCE FLAG...
one () {
  to=$1 plugin=$2 name=$3 source=$4
  shift 4
  case $source in
    *.c) compiler=${CC:-gcc} ;;
    *.cc) compiler=${CXX:-g++} ;;
    *) compiler=${FC:-gfortran} ;;
  esac
  work=$to/work.$name
  mkdir "$work"
  cd "$work"
  # A program without main () still goes through the device's compiler where the
  # linker is left out of the game: -r would drop it, -shared does not.
  case " $* " in *' -c '*) how=-shared ;; *) how= ;; esac
  for flag; do shift; [ "$flag" = -c ] || set -- "$@" "$flag"; done
  setarch -R $compiler -fplugin="$plugin" -fplugin-arg-accrete-dump=facts \
    -fopt-info-omp-all -w "$@" ${how:+-shared -fPIC} -frandom-seed=1 \
    -save-temps -dumpbase x -fdump-tree-optimized=host \
    -foffload-options=nvptx-none=-Wa,--no-verify \
    -foffload-options=nvptx-none=-latomic -foffload-options=-lm \
    "$source" -o program -lm >says 2>&1 || :
  cat ./*.mkoffload.s 2>/dev/null | plain >"$to/$name.ptx"
  for part in host facts says; do
    [ ! -f $part ] || plain $part >"$to/$name.$part"
  done
  cd "$to"
  rm -rf "$work"
}

make_all () {			# TO PLUGIN
  # The same path before and after: names of functions hold a hash of it.
  generated=$(dirname "$1")/generated
  rm -rf "$1" "$generated"
  mkdir -p "$1" "$generated"
  programs | grep -E -- "${PATTERN-.}" \
    | xargs -P "${JOBS-2}" -L 1 sh "$0" one "$1" "$2"
  # shellcheck disable=SC2012  # names that this script has made
  echo "$(ls "$1" | grep -c 'says$') programs," \
       "$(find "$1" -name '*.ptx' -size +1k | wc -l) with device code"
  if grep -qs 'compiling without it' "$1"/*.says; then
    echo "same-code.sh: GCC did not load all of $2" >&2
    exit 1
  fi
}

[ $# -ge 3 ] || usage
case $1 in
  one) shift; one "$@" ;;
  save) mkdir -p "$2"; make_all "$(cd "$2" && pwd)/before" "$(realpath "$3")" ;;
  check)
    folder=$(cd "$2" && pwd)
    make_all "$folder/after" "$(realpath "$3")"
    for file in "$folder"/after/*; do
      cmp -s "$folder/before/${file##*/}" "$file" || echo "differs: ${file##*/}"
    done >"$folder/differ"
    head -n 20 "$folder/differ"
    if [ -s "$folder/differ" ]; then
      diff -u0 -r "$folder/before" "$folder/after" >"$folder/diff" || :
      echo "$(wc -l <"$folder/differ") files, see $folder/diff"
      exit 1
    fi
    echo "all the same" ;;
  *) usage ;;
esac
