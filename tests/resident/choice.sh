# A loop that comes again is executed by its kernel or by the host, whichever was
# faster when they took turns, and the kernel tries grids; another process knows.  Before, the kernel executes
# what fits into the second-level cache, or into a part of it where the host would not
# wait for results.  A loop that the host executes well is asked about once in a while
# only.  So is which kernel, of two.  Results are the same all the time.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
# Kernels are there from the beginning; late.sh has what is else.
export ACCRETE_DISABLE=tiered-compilation
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia XDG_CACHE_HOME="$tmp/cache"

cat >"$tmp/loop.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#ifdef TURNS
#define END (n - t)
#else
#define END n
#endif

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
	  for (int i = 0; i < END; i++)
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
for form in loop result turns; do
  [ $form = loop ] || set -- -DRESULT
  [ $form != turns ] || set -- -DTURNS
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

# shape: of the last one.
shape () {
  sed -n 's/.*cooperative launch of .*, \(.*\) threads: .*/\1/p' "$tmp/err" | tail -n 1
}

execute 100 3
is "$kernels" 3 "what is small is a kernel before anything is known"
is "$(shape)" "2 blocks of 128x1" "it has no more threads than work"
execute 1000 1
is "$(shape)" "2 blocks of 512x1" "and as many"
form=turns
execute 1000 1
is "$(shape)" "4 blocks of 1024x1" "and all of the GPU where work is not known"
form=loop
execute 100 11
is "$kernels" 7 "then the kernel and the host take turns"
unlike "$(cat "$tmp/err")" 'resident: the' "nothing is decided yet"
execute 100 200
choice=$(sed -n 's/^accrete: resident: the \([a-z]*\).*a region.*/\1/p' "$tmp/err")
shapes=$(sed -n 's/.*cooperative launch of .*, \(.*\) threads: .*/\1/p' "$tmp/err" | sort -u | wc -l)
case $choice in
  kernel)
    [ "$shapes" -ge 5 ]
    ok $? "the kernel tries grids ($shapes)"
    is "$kernels" 196 "the best is taken then ($choice)" ;;
  # With 17 grids, three times each, at the most.
  host*)
    [ "$kernels" -ge 7 ] && [ "$kernels" -le 55 ]
    ok $? "the best is taken then ($choice, $kernels)" ;;
  *) is "$choice" "kernel or host" "a choice is made" ;;
esac
execute 100 200
[ "$choice" = kernel ] && want=200 || want=0
is "$kernels" "$want" "another process knows"
unlike "$(cat "$tmp/err")" 'resident: the' "and does not measure"
[ "$choice" != kernel ] \
  || is "$(sed -n 's/.*cooperative launch of .*, \(.*\) threads: .*/\1/p' "$tmp/err" | sort -u | wc -l)" 1 \
       "nor try grids"
execute 101 3
is "$kernels" 3 "but not of other data"
ACCRETE_DISABLE=autotuning
execute 100 20
is "$kernels" 20 "without measurement what is small is a kernel"
execute 100000 2
is "$kernels" 0 "what takes half the cache is not"
form=result
execute 100000 2
is "$kernels" 2 "but where the host would wait for results"
execute 400000 1
is "$kernels" 0 "and what is larger than the cache is not"

# Where rounds may be beside each other, one kernel is of these and one is round by
# round, and they take turns, too.
export ACCRETE_DISABLE=tiered-compilation
cat >"$tmp/tiles.c" <<'END'
#include <stdio.h>
#include <stdlib.h>

