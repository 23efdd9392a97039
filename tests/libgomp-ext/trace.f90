! Constructs to trace, by OpenACC or OpenMP.
! SPDX-License-Identifier: GPL-3.0-or-later
program trace
  implicit none
  integer, parameter :: n = 1000
  real :: a(n), b(n)
  integer :: i, t
  a = 1
  do t = 1, 5
    !$acc parallel loop copy(a)
    !$omp target teams distribute parallel do map(tofrom: a)
    do i = 1, n
      a(i) = a(i) + i
    end do
    !$acc kernels copyin(a) copyout(b)
    !$acc loop independent
    !$omp target teams distribute parallel do map(to: a) map(from: b)
    do i = 1, n
      b(i) = 2 * a(i)
    end do
    !$acc end kernels
  end do
  print *, sum (b)
end program
