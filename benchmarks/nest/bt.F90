! Tessellation of quadratic Bezier curves; see bt.c.
!
! SPDX-License-Identifier: GPL-3.0-or-later

#include "forms.F90"

module bezier
  use bench
  implicit none

contains

  ! How many of at most MOST points the curve with control points P needs.
  pure function points_of (p, most) result (n)
    !$omp declare target
    !$acc routine seq
    real(wp), intent(in) :: p(2, 3)
    integer, intent(in) :: most
    integer :: n
    real(wp) :: away2, length2

    length2 = (p(1, 3) - p(1, 1))**2 + (p(2, 3) - p(2, 1))**2
    away2 = (p(1, 2) - 0.5_wp * (p(1, 1) + p(1, 3)))**2 &
         + (p(2, 2) - 0.5_wp * (p(2, 1) + p(2, 3)))**2
    n = 4 + int (min (1.0_wp, away2 / (4 * length2)) * (most - 4))
  end function points_of

  subroutine tessellate (curves, most, control, counts, point)
    integer, intent(in) :: curves, most
    real(wp), intent(in) :: control(2, 3, curves)
    integer, intent(inout) :: counts(curves)
    real(wp), intent(inout) :: point(2, most, curves)
    integer :: d, i, k, n
    real(wp) :: u

    PARENTS (SECTION (control) SECTION (counts) SECTION (point) private (n, u))
    do i = 1, curves
       n = points_of (control(:, :, i), most)
       counts(i) = n
       CHILDREN (, private (d, u))
       do k = 1, n
          u = real (k - 1, wp) / (n - 1)
          do d = 1, 2
             point(d, k, i) = (1 - u)**2 * control(d, 1, i) &
                  + 2 * u * (1 - u) * control(d, 2, i) + u**2 * control(d, 3, i)
          end do
       end do
    end do
  end subroutine tessellate

end module bezier

program main
  use bezier
  implicit none
  type(bench_t) :: b
  integer :: curves, d, i, k, most
  integer(int64) :: place
  integer, allocatable :: counts(:)
  real(wp), allocatable :: control(:, :, :), point(:, :, :)
  real(real64) :: u
  logical :: right

  call bench_begin (b, 'bt', 2, [301, 32])
  curves = b%sizes(1)
  most = max (4, b%sizes(2))
  allocate (control(2, 3, curves), counts(curves), point(2, most, curves))
  do i = 1, curves
     do k = 1, 3
        place = 3 * i + k
        control(:, k, i) = [real (bench_uniform (1, place), wp), &
             real (bench_uniform (2, place), wp)]
     end do
  end do
  counts = 0
  point = 0
  !$acc enter data copyin(control, counts, point)
  !$omp target enter data map(to: control, counts, point)

  call first_begins (b)
  call tessellate (curves, most, control, counts, point)
  call first_ends (b)
  !$acc update self(counts, point)
  !$omp target update from(counts, point)
  do i = 1, curves
     b%checksum = b%checksum + counts(i)
     ! Rounding may put the bend on the other side of a number.
     right = bench_check (b, real (counts(i), real64), &
          real (points_of (control(:, :, i), most), real64), &
          1.0_real64, 1.0_real64)
     do k = 1, counts(i)
        u = real (k - 1, real64) / (counts(i) - 1)
        do d = 1, 2
           right = bench_check (b, real (point(d, k, i), real64), &
                (1 - u)**2 * control(d, 1, i) &
                + 2 * u * (1 - u) * control(d, 2, i) + u**2 * control(d, 3, i), &
                4.0_real64, real (epsilon (1.0_wp), real64))
        end do
     end do
  end do
  do while (bench_repeat (b))
     call tessellate (curves, most, control, counts, point)
  end do

  !$acc exit data delete(control, counts, point)
  !$omp target exit data map(delete: control, counts, point)
  call bench_end (b)
end program main
