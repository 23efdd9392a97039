# Kernels that keep GCC's form, in the forms of which the model is not sure, on
# the emulated GPU: the output is that of the kernel itself, bit for bit.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/common.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia

# launched FORM PROGRAM ARGS...: whether kernels are launched in it.
launched () {
  form=$1
  shift
  ACCRETE_FORM=$form ACCRETE_DEBUG=3 "$run" --emulate "$@" 2>&1 \
    | grep -q "cuLaunchKernel.*, form $form "
}

# Of lapgsrb's four more registers than most have to spare 28 warps run, not 32; uxx1
# has few loads to take.
for name in gaussblur jacobi-f wave13pt gameoflife lapgsrb uxx1 whispering; do
  sh "$programs" "$name-acc" \
    | CC=$CC FC=$FC sh "$top_srcdir/benchmarks/build-programs.sh" "$tmp/b" \
	"-specs=$specs" $stock_flags -fplugin-arg-accrete-disable=spmd
  is $? 0 "$name builds"
  case $name in
    wave13pt | lapgsrb | uxx1) set -- 5 6 101 ;;
    *) set -- 7 101 ;;
  esac
  want=$(ACCRETE_FORM=0 "$run" --emulate "$tmp/b/$name-acc" "$@" 2>&1)
  is $? 0 "$name: runs"
  for form in 1 2; do
    is "$(ACCRETE_FORM=$form "$run" --emulate "$tmp/b/$name-acc" "$@" 2>&1)" \
      "$want" "$name: form $form is the same"
    launched $form "$tmp/b/$name-acc" "$@"
    ok $? "... and is launched"
  done
done

# Nobody measures without the runtime, or when it is disabled.
kernel '' >"$tmp/in.ptx"
"$top_builddir/ptx-post/ptx-post" --passes=forms,shuffle "$tmp/in.ptx" >"$tmp/out.ptx"
unlike "$(cat "$tmp/out.ptx")" 'form1' "PTX of nobody's: no forms"
sh "$programs" gaussblur-acc \
  | ACCRETE_DISABLE=forms CC=$CC FC=$FC sh "$top_srcdir/benchmarks/build-programs.sh" \
      "$tmp/b" "-specs=$specs" -fplugin-arg-accrete-disable=spmd
! launched 1 "$tmp/b/gaussblur-acc" 7 101
ok $? "disabled: no forms"
done_testing
