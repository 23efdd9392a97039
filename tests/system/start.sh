# A program built with accrete starts, and is right, where accrete is not; where it
# is, the program finds it, and all calls of libgomp go there.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/stage.sh"
cp -R "$stage" "$tmp/tree"
there=$tmp/tree/lib/accrete
emu=$stage/lib/accrete/emu
from=$srcdir/start

# build NAME FLAGS... FILE, from $there.
build () {
  name=$1
  shift
  # shellcheck disable=SC2046  # a compiler with flags
  $(compiler "$(for a; do :; done; echo "$a")") "-specs=$there/accrete.specs" -O2 \
    "$@" -o "$tmp/$name" >"$tmp/log" 2>&1
  ok $? "$name: builds" || diag "$(cat "$tmp/log")"
}
# emulated PROGRAM...: on the emulated GPU, with nothing else of accrete's.
emulated () { LD_LIBRARY_PATH=$emu ACCRETE_EMU_GPU=mini "$@" 2>&1; }

build acc -fopenacc "$from/acc.c"
build omp -fopenmp "$from/omp.cc"
build f -fopenmp "$from/omp.f90"
build lto -fopenmp -flto "$from/omp.cc"
build host -fopenmp "$from/host.c"
build nothing -fopenmp -no-pie -fno-pie "$from/omp.cc"
programs='acc omp f lto nothing'

for p in $programs; do
  unlike "$(readelf -d "$tmp/$p")" 'NEEDED.*gomp-ext' "$p: no library of ours is wanted"
  is "$(emulated "$tmp/$p")" 4950 "$p: runs"
  like "$(ACCRETE_REPORT=counters emulated "$tmp/$p")" \
    '^accrete: constructs +[1-9]' "$p: finds the runtime"
  like "$(emulated "$run" --report=counters "$tmp/$p")" \
    '^accrete: constructs +[1-9]' "$p: also by accrete-run"
  # Ways to the driver are the program's own, not those that we have put into it.
  unlike "$(ACCRETE_DEBUG=1 emulated "$tmp/$p")" 'may call the driver' \
    "$p: is not taken for one that knows the driver"
done
unlike "$(LD_DEBUG=files "$tmp/host" 2>&1)" 'gomp-ext' \
  'host: a program without regions does not look for the runtime'

# A program that has a way of its own to the driver.
build own -fopenmp -DLOADS "$from/omp.cc"
like "$(ACCRETE_DEBUG=1 emulated "$tmp/own")" 'program may call the driver' \
  'own: is taken for one that knows the driver'

# Who stands between program and libgomp still does.
"$CC" -O2 -fPIC -shared "$from/tool.c" -o "$tmp/tool.so"
build sync -fopenmp "$from/sync.c"
like "$(LD_PRELOAD=$tmp/tool.so emulated "$tmp/sync")" 'tool: GOMP_taskwait' \
  'sync: a tool sees calls'
like "$(LD_PRELOAD=$tmp/tool.so ACCRETE_REPORT=counters emulated "$tmp/sync")" \
  '^accrete: constructs +[1-9]' 'sync: and so do we'
build mine -fopenmp -DMINE "$from/sync.c"
like "$(emulated "$tmp/mine")" 'mine' "mine: a program's own definition wins"

# A library that is built with accrete, in a program that is not: its regions go
# through the runtime, and the program waits for them all the same.
build liba.so -fopenmp -fPIC -shared "$from/part.c"
"$CC" -O2 -fopenmp -DPROGRAM "$from/part.c" "$tmp/liba.so" -Wl,-rpath,"$tmp" \
  -o "$tmp/mixed"
"$CC" -O2 -fopenmp -DPROGRAM -DLATER "$from/part.c" -ldl -o "$tmp/later"
build whole -fopenmp -DPROGRAM "-Wl,-rpath,$tmp" "-Wl,--no-as-needed,$tmp/liba.so" \
  "$from/part.c"
unlike "$(nm -D --defined-only "$tmp/liba.so")" ' GOMP_' \
  'liba: gives nobody entries of libgomp'
for p in mixed later whole; do
  bad=0
  for i in 1 2 3 4 5 6 7 8; do
    [ "$(cd "$tmp" && ACCRETE_NOWAIT_MIN=0 emulated "./$p")" = right ] \
      || bad=$((bad + 1))
  done
  is $bad 0 "$p: a library's region is waited for"
  like "$(cd "$tmp" && ACCRETE_REPORT=counters emulated "./$p")" \
    '^accrete: constructs +[1-9]' "$p: the library finds the runtime"
done

mv "$tmp/tree" "$tmp/away"
for p in $programs host; do
  is "$(emulated "$tmp/$p")" 4950 "$p: runs where accrete is not"
  is "$(ACC_DEVICE_TYPE=host OMP_TARGET_OFFLOAD=disabled "$tmp/$p" 2>&1)" 4950 \
    "$p: there on the host"
done
is "$(cd "$tmp" && emulated ./mixed; emulated ./later; emulated ./whole)" "right
right
right" 'libraries, too'
like "$(ACCRETE_REPORT=1 emulated "$tmp/acc")" 'libgomp-ext.so.0 is not found' \
  'acc: says so when a report is wanted'
like "$(ACCRETE_REPORT=counters LD_LIBRARY_PATH=$tmp/away/lib/accrete:$emu \
  "$tmp/acc" 2>&1)" '^accrete: constructs +[1-9]' 'acc: finds it as any library'
done_testing
