# Teams of several warps whose branches depend on memory that other teams change
# meanwhile: all threads of a team take the same one, and come to the same barriers.
# What each branch computes is the same.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
stage=${SPMD_STAGE-$stage}
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia ACCRETE_DISABLE=tiered-compilation

cat >"$tmp/agree.c" <<'END'
#include <stdio.h>
enum { TEAMS = 60, N = 100 };
static int flag[4], b[N], c[TEAMS * N], out[TEAMS], rounds;

#ifdef _OPENACC
#define DO(...) _Pragma (#__VA_ARGS__)
#define PARENTS DO (acc parallel loop gang copy (flag, b, c, out))
#define CHILDREN(...) DO (acc loop vector __VA_ARGS__)
#define ATOMIC DO (acc atomic update)
#else
#define DO(...) _Pragma (#__VA_ARGS__)
#define PARENTS DO (omp target teams distribute map (tofrom: flag, b, c, out))
#define CHILDREN(...) DO (omp parallel for __VA_ARGS__)
#define ATOMIC DO (omp atomic update)
#endif

static void
run (int n)
{
  PARENTS
  for (int v = 0; v < TEAMS; v++)
    {
      /* Others have time for their stores until all warps have come there.  */
      unsigned late = v;
      for (int k = 0; k < 4 * n; k++)
	late = late * 1103515245 + 12345;
      int s = v, odd = (flag[v & 3] ^ (late >> 16)) & 1;
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
	if (j % 7 == 3)
	  {
	    ATOMIC
	    flag[(v + j) & 3] += 1;
	  }
    }
}

int
main (void)
{
  for (int j = 0; j < N; j++)
    b[j] = j * 37 % 101;
  for (int k = 0; k < 10; k++)
    run (N);
  unsigned h = 0;
  for (int i = 0; i < TEAMS * N; i++)
    h = h * 31 + c[i];
  for (int v = 0; v < TEAMS; v++)
    h = h * 31 + out[v];
  printf ("%u\n", h);
}
END
"$CC" -O2 -w "$tmp/agree.c" -o "$tmp/host" && want=$("$tmp/host") || exit 99
for model in openacc openmp; do
  # shellcheck disable=SC2086  # a list of words
  "$CC" -specs="$stage/lib/accrete/accrete.specs" -O2 -f$model $stock_flags \
    -fopt-info-omp "$tmp/agree.c" -o "$tmp/agree" 2>"$tmp/remarks" || exit 99
  like "$(cat "$tmp/remarks")" 'shared out among teams' "$model: teams"
  like "$(tr '\000' '\n' <"$tmp/agree" | grep -a '' )" 'row=1024' "$model: of any width"
  for geometry in '' '32*4' '64*4' '128*2' '256*1' '1024*1'; do
    is "$(ACCRETE_GEOMETRY=$geometry timeout 60 "$stage/bin/accrete-run" --emulate \
	  "$tmp/agree" 2>"$tmp/err")" "$want" "$model, ${geometry:-as it comes}" \
      || diag "$(head -n 3 "$tmp/err")"
  done
done
done_testing
