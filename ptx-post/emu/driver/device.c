/* The table of the emulated driver's devices.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"

#include "driver/driver.h"

struct emu_device emu_devices[EMU_MAX_DEVICES];
unsigned emu_n_devices;
