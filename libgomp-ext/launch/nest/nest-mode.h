/* Modes of nested launches (ACCRETE_NEST): who executes a child that is not left to
   the runtime's queue, or is launched by the device.

   Thread-safe: no state.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_NEST_MODE_H
#define ACCRETE_NEST_MODE_H

#include <stdint.h>

#include "ext.h"

/* Launches by the device.  FORM: who does it.  STREAM: the device runtime's number of the
   stream (cuda_device_runtime_api.h).  */
struct acr_nest_device
{
  enum acr_nest_launcher form;
  int stream;
};

struct acr_nest_mode
{
  uint64_t group; /* ACR_NEST_BY_*: who executes what is not deferred */
  struct acr_nest_device device;
  const char *words; /* for the report */
};

const struct acr_nest_mode *acr_nest_mode (enum acr_nest mode);

/* Launches by the device as the program's user wants them.  */
struct acr_nest_device acr_nest_device (void);

#endif /* ACCRETE_NEST_MODE_H */
