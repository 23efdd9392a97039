# What a region overwrites is not copied to the device: where that is so, and not
# where it is not.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"
. "$srcdir/overwrite-lib.sh"

for m in acc omp; do
  for way in C:-O0 C:-O2 C++:-O2 Fortran:-O0 Fortran:-O2; do
    case $way in Fortran*) source=overwrite.F90 ;; *) source=overwrite.c ;; esac
    build_forms $m $source ${way#*:} "$top_builddir/plugin/.libs/accrete.so" \
      ${way%:*}
    stock "$tmp/overwrite"
    want=$out
    [ "$status" = 0 ] && [ "$want" ]; ok $? "$m $way: stock" \
      || diag "$status $err"
    ACCRETE_DEBUG=3 ours "$tmp/overwrite"
    is "$status$out" "0$want" "$m $way: stock's results"
    is "$(printf '%s\n' "$err" | grep uninitialised)" '' \
      "$m $way: nothing is read that was not there"
    is "$(wrong_forms)" '' "$m $way: as many operands as each form says"
  done
  ACCRETE_DISABLE=overwrite ours "$tmp/overwrite"
  is "$status$out$(field h2d_dead)" "0${want}0" "$m: ACCRETE_DISABLE=overwrite"
done
done_testing
