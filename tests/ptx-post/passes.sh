# The cases in cases/: each file names its command (RUN, the file is added),
# extended regular expressions that a line of the output must match (EXPECT)
# or must not (REJECT), and such for standard error (EXPLAIN); or why declarations stand
# behind their uses, as GCC's assembler allows (LATER).  The lines that
# say so are comments of the file, and left out of its output.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
PATH=${PASSES_PATH:-$top_builddir/ptx-post}:$PATH

field () { sed -n "s,^// $1: ,,p" "$file"; }

for file in "$srcdir"/cases/*.ptx; do
  name=$(basename "$file" .ptx)
  $(field RUN) "$file" >"$tmp/raw" 2>"$tmp/err"
  ok $? "$name: runs" || diag "$(cat "$tmp/err")"
  grep -Ev '^// (RUN|EXPECT|REJECT|EXPLAIN|LATER):' "$tmp/raw" >"$tmp/out"
  bad=$(
    field EXPECT | while read -r re; do
      grep -Eq -- "$re" "$tmp/out" || echo "no match for $re"
    done
    field REJECT | while read -r re; do
      grep -E -- "$re" "$tmp/out" && echo "unwanted match for $re"
    done
    field EXPLAIN | while read -r re; do
      grep -Eq -- "$re" "$tmp/err" || echo "no explanation $re"
    done)
  [ -z "$bad" ]; ok $? "$name: as expected" || {
    diag "$bad"
    diff "$file" "$tmp/raw" | sed 's/^/# /'
  }
  # A second run finds nothing more to do.
  $(field RUN) "$tmp/raw" 2>/dev/null | cmp -s - "$tmp/raw"
  ok $? "$name: running it twice changes nothing more"
  # Textures are what the assembler cannot judge without their declaration.
  if ! command -v ptxas >/dev/null; then
    skip "no ptxas" "$name: ptxas accepts the result"
  elif grep -q 'tex\.' "$file"; then
    skip "has what only looks like PTX" "$name: ptxas accepts the result"
  elif grep -q '^// LATER: ' "$file"; then
    skip "GCC's assembler puts variables first" "$name: ptxas accepts the result"
  else
    ptxas -c -arch sm_90 "$tmp/raw" -o "$tmp/cubin" >"$tmp/log" 2>&1
    ok $? "$name: ptxas accepts the result" || diag "$(cat "$tmp/log")"
  fi
done
done_testing
