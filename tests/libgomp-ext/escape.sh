# A device address gets out, and the program calls the driver with it: it sees
# what stock shows, whatever is left for later where nobody can look.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

on_emulated_gpu
export ACCRETE_EMU_GPU=mini
plugin=$top_builddir/plugin/.libs/accrete.so

# The driver is opened, or linked with what calls it: the program or a library.
driver=$srcdir/escape-driver.c linked=$cuda/libcuda.so.1
$CC -O1 -c -DOPENED "$driver" -o "$tmp/opened.o" || exit 99
$CC -O1 -fPIC -shared "$driver" "$linked" -o "$tmp/libdriver.so" || exit 99
for m in acc mp; do
  for plugin_flag in '' "-fplugin=$plugin"; do
    how=${plugin_flag:+marked}
    how=${how:-plain}
    # shellcheck disable=SC2086  # one word, or none
    {
      compile $how-$m escape.c -fopen$m "$tmp/opened.o" -lpthread $plugin_flag
      compile $how-linked-$m escape.c -fopen$m "$driver" "$linked" -lpthread \
	$plugin_flag
      compile $how-library-$m escape.c -fopen$m "$tmp/libdriver.so" "$linked" \
	-lpthread -Wl,-rpath,"$tmp" $plugin_flag
    }
  done
done

# as_stock NAME ARGUMENT...: the builds of NAME print what stock prints.
as_stock () {
  name=$1
  shift
  for delay in 0 1; do
    export ACCRETE_EMU_DELAY=$delay
    stock "$tmp/plain-$name" "$@"
    wanted
    for how in plain marked; do
      ours "$tmp/$how-$name" "$@"
      is "$status$out" "$want" "$how $name, delay $delay: $*"
    done
  done
  unset ACCRETE_EMU_DELAY
}
known () { like "$want" '^0known' "the program knows the address"; }

for m in acc mp; do
  for way in store number member swap bits compare difference use use_address; do
    as_stock $m $way
    as_stock $m $way own
    known
  done
  for by in linked library; do
    as_stock $by-$m number
    known
  done
done
for way in attach routine ask copyin; do
  as_stock acc $way own
  known
done

as_stock acc thread
is "$want" 02 "acc: an address in another thread"
for m in acc mp; do
  as_stock $m release
  is "$want" 07 "$m: freeing waits for all work"
done

# Nothing has got out: then all is left as before.
exposed () { printf '%s\n' "$err" | grep -c 'has device addresses'; }
for m in acc mp; do
  as_stock $m none
  for way in none:0 number:1; do
    ACCRETE_DEBUG=1 ours "$tmp/marked-$m" ${way%:*}
    is "$(exposed)" ${way#*:} "$m, ${way%:*}: is it known?"
  done
done

if type gfortran >/dev/null 2>&1; then
  CC=gfortran
  for m in acc mp; do
    compile plain-f-$m escape.F90 -fopen$m "$tmp/opened.o" -lpthread
    compile marked-f-$m escape.F90 -fopen$m "$tmp/opened.o" -lpthread "-fplugin=$plugin"
    for way in number pointer descriptor use; do
      as_stock f-$m $way
      known
    done
  done
else
  skip "no gfortran" "Fortran"
fi
done_testing
