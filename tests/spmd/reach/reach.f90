! The same in Fortran: arrays that have no descriptor and are no dummy.
! SPDX-License-Identifier: GPL-3.0-or-later
subroutine borders (depth)
  implicit none
  integer :: a(17, 13), depth, j, k
  ! a,r,4,132,68,0,2,1,4,3,16,1 a,w,4,64,-68,0,2,1,4,3,16,1
!$acc parallel loop
!$omp target teams distribute parallel do
  do j = 3, 15
    do k = 0, 1
      a(j, 2 - k) = a(j, 3 + k)
    end do
  end do
  ! a,r,4,-60,4,0,1:depth,1,68,3,12,1 a,w,4,-64,-4,0,1:depth,1,68,3,12,1
!$acc parallel loop
!$omp target teams distribute parallel do
  do k = 3, 11
    do j = 0, depth - 1
      a(2 - j, k) = a(3 + j, k)
    end do
  end do
end subroutine
