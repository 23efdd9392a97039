! Scalars of OpenACC regions in Fortran: those of a block in a data region, and
! what the compiler computes, come by value; dummy arguments may be present
! with another value.
! SPDX-License-Identifier: GPL-3.0-or-later
module m
  implicit none
  integer, parameter :: n = 64
  real :: a(n)
  real :: scale = 2
contains
  subroutine inside (k, first)
    integer, intent(in) :: k, first
    integer :: i, t
    !$acc data copy(a)
    block
      integer :: x
      real(8) :: y
      y = k / 3d0
      do t = 1, 3
        x = t * k
        ! REMARK: x is only read, passed by value
        !$acc parallel loop
        do i = first + 1, n - t
          a(i) = a(i) + x + real (y)
        end do
      end do
    end block
    !$acc end data
  end subroutine

  subroutine named (k)
    integer, intent(in) :: k
    integer :: i, x
    complex :: z
    logical :: l
    x = k
    z = cmplx (k, 1)
    l = mod (k, 2) == 0
    ! REMARK: l is only read, passed by value
    !$acc parallel loop copyin(x, z, l) copy(a)
    do i = 1, n
      if (l) a(i) = a(i) + x + aimag (z)
    end do
  end subroutine

  ! KEEPS: x
  subroutine dummy (x)
    real, intent(in) :: x
    integer :: i
    !$acc parallel loop copyin(x) copy(a)
    do i = 1, n
      a(i) = a(i) + x * scale
    end do
    !$acc parallel loop copy(a)
    do i = 1, n
      a(i) = a(i) + x
    end do
  end subroutine
end module

program main
  use m
  implicit none
  integer :: k, i
  real :: y
  do k = 0, 5
    call inside (k, k / 2)
    call named (k)
    y = k
    !$acc data copyin(y)
    y = 100
    call dummy (y)
    !$acc end data
    print '(i2, 1x, f12.2)', k, sum ([(a(i) * i, i = 1, n)])
  end do
end program
