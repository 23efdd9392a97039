# The rows of apps.list, one a line, with tabs between their columns, which have blanks
# around their |.  A line that ends in a backslash goes on.  $WORD is what a line
# "$WORD = TEXT" says.  {A,B} stands for two builds: A for the small run, B for the large.
# SPDX-License-Identifier: GPL-3.0-or-later
function row(text, which, n, c, i, pair)
{
  while (match(text, /[{][^{}]*,[^{}]*[}]/)) {
    split(substr(text, RSTART + 1, RLENGTH - 2), pair, ",")
    text = substr(text, 1, RSTART - 1) pair[which] substr(text, RSTART + RLENGTH)
  }
  n = split(text, c, /[ \t][|][ \t]+/)
  for (i = 1; i <= n; i++)
    gsub(/^[ \t]+|[ \t]+$/, "", c[i])
  if (which == 1 && two)
    c[7] = "-"
  if (which == 2)
    c[6] = "twin"
  for (i = 1; i <= n; i++)
    printf "%s%s", c[i], i < n ? "\t" : "\n"
}
/^#/ || /^$/ { next }
{ sub(/^[ \t]+/, " "); line = line $0 }
sub(/\\$/, "", line) { next }
line ~ /^[$][a-z_]+ = / {
  match(line, / = /)
  text[substr(line, 1, RSTART - 1)] = substr(line, RSTART + 3)
  line = ""
  next
}
{
  # The longest word that a dollar sign begins.
  while (match(line, /[$][a-z_]+/))
    line = substr(line, 1, RSTART - 1) text[substr(line, RSTART, RLENGTH)] \
      substr(line, RSTART + RLENGTH)
  two = line ~ /[{][^{}]*,[^{}]*[}]/
  row(line, 1)
  if (two)
    row(line, 2)
  line = ""
}
