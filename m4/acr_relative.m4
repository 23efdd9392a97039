dnl SPDX-License-Identifier: GPL-3.0-or-later
# ACR_RELATIVE_DIR(VARIABLE, TO, FROM)
# ------------------------------------
# Set VARIABLE to the path that leads from directory variable FROM to
# directory variable TO (libdir, libexecdir, ...), without a leading or
# trailing slash.
AC_DEFUN([ACR_RELATIVE_DIR], [
acr_expand () {
  test "x$prefix" = xNONE && prefix=$ac_default_prefix
  test "x$exec_prefix" = xNONE && exec_prefix='${prefix}'
  eval "acr_d=\"$[]1\""; eval "acr_d=\"$acr_d\""; eval "acr_d=\"$acr_d\""
  echo "$acr_d"
}
acr_to=`acr_expand "$$2"` acr_from=`acr_expand "$$3"`
$1=`$AWK -v to="$acr_to" -v from="$acr_from" 'BEGIN {
  nt = split (to, t, "/+"); nf = split (from, f, "/+");
  for (i = 1; i <= nt && i <= nf && t@<:@i@:>@ == f@<:@i@:>@; i++);
  for (j = i; j <= nf; j++) if (f@<:@j@:>@ != "") r = r "../";
  for (j = i; j <= nt; j++) if (t@<:@j@:>@ != "") r = r t@<:@j@:>@ "/";
  sub (/\/$/, "", r); print r == "" ? "." : r }'`
])
