#!/bin/sh
# All tests with other versions of GCC: each in a fresh Debian that has it, made by
# debootstrap from this machine's own mirror and kept for the next time.  To be run
# as root, from the top of the sources.
#
#   sh tests/check-gcc.sh VERSION...     what make check-gcc VERSIONS="..." runs
#
# CHROOTS   folder for the systems ($HOME/.cache/accrete-chroots); some 2 GiB each
# MIRROR    where packages come from (this machine's first Debian source)
# CHECK     what is run in each ("./setup check")
#
# Each version leaves CHROOTS/VERSION.log and a row of the table in docs/gcc.md.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
top=$PWD
chroots=${CHROOTS-$HOME/.cache/accrete-chroots}
check=${CHECK-./setup check}

die () { printf 'check-gcc: %s\n' "$*" >&2; exit 1; }

# The release of Debian that has GCC $1.
release () {
  case $1 in
    12) echo bookworm ;;
    13 | 14) echo trixie ;;
    15 | 16) echo sid ;;
    *) die "no release of Debian is known for GCC $1" ;;
  esac
}

# The first mirror in apt's lists, in either of their formats.
mirror () {
  sed -n 's/^URIs: *\([^ ]*\).*/\1/p; s/^deb \(\[[^]]*\] *\)\{0,1\}\([^ ]*\).*/\2/p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null \
    | grep -m 1 '/debian/*$'
}

# Make the system $root for GCC $1 when it is not there yet.
prepare () {
  if [ ! -e "$root/complete" ]; then
    rm -rf "$root"
    # shellcheck disable=SC2086  # empty where the mirror is in the list
    debootstrap --variant=minbase "$(release "$1")" "$root" "$mirror"
    # What a mirror froze is out of date by its own account.
    echo 'Acquire::Check-Valid-Until "false";' \
      >"$root/etc/apt/apt.conf.d/10frozen"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
  fi
  packages="gcc-$1 g++-$1 gfortran-$1 make perl"
  # Without a network, as long as nothing is missing.
  # shellcheck disable=SC2086  # a list of words
  chroot "$root" dpkg -s $packages >/dev/null 2>&1 || {
    chroot "$root" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive chroot "$root" apt-get install -y -qq \
      --no-install-recommends $packages >/dev/null
  }
  # The version's own names: who calls a compiler by its path finds its parts, too.
  for tool in gcc g++ gfortran; do
    chroot "$root" dpkg-divert --quiet --local --rename --add "/usr/bin/$tool"
    ln -sf "$tool-$1" "$root/usr/bin/$tool"
  done
  touch "$root/complete"
}

# In the system $root, with /proc, /sys and /dev as long as it takes.
inside () {
  # shellcheck disable=SC2016  # for the inner shell
  unshare -m sh -c 'mount -t proc proc "$0/proc" && mount --rbind /sys "$0/sys" \
    && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"' "$root" "$@"
}

# The row of GCC $1 from its log.
row () {
  awk -v gcc="$1" '
    /^== / || /passed, [0-9]+ failed$/ { last = $0 }
    /^configured/ { configured = "yes" }
    /^built/ { built = "yes" }
    /passed, [0-9]+ failed$/ { passed = $1; failed = $3 }
    /^# (PASS|XFAIL):/ { single_passed += $3 }
    /^# (FAIL|XPASS|ERROR):/ { single_failed += $3 }
    /^spmd / { spmd = $2 " of " $3 }
    /^geometry / { sub (/^geometry /, ""); geometry = $0 }
    END {
      # Single scripts, by CHECK: what automake says of each folder.
      if (passed == "" && single_passed + single_failed) {
	passed = single_passed; failed = single_failed
      }
      printf "| %s | %s | %s | %s | %s | %s |\n", gcc,
        configured ? configured : "no", built ? built : "no",
        passed == "" ? "-" : passed " (" failed " failed)",
        spmd ? spmd : "-", geometry ? geometry : "-"
    }' "$chroots/$1.log"
}

[ $# -gt 0 ] || die "usage: sh tests/check-gcc.sh VERSION..."
[ -x setup ] || die "not at the top of the sources"
[ "$(id -u)" -eq 0 ] || die "debootstrap and chroot want root"
command -v debootstrap >/dev/null || die "debootstrap is missing"
mirror=${MIRROR-$(mirror)}
mkdir -p "$chroots"
failed=0
for version; do
  root=$chroots/$version
  {
    prepare "$version"
    rm -rf "$root/src"
    mkdir "$root/src"
    git -C "$top" archive HEAD | tar -x -C "$root/src"
    cp "$top/tests/check-gcc-inside.sh" "$root/src/"
    inside sh -c "cd /src && sh check-gcc-inside.sh \"\$0\"" "$check"
  } >"$chroots/$version.log" 2>&1 || failed=1
  row "$version"
done
exit $failed
