/* Forms of a kernel.

   ptx-post leaves some kernels in a module more than once, in forms that do the
   same, bit for bit, but at different speed (abi.h).  Which one is the fastest
   here, launches tell (tune.h): they may differ in form, and, when the kernel
   and the caller allow that, in geometry.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_FORM_H
#define ACCRETE_FORM_H

struct acr_kernel;
struct acr_launch;

/* Fill in the forms that K's module has.  */
void acr_form_find (struct acr_kernel *k);

/* Of N geometries that L may have, the first of which is the model's, the one
   that it is to take; or it is 0 and L becomes a launch of another form, with
   the model's.  */
unsigned acr_form_pick (struct acr_launch *l, unsigned n);

#endif /* ACCRETE_FORM_H */
