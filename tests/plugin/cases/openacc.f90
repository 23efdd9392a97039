! Fortran arrays in OpenACC: dummies, allocatables, pointers, targets, COMMON.
! FLAGS: -fopenacc

subroutine dummies (n, a, b, c)
  integer, intent(in) :: n
  real :: a(n), b(n), c(:)
  integer :: i
! REGION: kind=acc-parallel dims=?,?,? op=0,a,data,w,1,4 op=1,a,ptr,w,1,4 op=2,b,data,r,3,4 op=3,b,ptr,r,3,4 op=4,c,data,r,5,4 op=5,c,ptr,r,5,4 op=6,,copy,r,7,4 op=7,offset,copy,r,8,8 op=8,stride,copy,r,9,8 loop=a,s closed=1
! CONSTANT: b c offset stride
!$acc parallel loop copy(a) copyin(b, c)
  do i = 1, n
    a(i) = b(i) + c(i)
  end do
end subroutine

subroutine targets (n, a, b, p)
  integer, intent(in) :: n
  real, target :: a(n), b(n)
  real, pointer :: p(:)
  integer :: i
! REGION: kind=acc-parallel dims=?,?,? op=0,a,data,w,0,4 op=1,a,ptr,w,0,4 op=2,b,data,r,0,4 op=3,b,ptr,r,0,4 op=4,,copy,r,3,4 loop=a,s closed=1
! CONSTANT:
!$acc parallel loop copy(a, b)
  do i = 1, n
    a(i) = b(i)
  end do
! REGION: kind=acc-parallel dims=?,?,? op=0,a,data,r,0,4 op=1,a,ptr,r,0,4 op=2,p,data,w,?,4 op=3,p,ptr,w,?,0 op=4,,other,-,?,0 op=5,p,ptr2,w,?,0 op=6,,copy,r,3,4 loop=a,s closed=1
! CONSTANT:
!$acc parallel loop copy(a, p)
  do i = 1, n
    p(i) = a(i)
  end do
end subroutine

subroutine allocatables (n, d)
  integer, intent(in) :: n
  real, allocatable :: a(:,:), b(:,:), d(:)
  integer :: i, j
  allocate (a(n,n), b(n,n))
! DATA: acc-data copy *a: w, group 1 (array without target); copyin *b: r, group 2 (array without target); copyin **d: r, group 3 (array without target)
!$acc data copy(a) copyin(b, d)
! REGION: kind=acc-parallel dims=?,?,? op=0,a,data,w,1,4 op=1,a,ptr,w,1,0 op=2,,other,-,?,0 op=3,b,data,r,3,4 op=4,b,ptr,r,3,0 op=5,,other,-,?,0 op=6,d,data,r,5,4 op=7,d,ptr,r,5,0 op=8,,other,-,?,0 op=9,d,ptr2,r,5,0 op=10,,data,r,8,4 op=11,,data,r,9,4 loop=a,s loop=a,s closed=1
! CONSTANT: b d
!$acc parallel loop collapse(2) present(a, b, d)
  do j = 1, n
    do i = 1, n
      a(i,j) = b(i,j) + d(j)
    end do
  end do
!$acc end data
  deallocate (a, b)
end subroutine

subroutine shared_storage (n)
  integer, intent(in) :: n
  real :: x(100), y(100), e(100), f(100)
  common /block/ x, y
  equivalence (e(1), f(50))
  integer :: i
! REGION: kind=acc-parallel dims=?,?,? op=0,equiv,data,rw,1,4 op=1,equiv,data,rw,1,4 loop=a,20 closed=1
! CONSTANT:
!$acc parallel loop copy(e, f)
  do i = 1, 20
    e(i) = f(i)
  end do
! REGION: kind=acc-parallel dims=?,?,? op=0,block,data,rw,1,4 op=1,block,data,rw,1,4 loop=a,100 closed=1
! CONSTANT:
!$acc parallel loop copy(x, y)
  do i = 1, 100
    x(i) = y(i)
  end do
end subroutine
! SPDX-License-Identifier: GPL-3.0-or-later
