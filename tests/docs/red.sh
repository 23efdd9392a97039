# Can the tests of the documentation fail?  Each row is a mistake in a copy of
# the tree, and the check that has to see it.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"

tree=$tmp/tree
mkdir "$tree"
(cd "$top_srcdir" && cp -R configure.ac docs libgomp-ext plugin ptx-post benchmarks tests \
   m4 debian packaging setup Makefile.am README.md CONTRIBUTING.md NEWS COPYING \
   .clang-format accrete.pc.in accrete.specs.in "$tree") || exit 99
cp "$top_builddir/docs/accrete.7" "$tmp/accrete.7" || exit 99

for test in names links licence; do
  DOCS_TREE=$tree DOCS_MAN7=$tmp/accrete.7 sh "$srcdir/$test.sh" >"$tmp/log" 2>&1
  ok $? "$test.sh passes without a mistake" || diag "$(grep '^not ok' "$tmp/log")"
done

while IFS='@' read -r test file edit check; do
  case $file in accrete.7) file=$tmp/$file ;; *) file=$tree/$file ;; esac
  cp "$file" "$tmp/kept"
  sed "$edit" "$tmp/kept" >"$file"
  if cmp -s "$tmp/kept" "$file"; then
    ok 1 "$check: nothing to change in ${file##*/}"
  else
    DOCS_TREE=$tree DOCS_MAN7=$tmp/accrete.7 sh "$srcdir/$test.sh" >"$tmp/log" 2>&1
    grep -q "^not ok .* - $check" "$tmp/log"
    ok $? "$check: $edit" || diag "$(grep '^not ok' "$tmp/log")"
  fi
  cp "$tmp/kept" "$file"
done <<'END'
names@ptx-post/post.c@s/post_env (POST_ENV_SM)/getenv ("ACCRETE_NEW")/@a variable that is read is in a table
names@ptx-post/emu/env.def@s/(ISA,/(OTHER,/@a variable of the other tables is read
names@README.md@s/ACCRETE_REPORT/ACCRETE_REPROT/@a variable on a page is in a table
names@docs/environment.md@/ACCRETE_UNCHANGED_MAX/d@environment.md has each variable
names@accrete.7@/ACCRETE_EMU_ISA/d@accrete.7 has each variable
names@docs/optimisations.md@/^| `lazy-copy-back`/d@optimisations.md has each optimisation
names@docs/optimisations.md@s/(`late`)/(`later`)/@an optimisation of optimisations.md is in the table
names@accrete.7@s/lazy\\-copy\\-back/lazy\\-copy\\-bakc/@accrete.7 has each optimisation
names@accrete.7@/^\.B d2h_dead$/d@accrete.7 has each number of the report
names@docs/limits.md@s/DISABLE=lazy-copy-back/DISABLE=lazy-copyback/@what a page leaves out is in the table
names@docs/environment.md@/accrete-rows/d@environment.md has each argument of the plugin
names@accrete.7@s/accrete\\-rows/accrete\\-row/@accrete.7 has each argument of the plugin
names@docs/environment.md@s/accrete-rows/accrete-lines/@an argument of the plugin on a page is one
names@docs/checking.md@s/--check=fail/--chekc=fail/@a long option on a page is one of a command
names@README.md@s/accrete-plan/the planner/@README names accrete-plan
names@libgomp-ext/Makefile.am@s/accrete-plan\.1//@accrete-plan has a manual page
names@README.md@s/`accrete-run --emulate/`accrete-emulate/@a command or package on a page is one
names@CONTRIBUTING.md@s/`make plots`/`make plot`/@make knows what pages make
names@README.md@s/^.\/setup demo/.\/setup dome/@setup knows what pages ask of it
names@docs/environment.md@s/`env.def`/`environment.def`/;s/`SIZE`/`size.def`/@a file that a page names is there
names@CONTRIBUTING.md@s/`benchmarks.results.`/`benchmarks\/result\/`/@a folder that a page names is there
names@docs/hacking.md@s/`acr_copy_is_dead`/`acr_copy_was_dead`/@a function that a page names is there
names@libgomp-ext/abi/abi.h@s/docs.design.md/docs\/plan.md/@a page that the code cites is there
names@README.md@s/: 29 times/: 28 times/@README has the ratios
names@docs/results.md@s/| 27 |/| 28 |/@results.md has the ratios
links@docs/hacking.md@s/transfer.dead\.c/transfer\/death.c/@links lead somewhere
links@README.md@s/#ptx-of-other/#ptx-of-another/@links lead somewhere
links@README.md@/NEWS/d@README leads to each page
licence@ptx-post/main.c@s/SPDX-/SDPX-/@each has its licence
licence@libgomp-ext/entry.c@s/ WITH GCC.*/  *\//@what is linked into programs
END
done_testing
