# A program that asks which of libgomp's entries there are gets the answer of the
# libgomp that it runs with: from the linker, a weak reference or dlsym.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"

# exported LIBRARY: NAME@@VERSION, a line each.
exported () {
  nm -D --defined-only "$1" | sed -n 's/^[^ ]* [TiW] \(.*@@.*\)/\1/p' | sort -u
}
exported "$stage/lib/accrete/libgomp-ext.so.0" | grep -v '@@ACCRETE_' >"$tmp/ours"
exported "$($CC -print-file-name=libgomp.so)" >"$tmp/theirs"
[ -s "$tmp/ours" ] && [ -s "$tmp/theirs" ]; ok $? "both libraries have entries"
is "$(comm -23 "$tmp/ours" "$tmp/theirs")" "" "libgomp has all that we export"

# One that the oldest of them lacks, and one that all have.
for entry in omp_get_mapped_ptr omp_target_is_present; do
  cat >"$tmp/link.c" <<END
char $entry (void);
int main (void) { return $entry (); }
END
  cat >"$tmp/ask.c" <<END
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
extern int omp_get_max_threads (void);
extern void $entry (void) __attribute__ ((weak));
int main (void)
{
  omp_get_max_threads (); /* libgomp is there */
  printf ("%d %d\n", $entry != NULL,
          dlsym (RTLD_DEFAULT, "$entry") != NULL);
  return 0;
}
END
  $CC -w -fopenmp "$tmp/link.c" -o "$tmp/link" 2>/dev/null
  want=$?
  $CC -w -specs="$specs" -fopenmp "$tmp/link.c" -o "$tmp/link" 2>/dev/null
  is $? $want "$entry: links as in stock"
  $CC -w -fopenmp "$tmp/ask.c" -o "$tmp/ask.stock" -ldl
  $CC -w -specs="$specs" -fopenmp "$tmp/ask.c" -o "$tmp/ask" -ldl
  want=$("$tmp/ask.stock")
  is "$("$tmp/ask")" "$want" "$entry: a weak reference, dlsym"
  is "$("$run" "$tmp/ask.stock")" "$want" "$entry: the same, preloaded"
done
done_testing
