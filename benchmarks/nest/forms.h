/* The forms of the programs in this folder, parents that each have children;
   a build chooses:
     (default)	a team or gang for each parent, its threads for the children
     -DFLAT	a thread for each parent, which does its children in turn
     -DNESTED	parents that launch their children

     -DTHREADS	with that and OpenACC, a thread for each parent

     PARENTS (SECTION (array, length) ... SCALAR (variable) ...)
     for (...)
       CHILDREN (SCALAR (variable) ...)		those that children set
       for (...)

     LATER			among those: nothing in the parent waits for them

     CHILDREN_REDUCING (operator, variable, ...)	in place of CHILDREN

     ALONE (SECTION (array, length) ... SCALAR (variable) ...)
     for (...)				iterations without children

   CHILDREN_ROUTINE stands before a function that has children and is called for
   a parent.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef FORMS_H
#define FORMS_H

#define DIRECTIVE(...) _Pragma (#__VA_ARGS__)

#ifdef _OPENACC
/* Everything is on the device already.  */
#define SECTION(array, count) present (array[:count])
#define SCALAR(x) copy (x)
#define LATER async
#define ALONE(...) DIRECTIVE (acc parallel loop __VA_ARGS__)
#ifdef NESTED
#ifdef THREADS
#define PARENTS(...) DIRECTIVE (acc parallel loop gang vector __VA_ARGS__)
#else
#define PARENTS(...) DIRECTIVE (acc parallel loop __VA_ARGS__)
#endif
#define CHILDREN(...) DIRECTIVE (acc parallel loop __VA_ARGS__)
#define CHILDREN_REDUCING(op, ...)                                            \
  DIRECTIVE (acc parallel loop copy (__VA_ARGS__) reduction (op : __VA_ARGS__))
#elif defined FLAT
#define PARENTS(...) DIRECTIVE (acc parallel loop gang vector __VA_ARGS__)
#define CHILDREN(...) DIRECTIVE (acc loop seq)
#define CHILDREN_REDUCING(op, ...) DIRECTIVE (acc loop seq)
#else
#define PARENTS(...) DIRECTIVE (acc parallel loop gang __VA_ARGS__)
#define CHILDREN(...) DIRECTIVE (acc loop vector)
#define CHILDREN_REDUCING(op, ...)                                            \
  DIRECTIVE (acc loop vector reduction (op : __VA_ARGS__))
#endif
#if defined NESTED || defined FLAT
#define CHILDREN_ROUTINE DIRECTIVE (acc routine seq)
#else
#define CHILDREN_ROUTINE DIRECTIVE (acc routine vector)
#endif
#define ATOMIC(what) DIRECTIVE (acc atomic what)

#else
#define SECTION(array, count) map (tofrom : array[:count])
#define SCALAR(x) map (tofrom : x)
#define LATER nowait
#define ALONE(...)                                                            \
  DIRECTIVE (omp target teams distribute parallel for __VA_ARGS__)
#ifdef NESTED
#define PARENTS(...)                                                          \
  DIRECTIVE (omp target teams distribute parallel for __VA_ARGS__)
#define CHILDREN(...)                                                         \
  DIRECTIVE (omp target teams distribute parallel for __VA_ARGS__)
#define CHILDREN_REDUCING(op, ...)                                            \
  DIRECTIVE (omp target teams distribute parallel for                         \
             map (tofrom : __VA_ARGS__) reduction (op : __VA_ARGS__))
#elif defined FLAT
#define PARENTS(...)                                                          \
  DIRECTIVE (omp target teams distribute parallel for __VA_ARGS__)
#define CHILDREN(...)
#define CHILDREN_REDUCING(op, ...)
#else
#define PARENTS(...) DIRECTIVE (omp target teams distribute __VA_ARGS__)
#define CHILDREN(...) DIRECTIVE (omp parallel for)
#define CHILDREN_REDUCING(op, ...)                                            \
  DIRECTIVE (omp parallel for reduction (op : __VA_ARGS__))
#endif
#define CHILDREN_ROUTINE
#define ATOMIC(what) DIRECTIVE (omp atomic what)
#endif

#endif /* FORMS_H */
