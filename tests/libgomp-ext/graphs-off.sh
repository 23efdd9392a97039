# Scripts that count launches, and compare results, pass without launches as graphs too.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
export ACCRETE_GRAPHS=0
for script in launches defer; do
  out=$(sh "$srcdir/$script.sh" 2>&1)
  ok $? "$script.sh, without graphs" \
    || diag "$(printf '%s\n' "$out" | grep -A 4 '^not ok' | head -n 20)"
done
done_testing
