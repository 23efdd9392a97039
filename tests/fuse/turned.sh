# Rows and columns become one kernel without an option, and nobody has a price to pay
# where matrices are small: what needs large ones is not compiled as a program starts.
# When such matrices have come for long enough it is, beside the program; another process
# finds it.  Results are the same, whatever fails.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia XDG_CACHE_HOME="$tmp/cache"
source=$srcdir/turned.c

# build NAME FLAGS...
build () {
  name=$1
  shift
  # shellcheck disable=SC2086  # a list of words
  "$CC" -specs="$specs" -O2 -fopenacc $stock_flags -fopt-info-omp-all "$@" "$source" \
    -o "$tmp/$name" >"$tmp/$name.log" 2>&1
  ok $? "$name: builds" || diag "$(head -n 5 "$tmp/$name.log")"
}
"$CC" -O2 -w "$source" -o "$tmp/host" || exit 99
build usual
build any -fplugin-arg-accrete-turn=1
build never -fplugin-arg-accrete-disable=row-column-fusion

rm -rf "$XDG_CACHE_HOME"
empty () { rm -rf "$XDG_CACHE_HOME"; }
count () { json "$1" "$tmp/err"; }
# start PROGRAM ARGS...
start () {
  program=$tmp/$1
  shift
  got=$(timeout 100 "$run" --emulate --report=json "$program" "$@" 2>"$tmp/err")
  want=$("$tmp/host" "$@")
}
# had WHAT COUNTER=N...: the last process is right, and these.
had () {
  what=$1
  shift
  said=$got wanted=$want
  for c; do
    said="$said ${c%=*}=$(count "${c%=*}")" wanted="$wanted $c"
  done
  is "$said" "$wanted" "$what" || diag "$(head -n 5 "$tmp/err")"
}

# ---- What is said ---------------------------------------------------------------
is "$(grep -c 'fused with .* after a check' "$tmp/usual.log")" 2 \
  'fused without an option, in a loop of the host as well'
is "$(grep -c 'not fused' "$tmp/usual.log")" 0 'and nothing else is said of them'
like "$(cat "$tmp/usual.log")" 'loop over 2 regions: becomes one kernel' \
  'that loop has a kernel beside it'
is "$(grep -c ': fused with' "$tmp/never.log")" 0 'row-column-fusion is off'

# ---- Small matrices ---------------------------------------------------------------
# Three kernels each of the two places, and that of the loop.
empty
start usual 40 10 20 30
had 'small matrices: none of the kernels is compiled' put_off=7 fused=0 \
  variants_compiled=0 launches=80
start never 40 10 20 30
had 'as when the compiler makes none' put_off=1 fused=0 launches=80

# ---- Large ones -----------------------------------------------------------------
empty
start any 1 0 20 30
had 'once: none is compiled' put_off=7 fused=0 variants_compiled=0 launches=2
start any 60 20 20 30
fused=$(count fused)
ok "$((fused == 0 || fused == 60))" "later ones are executed by it ($fused of 60)"
had 'those of the one place are compiled' put_off=7 variants_compiled=3 \
  launches=$((120 + fused))
start any 5 0 20 30
had 'the next process finds them' variants_compiled=0 variants_found=3 fused=5 \
  launches=15
empty
ACCRETE_DISABLE=tiers start any 5 0 20 30
had 'tiered-compilation is off: they are there' put_off=0 fused=5 launches=15
ACCRETE_DISABLE=geometry start any 5 0 20 30
had 'launch-geometry is off: they are not asked for' fused=0 launches=10
ACCRETE_DISABLE=all start any 5 0 20 30
had 'nor where all is' fused=0 launches=10

# ---- In a loop of the host's ------------------------------------------------------
ACCRETE_DISABLE=tiers start any 1 0 20 30 6
had 'the kernel of the loop executes it' resident=11 fused=0 launches=1
ACCRETE_DISABLE=tiers,cooperative-launch start any 1 0 20 30 6
had 'or the host, and columns go along rows' resident=0 fused=6 launches=18

# ---- Without the runtime, and on the host -------------------------------------------
cp -R "$stage" "$tmp/tree"
specs=$tmp/tree/lib/accrete/accrete.specs build alone -fplugin-arg-accrete-turn=1
mv "$tmp/tree" "$tmp/away"
want=$("$tmp/host" 3 0 20 30)
is "$(LD_LIBRARY_PATH="$stage/lib/accrete/emu" "$tmp/alone" 3 0 20 30)" "$want" \
  'where accrete is not'
is "$(ACC_DEVICE_TYPE=host "$tmp/any" 3 0 20 30)" "$want" 'on the host'

# ---- Whatever fails -----------------------------------------------------------------
# The first of each is the program's start, where all others are compiled together.
export ACCRETE_DISABLE=chunks
for from in compiled found; do
  empty
  [ $from = compiled ] || start any 60 20 20 30
  bad=
  [ $from = compiled ] || cp -R "$XDG_CACHE_HOME" "$tmp/kept"
  for entry in cuLinkCreate:2 cuLinkAddData:2 cuLinkComplete:2 cuModuleLoadData:2 \
      cuModuleLoadData:2+ cuCtxPushCurrent:1+ cuLinkCreate:2+ cuLinkComplete:2+; do
    empty
    [ $from = compiled ] || cp -R "$tmp/kept" "$XDG_CACHE_HOME"
    ACCRETE_EMU_FAIL=$entry start any 40 10 20 30
    [ "$got" = "$want" ] || bad="$bad $entry($got)"
  done
  is "$bad" '' "entries that fail where the kernels are $from"
done
unset ACCRETE_DISABLE

# ---- Which are large ------------------------------------------------------------------
# Everything is there, and the program is only asked where it would launch what.
cat >"$tmp/fake.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
static unsigned asked, launched;
int acr_ready (int n) { asked += n > 0; return 1; }
int acc_is_present (void *p, size_t n) { (void) p; return n > 0; }
void GOACC_parallel_keyed () { launched++; }
void neighbours (long, long, float *, float *, float *, float *, float *);
int
main (int argc, char **argv)
{
  static float x[5];
  for (int i = 1; i + 1 < argc; i += 2)
    {
      asked = launched = 0;
      /* No two are of the same memory.  */
      neighbours (atol (argv[i]), atol (argv[i + 1]), x, x + (1l << 40),
		  x + (1l << 41), x + (1l << 42), x + (1l << 43));
      printf (" %u:%u", asked, launched);
    }
}
END
sizes () { # NAME FLAGS...: which of some sizes are asked for, and launches of each
  name=$1
  shift
  "$CC" -specs="$specs" -O2 -fopenacc -DALONE -w -c "$@" "$source" \
    -o "$tmp/$name.o" && "$CC" -foffload=disable -w "$tmp/fake.c" "$tmp/$name.o" -o "$tmp/$name"
  ok $? "$name: builds for the host alone"
  said=$("$tmp/$name" 20 30 10923 12288 10922 12288 12288 12287 100000 8192 8192 16384 \
    8191 16384 12288 16385 4096 4096)
}
sizes thresholds
is "$said" ' 0:2 1:3 0:2 0:2 0:2 1:3 0:2 0:2 0:2' \
  'matrices from 512 MiB, and rows from 48 to 64 KiB'
sizes others -fplugin-arg-accrete-turn
is "$said" ' 0:2 1:3 1:3 1:3 1:3 1:3 1:3 0:2 1:3' 'the option alone: from 64 MiB'
sizes all -fplugin-arg-accrete-turn=1
is "$said" ' 1:3 1:3 1:3 1:3 1:3 1:3 1:3 0:2 1:3' 'of one byte'
done_testing
