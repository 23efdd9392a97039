! Strides that are Fortran dummies, by reference, and Fortran's order of
! subscripts: as in overlap.c.
! FLAGS: -fopenacc -fno-tree-vectorize
! SPDX-License-Identifier: GPL-3.0-or-later

module memory
  implicit none
  integer, parameter :: n = 20
  integer :: whole(8192)
contains
  subroutine update (a, m, s1, s2)
    integer, intent(in) :: m, s1, s2
    integer :: a(*), i, j
! REMARK: 2 of 2 loops run in parallel after a check$
    !$acc kernels copy(a(1:8192))
    do j = 0, m - 1
      do i = 0, m - 1
        a(1 + i * s1 + j * s2) = a(1 + i * s1 + j * s2) * 3 + i * 2 + j
      end do
    end do
    !$acc end kernels
  end subroutine

  ! The leading dimension of b is not that of the array that it is.
  subroutine columns (b, lead, m)
    integer, intent(in) :: lead, m
    integer :: b(lead, *), i, j
! REMARK: 2 of 2 loops run in parallel after a check$
    !$acc kernels copy(b(1:lead, 1:20))
    do i = 1, m
      do j = 1, m
        b(i, j) = b(i, j) * 3 + i - j
      end do
    end do
    !$acc end kernels
  end subroutine
end module

program overlap
  use memory
  integer, parameter :: s(9) = [20, 1, 19, 10, 2, 39, 0, 3, 400]
  integer :: at, to, i, m, s1, s2
  whole = [(i, i = 1, 8192)]
  do at = 1, 9
    do to = 1, 9
      if (19 * (s(at) + s(to)) > 8000) cycle
      s1 = s(at)
      s2 = s(to)
      m = n
      call update (whole, m, s1, s2)
      call show
    end do
    if (s(at) < 1) cycle
    s1 = s(at)
    m = min (s1, n)
    call columns (whole, s1, m)
    call show
  end do
contains
  subroutine show
    integer :: k
    integer (8) :: hash
    hash = 0
    do k = 1, 8192
      hash = mod (hash * 31 + whole(k), 1000000007_8)
    end do
    print *, hash
  end subroutine
end program
