# Teams of several warps whose branches depend on memory that other teams change
# meanwhile: all threads of a team take the same one, and come to the same barriers.
# What each branch computes is the same.  What a team does atomically, or by a call with
# effects, it does once, and all of its threads know what came of it.
#
# One host thread executes warps in turn, each up to a barrier: the last warp of a team to
# come to one goes on at once, the others when all warps behind it have had their turns.
# So between the loads of a team's warps others store, if these have passed another number
# of barriers, which is what teams begin with.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
stage=${SPMD_STAGE-$stage}
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia ACCRETE_DISABLE=tiered-compilation
export ACCRETE_EMU_THREADS=1

cat >"$tmp/agree.c" <<'END'
#include <stdio.h>
enum { TEAMS = 60, N = 100, ROUNDS = 5 };
static int flag, b[N], c[TEAMS * N], out[TEAMS], next, order[TEAMS], calls, named[TEAMS];

#define DO(...) _Pragma (#__VA_ARGS__)
#ifdef _OPENACC
#define DATA DO (acc data copy (flag, b, c, out, next, order, calls, named))
#define PARENTS DO (acc parallel loop gang)
#define CHILDREN(...) DO (acc loop vector __VA_ARGS__)
#define ATOMIC(what) DO (acc atomic what)
#define ROUTINE DO (acc routine seq)
#else
#define DATA DO (omp target data map (tofrom: flag, b, c, out, next, order, calls, named))
#define PARENTS DO (omp target teams distribute map (tofrom: flag, next, calls))
#define CHILDREN(...) DO (omp parallel for __VA_ARGS__)
#define ATOMIC(what) DO (omp atomic what)
#define ROUTINE DO (omp declare target (another))
#endif

static int another (int *);
ROUTINE
static __attribute__ ((noinline)) int
another (int *p)
{
  int was;
  ATOMIC (capture)
  was = (*p)++;
  return was;
}

static void
run (int n)
{
  DATA
  for (int t = 0; t < ROUNDS; t++)
  {
  PARENTS
  for (int v = 0; v < TEAMS; v++)
    {
      for (int k = 0; k < v * 3 % 8; k++)
	{
	  CHILDREN ()
	  for (int j = 0; j < n; j++)
	    c[v * n + j] ^= k + j;
	}
      int s = v;
#ifdef READ
      int odd;
      ATOMIC (read)
      odd = flag;
      odd &= 1;
#else
      int odd = flag & 1;
#endif
      if (odd)
	{
	  CHILDREN (reduction (+: s))
	  for (int j = 0; j < n; j++)
	    {
	      c[v * n + j] += b[j] + v;
	      s += b[j];
	    }
	}
      else
	{
	  CHILDREN ()
	  for (int j = 0; j < n; j++)
	    c[v * n + j] += b[j] + v;
	  CHILDREN (reduction (+: s))
	  for (int j = 0; j < n; j++)
	    s += b[n - 1 - j];
	}
      out[v] += s;
      CHILDREN ()
      for (int j = 0; j < n; j++)
	if (j == 3)
	  {
	    ATOMIC (update)
	    flag += 1;
	  }
      /* Each has a number of its own, of which as many threads say so as there are.  */
      int mine, has;
      ATOMIC (capture)
      { next += 2; mine = next; }
      has = another (&calls);
      CHILDREN ()
      for (int j = 0; j < n; j++)
	{
	  ATOMIC (update)
	  order[(mine / 2 - 1) % TEAMS] += j;
	  ATOMIC (update)
	  named[has % TEAMS] += j;
	}
    }
  }
}

int
main (void)
{
  for (int j = 0; j < N; j++)
    b[j] = j * 37 % 101;
  for (int k = 0; k < 2; k++)
    run (N);
  unsigned h = next * 3 + calls;
  for (int i = 0; i < TEAMS * N; i++)
    h = h * 31 + c[i];
  for (int v = 0; v < TEAMS; v++)
    h = h * 31 + out[v] + 7 * order[v] + 9 * named[v];
  printf ("%u %d %d\n", h, next, calls);
}
END
"$CC" -O2 -w "$tmp/agree.c" -o "$tmp/host" && want=$("$tmp/host") || exit 99
for model in openacc openmp; do for form in '' -DREAD; do
  what="$model $form"
  # shellcheck disable=SC2086  # lists of words
  "$CC" -specs="$stage/lib/accrete/accrete.specs" -O2 -f$model $stock_flags $form \
    -w -fopt-info-omp "$tmp/agree.c" -o "$tmp/agree" 2>"$tmp/remarks" || exit 99
  like "$(cat "$tmp/remarks")" 'shared out among teams' "$what: teams"
  like "$(tr '\000' '\n' <"$tmp/agree" | grep -a '' )" 'row=1024' "$what: of any width"
  for geometry in '' 32 1024 2x32*4 2x64*4 3x64*3 5x64*2 3x128*2 2x256*4; do
    is "$(ACCRETE_DEBUG=2 ACCRETE_GEOMETRY=$geometry timeout 60 "$stage/bin/accrete-run" --emulate \
	  "$tmp/agree" 2>"$tmp/err")" "$want" "$what, ${geometry:-as it comes}" \
      || diag "$(head -n 3 "$tmp/err")"
  done
done; done
done_testing
