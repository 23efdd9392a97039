# The assembler wrapper: the stock assembler sees optimised text, and nothing
# of ours ever makes a build fail.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
unset ACCRETE_DISABLE ACCRETE_SM ACCRETE_DEBUG ACCRETE_AS COLLECT_LTO_WRAPPER
as=$top_builddir/ptx-post/as
in=$(cd "$srcdir" && pwd)/cases/readonly-taken.ptx
stock=$($CC -print-prog-name=accel/nvptx-none/as)
cd "$tmp" || exit 99

# Tools in front of PATH: no ptxas, one that works, one that knows few
# targets.
mkdir none works picky refuses
for tool in sh cat grep sed cp rm env; do
  ln -s "$(command -v $tool)" none/
done
cat >works/ptxas <<'E2'
#!/bin/sh
echo "$*" >>"$PTXAS_LOG"
E2
cat >picky/ptxas <<'E2'
#!/bin/sh
echo "$*" >>"$PTXAS_LOG"
case "$*" in
  *--gpu-name\ sm_7[5-9]*|*--gpu-name\ sm_[89]*) exit 0 ;;
esac
echo "ptxas fatal   : Value 'sm_35' is not defined for option 'gpu-name'" >&2
exit 255
E2
sed 's/^  \*.*/  frob) ;;/' picky/ptxas >refuses/ptxas
chmod +x works/ptxas picky/ptxas refuses/ptxas
PTXAS_LOG=$tmp/ptxas.log; export PTXAS_LOG
with () { dir=$1; shift; : >"$PTXAS_LOG"; PATH=$tmp/$dir:$tmp/none "$@"; }

with none "$stock" -o want.o "$in"
with none "$as" -o got.o "$in" 2>err; ok $? "assembles"
is "$(cat err)" "" "without a word"
grep -q 'ld.global.nc.f32' got.o && ! grep -q 'ld.global.nc.f32' want.o
ok $? "the object has optimised code"
ACCRETE_DISABLE=all with none "$as" -o got.o "$in" && cmp -s want.o got.o
ok $? "ACCRETE_DISABLE=all gives stock's object"
ACCRETE_DISABLE=pool with none "$as" -o got.o "$in" 2>err
is "$(cat err)" "" "the runtime's names in ACCRETE_DISABLE are nothing to us"
ACCRETE_DISABLE=frob with none "$as" -o got.o "$in" 2>err
is "$(cat err)" "accrete as: warning: ACCRETE_DISABLE: unknown 'frob'" \
  "an unknown name in ACCRETE_DISABLE is named"
ACCRETE_SSM=80 ACCRETE_AS=/none/as with none "$as" -o got.o "$in" 2>err
is "$(cat err)" "accrete as: warning: ACCRETE_AS: no other assembler: /none/as
accrete as: warning: ACCRETE_SSM: there is no such variable; is ACCRETE_SM meant?" \
  "an assembler and a variable that there are not"
ACCRETE_DEBUG=1 with none "$as" -o got.o "$in" 2>err
like "$(cat err)" "readonly-taken.ptx: [0-9]+ changes" "ACCRETE_DEBUG=1"
ACCRETE_DEBUG=2 with none "$as" -o got.o "$in" 2>err
like "$(cat err)" "read-only-loads: taken: " "ACCRETE_DEBUG=2"
with none "$as" -o got.o -- "$in"; ok $? "--"
is "$("$as" --version)" "$("$stock" --version)" "--version is stock's"
with none "$as" -o got.o <"$in" && cmp -s want.o got.o
ok $? "standard input goes to stock as it is"
with none "$as" "$in" -o got.o && grep -q 'ld.global.nc.f32' got.o
ok $? "options behind the file"

# What stock refuses we refuse in the same words.
refused () {
  rm -f got.o
  with none "$stock" -o got.o "$@" 2>want.err; want=$?
  with none "$as" -o got.o "$@" 2>err
  is "$? $(cat err)" "$want $(cat want.err)" "as stock: $*"
}
printf '.version 6.0\n.target sm_30\n}\n' >broken.s
echo 'no PTX' >text.s
: >empty.s
refused broken.s
refused text.s
refused empty.s
refused missing.s
refused --frob "$in"
refused "$in" "$in"
refused "$in" -o none/got.o
mkdir locked && chmod 555 locked
locked=locked
! touch locked/probe 2>err || locked=/sys	# root may write to most
refused "$in" -o $locked/got.o
# PTX that stock takes though we do not.
{ cat "$in"; echo '.global .u32 x[1] = { ` };'; } >odd.s
with none "$stock" -o want2.o odd.s 2>want.err; want=$?
ACCRETE_DEBUG=1 with none "$as" -o got.o odd.s 2>err
is "$?" "$want" "a file that we cannot parse: stock's status"
like "$(cat err)" "odd.s:[0-9]+:23: not optimised: stray byte 0x60" \
  "one line for who wants to know"

