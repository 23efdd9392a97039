! STREAM's triad in double precision.
!
! SPDX-License-Identifier: GPL-3.0-or-later

#define REAL_KIND real64
#include "../grid.F90"

module stream
  use grid
  implicit none
  real(wp), parameter :: scale = 0.4_wp

contains

  subroutine triad (n, a, b, c)
    integer, intent(in) :: n
    real(wp), intent(in) :: a(n), b(n)
    real(wp), intent(inout) :: c(n)
    integer :: i

    !$omp target teams distribute parallel do map(to: a, b) map(tofrom: c)
    !$acc COMPUTE loop SINGLE present(a, b, c)
    do i = 1, n
       c(i) = a(i) + scale * b(i)
    end do
  end subroutine triad

  subroutine apply (g)
    type(grid_t), intent(in) :: g
    call triad (g%nx, g%a(1)%v, g%a(2)%v, g%a(3)%v)
  end subroutine apply

  function expected (g, out, x, y, z) result (want)
    type(grid_t), intent(in) :: g
    integer, intent(in) :: out, x, y, z
    real(real64) :: want

    want = at (g, 1, x, y, z) + scale * at (g, 2, x, y, z)
  end function expected

end module stream

program main
  use stream
  implicit none
  call grid_main (grid_program ('triad', dims=1, border=0, arrays=3, &
       outputs=1, rotate=2, tolerance=1.0_real64, &
       apply=apply, expected=expected))
end program main
