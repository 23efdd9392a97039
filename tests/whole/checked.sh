# A program under the checker, exit status 99 when that finds anything but what
# libgomp leaves by itself: from GCC 13 on, a block of no bytes, which is of 7 for
# its alignment, for each `enter data' of a structure's member.
# Usage: checked.sh ACCRETE-RUN PROGRAM...
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
run=$1
shift
err=$(mktemp)
"$run" --check "$@" 2>"$err"
status=$?
cat "$err" >&2
if grep '^accrete-emu: check: ' "$err" \
    | grep -qv ': leak: 7 bytes never freed$\|: [0-9]* findings\{0,1\}$'; then
  status=99
fi
rm -f "$err"
exit $status
