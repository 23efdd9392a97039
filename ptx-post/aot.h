/* Machine code beside the PTX of a program, ahead of time.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_PTX_AOT_H
#define ACCRETE_PTX_AOT_H

/* Compile the linked PTX of FILE for the architectures that LIST names ("sm_90",
   "native", with commas between them), and put the machine code behind it
   (jit/aot.h), as far as that can be done.  */
void aot_add_to (const char *file, const char *list);

#endif /* ACCRETE_PTX_AOT_H */
