# Every variable, option, optimisation, command and file that the documentation
# names is there, and what there is of them is documented.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/docs/pages.sh"

# without A B: lines of A that B lacks.
without () {
  printf '%s\n' "$1" | sort -u >"$tmp/a"
  printf '%s\n' "$2" | sort -u | comm -23 "$tmp/a" -
}

# ---- Variables -------------------------------------------------------------
known=$(variables)
[ "$(printf '%s\n' "$known" | wc -l)" -gt 30 ]; ok $? "the tables have variables"
# All are read by way of their tables; of the runtime's, each row is read.
read_ones=$(sources | xargs grep -hoE '"ACCRETE_[A-Z_]+"|[^A-Z_](POST|EMU)_ENV_[A-Z_]+' \
  | sed -n 's/^"\(.*\)"$/\1/p; s/^.POST_ENV_/ACCRETE_/p; s/^.EMU_ENV_/ACCRETE_EMU_/p' \
  | grep -vx 'ACCRETE_EMU_' | sort -u)
nothing "$(without "$read_ones" "$known")" "a variable that is read is in a table"
nothing "$(without "$(printf '%s\n' "$known" \
			| grep -vxF "$(rows ENV libgomp-ext/base/env.def \
				       | sed 's/^/ACCRETE_/')")" \
	     "$read_ones")" "a variable of the other tables is read"
said=$(in_pages 'ACCRETE_[A-Z_]*[A-Z]')
nothing "$(without "$said" "$known")" "a variable on a page is in a table"
environment=$(grep -oE '^\| `ACCRETE_[A-Z_]+' "$tree/docs/environment.md" \
		| sed 's/.*`//')
nothing "$(without "$known" "$environment")" "environment.md has each variable"
nothing "$(without "$known" "$(grep -oE '^\.B ACCRETE_[A-Z_]+' "$man7" \
				 | sed 's/.* //')")" "accrete.7 has each variable"

# ---- Optimisations ---------------------------------------------------------
names=$(optimisations)
[ "$(printf '%s\n' "$names" | wc -l)" -gt 40 ]; ok $? "the table has optimisations"
nothing "$(without "$(printf '%s\n' "$names" | cut -d ' ' -f 2-)" \
	     "$(sed -n 's/^| `\([a-z-]*\)` (`\([a-z_-]*\)`) |.*/\1 \2/p' \
		  "$tree/docs/optimisations.md")")" \
  "optimisations.md has each optimisation with its short name"
nothing "$(without "$(sed -n 's/^| `\([a-z-]*\)` (`\([a-z_-]*\)`) |.*/\1 \2/p' \
			"$tree/docs/optimisations.md")" \
	     "$(printf '%s\n' "$names" | cut -d ' ' -f 2-)")" \
  "an optimisation of optimisations.md is in the table"
nothing "$(without "$(printf '%s\n' "$names" | cut -d ' ' -f 2)" \
	     "$(sed -n 's/^\\fB\([^ ]*\)\\fR.*/\1/p' "$man7" \
		  | sed 's/\\fR,*$//; s/\\-/-/g')")" \
  "accrete.7 has each optimisation"
all=$(printf '%s\n' "$names" | cut -d ' ' -f 2- | tr ' ' '\n'; echo all)
nothing "$(without "$(in_pages '(ACCRETE_DISABLE|accrete-disable)=[a-z_,-]+' \
			| sed 's/.*=//' | tr ',' '\n')" "$all")" \
  "what a page leaves out is in the table"

nothing "$(without "$(rows COUNT libgomp-ext/base/count.def)" \
	     "$(sed -n 's/^\.B \([a-z0-9_]*\)$/\1/p' "$man7")")" \
  "accrete.7 has each number of the report"

# ---- Options ---------------------------------------------------------------
plugin=$tree/plugin/arguments.cc
arguments=$(grep -oE 'arg->key, "[a-z]+"' "$plugin" | sed 's/.*"\(.*\)"/\1/')
[ "$arguments" ]; ok $? "the plugin has arguments"
# That one is -fdump-tree-accrete to users.
documented=$(printf '%s\n' "$arguments" | grep -vx dump)
for page in "$tree/docs/environment.md" "$man7"; do
  nothing "$(without "$documented" \
	       "$(sed 's/\\-/-/g' "$page" | grep -oE 'plugin-arg-accrete-[a-z]+' \
		    | sed 's/.*-//')")" "${page##*/} has each argument of the plugin"
done
nothing "$(without "$(in_pages '-fplugin-arg-accrete-[a-z]+' | sed 's/.*-//')" \
	     "$arguments")" "an argument of the plugin on a page is one"

# Long options of ours, and of others whose commands are shown.
ours=$(sed -n 's/^  { "\([a-z-]*\)", .*/--\1/p' "$tree/ptx-post/main.c" \
	 "$tree/libgomp-ext/planner/plan-main.c"
       grep -oE -e '--[a-z]+' "$tree/libgomp-ext/accrete-run.in"
       sed -n 's/.*AS_HELP_STRING(\[\(--[a-z-]*\).*/\1/p' "$tree/configure.ac"
       printf '%s\n' --help --version --ptxas-path --cflags
       # Slurm's
       printf '%s\n' --nodes --ntasks-per-node --gpus-per-node --gpus-per-task \
	 --cpus-per-task --cpu-bind)
