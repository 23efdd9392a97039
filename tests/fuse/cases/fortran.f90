! Fortran: scalars by reference, arrays of explicit shape.
! FLAGS: -fopenacc
! SPDX-License-Identifier: GPL-3.0-or-later
subroutine chain (n, x, y, w, s)
  integer :: n, i
  real(8) :: x(n), y(n), w(n), s
!$acc data copyin(x) copy(y) create(w)
!$acc parallel loop
  do i = 1, n
    w(i) = x(i) * 2
  end do
! REMARK: fused with the one at fortran.f90:8$
!$acc parallel loop
  do i = 1, n
    y(i) = w(i) + y(i)
  end do
! REMARK: fused with the one at fortran.f90:8$
!$acc parallel loop reduction(+:s)
  do i = 1, n
    s = s + y(i)
  end do
! REMARK: not fused .* bounds
!$acc parallel loop
  do i = 1, n - 1
    y(i) = y(i) + 1
  end do
!$acc end data
end subroutine

subroutine stencil (n, x, y)
  integer :: n, i
  real(8) :: x(n), y(n)
!$acc data copy(x, y)
!$acc parallel loop
  do i = 2, n
    x(i) = y(i) + 1
  end do
! REMARK: not fused .* may be read by another iteration
!$acc parallel loop
  do i = 2, n
    y(i) = x(i - 1)
  end do
!$acc end data
end subroutine

! The host tests whether an array is allocated; two are the subroutine's own.
subroutine own (n, x, y)
  integer :: n, i
  real(8) :: x(n), y(n), w(n)
  real(8), allocatable :: v(:)
  allocate (v(n))
!$acc data copyin(x) copy(y) create(w, v)
!$acc parallel loop
  do i = 1, n
    w(i) = x(i) + 2
  end do
! REMARK: fused with the one
!$acc parallel loop
  do i = 1, n
    v(i) = w(i) + y(i)
  end do
! REMARK: fused with the one
! KEPT: 2 loads take what registers have, 1 store is dropped
!$acc parallel loop
  do i = 1, n
    y(i) = w(i) + v(i)
  end do
!$acc end data
  deallocate (v)
end subroutine

program main
  integer, parameter :: n = 300
  real(8) :: x(n), y(n), w(n), s
  integer :: i
  do i = 1, n
    x(i) = mod (i, 7)
    y(i) = mod (i, 5)
  end do
  s = 1
  call chain (n, x, y, w, s)
  call stencil (n, x, y)
  call own (n, x, y)
  print '(3f20.6)', s, sum (x), sum (y)
end program
