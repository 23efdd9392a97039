! Seven-point Laplacian smoothing.
!
! SPDX-License-Identifier: GPL-3.0-or-later

#include "../grid.F90"

module laplacian
  use grid
  implicit none
  real, parameter :: c0 = 0.4, c1 = 0.1

contains

  subroutine smooth (nx, ny, nz, u, v)
    integer, intent(in) :: nx, ny, nz
    real, intent(in) :: u(nx, ny, nz)
    real, intent(inout) :: v(nx, ny, nz)
    integer :: x, y, z

    !$omp target teams distribute parallel do collapse(3) &
    !$omp   map(to: u) map(tofrom: v)
    !$acc COMPUTE loop GANG collapse(2) present(u, v)
    do z = 2, nz - 1
       do y = 2, ny - 1
          !$acc loop VECTOR
          do x = 2, nx - 1
             v(x, y, z) = c0 * u(x, y, z) &
                  + c1 * (u(x - 1, y, z) + u(x + 1, y, z) &
                  + u(x, y - 1, z) + u(x, y + 1, z) &
                  + u(x, y, z - 1) + u(x, y, z + 1))
          end do
       end do
    end do
  end subroutine smooth

  subroutine apply (g)
    type(grid_t), intent(in) :: g
    call smooth (g%nx, g%ny, g%nz, g%a(1)%v, g%a(2)%v)
  end subroutine apply

  function expected (g, out, x, y, z) result (want)
    type(grid_t), intent(in) :: g
    integer, intent(in) :: out, x, y, z
    real(real64) :: want
    integer :: d

    want = c0 * at (g, 1, x, y, z)
    do d = -1, 1, 2
       want = want + c1 * (at (g, 1, x + d, y, z) + at (g, 1, x, y + d, z) &
            + at (g, 1, x, y, z + d))
    end do
  end function expected

end module laplacian

program main
  use laplacian
  implicit none
  call grid_main (grid_program ('laplacian', dims=3, border=1, arrays=2, &
       outputs=1, rotate=2, tolerance=4.0_real64, &
       apply=apply, expected=expected))
end program main
