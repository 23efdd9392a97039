/* How libgomp's entries map an operand: the low byte of its kind (GCC's
   gomp-constants.h, enum gomp_map_kind).

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_MAP_KIND_H
#define ACCRETE_MAP_KIND_H

enum acr_map_kind
{
  /* Data: bit 0 copies it to the device, bit 1 back.  */
  ACR_MAP_KIND_ALLOC,
  ACR_MAP_KIND_TO,
  ACR_MAP_KIND_FROM,
  ACR_MAP_KIND_COPIES,
  /* A pointer to data, or a Fortran array descriptor, by its address.  */
  ACR_MAP_KIND_POINTER,
  ACR_MAP_KIND_DESCRIPTOR,
  ACR_MAP_KIND_PRESENT,
  ACR_MAP_KIND_DELETE,
  ACR_MAP_KIND_DEVICEPTR,
  ACR_MAP_KIND_FIRSTPRIVATE = 12,
  ACR_MAP_KIND_FIRSTPRIVATE_INT,
  ACR_MAP_KIND_USE_DEVICE,
  ACR_MAP_KIND_ZERO_LENGTH,
  ACR_MAP_KIND_USE_DEVICE_IF_PRESENT,
  ACR_MAP_KIND_ALWAYS = 16, /* with data's bits, of which one is set */
  ACR_MAP_KIND_RELEASE = 23,
  ACR_MAP_KIND_STRUCT = 28, /* its size is the number of members that follow */
  ACR_MAP_KIND_ALWAYS_POINTER,
  ACR_MAP_KIND_POINTER_TO_ZERO_LENGTH,
  ACR_MAP_KIND_DELETE_ZERO_LENGTH,
  ACR_MAP_KIND_ATTACH = 80,
  ACR_MAP_KIND_ATTACH_ZERO_LENGTH = 82,
  ACR_MAP_KIND_IMPLICIT = 0x60, /* with data's bits: there was no clause */
  ACR_MAP_KIND_FORCE = 128,     /* with data's bits */
  ACR_MAP_KIND_ALWAYS_PRESENT = 148 /* with data's bits, of which one is set; from
                                       GCC 14 on */
};

#endif /* ACCRETE_MAP_KIND_H */
