/* What instructions compute: every row of semantics.def becomes a kernel that
   runs on pairs of edge values and on random bits, with all lanes and with
   some lanes off, and is compared with the host compiler's evaluation of the
   same operation.  Then what GPUs were seen to compute (observed.def).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

#include "machine-run.h"
#include "rows.h"

enum { SENTINEL = 0x5a };

/* Memory of a run of a row.  */
static uint64_t (*in)[3], *out, *mask;

static struct emu_module *
load_row (const struct row *r)
{
  char *text = NULL;
  size_t len;
  FILE *f = open_memstream (&text, &len);
  row_print_header (row_target (r), f);
  row_print_kernel (r, "k", f);
  fclose (f);
  struct emu_module *m = load_ptx (text);
  free (text);
  return m;
}

/* Run a row's kernel on IN in the LANES of each warp.  */
static bool
run_row (struct emu_module *m, uint64_t lanes)
{
  const uint64_t params[] = { (uintptr_t) in, (uintptr_t) out, (uintptr_t) mask };
  *mask = lanes;
  memset (out, SENTINEL, ROW_CASES * sizeof *out);
  return launch (m, "k", ROW_CASES / 256, 256, 0, 3, params) == CUDA_SUCCESS;
}

static void
test_row (const struct row *r)
{
  static uint64_t seed = 88172645463325252u;
  static const uint64_t masks[] = { 0xffffffff, 0x5a5a1248 };
  row_inputs (r, in, &seed);
  struct emu_module *m = load_row (r);
  bool same = m;
  for (unsigned pass = 0; same && pass < 2; pass++)
    {
      same = run_row (m, masks[pass]);
      for (unsigned k = 0; same && k < ROW_CASES; k++)
	{
	  bool on = masks[pass] >> (k % 32) & 1;
	  unsigned bytes = row_result_bytes (r);
	  uint64_t got = 0, want = 0;
	  memcpy (&got, &out[k], bytes);
	  if (on)
	    want = row_result (r, in[k]);
	  else
	    memset (&want, SENTINEL, bytes);
	  /* As near as it promises, and as PTX wants at the least.  */
	  if (on ? !row_agrees (r, got, want) || !row_allowed (r, in[k], got, want)
		 : got != want)
	    {
	      same = false;
	      diag ("lane %u %s: a=%#llx b=%#llx c=%#llx: got %#llx, want %#llx",
		    k % 32, on ? "on" : "off", (long long) in[k][0],
		    (long long) in[k][1], (long long) in[k][2],
		    (long long) got, (long long) want);
	    }
	}
    }
  ok (same, "%s", r->insn);
  emu_module_unload (m);
}

static const struct observed
{
  const char *insn;
  uint64_t in[3], result;
} observed[] = {
#define OBSERVED(insn, a, b, c, result) { insn, { a, b, c }, result },
#include "observed.def"
};

static void
test_observed (const struct observed *o)
{
  unsigned k = 0;
  while (k < nrows && strcmp (rows[k].insn, o->insn))
    k++;
  struct emu_module *m = k < nrows ? load_row (&rows[k]) : NULL;
  memcpy (in[0], o->in, sizeof o->in);
  uint64_t got = 0;
  if (m && run_row (m, 1))
    memcpy (&got, out, row_result_bytes (&rows[k]));
  ok (m && got == o->result, "as a GPU: %s", o->insn);
  emu_module_unload (m);
}

int
main (void)
{
  setenv ("ACCRETE_EMU_GPU", "b200", 1); /* has every form */
  in = device (ROW_CASES * sizeof *in);
  out = device (ROW_CASES * sizeof *out);
  mask = device (sizeof *mask);
  for (unsigned k = 0; k < nrows; k++)
    test_row (&rows[k]);
  for (unsigned k = 0; k < sizeof observed / sizeof *observed; k++)
    test_observed (&observed[k]);
  return done_testing ();
}
