/* Forms of kernels with children: who executes these, from how many iterations
   on, how many iterations a thread does at least.

   Thread-safe: no state.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_NEST_FORM_H
#define ACCRETE_NEST_FORM_H

#include "abi/nest-abi.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

struct acr_region;

/* Iterations that no child has.  */
#define ACR_NEST_FORM_NEVER UINT64_MAX

struct acr_nest_rule
{
  uint64_t group, least, far; /* enum acr_nest_form_word */
};

static_assert (sizeof (struct acr_nest_rule)
                   == ACR_NEST_FORM_WORDS * sizeof (uint64_t),
               "a form's words");

/* Has each launch a form of its own?  */
bool acr_nest_form_chosen (void);

/* The forms of the mode that the user wants, by enum acr_nest_form.  */
void acr_nest_form_all (struct acr_nest_rule form[ACR_NEST_FORMS]);

/* The set of those among which measurement chooses for kernels of R, as bits
   from ACR_NEST_FORM_AUTO on; with a queue where there is ROOM for it.  */
unsigned acr_nest_form_tries (const struct acr_region *r, bool room);

/* In FORM: the logarithm of how many iterations a thread executes at least;
   the words for the report.  */
unsigned acr_nest_form_coarse (unsigned form);
const char *acr_nest_form_words (unsigned form);

#endif /* ACCRETE_NEST_FORM_H */
