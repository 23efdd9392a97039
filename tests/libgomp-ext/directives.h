/* Device directives of OpenACC and OpenMP under one name each, for programs that
   are built with either.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_TEST_DIRECTIVES_H
#define ACCRETE_TEST_DIRECTIVES_H

#define TEXT(...) #__VA_ARGS__
#define DO(...) _Pragma (TEXT (__VA_ARGS__))

#ifdef _OPENACC
#include <openacc.h>
#define ROUTINE DO (acc routine seq)
#define REGION(...) DO (acc parallel num_gangs (1) __VA_ARGS__)
#define DATA(...) DO (acc data __VA_ARGS__)
#define TO(...) copyin (__VA_ARGS__)
#define FROM(...) copyout (__VA_ARGS__)
#define TOFROM(...) copy (__VA_ARGS__)
#define PRESENT(...) present (__VA_ARGS__)
#define ENTER_TO(...) DO (acc enter data copyin (__VA_ARGS__))
#define ENTER_ALLOC(...) DO (acc enter data create (__VA_ARGS__))
#define EXIT_FROM(...) DO (acc exit data copyout (__VA_ARGS__))
#define EXIT_RELEASE(...) DO (acc exit data delete (__VA_ARGS__))
#define EXIT_DELETE(...) DO (acc exit data delete (__VA_ARGS__) finalize)
#define UPDATE_HOST(...) DO (acc update self (__VA_ARGS__))
#define UPDATE_DEVICE(...) DO (acc update device (__VA_ARGS__))
#define WITH_ADDRESS(p) DO (acc host_data use_device (p))
#define READ_DEVICE(to, d, n) acc_memcpy_from_device (to, d, n)
#define WRITE_DEVICE(d, from, n) acc_memcpy_to_device (d, from, n)
#else
#include <omp.h>
#define ROUTINE
#define REGION(...) DO (omp target __VA_ARGS__)
#define DATA(...) DO (omp target data __VA_ARGS__)
#define TO(...) map (to : __VA_ARGS__)
#define FROM(...) map (from : __VA_ARGS__)
#define TOFROM(...) map (tofrom : __VA_ARGS__)
#define PRESENT(...) map (alloc : __VA_ARGS__)
#define ENTER_TO(...) DO (omp target enter data map (to : __VA_ARGS__))
#define ENTER_ALLOC(...) DO (omp target enter data map (alloc : __VA_ARGS__))
#define EXIT_FROM(...) DO (omp target exit data map (from : __VA_ARGS__))
#define EXIT_RELEASE(...) DO (omp target exit data map (release : __VA_ARGS__))
#define EXIT_DELETE(...) DO (omp target exit data map (delete : __VA_ARGS__))
#define UPDATE_HOST(...) DO (omp target update from (__VA_ARGS__))
#define UPDATE_DEVICE(...) DO (omp target update to (__VA_ARGS__))
#define WITH_ADDRESS(p) DO (omp target data use_device_ptr (p))
#define READ_DEVICE(to, d, n)                                                 \
  omp_target_memcpy (to, d, n, 0, 0, omp_get_initial_device (),               \
                     omp_get_default_device ())
#define WRITE_DEVICE(d, from, n)                                              \
  omp_target_memcpy (d, from, n, 0, 0, omp_get_default_device (),             \
                     omp_get_initial_device ())
#endif

#endif /* ACCRETE_TEST_DIRECTIVES_H */
