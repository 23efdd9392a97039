/* The stock tools that ours, found through the accel compiler's -B, hand over
   to.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_STOCK_H
#define ACCRETE_STOCK_H

#include <stdbool.h>

/* Is PATH a program, and not the one that asks?  */
bool stock_is_other (const char *path);

/* The stock program called NAME ("as"), in order: what the user SAID, or NULL,
   what lies beside the lto-wrapper of the compiler
   that runs us, CONFIGURED, and nvptx-none-NAME on PATH.  Never the program
   that asks.  Lives until the next call.  */
const char *stock_program (const char *name, const char *said,
			   const char *configured);

#endif /* ACCRETE_STOCK_H */
