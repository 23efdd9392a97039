! Sine of one field plus cosine of another.  2 loads a point.
!
! SPDX-License-Identifier: GPL-3.0-or-later

#include "../grid.F90"

module sincos
  use grid
  implicit none
  real, parameter :: angle = 6.2831853   ! a turn: the fields are in [0, 1)

contains

  subroutine sines (nx, ny, nz, a, b, c)
    integer, intent(in) :: nx, ny, nz
    real, intent(in) :: a(nx, ny, nz), b(nx, ny, nz)
    real, intent(inout) :: c(nx, ny, nz)
    integer :: x, y, z

    !$omp target teams distribute parallel do collapse(3) &
    !$omp   map(to: a, b) map(tofrom: c)
    !$acc COMPUTE loop GANG collapse(2) present(a, b, c)
    do z = 1, nz
       do y = 1, ny
          !$acc loop VECTOR
          do x = 1, nx
             c(x, y, z) = sin (angle * a(x, y, z)) + cos (angle * b(x, y, z))
          end do
       end do
    end do
  end subroutine sines

  subroutine apply (g)
    type(grid_t), intent(in) :: g
    call sines (g%nx, g%ny, g%nz, g%a(1)%v, g%a(2)%v, g%a(3)%v)
  end subroutine apply

  function expected (g, out, x, y, z) result (want)
    type(grid_t), intent(in) :: g
    integer, intent(in) :: out, x, y, z
    real(real64) :: want

    want = sin (angle * at (g, 1, x, y, z)) + cos (angle * at (g, 2, x, y, z))
  end function expected

end module sincos

program main
  use sincos
  implicit none
  call grid_main (grid_program ('sincos', dims=3, border=0, arrays=3, &
       outputs=1, rotate=2, tolerance=16.0_real64, &
       apply=apply, expected=expected))
end program main
