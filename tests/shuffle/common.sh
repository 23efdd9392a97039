# What the tests of the pass shuffle share: the paper's operators as programs.
# SPDX-License-Identifier: GPL-3.0-or-later
unset ACCRETE_DISABLE ACCRETE_SM ACCRETE_SHUFFLE
programs=$top_srcdir/benchmarks/programs.sh
plugin=$top_builddir/plugin/.libs/accrete.so

# The lines of benchmarks/programs.sh for the operators in benchmarks/shuffle,
# in FORM...
operators () {
  for form in "$@"; do
    sh "$programs" "*-$form" | grep ' shuffle/'
  done
}

# compile NAME COMPILER FLAGS SOURCE FOLDER OUT: with our plugin, and the
# assembler in FOLDER; FLAGS are separated by commas.  OpenACC nests stay in
# GCC's form, like the paper's: in an SPMD kernel a warp may have pieces of two
# rows.  Device code is assembled at the link, so that the second time, which
# has another assembler, is only that.
compile () {
  case $2 in cc) compiler=$CC ;; fc) compiler=$FC ;; esac
  # shellcheck disable=SC2046  # a list of words
  (cd "$tmp" && name=$1 source=$top_srcdir/benchmarks/$4 folder=$5 out=$6 \
     && set -- -O2 -fplugin="$plugin" -fplugin-arg-accrete-disable=spmd \
	  $(echo "$3" | tr , ' ') \
     && { [ -e "$name.o" ] || "$compiler" "$@" -c "$source" -o "$name.o"; } \
     && "$compiler" "$@" "-foffload-options=nvptx-none=-B$folder/ -Wa,--no-verify" \
	  "$name.o" -o "$out" -lm) >"$tmp/log" 2>&1 \
    || { ok 1 "$1 builds"; diag "$(cat "$tmp/log")"; return 1; }
}

# kernel BODY FIRST SECOND: loads of addresses FIRST and SECOND, [%t] and the
# next word unless said otherwise, behind BODY.
kernel () {
  cat <<END
.version 7.0
.target sm_80
.address_size 64
.visible .entry k (.param .u64 a, .param .u32 n)
{
.reg .u64 %a, %t, %s; .reg .u32 %i, %j, %k, %m, %n; .reg .f32 %f<99>;
.reg .pred %p, %q;
ld.param.u64 %a, [a];
ld.param.u32 %n, [n];
mov.u32 %i, %tid.x;
$1
mul.wide.u32 %t, %i, 4;
add.u64 %t, %t, %a;
ld.global.f32 %f1, [${2:-%t}];
$4
ld.global.f32 %f2, [${3:-%t+4}];
add.f32 %f1, %f1, %f2;
st.global.f32 [%t], %f1;
ret;
}
END
}

# post OPTION...: what becomes of $tmp/in.ptx, within 150 MB and 10 seconds.
post () {
  (ulimit -v 153600 -t 10
   exec "$top_builddir/ptx-post/ptx-post" --passes=shuffle --shuffle=always \
     --explain "$@" "$tmp/in.ptx" -o "$tmp/out.ptx") 2>"$tmp/remarks"
}
