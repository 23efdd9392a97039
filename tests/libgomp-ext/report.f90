! Constructs to report, by OpenACC or OpenMP.
! SPDX-License-Identifier: GPL-3.0-or-later
program report
  implicit none
  integer, parameter :: n = 2000
  real :: a(n), b(10)
  integer :: i, t
  a = 1
  b = 0
  do t = 1, 12
    !$acc parallel loop copy(a) ! back
    !$omp target teams distribute parallel do map(tofrom: a) ! back
    do i = 1, n
      a(i) = a(i) + 1
    end do
  end do
  !$acc serial copy(b) ! alone
  !$omp target map(tofrom: b) ! alone
  do i = 2, 10
    b(i) = b(i) + b(i - 1) + 1
  end do
  !$acc end serial
  !$omp end target
  print *, a(n / 2), b(10)
end program
