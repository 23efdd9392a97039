# The linker wrapper: what stock links, and libraries only where one is needed.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
unset ACCRETE_DISABLE ACCRETE_DEBUG COLLECT_LTO_WRAPPER
ld=$top_builddir/ptx-post/ld
stock=$($CC -print-prog-name=accel/nvptx-none/ld)
libs=$(dirname "$($CC -print-file-name=accel/nvptx-none/libc.a)")
cd "$tmp" || exit 99

# object NAME [LINE...]: an object with these lines, as the assembler leaves it.
object () {
  name=$1
  shift
  printf '// BEGIN PREAMBLE\n\t.version\t6.0\n\t.target\tsm_30\n\t.address_size 64\n// END PREAMBLE\n' >"$name"
  for line; do printf '\n// BEGIN %s\n' "$line" >>"$name"; done
}
object alone.o 'FUNCTION DECL: kernel' 'FUNCTION DEF: kernel' \
  'GLOBAL VAR DECL: v' 'VAR DEF: local' 'GLOBAL VAR DEF: v'
object user.o 'GLOBAL FUNCTION DECL: other' 'GLOBAL VAR DECL: ot'
object other.o 'GLOBAL FUNCTION DEF: other' 'GLOBAL VAR DEF: ot'
object libc-user.o 'GLOBAL FUNCTION DECL: strlen'
object prefix.o 'GLOBAL FUNCTION DEF: strlen_' 'GLOBAL FUNCTION DECL: strlen'
object newer.o 'WEAK FUNCTION DEF: f'
# A library that nobody can read.
echo 'no archive' >libbroken.a

# as_stock WHAT ARGUMENT...: status, words and output are stock's.
as_stock () {
  what=$1
  shift
  rm -f want got
  "$stock" -o want "$@" >want.log 2>&1; want=$?
  "$ld" -o got "$@" >got.log 2>&1
  is "$? $(cat got.log)" "$want $(cat want.log)" "$what: stock's words"
  [ -e want ] || : >want
  [ -e got ] || : >got
  cmp -s want got; ok $? "$what: stock's output"
}
# reads WHAT 0|1 ARGUMENT...: whether libraries are left out.
reads () {
  what=$1 none=$2
  shift 2
  is "$(ACCRETE_DEBUG=1 "$ld" -o got "$@" 2>&1 | grep -c 'no libraries')" \
    "$none" "$what"
}

as_stock 'no references' alone.o -L"$libs" -lgomp -lgcc -lc -lgcc
reads 'no references: no library is read' 1 alone.o -L"$libs" -lc
"$ld" -o got alone.o -L. -lbroken; ok $? "not even a broken one"
as_stock 'between objects' user.o other.o -L"$libs" -lc
reads 'between objects: no library is read' 1 user.o other.o -L "$libs" -l c
as_stock 'a function of libc' libc-user.o -L"$libs" -lc
reads 'a function of libc: it is' 0 libc-user.o -L"$libs" -lc
reads 'a longer name does not define it' 0 prefix.o -L"$libs" -lc
reads 'nor does a shorter one' 0 user.o prefix.o -L"$libs" -lc
"$ld" -o got libc-user.o -L"$libs" -lc && grep -q 'FUNCTION DEF: strlen' got
ok $? "a function of libc: linked"
as_stock 'an unknown symbol' user.o -L"$libs" -lc
as_stock 'a missing library' alone.o -L"$libs" -lfrob
as_stock 'a missing object' missing.o -L"$libs" -lc
as_stock 'no objects' -L"$libs" -lc
as_stock 'an unknown option' --frob alone.o
reads 'an unknown option is left to stock' 0 --frob alone.o
reads 'a kind of symbol that we do not know' 0 newer.o -L"$libs" -lc
for name in libraries library-elision all shuffle,libraries; do
  ACCRETE_DISABLE=$name; export ACCRETE_DISABLE
  reads "ACCRETE_DISABLE=$name" 0 alone.o -L"$libs" -lc
done
unset ACCRETE_DISABLE
is "$("$ld" --version)" "$("$stock" --version)" "--version is stock's"

# Libraries that GCC does not name, where they are wanted.
object math.o 'GLOBAL FUNCTION DEF: kernel' 'GLOBAL FUNCTION DECL: sinh'
object shorts.o 'GLOBAL FUNCTION DECL: __atomic_fetch_add_2'
# adds WANT ARGUMENT...: what is added to the command line, and that it links.
adds () {
  want=$1
  shift
  said=$(ACCRETE_DEBUG=1 "$ld" -o got "$@" 2>&1)
  is "$? $(printf '%s\n' "$said" | sed -n 's/^accrete ld: \(-l.*\) added$/\1/p' | tr '\n' ' ')" \
    "$want" "$*: adds ${want#* }"
}
adds '0 -lm ' math.o -L"$libs" -lgcc -lc -lgcc
adds '0 ' math.o -L"$libs" -lm -lgcc -lc
adds '0 -latomic ' shorts.o -L"$libs" -lgomp -lgcc -lc
adds '0 -lm -latomic ' math.o shorts.o -L"$libs" -lgcc -lc
adds '0 ' libc-user.o -L"$libs" -lc
adds '1 ' math.o -L. -lbroken

# Through the compiler: the same program with and without.
cat >prog.c <<'E2'
#include <math.h>
int main (void)
{
  static double a[64];
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 64; i++)
    a[i] = FUNCTION (a[i]) + i;
  return a[0];
}
E2
mkdir b && ln -s "$ld" b/ld
build () {
  $CC -O2 -fopenacc -foffload=nvptx-none "-DFUNCTION=$1" prog.c -lm -o "$2" \
    -foffload-options=nvptx-none="-B$tmp/b/ -Wa,--no-verify -lm" 2>&1
}
said=$(ACCRETE_DEBUG=1 build '' x1)
like "$said" "accrete ld: no libraries needed" "a kernel without calls"
ACCRETE_DISABLE=libraries build '' x2 >err
cmp -s x1 x2; ok $? "is the same program"
said=$(ACCRETE_DEBUG=1 build sinh x1)
unlike "$said" "no libraries needed" "a kernel that calls sinh"
ACCRETE_DISABLE=libraries build sinh x2 >err
cmp -s x1 x2; ok $? "is the same program, too"
done_testing