# Failures of our own.
limited () { (ulimit -f 0; trap '' XFSZ; with none "$1" -o full.o "$in") 2>err; }
limited "$stock"; want=$?
limited "$as"; is "$?" "$want" "a full disk: stock's status"
# The passes crash where they would write; stock's assembler does not call
# this.
cat >crash.c <<'E2'
#include <stdlib.h>
void *fdopen (int fd, const char *mode) { (void) fd, (void) mode; abort (); }
E2
$CC -shared -fPIC crash.c -o crash.so
LD_PRELOAD=$tmp/crash.so with none "$as" -o got.o "$in" 2>err
is "$? $(cat err)" "0 accrete as: warning: $in: not optimised: the passes failed" \
  "passes that crash: one line"
cmp -s want.o got.o; ok $? "leave the file as it is"
LD_PRELOAD=$tmp/crash.so with none "$as" -o $locked/got.o "$in" 2>err
unlike "$(cat err)" "not optimised" "no word of it where the assembler fails anyway"
cat >stubborn <<'E2'
#!/bin/sh
# Refuses what ptx-post writes.
for a; do
  case $a in
    /proc/*) grep -q 'global.nc' "$a" && { echo refused >&2; exit 3; } ;;
  esac
done
exec "$STOCK" "$@"
E2
chmod +x stubborn
STOCK=$stock; export STOCK
ACCRETE_AS=$tmp/stubborn with none "$as" -o got.o "$in" 2>err
is "$? $(cat err)" "0 accrete as: warning: $in: not optimised: the assembler refuses the result" \
  "when stock refuses our text it gets the original"
cmp -s want.o got.o; ok $? "and that is what comes out"
ACCRETE_DEBUG=1 ACCRETE_AS=$tmp/stubborn with none "$as" -o got.o "$in" 2>err
like "$(cat err)" "stubborn refuses the result:" "why, for who wants to know"
like "$(cat err)" "^refused\$" "with the assembler's words"
ACCRETE_AS=$as with none "$as" -o got.o "$in"
ok $? "ACCRETE_AS that names ourselves does not loop"

# ptxas.
with works "$as" -o got.o "$in"; ok $? "a ptxas that works"
is "$(grep -c . ptxas.log)" 1 "runs once"
with picky "$stock" -o got.o "$in" 2>/dev/null
[ $? -ne 0 ]; ok $? "a ptxas without old targets makes stock fail"
with picky "$as" -o got.o "$in" 2>err
is "$? $(cat err)" "0 " "and us not"
like "$(tail -n 1 ptxas.log)" "gpu-name sm_75" "for the oldest target it knows"
grep -q 'ld.global.nc.f32' got.o; ok $? "optimised"
with picky "$as" -m sm_35 -o got.o "$in"; ok $? "also with -m"
with refuses "$as" -o got.o "$in" 2>err; ok $? "a ptxas that knows no target"
like "$(cat err)" "^accrete as: warning: .*readonly-taken.ptx is not verified" \
  "is worth a warning"

# Through the compiler.
cat >prog.c <<'E2'
int main (void)
{
  static int a[64], n = 64;
#pragma acc parallel loop gang copy(a) num_workers(4)
  for (int i = 0; i < n; i++)
    {
      int t = a[i];
#pragma acc loop worker
      for (int j = 0; j < n; j++)
	a[j] += t * i;
    }
  return a[0];
}
E2
mkdir b && ln -s "$as" b/as
$CC -O2 -fopenacc "-foffload-options=nvptx-none=-B$tmp/b/" prog.c -o prog 2>err
ok $? "gcc finds it through -B" || diag "$(cat err)"
# GCC's state of workers is in shared memory, which addrspace proves.
grep -aq 'st.shared.u64 .%acr_window' prog; ok $? "the program has optimised PTX"
done_testing
