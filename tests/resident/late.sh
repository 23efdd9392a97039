# Kernels of resident loops are not there as a program starts: the host executes its
# loops, and where that goes on for long enough, the kernel is compiled beside the
# program, and executes the next one.  Another process finds it on disk.  Results are
# the same, whatever fails.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia XDG_CACHE_HOME="$tmp/cache"

# usage: loop TIMES MS STEPS: the loop TIMES times, of so many steps, and so long behind
# each.
cat >"$tmp/loop.c" <<'EOF'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int a[100], b[100];

int
main (int argc, char **argv)
{
  int times = atoi (argv[1]), ms = atoi (argv[2]), steps = atoi (argv[3]);
#pragma acc data copy (a, b)
  for (int k = 0; k < times; k++)
    {
      for (int t = 0; t < steps; t++)
	{
#pragma acc parallel loop
	  for (int i = 0; i < 100; i++)
	    a[i] = b[99 - i] + t;
#pragma acc parallel loop
	  for (int i = 0; i < 100; i++)
	    b[i] += a[i] * 3 + i + k;
	}
      usleep (ms * 1000);
    }
  unsigned h = 0;
  for (int i = 0; i < 100; i++)
    h = h * 31 + a[i] + 7 * b[i];
  printf ("%u\n", h);
}
EOF
# shellcheck disable=SC2086  # a list of words
"$CC" -specs="$specs" -O2 -fopenacc $stock_flags "$tmp/loop.c" -o "$tmp/loop" || exit 99
"$CC" -O2 -w "$tmp/loop.c" -o "$tmp/host" || exit 99

cache=$XDG_CACHE_HOME/accrete
empty () { rm -rf "$cache"; }
# start ARGS: what a process says, which is as on the host, and RESIDENT regions.
start () {
  got=$(timeout 60 "$run" --emulate --report=json "$tmp/loop" "$@" 2>"$tmp/err")
  want=$("$tmp/host" "$1" 0 "$3")
  resident=$(json resident "$tmp/err")
  [ "$got" = "$want" ] || diag "$*: $got for $want $(head -n 3 "$tmp/err")"
}
count () { json "$1" "$tmp/err"; }
# had REGIONS COUNTER=N...: these, and the result of the last process, are right.
had () {
  regions=$1 what=$2
  shift 2
  said="$got $resident" wanted="$want $regions"
  for c; do
    said="$said ${c%=*}=$(count "${c%=*}")" wanted="$wanted $c"
  done
  is "$said" "$wanted" "$what"
}

# ---- A few short loops --------------------------------------------------------
empty
start 1 0 5
had 0 "the host executes a loop" put_off=1 variants_compiled=0
start 1 0 5
had 0 "and in the next process" put_off=1 variants_compiled=0 links=0
ACCRETE_DISABLE=tiers start 1 0 5
had 9 "tiered-compilation is off: its kernel does" put_off=0
kernel=$(ACCRETE_DISABLE=tiers ACCRETE_GEOMETRY=print "$run" --emulate "$tmp/loop" 1 0 5 \
  2>&1 | sed -n 's/.*geometry: \(main._omp_fn[^:]*\):.*/\1/p')
empty
ACCRETE_GEOMETRY="$kernel=2x64" start 1 0 5
had 9 "its geometry is said: the kernel does" put_off=0

# ---- Many ---------------------------------------------------------------------
empty
start 200 2 3
[ "$resident" -gt 0 ] && [ $((resident % 5)) = 0 ]
ok $? "many of them: the kernel executes the last ones ($resident regions)"
had "$resident" "and the result is right" put_off=1 variants_compiled=1
# So few that nothing is decided.
empty
start 10 10 3
start 4 0 3
had 20 "the next process finds the kernel" variants_found=1 variants_compiled=0
ACCRETE_DISABLE=cooperative start 4 0 3
had 0 "which is not looked for where it cannot be launched" variants_found=0

# ---- One long loop ------------------------------------------------------------
# It takes longer than 20 ms, on a fast machine, too.
empty
start 1 0 2000
had 0 "one long loop: the kernel is compiled meanwhile" variants_compiled=1
start 1 0 2000
had 3999 "and executes it in the next process" variants_found=1

# ---- Whatever fails -----------------------------------------------------------
for from in compiled found; do
  bad=
  for entry in cuLinkCreate:2 cuLinkAddData:2 cuLinkComplete:2 cuLinkDestroy:2 \
      cuModuleLoadData:2 cuModuleLoadData:2+ cuCtxPushCurrent:1+ cuLinkCreate:2+ \
      cuLinkComplete:2+; do
    [ $from = found ] || empty
    ACCRETE_EMU_FAIL=$entry start 40 2 3
    [ "$got" = "$want" ] || bad="$bad $entry($got)"
    case $from$entry in
      compiledcuLinkC*:2+) [ "$resident" = 0 ] || bad="$bad $entry: $resident" ;;
    esac
  done
  is "$bad" "" "entries that fail where a kernel is $from"
  empty
  start 10 10 3
done

# ---- Many at once -------------------------------------------------------------
want="0 $("$tmp/host" 40 0 3)"
empty
six_at_once "$tmp/loop" 40 2 3
done_testing
