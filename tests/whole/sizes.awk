# Launches (ACCRETE_DEBUG=3, ACCRETE_GEOMETRY=print) that have fewer threads than
# they should, or, of SPMD kernels, more; the first file says of each procedure's
# kernels how many they may have.  Others have GCC's numbers.
# SPDX-License-Identifier: GPL-3.0-or-later
NR == FNR { least[$1] = $2; most[$1] = $3; next }
/cuLaunchKernel|geometry: / {
  if (!match ($0, /w[0-9]+_s[0-9]+_[a-z]+[0-9]*/))
    next
  name = substr ($0, RSTART, RLENGTH)
  if (!(name in least))
    next
  match ($0, /w[0-9]+_s[0-9]+_[^ ,:]+/)
  kernel = substr ($0, RSTART, RLENGTH)
  if (/geometry: /) {
    spmd[kernel] = 1
    next
  }
  split (substr ($0, index ($0, "(")), d, /[(),]+/)
  threads = d[2] * d[3] * d[4] * d[6] * d[7] * d[8]
  checked++
  few = threads < least[name]
  many = threads > most[name] && kernel in spmd
  if (!few && !many || said[name]++)
    next
  split (name, number, /[w_]/)
  print number[2], "FAILED", name, "has", threads, "threads, should have", least[name], "to", most[name]
}
END { print "#", checked + 0, "launches" }
