# Can the generated programs fail?  Mistakes put into the plugin (.cc) and the
# runtime (.c) on purpose: programs of the scene that stands in front of what is
# lost must find each.
#
# WHOLE_N  programs that may look for a mistake
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
command -v perl >/dev/null || { skip "no perl" "mutants"; done_testing; exit; }
ext=$stage/lib/accrete/device
. "$top_srcdir/tests/libgomp-ext/mutant-lib.sh"

# survives FILE: no program of the kind in $what finds anything, nor a crash or
# a hang.  A mutant's kernel may not come to its end.
survives () {
  rm -rf "$tmp/stage"
  cp -R "$stage" "$tmp/stage"
  case $1 in
    *.cc) cp "$tmp/plugin/accrete-passes.so" \
	    "$(find "$tmp/stage" -name accrete-passes.so)" ;;
    *) cp "$tmp/mutant/libgomp-ext.so.0" \
	 "$(readlink -f "$tmp/stage/lib/accrete/libgomp-ext.so.0")" ;;
  esac
  # shellcheck disable=SC2154  # set by mutants
  ONLY=${what%%:*} N=${WHOLE_N-72} WHOLE_STAGE=$tmp/stage ACCRETE_EMU_TIMEOUT=20 \
    TIME=60 RECORD= sh "$srcdir/whole.sh" >"$tmp/log" 2>&1
  ! grep -q '^not ok' "$tmp/log"
}

mutants "$top_srcdir/plugin" "$top_srcdir/libgomp-ext" <<'END'
gather.c@@chain: unchanged, it passes
stream.c@/^acr_stream_drain (/,/^}/s/(here & ranks)/(here \& ranks \& ~ACR_SUBMITS)/@chain: a dropped drain
gather.c@/^keep (/,/^}/s/copy_spans (c)/(void)0/@chain: what is left to the next construct is read then
spmd-space.cc@s/"trips", trips + 1/"trips", trips + 0/@chain: one iteration less
spmd-own.cc@s/copied = p->copy_in \&\& !p->made/copied = false/@chain: private copies have no first value
entry.c@s/acr_call_needs_frame (c) ||/0 \&\&/@deferred: pointers that are read when a task begins
address.c@/^acr_call_may_tell/,/^}/s/(!r || r->compares)/(r \&\& r->compares)/@address: regions that may store addresses
spmd-deal.cc@s/if (!size\[0\] \&\& !nest->tells)/if (!size[0])/@schedule: static schedules are cyclic
spmd-deal.cc@s/if (nest->tells \&\& teams/if (false \&\& teams/@schedule: chunks of threads but not of teams
kernels-code.cc@/^kernels_emit_sequential/,/^}/s/GF_OMP_TARGET_KIND_OACC_PARALLEL, clauses)/gimple_omp_target_kind (w->stmt), clauses)/@overlap: GCC's own parallel form where iterations may overlap
private.cc@s/if (b.bad || !own_value_p/if (true || b.bad || !own_value_p/@gang: one scalar for all gangs
spmd-count.cc@s/if (!member_p (nest, expr))/if (!member_p (nest, expr) || true)/@size: members are not counted
kernels-region.cc@/^host_size/,/^}/s/return \*var;/return size;/@size: gangs by the region's own variable
spmd-acc-launch.cc@s/if (any_workers)/if (false)/@size: workers beyond what the gangs' iterations need
END
done_testing
