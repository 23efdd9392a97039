! Data constructs in Fortran: sections, components, arrays of modules.
! SPDX-License-Identifier: GPL-3.0-or-later
module sites
  implicit none
  type grid
    real, allocatable :: a(:), b(:)
  end type
  real, allocatable :: w(:)
contains
  subroutine section (x, n)
    integer :: n
    real :: x(n)
!$acc update self(x(1:n)) ! FROM x 24000 B
!$omp target update from(x(1:n)) ! FROM x 24000 B
!$acc update device(w(2:101)) ! TO w 800 B
!$omp target update to(w(2:101)) ! TO w 800 B
  end subroutine
end module

program main
  use sites
  implicit none
  type(grid) :: g
  real :: y(3000), q(30000)
  integer :: i
  allocate (g%a(20000), g%b(20000), w(20000))
  g%a = 1; g%b = 2; w = 3; y = 4; q = 5
!$acc enter data copyin(g%a, g%b) ! TO g%a 80000 B g%b 80000 B
!$omp target enter data map(to: y) ! TO y 12000 B
!$acc data copy(q) copyin(y, w) ! TO q 120.0 kB y 12000 B w 80064 B FROM q 120.0 kB
!$omp target data map(tofrom: q) map(to: w) ! TO q 120.0 kB w 80064 B FROM q 120.0 kB
!$acc parallel loop
!$omp target teams distribute parallel do
  do i = 1, 3000
    q(i) = q(i) + y(i) + w(i)
  end do
  call section (y, 3000)
  call section (q, 3000)
!$acc update self(q) ! FROM q 120.0 kB
!$omp target update from(q) ! FROM q 120.0 kB
!$acc host_data use_device(q) ! NOTHING
  i = 1
!$acc end host_data
!$acc end data
!$omp end target data
!$acc exit data copyout(g%a) delete(g%b) ! FROM g%a 80000 B
!$omp target exit data map(from: y) ! FROM y 12000 B
  print *, q(1), g%a(1)
end program
