! Dot product in double precision.
!
! SPDX-License-Identifier: GPL-3.0-or-later

#define REAL_KIND real64
#include "../grid.F90"

module product
  use bench
  implicit none

contains

  subroutine dot (n, a, b, total)
    integer, intent(in) :: n
    real(wp), intent(in) :: a(n), b(n)
    real(wp), intent(out) :: total
    integer :: i

    total = 0
    !$omp target teams distribute parallel do reduction(+: total) &
    !$omp   map(to: a, b) map(tofrom: total)
    !$acc parallel loop reduction(+: total) present(a, b) copy(total)
    do i = 1, n
       total = total + a(i) * b(i)
    end do
  end subroutine dot

end module product

program main
  use product
  implicit none
  type(bench_t) :: b
  real(wp), allocatable :: u(:), v(:)
  real(wp) :: total
  integer(int64) :: i, n

  call bench_begin (b, 'dot', 1, [1031])
  n = b%sizes(1)
  allocate (u(n), v(n))
  do i = 1, n
     u(i) = bench_uniform (1, i)
     v(i) = bench_uniform (2, i)
  end do
  call device_in (u, n)
  call device_in (v, n)

  call dot (b%sizes(1), u, v, total)
  b%any_order = .true.
  b%checksum = total
  ! Rounding is a random walk.
  if (.not. bench_check (b, total, dot_product (v(n:1:-1), u(n:1:-1)), &
       sqrt (real (n, wp)) + 4, epsilon (total))) &
       write (error_unit, '(a)') 'dot: wrong sum'
  do while (bench_repeat (b))
     call dot (b%sizes(1), u, v, total)
  end do

  call device_drop (u, n)
  call device_drop (v, n)
  call bench_end (b)
end program main
