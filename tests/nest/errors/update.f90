! What a region cannot have inside it, in Fortran.
! SPDX-License-Identifier: GPL-3.0-or-later

subroutine update (a, n)
  integer :: n, a(n)
  !$omp target map (tofrom: a)
  a(1) = 1
  !$omp target update to (a)	! ERROR: memory cannot be reached
  !$omp end target
end subroutine

subroutine looped (a, n)
  integer :: n, a(n), i
  !$omp target map (tofrom: a)
  a(1) = 1
  !$omp target map (tofrom: a)	! ERROR: a taskloop
  !$omp taskloop
  do i = 1, n
    a(i) = i
  end do
  !$omp end taskloop
  !$omp end target
  !$omp end target
end subroutine
