# Sourced by tests whose cases say in comments what is expected of them.
# SPDX-License-Identifier: GPL-3.0-or-later

# expected FILE KEY: what the comments KEY say.
expected () {
  sed -n "s/^.*\<$2: *//p" "$1" | sed 's/ *\*\/ *$//'
}

# expected_at FILE KEY: the same as "LINE TEXT".
expected_at () {
  sed -n "/\<$2:/{=;s/^.*\<$2: *//;s/ *\*\/ *$//;p;}" "$1" | paste -d ' ' - -
}

# of_gcc FILE: FILE with what its comments say for this version of GCC ($gcc,
# gcc.sh): "GCC 14: KEY: TEXT" is for version 14 and later ones, instead of the next
# comment of KEY.  Lines keep their numbers.
of_gcc () {
  awk -v gcc="$gcc" '
    match ($0, /GCC [0-9]+: /) {
      since = substr ($0, RSTART + 4, RLENGTH - 6)
      text = substr ($0, RSTART + RLENGTH)
      key = substr (text, 1, index (text, ":"))
      if (gcc + 0 >= since + 0)
	instead[key] = text
      print ""
      next
    }
    {
      for (key in instead)
	if (at = index ($0, key))
	  {
	    $0 = substr ($0, 1, at - 1) instead[key]
	    delete instead[key]
	  }
      print
    }' "$1"
}
