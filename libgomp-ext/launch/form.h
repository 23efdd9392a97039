/* Forms of a kernel.

   ptx-post leaves some kernels in a module more than once, in forms that do the
   same, bit for bit, but at different speed (abi.h).  Which one is the fastest
   here, launches tell (tune.h): they may differ in form, and, when the kernel
   and the caller allow that, in geometry.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_FORM_H
#define ACCRETE_FORM_H

#include <stdbool.h>

struct acr_kernel;
struct acr_launch;

/* Fill in the forms that K's module has.  */
void acr_form_find (struct acr_kernel *k);

/* What L launches, and its number for people: what a kernel began as is the kernel
   itself to all that measures launches.  */
struct acr_form acr_form_of (const struct acr_launch *l);
unsigned acr_form_number (const struct acr_launch *l);

/* Let L be a launch of FORM, 0 being the kernel itself, if that is there and has
   registers for such a block.  */
void acr_form_take (struct acr_launch *l, unsigned form);

/* Let L be a launch of the form that it is to take.  Whether launches that say as much
   of what they have to do will take no other.  */
bool acr_form_pick (struct acr_launch *l);

/* Of N geometries that L may have in its form, the first of which is the model's,
   the one that it is to take.  They are measured when the form is known.  */
unsigned acr_form_pick_geometry (struct acr_launch *l, unsigned n);

/* The same of N grids, the first of which has GRID blocks and the others a part of them,
   when the geometry is known and the kernel is launched many times.  */
unsigned acr_form_pick_part (struct acr_launch *l, unsigned n, unsigned grid);

#endif /* ACCRETE_FORM_H */
