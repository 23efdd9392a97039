/* The report's bytes by variable: what libgomp asks to copy for a construct,
   by the names that the source has for its operands (abi.h).

   Copies from and to an operand's own memory are its own.  Small operands
   libgomp merges first; those are told apart by their sizes, where all of them
   must have been sent.

   Not thread-safe; row.c's lock guards it.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_REPORT_OPERAND_H
#define ACCRETE_REPORT_OPERAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "transfer/effects.h"

struct acr_variable
{
  const char *name;
  uint64_t sent, fetched;
};

/* The variables of a directive.  Slots of one name are one variable.  */
struct acr_variables
{
  unsigned n, nslots;
  struct acr_variable *v;
  unsigned of[]; /* the slots' variables; N: a slot without a name */
};

/* Those of R, which lives longer; NULL when no operand has a name, or when
   memory is out.  */
struct acr_variables *acr_variables_new (const struct acr_region *r);
void acr_variables_free (struct acr_variables *vs);
void acr_variables_clear (struct acr_variables *vs);

/* The operands of an execution of a directive.  */
struct acr_operands
{
  size_t n;
  const void *const *hostaddrs;
  const size_t *sizes;
  /* What was sent out of their own memory, and which of the first 64.  */
  uint64_t bytes, sent;
};

/* libgomp asks to copy N bytes of the host at P the one WAY for these operands
   OS.  */
void acr_variables_copy (struct acr_variables *vs, struct acr_operands *os,
                         const void *p, size_t n, enum acr_way way);

/* For CALL, whose operands are OS, libgomp has asked to send BYTES in all.  */
void acr_variables_merged (struct acr_variables *vs,
                           const struct acr_operands *os,
                           const struct acr_call *call, uint64_t bytes);

#endif /* ACCRETE_REPORT_OPERAND_H */
