# A program under the checker, exit status 99 when that finds anything.  From GCC 13
# on libgomp loses blocks by itself, such as Fortran's descriptors in OpenACC: leaks
# of which the program has as many without our runtime are not counted then.
# Usage: checked.sh INTERFACE ACCRETE-RUN PROGRAM...     (INTERFACE as of gcc.sh)
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
interface=$1 run=$2
shift 2
[ "$interface" -gt 1 ] || exec "$run" --check=fail "$@"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 99' HUP INT TERM

findings () {
  sed -n '/: [0-9]* findings\{0,1\}$/d; s/^accrete-emu: check: //p' | sort
}
"$run" --check "$@" 2>"$tmp/err"
status=$?
cat "$tmp/err" >&2
findings <"$tmp/err" >"$tmp/ours"
if [ -s "$tmp/ours" ]; then
  "$run" --off --check "$@" 2>&1 >/dev/null | findings | grep '^leak: ' \
    >"$tmp/stock"
  [ -z "$(comm -23 "$tmp/ours" "$tmp/stock")" ] || status=99
fi
exit $status
