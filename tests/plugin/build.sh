# What the plugin leaves in programs: names, tags, the host table; and that
# builds and results stay as they were.  Programs run on the host.
#
# SPDX-License-Identifier: GPL-3.0-or-later

. "$top_srcdir/tests/tap.sh"
passes=$top_builddir/plugin/.libs
plugin=$passes/accrete.so
# A ptxas of CUDA 13 refuses GCC's default architecture.
offload=-foffload-options=nvptx-none=-Wa,--no-verify
cd "$tmp" || exit 99

# Linking offload tables warns about text relocations, with stock GCC as well.
build () {
  compiler=$1
  shift
  "$compiler" "$offload" -fplugin="$plugin" "$@" 2>&1 \
    | grep -v 'relocation against\|TEXTREL'
}

# The runtime's side of the table, as a preloadable library.
cat >runtime.c <<'END'
#include "abi/abi.h"
#include <stdio.h>
static void
list (const char *what, const struct acr_host_entry *table, size_t n)
{
  for (size_t i = 0; i < n; i++)
    fprintf (stderr, "%s %s %s\n", what, table[i].fn ? "fn" : "NULL",
	     table[i].tag);
}
void
acr_register_regions (const struct acr_host_entry *table, size_t n)
{
  list ("register", table, n);
}
void
acr_unregister_regions (const struct acr_host_entry *table, size_t n)
{
  list ("unregister", table, n);
}
END
"$CC" -I"$top_srcdir/libgomp-ext" -fPIC -shared runtime.c -o runtime.so

# Tags that PROGRAM registers, sorted.
registered () {
  LD_PRELOAD=$tmp/runtime.so "$@" 2>&1 >/dev/null \
    | sed -n 's/^register fn //p' | sort
}

# Two translation units with static functions of one name; templates and
# inline functions that both have; one of the two twice, with another -D.
cat >unit.cc <<'END'
#include <cstdio>
template <class T> struct vec
{
  T *p;
  int n;
  T sum ()
  {
    T s = 0, *q = p;
    int m = n;
#pragma omp target teams distribute parallel for map(to: q[0:m]) map(tofrom: s) reduction(+: s)
#pragma acc parallel loop copyin(q[0:m]) reduction(+: s)
    for (int i = 0; i < m; i++)
      s += q[i];
    return s;
  }
};
inline int
twice (int *p, int n)
{
  auto scale = [=] (int k) {
#pragma omp target map(tofrom: p[0:n])
#pragma acc parallel loop copy(p[0:n])
    for (int i = 0; i < n; i++)
      p[i] *= k;
  };
  scale (2);
  vec<int> v = { p, n };
  return v.sum ();
}
static int
work (int *a, int n)
{
#pragma omp target map(tofrom: a[0:n])
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] += K;
  return a[n - 1];
}
#define CAT(a, b) a##b
#define OTHER(k) CAT (other, k)
int
OTHER (K) ()
{
  int x[10];
  for (int i = 0; i < 10; i++)
    x[i] = i;
  return twice (x, 10) + work (x, 10);
}
#if K == 1
int other2 (), other3 ();
int
main ()
{
  printf ("%d %d %d\n", other1 (), other2 (), other3 ());
}
#endif
END

for model in -fopenacc -fopenmp; do
  for flags in -O0 "-O2 -g" "-O2 -flto" "-fPIC -masm=intel -fverbose-asm"; do
    name="unit.cc $model $flags"
    # shellcheck disable=SC2086
    for k in 1 2 3; do
      out=$(build "$CXX" $model $flags -DK=$k -c unit.cc -o unit$k.o)
      is "$out" "" "$name: compiles K=$k"
    done
    # shellcheck disable=SC2086
    out=$(build "$CXX" $model $flags unit[123].o -save-temps -o prog)
    is "$out" "" "$name: links"
    is "$(./prog)" "109 110 111" "$name: runs without a runtime"
    is "$(LD_PRELOAD=./runtime.so ./prog 2>/dev/null)" "109 110 111" \
      "$name: runs with one"
    registered ./prog >tags
    is "$(wc -l <tags)" 9 "$name: nine regions"
    sed 's/.* fn=\([^ ]*\) .*/\1/' tags | sort -u >names
    is "$(wc -l <names)" 9 "$name: with unique names"
    # In the PTX, before it is assembled.
    cat prog.xnvptx-none.mkoffload*.s >ptx
    sed -n 's,.*/\* \(ACCRETE-TAG .*\) \*/.*,\1,p' ptx | sort >ptx-tags
    is "$(cat ptx-tags)" "$(cat tags)" "$name: the same tags in the PTX"
    sed -n 's,^//:FUNC_MAP "\([^"]*\)".*,\1,p' ptx | tr '$' . | sort >mapped
    is "$(cat mapped)" "$(cat names)" "$name: entries have these names"
    rm -f prog*
  done
