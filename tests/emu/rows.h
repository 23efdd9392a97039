/* The instruction forms of semantics.def: what each computes, evaluated by the
   host compiler, and inputs worth trying.  Shares nothing with the machine
   that it judges.

   A value travels as the low bits of a uint64_t.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_TESTS_ROWS_H
#define ACCRETE_TESTS_ROWS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A type of operands.  */
struct row_type
{
  const char *ptx;		/* of the register that holds it */
  unsigned bytes;
  char class;			/* u s f */
  bool brain;			/* of 2 bytes: bf16, not f16 */
};

/* How far from the exact value PTX ISA lets an approximation be.  */
enum row_error { ROW_EXACT, ROW_ULPS, ROW_ABSOLUTE, ROW_RELATIVE };

struct row
{
  const char *insn;		/* of %a %b %c to %d; %q and %p are predicates,
				   %on is a true one, %n %k %x %t are b32, %w b64,
				   %h %l b16, %e %g %u b128; %out is the address of
				   the result, 8 bytes of global memory */
  const struct row_type *d, *a, *b, *c;
  uint64_t (*ref) (const uint64_t in[3]);
  double ulps;			/* error allowed of the emulated GPU; negative:
				   any NaN will do */
  enum row_error error;		/* ... and of any GPU, where IN_DOMAIN */
  double bound;
  bool (*in_domain) (const uint64_t in[3]);
};

extern const struct row rows[];
extern const unsigned nrows;

/* What R leaves in its result's register, which may be wider than its type. */
uint64_t row_result (const struct row *r, const uint64_t in[3]);
/* Bytes of that register that count.  */
unsigned row_result_bytes (const struct row *r);
/* Whether GOT, in that register, is right where WANT is the reference: for the
   emulated GPU, which promises more, and for any GPU.  */
bool row_agrees (const struct row *r, uint64_t got, uint64_t want);
bool row_allowed (const struct row *r, const uint64_t in[3], uint64_t got,
		  uint64_t want);

/* Pseudo-random bits; STATE is not zero.  */
uint64_t random_bits (uint64_t *state);
/* Edge value K of type T, and a random one.  */
uint64_t row_edge (const struct row_type *t, unsigned k);
uint64_t row_random (const struct row_type *t, uint64_t *state);

enum { ROW_CASES = 4096 };	/* threads of a run over all edges */

/* Inputs of a run: pairs of edge values, then random ones.  */
void row_inputs (const struct row *r, uint64_t in[ROW_CASES][3],
		 uint64_t *state);
/* The GPU that R is for, as in .target sm_N: 90, or 100 where that is too old.
   And the header of a unit of kernels for it.  Blocks have at most 256
   threads.  */
unsigned row_target (const struct row *r);
void row_print_header (unsigned target, FILE *f);
/* Write kernel NAME (in, out, mask): thread T of blocks of 32 n threads does
   out[T] = R (in[T]) in the lanes whose bit of *MASK is set.  */
void row_print_kernel (const struct row *r, const char *name, FILE *f);

#endif /* ACCRETE_TESTS_ROWS_H */
