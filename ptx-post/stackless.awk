# The functions of the device's libraries, and of the driver, that need no stack, nor
# call one that may: a string a line, sorted, from the libraries' PTX.
#
# With -msoft-stack, a function with a frame finds the stack through __nvptx_stacks.
# What calls by an address, or a function that is not there, may need one; but those
# of the driver, to which malloc and free of the libraries lead, have the hardware's.
# SPDX-License-Identifier: GPL-3.0-or-later

BEGIN {
  defined["malloc"] = defined["free"] = defined["vprintf"] = defined["__assertfail"] = 1
}
/^\/\/ BEGIN (GLOBAL )?FUNCTION DEF: / { name = $NF; defined[name] = 1; next }
/^\/\/ BEGIN / { name = "" }
name == "" { next }
/__nvptx_stacks/ { needs[name] = 1 }
/[ \t]call[ \t]/ || /^call[ \t]/ {
  callee = $0
  sub (/.*call[ \t]*/, "", callee)
  sub (/^\(%[a-z_0-9]*\),[ \t]*/, "", callee)
  sub (/[,;].*/, "", callee)
  sub (/[ \t]*$/, "", callee)
  calls[name] = calls[name] " " callee
}
END {
  do {
    changed = 0
    for (name in defined) {
      if (needs[name])
	continue
      n = split (calls[name], called, " ")
      for (i = 1; i <= n; i++)
	if (!(called[i] in defined) || needs[called[i]])
	  needs[name] = changed = 1
    }
  } while (changed)
  for (name in defined)
    if (!needs[name])
      print "\"" name "\"," | "LC_ALL=C sort"
}
