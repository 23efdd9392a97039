# Measured geometry with the clock of a test (tune.c): in one process, and found
# again by another one.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
for args in '' 0 1 1; do
  # shellcheck disable=SC2086  # none or one
  out=$("$builddir/tune" $args)
  ok $? "tune $args" || diag "$out"
done
done_testing
