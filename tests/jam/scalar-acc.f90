! Firstprivate scalars of OpenACC regions in Fortran: module variables, dummy
! arguments, those of an outer procedure, and what is mapped by other procedures.
! SPDX-License-Identifier: GPL-3.0-or-later
module m
  implicit none
  integer, parameter :: n = 64
  real :: a(n)
  integer :: length
  real(8) :: scale = 2
  logical :: twice
contains
  subroutine globals (k)
    integer, intent(in) :: k
    integer :: i, t
    !$acc data copy(a)
    do t = 1, 3
      length = n - t - k
      scale = k / 4d0 + t
      twice = mod (t, 2) == 0
      ! REMARK: region: 3 scalars in the argument block
      !$acc parallel loop async(2)
      do i = 1, length
        a(i) = a(i) + real (scale)
        if (twice) a(i) = a(i) + real (scale)
      end do
      length = -1
      scale = 1d10
    end do
    !$acc wait
    !$acc end data
  end subroutine

  subroutine dummies (x, k, absent)
    real, intent(in) :: x
    integer :: k
    integer, optional :: absent
    integer :: i
    ! REMARK: region: 2 scalars in the argument block
    !$acc parallel loop copy(a)
    do i = 1, n
      a(i) = a(i) + x + k
    end do
    k = k + 1
    ! REMARK: region: 1 scalar in the argument block
    !$acc parallel loop copy(a)
    do i = 1, n
      a(i) = a(i) + k
    end do
    if (present (absent)) then
      !$acc parallel loop copy(a)
      do i = 1, n
        a(i) = a(i) + absent
      end do
    end if
  end subroutine

  subroutine outer (k, d)
    integer, intent(in) :: k
    integer :: d
    integer :: own
    own = 2 * k
    call inner
    own = own + 1
    ! REMARK: region: [12] scalars? in the argument block
    !$acc parallel loop copy(a)
    do d = 1, n
      a(d) = a(d) + own
    end do
    call inner
  contains
    subroutine inner
      integer :: i
      ! REMARK: region: [23] scalars in the argument block
      !$acc parallel loop copy(a)
      do i = 1, n
        a(i) = a(i) + own * k
      end do
    end subroutine
  end subroutine

  subroutine enter (x)
    real :: x
    !$acc enter data copyin(x)
  end subroutine

  subroutine leave (x)
    real :: x
    !$acc exit data delete(x)
  end subroutine
end module

program main
  use m
  implicit none
  integer :: k, i, j
  real :: y
  do k = 0, 5
    call globals (k)
    print '(i2, 1x, f12.2)', k, sum ([(a(i) * i, i = 1, n)])
    j = k
    call dummies (real (k) / 2, j)
    call dummies (real (k) / 4, j, k)
    print '(i2, 1x, f12.2)', k, sum ([(a(i) * i, i = 1, n)])
    call outer (k, j)
    print '(i2, 1x, f12.2)', k, sum ([(a(i) * i, i = 1, n)])
    y = k
    call enter (y)
    y = 100
    call dummies (y, j)
    call leave (y)
    call dummies (y, j)
    print '(i2, 1x, f12.2)', k, sum ([(a(i) * i, i = 1, n)])
  end do
end program
