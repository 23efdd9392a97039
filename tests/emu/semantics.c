/* What instructions compute: every row of semantics.def becomes a kernel that
   runs on pairs of edge values and on random bits, with all lanes and with
   some lanes off, and is compared with the host compiler's evaluation of the
   same operation.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

#include "machine-run.h"
#include "rows.h"

enum { CASES = 4096, SENTINEL = 0x5a };

/* ---- Running ---------------------------------------------------------------------------- */

static char *
kernel_text (const struct row *r)
{
  char *text = NULL;
  size_t len;
  FILE *f = open_memstream (&text, &len);
  fprintf (f,
	   PTX_HEADER
	   ".visible .entry k (.param .u64 in, .param .u64 out, .param .u64 all)\n"
	   "{\n"
	   ".reg .%s %%a; .reg .%s %%b; .reg .%s %%c; .reg .%s %%d;\n"
	   ".reg .b64 %%in, %%out, %%all, %%i; .reg .pred %%q, %%on, %%p;\n"
	   ".reg .b32 %%t, %%n, %%k, %%x; .reg .b64 %%w;\n"
	   "ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out];\n"
	   "ld.param.u64 %%all, [all];\n"
	   "mov.u32 %%t, %%tid.x; mov.u32 %%n, %%ntid.x; mov.u32 %%k, %%ctaid.x;\n"
	   "mad.lo.u32 %%t, %%k, %%n, %%t;\n"
	   "mul.wide.u32 %%i, %%t, 24; add.u64 %%in, %%in, %%i;\n"
	   "mul.wide.u32 %%i, %%t, 8; add.u64 %%out, %%out, %%i;\n"
	   "ld.global.%s %%a, [%%in]; ld.global.%s %%b, [%%in+8];\n"
	   "ld.global.%s %%c, [%%in+16];\n"
	   /* Lanes off: those whose bit of %all is clear.  */
	   "mov.u32 %%k, %%laneid; shr.u64 %%all, %%all, %%k;\n"
	   "and.b64 %%all, %%all, 1; setp.ne.u64 %%on, %%all, 0;\n"
	   "@!%%on bra DONE;\n"
	   "%s;\n"
	   "st.global.%s [%%out], %%d;\n"
	   "DONE: ret;\n}\n",
	   r->a->ptx, r->b->ptx, r->c->ptx, r->d->ptx, r->a->ptx, r->b->ptx,
	   r->c->ptx, r->insn, r->d->ptx);
  fclose (f);
  return text;
}

static void
test_row (const struct row *r)
{
  static uint64_t *in, *out, seed = 88172645463325252u;
  if (!in)
    {
      in = device (CASES * 24);
      out = device (CASES * 8);
    }
  for (unsigned k = 0; k < CASES; k++)
    {
      bool edges = k < 55 * 55;
      in[3 * k] = edges ? row_edge (r->a, k / 55) : row_random (r->a, &seed);
      in[3 * k + 1] = edges ? row_edge (r->b, k % 55) : row_random (r->b, &seed);
      in[3 * k + 2] = edges ? row_edge (r->c, (unsigned) random_bits (&seed) % 55)
			    : row_random (r->c, &seed);
    }
  char *text = kernel_text (r);
  struct emu_module *m = load_ptx (text);
  bool same = m;
  static const uint64_t masks[] = { 0xffffffff, 0x5a5a1248 };
  for (unsigned pass = 0; same && pass < 2; pass++)
    {
      const uint64_t params[] = { (uintptr_t) in, (uintptr_t) out, masks[pass] };
      memset (out, SENTINEL, CASES * 8);
      if (launch (m, "k", CASES / 256, 256, 0, 3, params) != CUDA_SUCCESS)
	same = false;
      for (unsigned k = 0; same && k < CASES; k++)
	{
	  bool on = masks[pass] >> (k % 32) & 1;
	  unsigned bytes = row_result_bytes (r);
	  uint64_t got = 0, want = 0;
	  memcpy (&got, &out[k], bytes);
	  if (on)
	    want = row_result (r, &in[3 * k]);
	  else
	    memset (&want, SENTINEL, bytes);
	  if (on ? !row_agrees (r, got, want) : got != want)
	    {
	      same = false;
	      diag ("lane %u %s: a=%#llx b=%#llx c=%#llx: got %#llx, want %#llx",
		    k % 32, on ? "on" : "off", (long long) in[3 * k],
		    (long long) in[3 * k + 1], (long long) in[3 * k + 2],
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
