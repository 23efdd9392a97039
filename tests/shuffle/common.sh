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
# GCC's form, like the paper's: in a plain kernel a warp may have pieces of two
# rows.
compile () {
  case $2 in cc) compiler=$CC ;; fc) compiler=$FC ;; esac
  # shellcheck disable=SC2046  # a list of words
  (cd "$tmp" && "$compiler" -O2 -fplugin="$plugin" -fplugin-arg-accrete-disable=spmd \
    $(echo "$3" | tr , ' ') \
    "-foffload-options=nvptx-none=-B$5/" \
    "$top_srcdir/benchmarks/$4" -o "$6" -lm) >"$tmp/log" 2>&1 \
    || { ok 1 "$1 builds"; diag "$(cat "$tmp/log")"; return 1; }
}
