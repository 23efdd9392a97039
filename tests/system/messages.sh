# What the commands say of themselves.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/stage.sh"
export PATH="$stage/bin:$PATH"

for command in accrete-run accrete-plan ptx-post; do
  help=$($command --help)
  ok $? "$command --help"
  is "$($command -h)" "$help" "$command -h: the same"
  is "$($command -V)" "$($command --version)" "$command -V is --version"
  like "$($command -V)" "^$command \(accrete\) [0-9.]+$" "$command -V"
  unlike "$help" '[a-z]\.(c|cc|h|def|in|md)([^a-z]|$)' \
    "$command --help names no file of the sources"
done
is "$(accrete-run --frob 2>&1)" "accrete-run: unknown option '--frob' (try --help)" \
  'an unknown option'
done_testing
