! Loops of Fortran: strides and bounds are in variables, indices live on.
! FLAGS: -fopenacc
! SPDX-License-Identifier: GPL-3.0-or-later

subroutine smooth (n, m, a, b, last)
  integer, intent(in) :: n, m
  real, intent(in) :: a(n, m)
  real, intent(inout) :: b(n, m)
  integer, intent(out) :: last
  integer :: i, j
! REMARK: 2 of 2 loops run in parallel after a check$
  !$acc kernels
  do j = 2, m - 1
    do i = 2, n - 1
      b(i, j) = a(i - 1, j) + a(i + 1, j) + a(i, j - 1) * a(i, j + 1)
    end do
  end do
  !$acc end kernels
  last = 100 * i + j
end subroutine

subroutine shapes (n, m, x, y, last)
  integer, intent(in) :: n, m
  real :: x(:, :), y(:, :)
  integer, intent(out) :: last
  integer :: i, j
! REMARK: 2 of 2 loops run in parallel after a check$
  !$acc kernels
  do j = 1, m
    do i = 1, n
      x(i, j) = 2 * x(i, j) + y(i, j)
    end do
  end do
  !$acc end kernels
  last = 100 * i + j
end subroutine

! Reductions of integers, and what clauses allow.
subroutine sums (n, k, total, most, r)
  integer, intent(in) :: n, k(n)
  integer, intent(out) :: total, most
  real, intent(out) :: r
  integer :: i, sum
  real :: s
  sum = 3
! REMARK: its loop runs in parallel$
  !$acc kernels
  do i = 1, n
    sum = sum + k(i)
  end do
  !$acc end kernels
  total = sum + i
  most = -1
! REMARK: its loop runs in parallel$
  !$acc kernels loop independent reduction(max: most)
  do i = 1, n
    most = max (most, k(i))
  end do
  s = 0
! REMARK: on one GPU thread: the order of a sum or the like matters
  !$acc kernels
  do i = 1, n
    s = s + 1.0 / k(i)
  end do
  !$acc end kernels
  r = s
end subroutine

subroutine carried (n, a)
  integer, intent(in) :: n
  real, intent(inout) :: a(n, n)
  integer :: i, j
! REMARK: on one GPU thread: iterations may touch the same memory
  !$acc kernels
  do j = 2, n
    do i = 2, n
      a(i, j) = a(i - 1, j - 1) + 1
    end do
  end do
  !$acc end kernels
end subroutine

program main
  interface
    subroutine shapes (n, m, x, y, last)
      integer, intent(in) :: n, m
      real :: x(:, :), y(:, :)
      integer, intent(out) :: last
    end subroutine
  end interface
  integer, parameter :: rows = 37, columns = 23
  real :: a(rows, columns), b(rows, columns), c(columns, columns), r
  integer :: i, j, k(rows), last, total, most, n, m
  n = rows
  m = columns
  do j = 1, m
    do i = 1, n
      a(i, j) = mod (i * j, 7)
      b(i, j) = mod (i + j, 5)
    end do
  end do
  do i = 1, n
    k(i) = mod (i * 5, 11) + 1
  end do
  c = b(1:columns, :)
  call smooth (n, m, a, b, last)
  print *, sum (b), last
  n = 2
  call smooth (n, m, a, b, last)
  n = rows
  print *, sum (b), last
  call shapes (n, m, a, b, last)
  print *, sum (a), last
  call shapes ((n + 1) / 2, m, a(1:n:2, :), b(1:n:2, :), last)
  print *, sum (a), last
  call sums (n, k, total, most, r)
  print *, total, most, r
  call carried (m, c)
  print *, sum (c)
end program
