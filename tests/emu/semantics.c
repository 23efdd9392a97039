/* What instructions compute: every row of semantics.def becomes a kernel that
   runs on pairs of edge values and on random bits, with all lanes and with
   some lanes off, and is compared with the host compiler's evaluation of the
   same operation.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

#include "machine-run.h"
#include "rows.h"

enum { SENTINEL = 0x5a };

static void
test_row (const struct row *r)
{
  static uint64_t (*in)[3], *out, *mask, seed = 88172645463325252u;
  if (!in)
    {
      in = device (ROW_CASES * sizeof *in);
      out = device (ROW_CASES * sizeof *out);
      mask = device (sizeof *mask);
    }
  row_inputs (r, in, &seed);
  char *text = NULL;
  size_t len;
  FILE *f = open_memstream (&text, &len);
  fputs (row_header, f);
  row_print_kernel (r, "k", f);
  fclose (f);
  struct emu_module *m = load_ptx (text);
  bool same = m;
  static const uint64_t masks[] = { 0xffffffff, 0x5a5a1248 };
  for (unsigned pass = 0; same && pass < 2; pass++)
    {
      const uint64_t params[]
	= { (uintptr_t) in, (uintptr_t) out, (uintptr_t) mask };
      *mask = masks[pass];
      memset (out, SENTINEL, ROW_CASES * sizeof *out);
      if (launch (m, "k", ROW_CASES / 256, 256, 0, 3, params) != CUDA_SUCCESS)
	same = false;
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
	  if (on ? !row_agrees (r, got, want) : got != want)
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
  free (text);
}

int
main (void)
{
  for (unsigned k = 0; k < nrows; k++)
    test_row (&rows[k]);
  return done_testing ();
}
