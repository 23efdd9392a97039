# How many teams a fork-join region starts: as many as its loop can use, or one
# for each multiprocessor, and never more than libgomp would start.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
stage=${SPMD_STAGE-$stage}
ACCRETE_EMU_GPU=mini
export ACCRETE_EMU_GPU

cat >"$tmp/teams.c" <<'END'
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int
main (int argc, char **argv)
{
  int n = atoi (argv[argc - 1]), teams = 0;
#ifdef NESTED
  void region (void)
#endif
  {
#pragma omp target teams distribute parallel for map(tofrom : teams)
    for (int i = 0; i < n; i++)
      {
        if (i == 0)
          teams = omp_get_num_teams ();
#pragma omp taskwait
      }
  }
#ifdef NESTED
  region ();
#endif
  printf ("%d\n", teams);
}
END
build () {			# OUTPUT FLAGS...
  out=$1
  shift
  "$CC" -O2 -fopenmp $stock_flags "$@" "$tmp/teams.c" -o "$tmp/$out" 2>"$tmp/log" \
    || { cat "$tmp/log" >&2; exit 99; }
}
build ours -specs="$stage/lib/accrete/accrete.specs"
build open -specs="$stage/lib/accrete/accrete.specs" \
  -fplugin-arg-accrete-disable=teams
build nested -specs="$stage/lib/accrete/accrete.specs" -DNESTED
teams () { "$stage/bin/accrete-run" --emulate "$tmp/$1" "$2"; }

most=$(teams open 1)
[ "$most" -gt 8 ]
ok $? "libgomp starts more than multiprocessors"
is "$(teams ours 1)" 1 "one iteration"
is "$(teams ours 2)" 2 "two"
is "$(teams ours 12)" 2 "one team for each multiprocessor"
is "$(teams ours 33)" 5 "five with eight threads"
is "$(teams nested 33)" 5 "a bound of the function around"
is "$(teams ours 1000000)" "$most" "a large loop: as without"
is "$(ACCRETE_DISABLE=geometry teams ours 5)" 5 "geometry: a team an iteration"
done_testing
