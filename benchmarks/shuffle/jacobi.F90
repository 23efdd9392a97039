! Jacobi iteration with the nine points of a square.  9 loads a point.
!
! SPDX-License-Identifier: GPL-3.0-or-later

#include "../grid.F90"

module jacobi
  use grid
  implicit none
  real, parameter :: c0 = 0.2, c1 = 0.15, c2 = 0.05

contains

  subroutine sweep (nx, ny, u, v)
    integer, intent(in) :: nx, ny
    real, intent(in) :: u(nx, ny)
    real, intent(inout) :: v(nx, ny)
    integer :: x, y

    !$omp target teams distribute parallel do collapse(2) &
    !$omp   map(to: u) map(tofrom: v)
    !$acc COMPUTE loop GANG present(u, v)
    do y = 2, ny - 1
       !$acc loop VECTOR
       do x = 2, nx - 1
          v(x, y) = c0 * u(x, y) &
               + c1 * (u(x - 1, y) + u(x + 1, y) + u(x, y - 1) + u(x, y + 1)) &
               + c2 * (u(x - 1, y - 1) + u(x + 1, y - 1) &
               + u(x - 1, y + 1) + u(x + 1, y + 1))
       end do
    end do
  end subroutine sweep

  subroutine apply (g)
    type(grid_t), intent(in) :: g
    call sweep (g%nx, g%ny, g%a(1)%v, g%a(2)%v)
  end subroutine apply

  function expected (g, out, x, y, z) result (want)
    type(grid_t), intent(in) :: g
    integer, intent(in) :: out, x, y, z
    real(real64) :: want, weight(0:2)
    integer :: dx, dy

    weight = [c0, c1, c2]
    want = 0
    do dy = -1, 1
       do dx = -1, 1
          want = want + weight(abs (dx) + abs (dy)) * at (g, 1, x + dx, y + dy, z)
       end do
    end do
  end function expected

end module jacobi

program main
  use jacobi
  implicit none
  call grid_main (grid_program ('jacobi', dims=2, border=1, arrays=2, &
       outputs=1, rotate=2, tolerance=4.0_real64, &
       apply=apply, expected=expected))
end program main
