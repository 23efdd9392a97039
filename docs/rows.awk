# Rows of the tables that C includes (*.def) as text.
#   awk -v as=FORM -v macro=MACRO -v prefix=PREFIX -f rows.awk FILE
# FORM is env or opt, as --help prints a variable or an optimisation, or
# man-env, man-opt or man-count for a manual page.  MACRO is a pattern, PREFIX comes
# before the names of variables.
# SPDX-License-Identifier: GPL-3.0-or-later

# The text of --help: NAME and its meaning, broken at 77 columns, since argp
# breaks longer lines itself.
function fold (name, text,	n, i, word, line) {
  line = sprintf ("  %-22s", name)
  if (length (line) > 23) {
    print line
    line = sprintf ("  %-22s", "")
  }
  n = split (text, word, " ")
  for (i = 1; i <= n; i++) {
    if (length (line) + 1 + length (word[i]) > 77) {
      print line
      line = sprintf ("  %-22s", "")
    }
    line = line " " word[i]
  }
  print line
}

# What roff would take for its own.
function quote (text) {
  gsub (/\\/, "\\e", text)
  gsub (/-/, "\\-", text)
  return text
}

# A row: NAMES without quotes, the STRINGS in them.
function row (names, string, n,	colon, name) {
  if (as == "env")
    fold(prefix names, string[2])
  else if (as == "opt")
    fold(string[2], (string[4] != string[2] ? "(" string[4] ") " : "") string[8])
  else if (as == "man-env") {
    colon = index (string[2], ": ")
    print ".TP\n.B " prefix names "=\\fI" \
      quote(substr (string[2], 1, colon - 1)) "\\fR"
    print quote(substr (string[2], colon + 2)) "."
  } else if (as == "man-count") {
    print ".TP\n.B " names
    print quote(string[2]) "."
  } else if (as == "man-opt") {
    name = "\\fB" quote(string[2]) "\\fR"
    if (string[4] != string[2])
      name = name ", \\fB" quote(string[4]) "\\fR"
    print ".TP\n" name
    print quote(string[8]) "."
    if (string[6] != "") {
      gsub (/ /, ", ", string[6])
      print "Needs " quote(string[6]) "."
    }
  }
}

$0 ~ "^(" macro ") [(]" { all = ""; inside = 1 }
inside { all = all $0 }
inside && /[)]$/ {
  inside = 0
  n = split (all, string, "\"")
  names = all
  sub (/^[A-Z_]+ [(]/, "", names)
  sub (/[,)].*/, "", names)
  row(names, string, n)
}
