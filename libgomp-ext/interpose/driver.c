/* What the runtime calls of others: the driver's entries, which cuda.c finds, and
   what libgomp offers its plugins, which device.c finds.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"

struct acr_driver acr_driver;
struct acr_libgomp acr_libgomp;

const char *
acr_cuda_error (CUresult r)
{
  const char *text;
  return acr_driver.get_error_string && !acr_driver.get_error_string (r, &text)
             ? text
             : "unknown cuda error";
}
