/* What a region overwrites is not copied to the device; see overwrite.c.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_OVERWRITE_H
#define ACCRETE_OVERWRITE_H

#include "interpose/construct.h"

/* The construct of CALL begins: where its region overwrites operands, CALL gets
   kinds by which libgomp does not copy them to the device.  They are the
   thread's (construct.h), until its next construct.  */
void acr_overwrite_begin (struct acr_call *call);

#endif /* ACCRETE_OVERWRITE_H */
