# Site records: the report and the trace name each data construct by its line, its kind
# and its variables, however the program is compiled.
#   TO, FROM, NOTHING   behind a directive: the bytes of its variables each way
#   NAMES               of its variables, those that the record has
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

on_emulated_gpu
cuda=$cuda:$lib
export ACCRETE_EMU_GPU=mini ACCRETE_LIMITS=0
plugin=$top_builddir/plugin/.libs/accrete.so
tagged="-fplugin=$plugin -fplugin-arg-accrete-disable=spmd"
off=-foffload-options=nvptx-none=-Wa,--no-verify

# directives SOURCE acc|omp: "LINE WORDS;WANT" of the data directives of SOURCE.
directives () {
  grep -nE "$2 .*(//|!) (TO|FROM|NOTHING|NAMES)" "$srcdir/$1" | sed -E '
    s/^([0-9]+):.*(acc|omp target) (data|enter data|exit data|update|host_data) .*(\/\/|!) /\1 \2 \3;/'
}
# under PLACE: the report's lines below the row of PLACE.
under () {
  printf '%s\n' "$text" | awk -v at="$1" '
    !/^accrete:   [a-zA-Z]/ { on = 0 }
    on { print }
    substr ($0, length ($0) - length (at) + 1) == at { on = 1; print "row" }'
}
# bytes PLACE: "TO A N B ... FROM ...", or NOTHING, as in the sources.
bytes () {
  said=$(under "$1" | sed -nE '
    s/, the rest .*//; s/,//g
    s/^accrete:   (sent|stock would send [^:]*): /TO /p
    s/^accrete:   (fetched|stock would fetch [^:]*): /FROM /p' | tr '\n' ' ')
  echo ${said:-NOTHING}
}
# sites HOW SOURCE acc|omp PROGRAM...
sites () {
  how=$1 source=$2 model=$3
  shift 3
  stock "$@"
  want="0 $out"
  report=text
  ours "$@"
  report=json text=$err
  is "$status $out" "$want" "$how: the program's own output"
  directives $source $model >"$tmp/directives"
  is "$(printf '%s\n' "$text" | grep -oE "$source:[0-9]+ .*" | grep -Ev 'acc parallel|omp target$' | sort)" \
    "$(sed "s/;.*//; s/^/$source:/" "$tmp/directives" | sort)" "$how: lines and kinds"
  while IFS=';' read -r place list; do
    case $list in
      NAMES*) ;;
      *) is "$(bytes "$source:$place")" "$list" "$how: bytes on line $place" ;;
    esac
  done <"$tmp/directives"
  unlike "$text" '\+0x[0-9a-f]+ ' "$how: none is an address"
}
# build OUTPUT COMMAND...
build () {
  out=$tmp/$1
  shift
  "$@" -o "$out" $off >"$tmp/log" 2>&1 || { cat "$tmp/log" >&2; exit 99; }
}

for m in acc omp; do
  case $m in acc) flag=-fopenacc ;; *) flag=-fopenmp ;; esac
  # A program that is no PIE finds only what it was linked with.
  for level in -O0 -O2 "-O3 -flto" \
    "-O2 -fno-pie -no-pie -Wl,--no-as-needed $ext/libgomp-ext.so.0"; do
    # shellcheck disable=SC2086
    {
      build c $CC $level $flag $tagged "$srcdir/sites.c"
      build f $FC $level $flag $tagged -J "$tmp" "$srcdir/sites.f90"
      build one.o $CXX $level $flag $tagged -c "$srcdir/sites.cc"
      build two.o $CXX $level $flag $tagged -DSECOND -c "$srcdir/sites.cc"
      build cc $CXX $level $flag "$tmp/one.o" "$tmp/two.o"
    }
    what="$m ${level%% -W*}"
    sites "C $what" sites.c $m "$tmp/c"
    sites "Fortran $what" sites.f90 $m "$tmp/f"
    sites "C++ $what" sites.cc $m "$tmp/cc"
  done
  # shellcheck disable=SC2086
  {
    build libsites.so $CC -O2 $flag $tagged -fPIC -shared -DWORK_ONLY "$srcdir/sites.c"
    build p $CC -O2 $flag $tagged -DMAIN_ONLY "$srcdir/sites.c" "$tmp/libsites.so" \
      "-Wl,-rpath,$tmp"
  }
  sites "library $m" sites.c $m "$tmp/p"

  # The records' names, in the order of the source.
  # shellcheck disable=SC2086
  $CXX -O2 $flag -foffload=disable -fplugin="$plugin" -fplugin-arg-accrete-dump="$tmp/dump" \
    -S -o /dev/null "$srcdir/sites.cc" || exit 99
  directives sites.cc $m | while IFS=';' read -r place list; do
    line=${place%% *}
    sed -n "s/^ACCRETE-SITE 1 src=.*:$line kind=[^ ]* //p" "$tmp/dump" | grep -o 'op=[0-9]*,[^,]*' \
      | sed 's/.*,//' | grep -x "${list#NAMES }.*" | head -n 1 | grep -q . || echo "$place $list"
  done >"$tmp/lost"
  is "$(cat "$tmp/lost")" "" "C++ $m: names"
  rm -f "$tmp/dump"

  ACCRETE_TRACE=$tmp/trace ours "$tmp/c"
  line=$(directives sites.c $m | sed -n 's/ [a-z ]*update;FROM.*//p' | head -n 1)
  like "$(cat "$tmp/trace")" "sites.c:$line [a-z ]*update.*\"variables\":\"p\"" "trace $m: a name"
  rm -f "$tmp/trace"
done

# What says nothing to the runtime gets nothing.
$CC -O2 -fopenmp $tagged,tag -S -foffload=disable -o "$tmp/untagged.s" "$srcdir/sites.c" || exit 99
is "$(grep -c acr_ "$tmp/untagged.s")" 0 "without tags: no code"

done_testing
