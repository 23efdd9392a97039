# Mistakes put on purpose into what leaves copies and kernels until the host
# looks, and into what says that it looks: random programs must show each.
# usage: late-mutants.sh; LATE_SEEDS="1 2 3..." are tried one after the other
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"
. "$srcdir/late-lib.sh"

runtime=$top_builddir/libgomp-ext passes=$top_builddir/plugin
headers=$($CC -print-file-name=plugin)/include
mkdir -p "$tmp/mutant/device" "$tmp/plugin"
ln -s "$ext/libgomp-plugin-nvptx.so.1" "$tmp/mutant/device/"
cp "$plugin" "$tmp/plugin/"

# objects FOLDER NAME: those of the library, without NAME's.
objects () {
  for o in "$1"/.libs/*.o; do
    case ${o##*/} in
      plan* | graph.o | forward.o | libblindplugin* | loader.o) ;;
      *"$2.o") ;;
      *) echo "$o" ;;
    esac
  done
}
# make_runtime FILE.c, make_plugin FILE.cc: with $tmp/FILE in place of its own.
make_runtime () {
  # shellcheck disable=SC2046  # a list of words
  $CC -w -O1 -fPIC -shared -fvisibility=hidden -D_GNU_SOURCE \
    -I"$top_builddir" -I"$top_srcdir/libgomp-ext" -I"$runtime" "$tmp/$1" \
    $(objects "$runtime" "${1%.c}") -Wl,-soname,libgomp-ext.so.0 \
    -Wl,-z,nodelete -Wl,--version-script="$runtime/libgomp-ext.map" \
    -o "$tmp/mutant/libgomp-ext.so.0" -ldl -lpthread >"$tmp/log" 2>&1
}
make_plugin () {
  # shellcheck disable=SC2046  # a list of words
  $CXX -w -O1 -fPIC -shared -fno-rtti -fno-exceptions -I"$headers" \
    -I"$top_builddir" -I"$top_srcdir/plugin" -I"$top_srcdir/libgomp-ext" \
    "$tmp/$1" $(objects "$passes" "${1%.cc}") "$runtime/.libs/abi.o" \
    -o "$tmp/plugin/accrete-passes.so" >"$tmp/log" 2>&1
}
# survives FILE: no seed finds anything, nor a crash or a hang.
survives () {
  for seed in ${LATE_SEEDS-1 2 3 4 5 6}; do
    [ -e "$tmp/stock-$seed" ] || {
      "$builddir/late-program" $seed >"$tmp/program.c"
      build stock-$seed acc -O2
      build marked-$seed acc -O2 "-fplugin=$plugin"
    }
    program=$tmp/marked-$seed with=$lib
    case $1 in
      *.cc)
	"$builddir/late-program" $seed >"$tmp/program.c"
	build mutant-program acc -O2 "-fplugin=$tmp/plugin/accrete.so"
	program=$tmp/mutant-program ;;
      *) with=$tmp/mutant ;;
    esac
    want=$(LD_LIBRARY_PATH=$cuda "$tmp/stock-$seed")
    for delay in 0 1; do
      got=$(ACCRETE_EMU_DELAY=$delay LD_LIBRARY_PATH=$cuda \
            LD_PRELOAD=$with/libgomp-ext.so.0 timeout 60 "$program" 2>&1)
      [ "$got" = "$want" ] || return 1
    done
  done
}

# FILE, a sed command, what is lost.
while IFS='@' read -r file edit what; do
  case $file in
    *.cc) from=$top_srcdir/plugin make=make_plugin ;;
    *) from=$top_srcdir/libgomp-ext make=make_runtime ;;
  esac
  sed "$edit" "$from/$file" >"$tmp/$file"
  if [ "$edit" ] && cmp -s "$tmp/$file" "$from/$file"; then
    ok 1 "$what: nothing to change in $file"
  elif ! $make "$file"; then
    ok 1 "$what: does not build"
    diag "$(cat "$tmp/log")"
  elif [ "$edit" ]; then
    ! survives "$file"; ok $? "$what"
  else
    survives "$file"; ok $? "$what"
  fi
done <<'END'
late.c@@unchanged, it passes
guard.cc@@unchanged, it passes
late.c@/^fetch (/,/^}/s/acr_gather_flush ()/(void)0/@a dropped flush
late.c@/^settle (/,/^}/s/acr_staging_wait (buffer)/0/@no wait for the fetch
late.c@/^acr_late_changes/,/^}/s/with_context (fetch)/(void)0/@a lost dependence: copy back, copy to the device
late.c@/^acr_late_launch/,/^}/s/with_context (fetch)/(void)0/@a lost dependence: copy back, kernel
late.c@/^acr_late_freed/,/^}/s/return kept/return false/@a lost dependence: copy back, free
late.c@/^may_write/,/^}/s/copies.i..host, copies.i..block/copies[i].dst + 1, 1/@a kernel's operands looked at in part
late.c@/^acr_late_begin/,/^}/s/with_context (settle)/(void)0/@a construct reads what is owed
late.c@/^acr_late_end/,/^}/s/look_at_all ()/(void)0/@nothing settled at the end of a construct without the flag
late.c@/^acr_look/,/^}/s/with_context (settle)/(void)0/@a look at what is owed
late.c@/^acr_look/,/^}/s/return look_at_all ()/return/@a look at anything
late.c@/^acr_look/,/^}/s/(p, n, copies/(p, 1, copies/@only the first byte is looked at
late.c@s/d->at = used + (d->src - c->src)/d->at = used/@neighbours not where the DMA brings them
cuda.c@/^wrap_memcpy_d2h (/,/^}/s/acr_late_settle ()/(void)0/@a copy at once in front of one that is owed
guard.cc@/^note_address/,/^}/s/get_base_address (place)/place/@the address of an element, and not of all
guard.cc@/^widen/,/^}/s/fold_convert (sizetype, size))/size_int (0))/@a range of one element
guard.cc@/^widen/,/^}/s/fold_convert (sizetype, less))/size_int (0))/@a range that begins where the loop does
guard.cc@/^places_in/,/^}/s/dirty && (what == STEP_ANY || leaves_p (stmt))/dirty \&\& what == STEP_ANY/@no look where the function ends
guard.cc@/^places_in/,/^}/s/dirty && (what == STEP_ANY || leaves_p (stmt))/dirty \&\& leaves_p (stmt)/@no look before calls
guard.cc@/^places_in/,/^}/s/if (dirty && what == STEP_TOUCH)/if (false)/@no look at single words
guard.cc@/^find_dirty/,/^}/s/g->dirty.bb->index. = changed = true/g->dirty[bb->index] = false/@nothing is known behind a jump
guard.cc@/^guard_constructs/,/^}/s/h->memory.any () &&/h->memory.all \&\&/@no look at ranges in front of loops
guard.cc@/^guard_host_code/,/^}/s/return guard_region (fun)/return 0/@the host's side of a region
END
done_testing
