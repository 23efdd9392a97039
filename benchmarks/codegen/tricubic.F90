! Tricubic interpolation (Catmull-Rom splines along each axis), each point at
! an own place a, b, c within its cell.
!
! SPDX-License-Identifier: GPL-3.0-or-later

#include "../grid.F90"

module tricubic
  use grid
  implicit none

! The four points of a row around X.
#define ROW(y,z) (wa0*u(x-1,y,z)+wa1*u(x,y,z)+wa2*u(x+1,y,z)+wa3*u(x+2,y,z))

! Weights of the points at -1, 0, 1 and 2 for the place T in [0, 1).
#define SPLINE0(t) (0.5 * t * ((2 - t) * t - 1))
#define SPLINE1(t) (0.5 * (t * t * (3 * t - 5) + 2))
#define SPLINE2(t) (0.5 * t * ((4 - 3 * t) * t + 1))
#define SPLINE3(t) (0.5 * t * t * (t - 1))

contains

  subroutine interpolate (nx, ny, nz, a, b, c, u, v)
    integer, intent(in) :: nx, ny, nz
    real, intent(in), dimension(nx, ny, nz) :: a, b, c, u
    real, intent(inout) :: v(nx, ny, nz)
    real :: wa0, wa1, wa2, wa3, wb0, wb1, wb2, wb3, r, s, t, plane, total
    integer :: x, y, z

    !$omp target teams distribute parallel do collapse(3) &
    !$omp   private(wa0, wa1, wa2, wa3, wb0, wb1, wb2, wb3) &
    !$omp   private(r, s, t, plane, total) &
    !$omp   map(to: a, b, c, u) map(tofrom: v)
    !$acc COMPUTE loop GANG collapse(2) present(a, b, c, u, v)
    do z = 3, nz - 2
       do y = 3, ny - 2
          !$acc loop VECTOR private(wa0, wa1, wa2, wa3) &
          !$acc   private(wb0, wb1, wb2, wb3, r, s, t, plane, total)
          do x = 3, nx - 2
             s = a(x, y, z)
             t = b(x, y, z)
             r = c(x, y, z)
             wa0 = SPLINE0(s)
             wa1 = SPLINE1(s)
             wa2 = SPLINE2(s)
             wa3 = SPLINE3(s)
             wb0 = SPLINE0(t)
             wb1 = SPLINE1(t)
             wb2 = SPLINE2(t)
             wb3 = SPLINE3(t)
             plane = wb0 * ROW(y-1,z-1) &
                  + wb1 * ROW(y,z-1) &
                  + wb2 * ROW(y+1,z-1) &
                  + wb3 * ROW(y+2,z-1)
             total = SPLINE0(r) * plane
             plane = wb0 * ROW(y-1,z) &
                  + wb1 * ROW(y,z) &
                  + wb2 * ROW(y+1,z) &
                  + wb3 * ROW(y+2,z)
             total = total + SPLINE1(r) * plane
             plane = wb0 * ROW(y-1,z+1) &
                  + wb1 * ROW(y,z+1) &
                  + wb2 * ROW(y+1,z+1) &
                  + wb3 * ROW(y+2,z+1)
             total = total + SPLINE2(r) * plane
             plane = wb0 * ROW(y-1,z+2) &
                  + wb1 * ROW(y,z+2) &
                  + wb2 * ROW(y+1,z+2) &
                  + wb3 * ROW(y+2,z+2)
             total = total + SPLINE3(r) * plane
             v(x, y, z) = total
          end do
       end do
    end do
  end subroutine interpolate

  subroutine apply (g)
    type(grid_t), intent(in) :: g
    call interpolate (g%nx, g%ny, g%nz, g%a(1)%v, g%a(2)%v, g%a(3)%v, &
         g%a(4)%v, g%a(5)%v)
  end subroutine apply

  ! Hermite's form of the same spline: values p(0), p(1) at the ends, slopes
  ! by central differences.
  pure function hermite (p, t) result (value)
    real(real64), intent(in) :: p(-1:2), t
    real(real64) :: value

    value = (1 + 2 * t) * (1 - t)**2 * p(0) &
         + t * (1 - t)**2 * (p(1) - p(-1)) / 2 &
         + t**2 * (3 - 2 * t) * p(1) &
         - t**2 * (1 - t) * (p(2) - p(0)) / 2
  end function hermite

  function expected (g, out, x, y, z) result (want)
    type(grid_t), intent(in) :: g
    integer, intent(in) :: out, x, y, z
    real(real64) :: want, along_x(-1:2), along_y(-1:2), along_z(-1:2)
    integer :: dx, dy, dz

    do dz = -1, 2
       do dy = -1, 2
          do dx = -1, 2
             along_x(dx) = at (g, 4, x + dx, y + dy, z + dz)
          end do
          along_y(dy) = hermite (along_x, at (g, 1, x, y, z))
       end do
       along_z(dz) = hermite (along_y, at (g, 2, x, y, z))
    end do
    want = hermite (along_z, at (g, 3, x, y, z))
  end function expected

end module tricubic

program main
  use tricubic
  implicit none
  call grid_main (grid_program ('tricubic', dims=3, border=2, arrays=5, &
       outputs=1, rotate=2, tolerance=16.0_real64, &
       apply=apply, expected=expected))
end program main
