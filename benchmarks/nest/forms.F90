! The forms of the Fortran programs in this folder, as those of forms.h:
!
!   PARENTS (SECTION (array) ... SCALAR (variable) ... private (...))
!   do ...
!      CHILDREN (SCALAR (variable) ..., private (...))
!      do ...
!
! Arrays are on the device already, as are those that ALONE names, which stands
! before a loop without children.  END_ATOMIC ends what ATOMIC (capture) begins.
!
! SPDX-License-Identifier: GPL-3.0-or-later

#include "../grid.F90"

#ifdef _OPENACC
#define SECTION(array) present (array)
#define SCALAR(x) copy (x)
#define ALONE(clauses) !$acc parallel loop clauses
#if defined NESTED
#ifdef THREADS
#define PARENTS(clauses) !$acc parallel loop gang vector clauses
#else
#define PARENTS(clauses) !$acc parallel loop clauses
#endif
#define CHILDREN(scalars, private) !$acc parallel loop scalars private
#elif defined FLAT
#define PARENTS(clauses) !$acc parallel loop gang vector clauses
#define CHILDREN(scalars, private) !$acc loop seq
#else
#define PARENTS(clauses) !$acc parallel loop gang clauses
#define CHILDREN(scalars, private) !$acc loop vector private
#endif
#define ATOMIC(what) !$acc atomic what
#define END_ATOMIC !$acc end atomic

#else
#define SECTION(array) map (tofrom: array)
#define SCALAR(x) map (tofrom: x)
#define ALONE(clauses) !$omp target teams distribute parallel do clauses
#if defined NESTED
#define PARENTS(clauses) !$omp target teams distribute parallel do clauses
#define CHILDREN(scalars, private) !$omp target teams distribute parallel do scalars private
#elif defined FLAT
#define PARENTS(clauses) !$omp target teams distribute parallel do clauses
#define CHILDREN(scalars, private)
#else
#define PARENTS(clauses) !$omp target teams distribute clauses
#define CHILDREN(scalars, private) !$omp parallel do private
#endif
#define ATOMIC(what) !$omp atomic what
#define END_ATOMIC !$omp end atomic
#endif
