! Tessellation of quadratic Bezier curves; see bt.c and forms.h.
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
    real(wp) :: away(2), length(2), bend

    length = p(:, 3) - p(:, 1)
    away = p(:, 2) - 0.5_wp * (p(:, 1) + p(:, 3))
    bend = min (1.0_wp, sum (away**2) / (4 * sum (length**2)))
    n = 4 + int (bend * (most - 4))
  end function points_of

  subroutine tessellate (curves, most, control, counts, point)
    integer, intent(in) :: curves, most
    real(wp), intent(in) :: control(2, 3, curves)
    integer, intent(inout) :: counts(curves)
    real(wp), intent(inout) :: point(2, most, curves)
    integer :: i, k, n
    real(wp) :: u

    PARENTS PRIVATE (n, k, u) SECTIONS (control, counts, point)
    do i = 1, curves
       n = points_of (control(:, :, i), most)
       counts(i) = n
       CHILDREN PRIVATE (u)
       do k = 1, n
          u = real (k - 1, wp) / (n - 1)
          point(:, k, i) = (1 - u)**2 * control(:, 1, i) &
               + 2 * u * (1 - u) * control(:, 2, i) + u**2 * control(:, 3, i)
       end do
    end do
  end subroutine tessellate

end module bezier