done

# Shared library, with a destructor when it goes.
cat >lib.c <<'END'
int data[8];
void
run (void)
{
#pragma omp target
  data[1]++;
}
END
cat >main.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int
main (void)
{
  void *lib = dlopen ("./lib.so", RTLD_NOW);
  ((void (*) (void)) dlsym (lib, "run")) ();
  fprintf (stderr, "%d\n", ((int *) dlsym (lib, "data"))[1]);
  dlclose (lib);
  fputs ("closed\n", stderr);
}
END
build "$CC" -O2 -fopenmp -fPIC -shared lib.c -o lib.so
"$CC" main.c -ldl -o main
is "$(./main 2>&1 | tr '\n' ' ')" "1 closed " "shared library runs without a runtime"
is "$(LD_PRELOAD=./runtime.so ./main 2>&1 | sed 's/ fn .*//' | tr '\n' ' ')" \
  "register 1 unregister closed " "registered while it is loaded"

# Fortran.
cat >f.f90 <<'END'
program main
  integer :: a(10)
  a = 1
  call run (a)
  print '(i0)', sum (a)
contains
  subroutine run (x)
    integer :: x(:)
    integer :: i
    !$omp target teams distribute parallel do
    !$acc parallel loop
    do i = 1, size (x)
      x(i) = x(i) + i
    end do
  end subroutine
end program
END
for model in -fopenacc -fopenmp; do
  out=$(build "$FC" -O2 $model f.f90 -o prog)
  is "$out$(./prog)" 65 "Fortran $model: result"
  is "$(registered ./prog | wc -l)" 1 "Fortran $model: tagged"
done

# Same input, same output; and a file name with odd characters.
name='odd * "name", \%s $x é.c'
cp lib.c "$name"
for i in 1 2; do
  build "$CC" -O2 -g -fopenmp -frandom-seed=1 -c "$name" -o same.o
  cp same.o $i.o
done
cmp 1.o 2.o
ok $? "builds are reproducible"
build "$CC" -shared -fPIC -fopenmp "$name" -save-temps -o odd.so
like "$(cat ./*.mkoffload.s)" \
  'src=odd%20%2A%20%22name%22%2C%20%5C%25s%20\$x%20%C3%A9\.c:5 ' \
  "odd file names are escaped in the PTX"
mkdir a b
cp lib.c a
cp lib.c b
for d in a b; do
  (cd $d && build "$CC" -O2 -fopenmp -ffile-prefix-map="$tmp/$d"=. -c \
     "$tmp/$d/lib.c" -o lib.o)
done
is "$(nm a/lib.o)" "$(nm b/lib.o)" "-ffile-prefix-map hides the folder"

# Dead regions stay dead: GCC drops this one before it is linked.
cat >dead.c <<'END'
void nowhere (void);
#pragma omp declare target (nowhere)
static void
dead (void)
{
#pragma omp target
  nowhere ();
}
int
main (int argc, char **argv)
{
  if (sizeof argc > sizeof argv)
    dead ();
  return 0;
}
END
out=$(build "$CC" -O2 -fopenmp dead.c -o dead)
is "$out" "" "an unreachable region is not kept"

# What is asked of the plugin.
out=$(build "$CC" -O2 -fopenmp -fPIC -shared lib.c -o lib.so \
        -fplugin-arg-accrete-disable=tag)