int
main (int argc, char **argv)
{
  int tiles = atoi (argv[1]), times = atoi (argv[2]), n = tiles * 64;
  unsigned h = 0, *a = calloc (n + 1, sizeof *a);
#pragma acc data copy (a[0:n])
  for (int k = 0; k < times; k++)
    {
      unsigned sum = k;
      for (int t = 0; t < tiles; t++)
	{
	  unsigned from = sum;
#pragma acc parallel loop present (a[0:n]) reduction (+: sum)
	  for (int i = 0; i < 64; i++)
	    sum += a[t * 64 + i] + i;
#pragma acc parallel loop present (a[0:n])
	  for (int i = 0; i < 64; i++)
	    a[t * 64 + i] += from;
	}
#pragma acc update self (a[0:1])
      h = h * 31 + sum + a[0];
    }
  for (int i = 0; i < n; i++)
    h = h * 31 + a[i];
  printf ("%u\n", h);
}
END
# build_tiles FILE: its constructs are to stay apart; and the host's form.
build_tiles () {
  # shellcheck disable=SC2086  # a list of words
  "$CC" -specs="$specs" -O2 -fopenacc $stock_flags \
    -fplugin-arg-accrete-disable=fuse "$1" -o "$tmp/tiles" \
    && "$CC" -O2 -w "$1" -o "$tmp/tiles-host" || exit 99
}
build_tiles "$tmp/tiles.c"

# spared TILES TIMES: regions without launches, of rounds beside each other and of
# such in turn.
spared () {
  "$run" --emulate --report=json "$tmp/tiles" "$@" >"$tmp/got" 2>"$tmp/err"
  is "$(cat "$tmp/got")" "$("$tmp/tiles-host" "$@")" "tiles $*: as on the host"
  chained=$(json chained "$tmp/err") resident=$(json resident "$tmp/err")
}

spared 20 2
is "$chained $resident" "78 0" "rounds are beside each other before anything is known"
bytes=$(json d2h_bytes "$tmp/err")
spared 20 3
bytes=$(($(json d2h_bytes "$tmp/err") - bytes))
[ "$chained" = 117 ] && [ $bytes -lt 256 ]
ok $? "what rounds hand on is not copied back" || diag "$chained, $bytes bytes each time"
spared 8 2
is "$chained $resident" "30 0" "and 8 are many"
spared 7 2
is "$chained $resident" "0 26" "7 are not"
ACCRETE_DISABLE=chain,tiers spared 20 2
is "$chained $resident" "0 78" "nor where it is switched off"
ACCRETE_DISABLE=cooperative spared 20 2
is "$chained $resident" "0 0" "without such launches the host executes them"
spared 21 12
is "$((chained > 250)) $((resident > 100)) $((chained + resident))" \
  "1 1 $((12 * 41))" "then they take turns"
spared 21 40
[ $chained -ge $((25 * 41)) ] || [ $resident -ge $((25 * 41)) ]
ok $? "the best is taken then ($chained, $resident)"

# A block that leaves out rounds of others counts their regions, or the kernel would seem
# to be slow.
cat >"$tmp/rows.c" <<'END'
#include <stdio.h>
#include <stdlib.h>

static unsigned
running (const unsigned *restrict a, unsigned *restrict b, int tiles)
{
  unsigned most = 1;
  for (int t = 0; t < tiles; t++)
    {
#pragma acc parallel loop default (present)
      for (int i = 0; i < 64; i++)
	b[t * 64 + i] ^= i * t;
      unsigned before = most;
#pragma acc parallel loop default (present) reduction (max: most)
      for (int i = 0; i < 64; i++)
	most = a[t * 64 + i] > most ? a[t * 64 + i] : most;
#pragma acc parallel loop default (present)
      for (int i = 0; i < 64; i++)
	b[t * 64 + i] += before + i;
    }
  return most;
}

int
main (int argc, char **argv)
{
  int tiles = atoi (argv[1]), times = atoi (argv[2]), n = tiles * 64;
  unsigned h = 0, *a = calloc (n + 1, sizeof *a);
  unsigned *b = calloc (n + 1, sizeof *b);
  for (int i = 0; i < n; i++)
    a[i] = i % 1013 + i / 9;
#pragma acc data copyin (a[0:n]) copy (b[0:n])
  for (int k = 0; k < times; k++)
    h = h * 31 + running (a, b, tiles);
  for (int i = 0; i < n; i++)
    h = h * 31 + b[i];
  printf ("%u\n", h);
}
END
build_tiles "$tmp/rows.c"
spared 300 2
is "$chained $resident" "1798 0" "rounds that a block leaves out are counted"
done_testing
