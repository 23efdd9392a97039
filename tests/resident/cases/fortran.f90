! FLAGS: -fopenacc
! KERNELS: 3
!
! Host loops over regions in Fortran.
!
! SPDX-License-Identifier: GPL-3.0-or-later

subroutine steps (a, b, n, last)
  implicit none
  integer :: n, last, t, i, k
  real :: a(n,n), b(n,n)
  !$acc data copy(a, b)
  do t = 1, last
! REMARK: loop over 2 regions: becomes one kernel
    !$acc parallel loop collapse(2)
    do i = 2, n - 1
      do k = 2, n - 1
        b(k,i) = .25*(a(k-1,i) + a(k+1,i) + a(k,i-1) + a(k,i+1))
      end do
    end do
    !$acc parallel loop collapse(2)
    do i = 2, n - 1
      do k = 2, n - 1
        a(k,i) = b(k,i) + t
      end do
    end do
  end do
  !$acc end data
  print '(a,i0)', 'steps ', t
end subroutine

subroutine allocated (last)
  implicit none
  integer :: last, t, i, m
  integer, allocatable :: a(:), b(:)
  allocate (a(100), b(100))
  a = 1
  b = 2
  m = 0
  !$acc data copy(a, b)
  do t = last, 1, -2
! REMARK: loop over 2 regions: becomes one kernel
    !$acc parallel loop
    do i = 1, 100
      a(i) = a(i) + b(101 - i)*t
    end do
    m = m + t
    if (m > 40) exit
    !$acc parallel loop
    do i = 1, 100
      b(i) = ieor (b(i), a(i)) + m
    end do
  end do
  !$acc end data
  print '(a,i0,1x,i0,1x,i0,1x,i0)', 'allocated ', sum (a), sum (b), t, m
end subroutine

program resident
  implicit none
  integer, parameter :: n = 30
  real :: a(n,n), b(n,n)
  integer :: i
  a = 64
  b = reshape ([(real (64*i), i = 1, n*n)], [n, n])
  call steps (a, b, n, 0)
  call steps (a, b, n, 3)
  print '(a,i0)', 'steps ', int (sum (a))
  call allocated (0)
  call allocated (7)
  call allocated (30)
end program
