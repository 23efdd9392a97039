# Can the generated programs fail?  Each mutant is a small change to the product,
# built in a temporary folder; programs of a kind of scene must find it.
#
# MUTANTS  names of some, all by default
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
done_testing
