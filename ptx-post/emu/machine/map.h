/* A map from pointers to numbers.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_EMU_MAP_H
#define ACCRETE_EMU_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct map;

struct map *map_new (void);	/* NULL: no memory */
void map_free (struct map *);
/* False: no memory.  */
bool map_put (struct map *, const void *key, uint64_t value);
/* 0 when KEY is not there.  */
uint64_t map_get (const struct map *, const void *key);

#endif /* ACCRETE_EMU_MAP_H */
