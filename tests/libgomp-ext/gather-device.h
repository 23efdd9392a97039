/* A device for gather.c, whose memory is the test's: copies and kernels on the
   NULL stream happen only when something waits for them.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_TEST_GATHER_DEVICE_H
#define ACCRETE_TEST_GATHER_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "interpose/cuda-types.h"

/* One piece of work on the NULL stream: a copy, or without SRC a kernel that
   adds K to every byte or makes it ~K, and what it READs on the device.  */
struct work
{
  void *dst;
  const void *src;
  size_t n;
  int k;
  const unsigned char *read; /* or NULL */
};

/* 1: the next asynchronous copy fails; 0: none does.  */
extern unsigned device_fail_in;

/* Let acr_driver be this device's.  */
void device_open (void);

/* False when a kernel's memory is not all in one allocation, which would be a
   fault.  */
bool device_submit (struct work w);

/* Do all work.  */
void device_wait (void);

/* What a kernel that has read MORE does, at once.  */
void device_kernel (unsigned char *p, size_t n, int k, unsigned char more);

#endif /* ACCRETE_TEST_GATHER_DEVICE_H */
