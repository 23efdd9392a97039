# Which kernels of resident loops may have any grid, in the order of the source: those
# marked FREE, in which no more than the order of atomic accesses to integers tells one
# from another; in others, marked SHOWS, something else does.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"

cat >"$tmp/exact.c" <<'END'
#define REGION _Pragma ("acc parallel loop present (a[0:n], b[0:n], k[0:n])")
#define SUM _Pragma ("acc parallel loop present (a[0:n], k[0:n]) reduction (+: sum)")
#define LEAST _Pragma ("acc parallel loop present (a[0:n], k[0:n]) reduction (min: least)")
#define UPDATE _Pragma ("acc atomic update")
#define CAPTURE _Pragma ("acc atomic capture")
#define READ _Pragma ("acc atomic read")

void
loops (int n, int rounds, double *a, double *b, int *k)
{
  int sum = 0, least = 0;
  double most = 0;
  for (int t = 0; t < rounds; t++)
    {
      REGION /* FREE */
      for (int i = 0; i < n; i++)
	a[i] += 2 * b[i];
    }
  for (int t = 0; t < rounds; t++)
    {
      REGION /* FREE */
      for (int i = 0; i < n; i++)
	{
	  UPDATE
	  k[i % 7] += t;
	}
    }
  for (int t = 0; t < rounds; t++)
    {
      REGION /* FREE */
      for (int i = 0; i < n; i++)
	{
	  int was;
	  CAPTURE
	  was = k[i % 7]++;
	  a[i] = was;
	}
    }
  for (int t = 0; t < rounds; t++)
    {
      REGION /* SHOWS */
      for (int i = 0; i < n; i++)
	{
	  UPDATE
	  a[i % 7] += b[i];
	}
    }
  for (int t = 0; t < rounds; t++)
    {
      REGION /* SHOWS */
      for (int i = 0; i < n; i++)
	{
	  double was;
	  READ
	  was = a[i % 7];
	  b[i] = was;
	}
    }
  for (int t = 0; t < rounds && sum < 1000; t++)
    {
      SUM /* FREE */
      for (int i = 0; i < n; i++)
	sum += k[i];
    }
  for (int t = 0; t < rounds && least >= 0; t++)
    {
      LEAST /* FREE */
      for (int i = 0; i < n; i++)
	least = k[i] < least ? k[i] : least;
    }
  for (int t = 0; t < rounds && most < 1000; t++)
    {
      _Pragma ("acc parallel loop present (a[0:n]) reduction (+: most)") /* SHOWS */
      for (int i = 0; i < n; i++)
	most += a[i];
    }
  for (int t = 0; t < rounds; t++)
    {
      REGION /* FREE */
      for (int i = 0; i < n; i++)
	{
	  int old = __atomic_load_n (&k[i % 7], __ATOMIC_RELAXED);
	  while (old < i
		 && !__atomic_compare_exchange_n (&k[i % 7], &old, i, 0, __ATOMIC_RELAXED,
						  __ATOMIC_RELAXED))
	    ;
	}
    }
  for (int t = 0; t < rounds; t++)
    {
      REGION /* SHOWS */
      for (int i = 0; i < n; i++)
	{
	  double x;
	  __atomic_load (&a[i % 7], &x, __ATOMIC_RELAXED);
	  b[i] += x;
	}
    }
  for (int t = 0; t < rounds; t++)
    {
      REGION /* SHOWS */
      for (int i = 0; i < n; i++)
	{
	  volatile int *at = &k[i];
	  a[i] = *at;
	}
    }
}
END
"$CC" -specs="$specs" -fopenacc -O2 -c -w -o "$tmp/exact.o" \
  -fplugin-arg-accrete-disable=launch-promotion,vertical-fusion \
  -fplugin-arg-accrete-dump="$tmp/dump" "$tmp/exact.c" >"$tmp/log" 2>&1
ok $? "compiles" || diag "$(cat "$tmp/log")"
sed -n 's|.*/[*] \([A-Z]*\) [*]/$|\1|p' "$tmp/exact.c" >"$tmp/want"
sed -n 's/^ACCRETE-TAG .* src=[^ ]*:\([0-9]*\) .* op=0,resident,/\1 &/p' "$tmp/dump" \
  | sort -n | sed 's/.* exact=1.*/FREE/; s/^[0-9].*/SHOWS/' >"$tmp/got"
is "$(cat "$tmp/got")" "$(cat "$tmp/want")" "which may have any grid"
done_testing
