! OpenMP: rows of teams, with loops of threads in them, and loops without rows.
! FLAGS: -fopenmp
! SPDX-License-Identifier: GPL-3.0-or-later
module rows
  implicit none
contains
  subroutine products (n, m, a, b, x, y, t)
    integer, intent (in) :: n, m
    real (8), intent (in) :: a(m, n), b(m, n), x(m)
    real (8), intent (inout) :: y(n), t(n)
    real (8) :: s, r
    integer :: i, j
    !$omp target data map (to: a, b, x) map (tofrom: y, t)
    ! A loop without rows in front stays apart.
    !$omp target teams distribute parallel do
    do i = 1, n
       t(i) = t(i) + 1
    end do
    !$omp end target teams distribute parallel do
    !$omp target teams distribute private (s)
    do i = 1, n
       s = t(i)
       !$omp parallel do reduction (+: s)
       do j = 1, m
          s = s + a(j, i) * x(j)
       end do
       y(i) = s
    end do
    !$omp end target teams distribute
    ! REMARK: fused with the one at rows.f90:20$
    ! KEPT: 2 loads take what registers have
    !$omp target teams distribute private (r)
    do i = 1, n
       r = y(i)
       !$omp parallel do reduction (+: r)
       do j = 1, m
          r = r + b(j, i) * x(j)
       end do
       t(i) = r + t(i)
    end do
    !$omp end target teams distribute
    ! REMARK: not fused .* read by another iteration
    !$omp target teams distribute private (s)
    do i = 1, n
       s = 0
       !$omp parallel do reduction (+: s)
       do j = 1, m
          s = s + b(j, i) * t(max (i - 1, 1))
       end do
       y(i) = s
    end do
    !$omp end target teams distribute
    !$omp end target data
  end subroutine
end module

program main
  use rows
  implicit none
  integer, parameter :: n = 30, m = 50
  real (8) :: a(m, n), b(m, n), x(m), y(n), t(n)
  integer :: i, j
  do i = 1, n
     do j = 1, m
        a(j, i) = mod (i * 3 + j, 7)
        b(j, i) = mod (i + j * 5, 11) - 3
     end do
     y(i) = i
     t(i) = mod (i, 4)
  end do
  x = [(mod (j, 5) - 1, j = 1, m)]
  call products (n, m, a, b, x, y, t)
  print '(f0.3)', sum (y) + 3 * sum (t)
end program
