#!/bin/sh
# libgomp's own testsuite, taken out of Debian's gcc-VERSION-source, on the
# emulated GPU.
#   check-libgomp.sh	       a fixed sample, as TAP (make check)
#   check-libgomp.sh --whole [OPTION...]
#			       everything (make check-libgomp); options are
#			       run-libgomp.pl's
# LIBGOMP_FLAGS   run-libgomp.pl's options, split at blanks, for both
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"

give_up () { skip "$1" "libgomp's testsuite"; done_testing; exit; }

command -v perl >/dev/null || give_up "no perl"
major=$($CC -dumpversion | sed 's/\..*//')
for tarball in /usr/src/gcc-"$major"/gcc-"$major"*.tar.xz; do :; done
[ -r "$tarball" ] || give_up "no source of GCC $major (package gcc-$major-source)"

# Unpacked once; a stamp tells a whole one from one that was interrupted.
suite=$builddir/gcc-$major
if [ ! -e "$suite/complete" ]; then
  rm -rf "$suite"
  mkdir -p "$suite"
  tar -C "$suite" --strip-components=1 -xf "$tarball" --wildcards \
    '*/libgomp/testsuite/*' '*/include/gomp-constants.h' '*/gcc/testsuite/*/goacc/*' \
    '*/gfortran.fortran-torture/execute/math.f90' && : >"$suite/complete" \
    || give_up "$tarball cannot be unpacked"
fi

emu=$top_builddir/ptx-post/emu/.libs
EMU_LIBDIR=$emu
LD_LIBRARY_PATH=$emu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
# Few multiprocessors: libgomp sizes its launches by them.
ACCRETE_EMU_GPU=${ACCRETE_EMU_GPU:-mini}
export EMU_LIBDIR LD_LIBRARY_PATH ACCRETE_EMU_GPU

# A ptxas on PATH would refuse GCC's default architecture.
set -- --flags=-foffload-options=nvptx-none=-Wa,--no-verify \
  --known="$top_srcdir/tests/libgomp-known.md" ${LIBGOMP_FLAGS-} "$@"
case " $* " in
  *' --whole '*)
    for option; do
      shift
      [ "$option" = --whole ] || set -- "$@" "$option"
    done ;;
  *) set -- "$@" --tap --jobs=2 --sample=60 --timeout=30 ;;
esac
# Not exec: tap.sh cleans up at exit.
perl "$srcdir/run-libgomp.pl" "$@" "$suite/libgomp/testsuite"