nothing "$(without "$(pages | xargs grep -hv -e '-->' \
			| grep -oE -e '(^|[ `[(])--[a-z][a-z-]+' \
			| grep -oE -e '--.*')" "$ours")" \
  "a long option on a page is one of a command"

# ---- Commands --------------------------------------------------------------
programs=$(sed -n 's/^bin_\(PROGRAMS\|SCRIPTS\) = //p' \
	     "$tree/libgomp-ext/Makefile.am" "$tree/ptx-post/Makefile.am")
for program in $programs; do
  grep -q "$program" "$tree/README.md"; ok $? "README names $program"
  grep -q "$program\.1" "$tree/libgomp-ext/Makefile.am" \
    "$tree/ptx-post/Makefile.am"; ok $? "$program has a manual page"
done
packages=$(sed -n 's/^Package: //p' "$tree/debian/control")
nothing "$(without "$(in_pages '(^|[ `/])accrete-[a-z]+' \
			| sed 's/.*accrete-/accrete-/' \
			| grep -vx accrete-emu)" \
	     "$programs $packages")" "a command or package on a page is one"
# In code, "make" and what it makes; "by hand" and "make" with a folder are
# sentences as well.
nothing "$(without "$(pages | xargs sed -n 's/`[^`]*`/\n&\n/gp' \
			| grep -oE '^`make( -C [a-z/]+)? [a-z-]+' \
			| sed 's/.* //')" \
	     "$(find "$tree" -path "$tree/build" -prune -o -name Makefile.am -exec \
		  sed -n '/^[a-z][a-z -]*:/{s/:.*//;s/ /\n/g;p}' {} +
		printf 'check\ninstall\ndist\ndistcheck\n')")" "make knows what pages make"
verbs=$(sed -n 's/^  \([a-z-]*\( | [a-z-]*\)*\)) .*;;$/\1/p' "$tree/setup" \
	  | tr -d ' ' | tr '|' '\n')
nothing "$(without "$(in_pages '\./setup [a-z-]+' | sed 's/.* //')" "$verbs")" \
  "setup knows what pages ask of it"

# ---- Files -----------------------------------------------------------------
# What looks like a file of the tree, in code: with a suffix of ours.
(cd "$tree" && find . -type f ! -path './build/*' ! -path './stage/*') \
  >"$tmp/files"
suffix='(def|md|sh|cc|cu|am|mk|map|specs|pc|gp|awk|csv|svg)'
for name in $(in_pages "\`[A-Za-z0-9_./-]+\.$suffix\`" | tr -d '`'); do
  case $name in
    # Installed, or made.
    bundle/*) continue ;;
    lib/*/accrete.specs | lib/*/accrete.pc) name=${name##*/}.in ;;
  esac
  case $name in
    */*) [ -e "$tree/$name" ] || [ -e "$tree/libgomp-ext/$name" ] ;;
    *) grep -q "/$name\$" "$tmp/files" ;;
  esac || echo "$name"
done >"$tmp/lost"
nothing "$(cat "$tmp/lost")" "a file that a page names is there"
for name in $(in_pages '`[a-z]+(-[a-z]+)?(/[a-z]+(-[a-z]+)?)*/`' | tr -d '`'); do
  case $name in stage/ | build/ | bundle/) continue ;; esac
  [ -d "$tree/$name" ] || echo "$name"
done >"$tmp/lost"
nothing "$(cat "$tmp/lost")" "a folder that a page names is there"
# Functions and other identifiers of the code, in code.
for name in $(in_pages '`(acr|spmd|emu)_[a-z_]+`' | tr -d '`'); do
  sources | xargs grep -q "\<$name\>" || echo "$name"
done >"$tmp/lost"
nothing "$(cat "$tmp/lost")" "a function that a page names is there"
# And the other way round: pages that comments cite.
for name in $(sources | xargs cat "$tree/Makefile.am" "$tree/ptx-post/pass/gpu.def" \
		| grep -oE '\b[A-Za-z/]+\.md\b' | sort -u); do
  [ -e "$tree/$name" ] || [ -e "$tree/docs/$name" ] || echo "$name"
done >"$tmp/lost"
nothing "$(cat "$tmp/lost")" "a page that the code cites is there"

# ---- Measurements ----------------------------------------------------------
sh "$tree/benchmarks/ratios.sh" >"$tmp/ratios"
[ "$(wc -l <"$tmp/ratios")" -gt 10 ]; ok $? "ratios.sh has ratios"
nothing "$(without "$(cat "$tmp/ratios")" "$(cat "$tree/docs/results.md")")" \
  "results.md has the ratios of the measurements"
# README has the means, of two digits or all of them.
while read -r what; do
  mean=$(grep -F "| $what" "$tmp/ratios" | head -n 1 | cut -d '|' -f 4 | tr -d ' ')
  grep '^| .*|.*|' "$tree/README.md" \
    | grep -qwF -e "$mean" -e "$(printf '%.2g' "$mean")" \
    || echo "$what: $mean"
done >"$tmp/lost" <<'END'
programs, OpenACC
programs, OpenMP
programs: CUDA
constructs, OpenACC
constructs, OpenMP
constructs: stock over the same binary
transfers of 4096
transfers of 1048576
nested, klap: launches
nested, cgo2022: launches
END
nothing "$(cat "$tmp/lost")" "README has the ratios of the measurements"
[ "$(wc -l <"$tree/README.md")" -le 150 ]; ok $? "README is short"
done_testing
