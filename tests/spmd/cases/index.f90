! Sums with constants in subscripts.
!
! ACCEPT: 2
! SPDX-License-Identifier: GPL-3.0-or-later

program main
  implicit none
  integer, parameter :: n = 40
  integer :: a(n, n), b(n, n), want(n, n), x, y
  do y = 1, n
     do x = 1, n
        a(x, y) = mod (x * 7919 + y * 104729, 1009)
     end do
  end do
  b = 0
  want = 0
  call smooth (n, a, b)
  do y = 3, n - 2
     do x = 3, n - 2
        want(x, y) = a(x - 1, y) + 2 * a(x + 2, y) - a(x, y - 1) &
             + 3 * a(x - 2, y + 2) + a(2, y) - a(x, n - 1)
     end do
  end do
  if (any (b /= want)) stop 1
  call shift (a, b)
  do y = 3, n - 2
     do x = 3, n - 2
        want(x, y) = a(x + 1, y - 2) - a((x + 1) / 2, y + 1)
     end do
  end do
  if (any (b /= want)) stop 2

contains

  subroutine smooth (n, a, b)
    integer, intent(in) :: n, a(n, n)
    integer, intent(inout) :: b(n, n)
    integer :: x, y
    !$omp target teams distribute parallel do collapse(2) map(to: a) map(tofrom: b)
    do y = 3, n - 2
       do x = 3, n - 2
          b(x, y) = a(x - 1, y) + 2 * a(x + 2, y) - a(x, y - 1) &
               + 3 * a(x - 2, y + 2) + a(2, y) - a(x, n - 1)
       end do
    end do
  end subroutine

  subroutine shift (a, b)
    integer, intent(in) :: a(:, :)
    integer, intent(inout) :: b(:, :)
    integer :: x
    integer(2) :: y
    !$omp target teams distribute parallel do collapse(2) map(to: a) map(tofrom: b)
    do y = 3, int (size (a, 2) - 2, 2)
       do x = 3, size (a, 1) - 2
          b(x, y) = a(x + 1, y - 2_2) - a((x + 1) / 2, y + 1_2)
       end do
    end do
  end subroutine
end program