is "$out$(nm lib.so | grep -c acr_)" 0 "disable=tag leaves nothing behind"
out=$(build "$CC" -O2 -fopenmp -fPIC -shared lib.c -o lib.so \
        -fplugin-arg-accrete-disable=region-tags)
is "$out$(nm lib.so | grep -c acr_)" 0 "disable=region-tags: the same by its name"
out=$(build "$CC" -O2 -fopenmp -S lib.c -o - \
        -fplugin-arg-accrete-disable=access-analysis,alias | grep 'ACCRETE-TAG' \
        | head -n 1)
like "$out" 'op=0,data,data,\?,\?,4' "disable=access-analysis,alias: new and old names"
out=$(build "$CC" -fopenmp -c lib.c -fplugin-arg-accrete-disable=tag,tga,)
is "$(printf '%s\n' "$out" | grep -c .)" 1 "an unknown name: one line"
like "$out" "warning: .*unknown name .tga" "which names it"
like "$out" "is .tag. meant" "and one that may be meant"
out=$(build "$CC" -fopenmp -c lib.c -fplugin-arg-accrete-disable=nothing-of-this)
like "$out" "known are .*region-tags, .*all\$" "a name like none: with all that there are"
out=$(build "$CC" -fopenmp -c lib.c -fplugin-arg-accrete-disabel=tag)
like "$out" "warning: .*-fplugin-arg-accrete-disabel" "an unknown argument"
like "$out" "known are .chain., .disable., .dump., .nest., .rows. and .turn." "with those that there are"

# Without offloading flags nothing happens.
out=$(build "$CC" -c lib.c -fplugin-arg-accrete-disable=tga -o plain.o)
is "$out$(nm plain.o | grep -c acr_)" 0 "nothing to do without -fopen*"

# Another GCC, or a broken installation: one line, and stock behaviour.
version=$("$CC" -dumpfullversion)
other=$(echo "$version" | tr 0-9 1-90)
mkdir other alone
LC_ALL=C sed "s/$version/$other/g" "$plugin" >other/accrete.so
out=$("$CC" -O2 -fopenmp -c lib.c -o o.o -fplugin=./other/accrete.so 2>&1)
is "$? $(printf '%s\n' "$out" | grep -c .)" "0 1" "another GCC: one line"
like "$out" "^accrete: warning: built for another GCC \\($other" "which says so"
is "$(nm o.o | grep -c acr_)" 0 "and leaves nothing behind"
# A rebuild of the same version, on another day and by another configure line.
date=$(sed -n 's/.*char datestamp.*"\(.*\)".*/\1/p' \
       "$("$CC" -print-file-name=plugin)/include/plugin-version.h")
mkdir rebuilt
cp "$passes/accrete-passes.so" rebuilt
LC_ALL=C sed "s/$date/19991231/g; s/configure -v/configure -w/g" "$plugin" \
  >rebuilt/accrete.so
cmp -s "$plugin" rebuilt/accrete.so
is $? 1 "another date and configure line"
out=$("$CC" -O2 -fopenmp -c lib.c -o o.o -fplugin=./rebuilt/accrete.so 2>&1)
is "$?$out" 0 "a rebuild of the same version: not a word"
[ "$(nm o.o | grep -c acr_)" -gt 0 ]
ok $? "and the plugin works"
# A function that this build of GCC has not.
mkdir lacks
cp "$plugin" lacks
echo 'extern int gcc_has_no_such (void); int plugin_init (void) { return gcc_has_no_such (); }' \
  >lacks.c
"$CC" -shared -fPIC lacks.c -o lacks/accrete-passes.so
out=$("$CC" -O2 -fopenmp -c lib.c -o o.o -fplugin=./lacks/accrete.so 2>&1)
is "$? $(printf '%s\n' "$out" | grep -c .)" "0 1" "a symbol is missing: one line"
like "$out" "^accrete: warning: .*gcc_has_no_such" "which names it"
cp "$plugin" alone
out=$("$CC" -O2 -fopenmp -c lib.c -o o.o -fplugin=./alone/accrete.so 2>&1)
is "$? $(printf '%s\n' "$out" | grep -c .)" "0 1" "no passes: one line"
like "$out" "^accrete: warning: .*accrete-passes.so" "which says so"
done_testing
