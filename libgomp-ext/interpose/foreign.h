/* Callers of the CUDA driver besides libgomp; see foreign.c.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_FOREIGN_H
#define ACCRETE_FOREIGN_H

#include <stdbool.h>

/* Whether the program or a library of its may call the driver: then whoever
   knows a device address may look there, and write, without libgomp.  It never
   becomes true after it was false.  Thread-safe.  */
bool acr_foreign_calls (void);

#endif /* ACCRETE_FOREIGN_H */
