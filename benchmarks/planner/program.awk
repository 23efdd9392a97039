# From a graph in accrete-plan's text form (libgomp-ext/planner/plan-text.h) to the
# operators of an OpenACC program that runs it; program.h is the rest of it.
#
# The directives are the paper's baseline: before a device kernel the operands
# that are not there yet are sent; what the host needs is fetched behind the
# last device kernel that uses it, or behind the last before the host does.
# With alloc=1, device memory is allocated and freed there as well, otherwise
# once, outside of the loop.
# A kernel's name without its number is the macro that computes it.
# Usage: awk [-v alloc=1] -f program.awk GRAPH
# SPDX-License-Identifier: GPL-3.0-or-later

BEGIN { nv = nk = 0 }
$1 == "vector" {
  name[nv] = $2; at[$2] = nv++
  entry[$2] = $4 == "host"
  wanted[$2] = $NF == "host" && $(NF - 1) == "->"
}
$1 == "kernel" {
  op[nk] = toupper ($2); sub (/[0-9]*$/, "", op[nk])
  device[nk] = $3 == "device"
  for (i = 5; i <= NF && $i != "->"; i++)
    ins[nk] = ins[nk] " " $i
  for (i++; i <= NF; i++) {
    outs[nk] = outs[nk] " " $i
    maker[$i] = nk
  }
  nk++
}

# The last device kernel that uses V, and the first host kernel that reads it.
function analyse(v,   k) {
  last[v] = first[v] = -1
  for (k = 0; k < nk; k++)
    if (index (ins[k] outs[k] " ", " " v " ") || (" " v) == outs[k]) {
      if (device[k])
	last[v] = k
      else if (first[v] < 0 && index (ins[k] " ", " " v " "))
	first[v] = k
    }
  made_there[v] = (v in maker) && device[maker[v]]
  # The kernel behind which V is fetched.
  fetch[v] = -1
  if (made_there[v] && (wanted[v] || first[v] >= 0))
    for (k = 0; k < nk && (first[v] < 0 || k < first[v]); k++)
      if (device[k] && index (ins[k] outs[k] " ", " " v " "))
	fetch[v] = k
}

function sections(list,   a, i, n, text) {
  n = split (list, a, " ")
  for (i = 1; i <= n; i++)
    text = text (i > 1 ? ", " : "") a[i] "[:n]"
  return text
}
function directive(what, list) {
  if (list)
    printf "#pragma acc %s (%s)\n", what, sections(list)
}
function call(k,   a, b, i, n, text) {
  n = split (ins[k], a, " ")
  text = op[k] n "_"
  n = split (outs[k], b, " ")
  text = text n " ("
  for (i = 1; i <= n; i++)
    text = text (i > 1 ? ", " : "") b[i]
  n = split (ins[k], a, " ")
  for (i = 1; i <= n; i++)
    text = text ", " a[i]
  return text ")"
}

# The head of function WHAT of N floats, ROWS by ROWS, and ARRAY.
function begin(what,   i) {
  print "static void\n" what " (int n, int rows, float **array)\n{"
  for (i = 0; i < nv; i++)
    print "  float *" name[i] " __attribute__ ((unused)) = array[" i "];"
  print "  (void)n, (void)rows;"
}

function step(   k, i, n, v, a, up, new, down, out, drop) {
  for (k = 0; k < nk; k++) {
    up = new = down = out = drop = ""
    if (!device[k]) {
      print "  " call(k)
      continue
    }
    n = split (ins[k], a, " ")
    for (i = 1; i <= n; i++)
      if (!(a[i] in there)) {
	there[a[i]] = 1
	up = up " " a[i]
      }
    n = split (outs[k], a, " ")
    for (i = 1; i <= n; i++) {
      there[a[i]] = 1
      new = new " " a[i]
    }
    for (i = 0; i < nv; i++) {
      v = name[i]
      if (fetch[v] == k && !(alloc && last[v] == k))
	down = down " " v
      else if (fetch[v] == k)
	out = out " " v
      else if (last[v] == k)
	drop = drop " " v
    }
    if (alloc)
      printf "#pragma acc enter data%s create (%s)\n", \
	up ? " copyin (" sections(up) ")" : "", sections(new)
    else
      directive("update device", up)
    printf "#pragma acc parallel loop present (%s)\n", sections(ins[k] new)
    print "  " call(k)
    directive("update self", down)
    if (alloc && (out || drop))
      printf "#pragma acc exit data%s%s\n", \
	out ? " copyout (" sections(out) ")" : "", \
	drop ? " delete (" sections(drop) ")" : ""
  }
}

END {
  for (i = 0; i < nv; i++)
    analyse(name[i])
  print "/* Made by program.awk.  */\n"

  begin("step")
  step()
  print "}\n"

  begin("reference")
  for (k = 0; k < nk; k++)
    print "  " call(k)
  print "}\n"

  # What is on the device for good.
  for (i = 0; i < nv; i++)
    if (!alloc && last[name[i]] >= 0)
      all = all " " name[i]
  begin("enter")
  directive("enter data create", all)
  print "}\n"
  begin("leave")
  directive("exit data delete", all)
  print "}\n"

  # The diagonal blocks of a matrix: what POTRF, or SYRK before it, reads first.
  for (k = 0; k < nk; k++)
    if (op[k] == "POTRF" || op[k] == "SYRK") {
      split(ins[k], a, " ")
      diagonal[a[1]] = 1
    }
  print "static const struct vector vectors[] = {"
  for (i = 0; i < nv; i++) {
    v = name[i]
    printf "  { %d, %d, %d },\n", entry[v], v in diagonal, \
      (fetch[v] >= 0 || !made_there[v])
  }
  print "};"
}
