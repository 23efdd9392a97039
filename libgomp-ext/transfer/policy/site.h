/* What a call site did the last times: the copies back to the host that a
   construct made there, in order.

   Programs run the same constructs over and over, and libgomp issues the same
   copies each time.  A record is believed only when the construct did the same
   several times in a row.  A record that turned out to be useless, because
   what was fetched for it was not asked for, must be confirmed for longer
   each time.  All of this concerns speed alone.

   One thread at a time.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_SITE_H
#define ACCRETE_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One copy.  Addresses in memory that the construct itself allocated are
   relative to it: they change from time to time.  */
struct acr_place
{
  unsigned block; /* 1 its first allocation, ...; 0 memory that was there */
  uint64_t addr;  /* or offset in BLOCK */
  size_t bytes;
};

/* Some of the device's memory.  */
struct acr_window
{
  uint64_t from;
  size_t bytes;
};

/* The last kernel that got all its arguments as a parameter: that of REGION on
   DEVICE, when kernels had come and gone KERNELS times.  No region: it did not.  */
struct acr_passes
{
  const void *region;
  int device;
  unsigned kernels;
};

struct acr_site
{
  uint64_t key;
  struct acr_place *places;
  unsigned n, room;
  unsigned at;     /* in this run, how many places were met */
  unsigned streak; /* runs in a row that did the same */
  unsigned wanted; /* streak from which the record is believed */
  uint64_t used;   /* when it last ran */

  /* defer.c */
  unsigned facts;    /* of its region (image.h), 0 not looked */
  unsigned brisk;    /* kernels in a row that were short */
  unsigned deferred; /* kernels since, or so */

  /* args.c */
  bool wants_address; /* its kernel, of its argument block */
  struct acr_passes passes;

  /* gather.c: where copies went that left together, the first from here; how many
     copies the last run sent that were not small */
  struct acr_window window;
  unsigned nlarge;

  /* hold.c */
  unsigned vain;  /* times in a row that its kernel was held for nothing */
  unsigned tried; /* times since, or so */
};

enum
{
  ACR_SITE_SETS = 16,
  ACR_SITE_WAYS = 8
};

/* A table of call sites; all zeros is an empty one.  Among sites that hash
   alike, the one that has not run for longest is pushed out.  */
struct acr_sites
{
  struct acr_site v[ACR_SITE_SETS][ACR_SITE_WAYS];
  uint64_t runs;
};

/* The key of the site at return address RA that maps N operands of SIZES.  */
uint64_t acr_site_key (const void *ra, size_t n, const size_t *sizes);

/* A run of the site KEY begins.  */
struct acr_site *acr_site_begin (struct acr_sites *, uint64_t key);

/* It copies.  False when memory is out, the record is then cut short.  */
bool acr_site_note (struct acr_site *, struct acr_place);

/* It ends.  */
void acr_site_end (struct acr_site *);

/* What the record foretold did not happen, or helped nobody.  */
void acr_site_doubt (struct acr_site *);

static inline bool
acr_site_believed (const struct acr_site *s)
{
  return s->n && s->streak >= s->wanted;
}

void acr_sites_clear (struct acr_sites *);

#endif /* ACCRETE_SITE_H */
