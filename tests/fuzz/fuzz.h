/* What fuzzing engines call: libFuzzer's, or mutate.c.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_TESTS_FUZZ_H
#define ACCRETE_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Try DATA; aborts when a property does not hold.  Returns 0.  */
int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

#endif /* ACCRETE_TESTS_FUZZ_H */
