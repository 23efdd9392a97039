! One time step of the wave equation, 13 points in space.
!
! SPDX-License-Identifier: GPL-3.0-or-later

#include "../grid.F90"

module wave
  use grid
  implicit none
  real, parameter :: r = 0.05            ! (c dt / h)**2
  real, parameter :: c0 = 2 - 7.5 * r, c1 = r * 4 / 3, c2 = -r / 12

contains

  subroutine advance (nx, ny, nz, before, u, next)
    integer, intent(in) :: nx, ny, nz
    real, intent(in) :: before(nx, ny, nz), u(nx, ny, nz)
    real, intent(inout) :: next(nx, ny, nz)
    integer :: x, y, z

    !$omp target teams distribute parallel do collapse(3) &
    !$omp   map(to: before, u) map(tofrom: next)
    !$acc COMPUTE loop GANG collapse(2) present(before, u, next)
    do z = 3, nz - 2
       do y = 3, ny - 2
          !$acc loop VECTOR
          do x = 3, nx - 2
             next(x, y, z) = c0 * u(x, y, z) - before(x, y, z) &
                  + c1 * (u(x - 1, y, z) + u(x + 1, y, z) &
                  + u(x, y - 1, z) + u(x, y + 1, z) &
                  + u(x, y, z - 1) + u(x, y, z + 1)) &
                  + c2 * (u(x - 2, y, z) + u(x + 2, y, z) &
                  + u(x, y - 2, z) + u(x, y + 2, z) &
                  + u(x, y, z - 2) + u(x, y, z + 2))
          end do
       end do
    end do
  end subroutine advance

  subroutine apply (g)
    type(grid_t), intent(in) :: g
    call advance (g%nx, g%ny, g%nz, g%a(1)%v, g%a(2)%v, g%a(3)%v)
  end subroutine apply

  function expected (g, out, x, y, z) result (want)
    type(grid_t), intent(in) :: g
    integer, intent(in) :: out, x, y, z
    ! Second difference along one axis, fourth order, times twelve.
    real(real64), parameter :: weight(-2:2) = [-1, 16, -30, 16, -1]
    real(real64) :: want
    integer :: d

    want = 2 * at (g, 2, x, y, z) - at (g, 1, x, y, z)
    do d = -2, 2
       want = want + r * weight(d) / 12 * (at (g, 2, x + d, y, z) &
            + at (g, 2, x, y + d, z) + at (g, 2, x, y, z + d))
    end do
  end function expected

end module wave

program main
  use wave
  implicit none
  call grid_main (grid_program ('wave13pt', dims=3, border=2, arrays=3, &
       outputs=1, rotate=3, tolerance=16.0_real64, &
       apply=apply, expected=expected))
end program main
