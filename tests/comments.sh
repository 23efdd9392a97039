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
