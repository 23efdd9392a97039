! Arrays of one shape, of which the loops inside have one each: their strides are of
! one value, and so are variables that not every construct has.
!
! ACCEPT: 1
! SPDX-License-Identifier: GPL-3.0-or-later
program twins
  implicit none
  integer, parameter :: n = 24
  integer :: a(n, n), b(n, n), i, j
  do j = 1, n
    do i = 1, n
      a(i, j) = mod (7 * i + 3 * j, 31)
    end do
  end do
  b = -1
  call both (a, b, n)
  do j = 1, n
    do i = 1, n
      if (a(i, j) /= mod (7 * i + 3 * j, 31) + 1) stop 1
      if (b(i, j) /= i - 2 * j) stop 2
    end do
  end do
contains
  subroutine both (x, y, m)
    integer, intent (in) :: m
    integer, intent (inout) :: x(m, m), y(m, m)
    integer :: i, j
    !$omp target teams distribute map (tofrom: x, y)
    do j = 1, m
      !$omp parallel do
      do i = 1, m
        x(i, j) = x(i, j) + 1
      end do
      !$omp parallel do
      do i = 1, m
        y(i, j) = i - 2 * j
      end do
    end do
  end subroutine
end program
