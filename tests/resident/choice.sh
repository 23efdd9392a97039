# A loop that comes again is executed by its kernel or by the host, whichever was
# faster when they took turns; another process knows.  Before, the kernel executes
# what fits into the second-level cache, or into a part of it where the host would not
# wait for results.  A loop that the host executes well is asked about once in a while
# only.  Results are the same all the time.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia XDG_CACHE_HOME="$tmp/cache"

cat >"$tmp/loop.c" <<'END'
#include <stdio.h>
#include <stdlib.h>

int
main (int argc, char **argv)
{
  int n = atoi (argv[1]), times = atoi (argv[2]), t = 0;
  unsigned h = 0, *a = calloc (n, sizeof *a);
#pragma acc data copy (a[0:n])
  for (int k = 0; k < times; k++)
    {
      unsigned sum = 0;
      for (t = 0; t < 5 && sum != 1; t++)
	{
#ifdef RESULT
	  sum = 0;
#pragma acc parallel loop present (a[0:n]) reduction (+: sum)
	  for (int i = 0; i < n; i++)
	    sum += a[i] | 2;
#endif
#pragma acc parallel loop present (a[0:n])
	  for (int i = 0; i < n; i++)
	    a[i] = a[i] * 3 + i + t;
#pragma acc parallel loop present (a[0:n])
	  for (int i = 0; i < n; i++)
	    a[i] ^= a[i] >> 7;
	}
#pragma acc update self (a[0:1])
      h = h * 31 + a[0] + t;
    }
  for (int i = 0; i < n; i++)
    h = h * 31 + a[i];
  printf ("%u\n", h);
}
END
# shellcheck disable=SC2086  # a list of words
for form in loop result; do
  [ $form = loop ] || set -- -DRESULT
  "$CC" -specs="$specs" -O2 -fopenacc $stock_flags "$@" "$tmp/loop.c" \
    -o "$tmp/$form" || exit 99
  "$CC" -O2 -w "$@" "$tmp/loop.c" -o "$tmp/$form-host" || exit 99
done

# execute ARGS: kernels that were launched, of FORM.
form=loop
execute () {
  ACCRETE_DEBUG=2 "$run" --emulate "$tmp/$form" "$@" >"$tmp/got" 2>"$tmp/err"
  is "$(cat "$tmp/got")" "$("$tmp/$form-host" "$@")" "$form $*: as on the host"
  kernels=$(grep -c 'cooperative launch of .* status 0' "$tmp/err")
}

execute 100 3
is "$kernels" 3 "what is small is a kernel before anything is known"
execute 100 11
is "$kernels" 7 "then the kernel and the host take turns"
unlike "$(cat "$tmp/err")" 'resident: the' "nothing is decided yet"
execute 100 200
choice=$(sed -n 's/^accrete: resident: the \([a-z]*\).*a region.*/\1/p' "$tmp/err")
case $choice in
  kernel) want=196 ;;
  # Eight executions in which the kernel was asked for in vain, then one of 64.
  host*) want=7 ;;
  *) want="no choice: $choice" ;;
esac
is "$kernels" "$want" "the best is taken then ($choice)"
execute 100 200
[ "$choice" = kernel ] && want=200 || want=0
is "$kernels" "$want" "another process knows"
execute 101 3
is "$kernels" 3 "but not of other data"
export ACCRETE_DISABLE=autotuning
execute 100 20
is "$kernels" 20 "without measurement what is small is a kernel"
execute 100000 2
is "$kernels" 0 "what takes half the cache is not"
form=result
execute 100000 2
is "$kernels" 2 "but where the host would wait for results"
execute 400000 1
is "$kernels" 0 "and what is larger than the cache is not"
done_testing
