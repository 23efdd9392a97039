/* Calls of the CUDA driver by a program of its own; see escape-driver.c.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stddef.h>
#include <stdint.h>

/* Use a stream that the NULL stream does not order from now on.  */
void driver_own_stream (void);

/* Copy N bytes from the device to TO, or from FROM to the device, and wait.  */
void driver_read (void *to, uintptr_t from, size_t n);
void driver_write (uintptr_t to, const void *from, size_t n);

/* Copy N bytes from FROM to TO, both on the device; and wait for it.  */
void driver_copy (uintptr_t to, uintptr_t from, size_t n);
void driver_wait (void);
