/* Device addresses: who gets to know one.

   Whoever knows the address of mapped data, or has device memory, may use it on
   streams that the NULL stream is not ordered with, without libgomp.  Much must
   not be done later than the program said from then on.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_ADDRESS_H
#define ACCRETE_ADDRESS_H

#include <stdbool.h>

struct acr_call;

/* Whether CALL may, itself or by its region, store a device address where the program
   finds it, or tell one in another way.  (It gives or takes some: ACR_EXPOSES and
   ACR_TAKES of kind.h.)  */
bool acr_call_may_tell (const struct acr_call *call);

/* Whether CALL's region gets by value, or as a small copy, what may be an address
   that the program knows.  */
bool acr_call_passes_address (const struct acr_call *call);

/* Whether the program may know an address; from now on it may (events.def,
   exposed).  */
bool acr_address_known (void);
void acr_address_tell (void);

#endif /* ACCRETE_ADDRESS_H */
