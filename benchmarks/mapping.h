/* How the OpenACC loops of the benchmark programs, C and Fortran, are mapped;
   a build chooses:
     (default)			parallel; loop gang, loop vector
     -DWORKER			parallel; loop gang worker, loop vector
     -DKERNELS=independent	kernels; both loops marked independent
     -DKERNELS=auto		kernels; the compiler has to prove it
   A loop that is no nest is SINGLE; parallel leaves its mapping to the
   compiler.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifdef KERNELS
#define COMPUTE kernels
#define GANG KERNELS
#define VECTOR KERNELS
#define SINGLE KERNELS
#else
#define COMPUTE parallel
#ifdef WORKER
#define GANG gang worker
#else
#define GANG gang
#endif
#define VECTOR vector
#define SINGLE
#endif
