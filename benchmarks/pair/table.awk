# Lines "HOW PAIR MEDIAN LEAST HASH [WRONG]" as a table of medians, and what is gained:
# auto over serial, and over the best of the streams.  Who has not the hash of the
# first line of a pair is named.
# SPDX-License-Identifier: GPL-3.0-or-later
$6 == "WRONG" { print "WRONG:", $1, $2 }
!($2 in hash) { hash[$2] = $5 }
hash[$2] != $5 { print "OTHER RESULTS:", $1, $2 }
{
  if (!($1 in column)) { column[$1] = ++n; name[n] = $1 }
  if (!($2 in row)) { row[$2] = ++m; pair[m] = $2 }
  t[$1, $2, ++count[$1, $2]] = $3
}
function median(how, p,    k, i, j, v, a) {
  k = count[how, p]
  for (i = 1; i <= k; i++) a[i] = t[how, p, i] + 0
  for (i = 1; i <= k; i++)
    for (j = i + 1; j <= k; j++)
      if (a[j] < a[i]) { v = a[i]; a[i] = a[j]; a[j] = v }
  return k ? a[int ((k + 1) / 2)] : 0
}
function least(a, b) { return a < b ? a : b }
END {
  printf "%-20s", "pair"
  for (c = 1; c <= n; c++) printf " %9s", substr (name[c], 1, 9)
  printf " %8s %8s\n", "/serial", "/streams"
  for (r = 1; r <= m; r++) {
    p = pair[r]
    printf "%-20s", p
    for (c = 1; c <= n; c++) printf " %9.1f", median(name[c], p)
    ours = least(median("auto", p), median("auto-reversed", p))
    streams = least(median("streams", p), median("reversed", p))
    if (ours && streams && median("serial", p)) {
      s = median("serial", p) / ours; q = streams / ours
      printf " %8.3f %8.3f", s, q
      ls += log (s); lq += log (q); k++
    }
    print ""
  }
  if (k)
    printf "geometric mean of %d: %.3f over serial, %.3f over the best streams\n", k, exp (ls / k), exp (lq / k)
}
