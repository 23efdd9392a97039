# The runtime under valgrind: no access to what is not its, nothing lost, on the
# emulated GPU.
# usage: valgrind.sh; VALGRIND_STEPS=N
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"
. "$srcdir/late-lib.sh"

valgrind=$(command -v valgrind) \
  || { skip "no valgrind" "memory"; done_testing; exit; }
steps=${VALGRIND_STEPS-30}
# What libgomp and its plugin lose when a device is closed.
cat >"$tmp/suppressions" <<'END'
{
  libgomp
  Memcheck:Leak
  match-leak-kinds: definite
  fun:malloc
  obj:*/libgomp.so*
}
{
  plugin
  Memcheck:Leak
  match-leak-kinds: definite
  ...
  fun:GOMP_OFFLOAD_load_image
}
END
checked () {
  out=$(LD_LIBRARY_PATH=$cuda LD_PRELOAD=$lib/libgomp-ext.so.0 \
        timeout 600 "$valgrind" -q --suppressions="$tmp/suppressions" \
	--leak-check=full --show-leak-kinds=definite \
	--errors-for-leak-kinds=definite --error-exitcode=99 "$@" 2>&1)
  status=$?
}

compile model-acc model.c -fopenacc -lpthread "-fplugin=$plugin"
for how in threads=1,devices=1 threads=3,devices=2; do
  threads=${how%,*} threads=${threads#*=}
  ACCRETE_COPIERS=1 ACCRETE_EMU_DEVICES=${how##*=} \
    checked "$tmp/model-acc" $steps 5 "$threads"
  is "$status$out" "0$steps steps, 0 wrong" "transfers, $how"
done
programs 1 acc -O1
want=$(LD_LIBRARY_PATH=$cuda "$tmp/stock") || want="stock exits with $?"
ACCRETE_EMU_DELAY=1 checked "$tmp/marked"
is "$status$out" "0$want" "what is left until the host looks"
done_testing
