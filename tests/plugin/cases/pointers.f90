! Regions that change where mapped pointers lead.
! FLAGS: -fopenmp

subroutine scalars (t, x)
  integer, target :: t
  integer :: x
  integer, pointer :: p
  p => t
! REGION: kind=omp-target dims=1,?,? op=0,p,data,?,?,4 op=1,p,ptr,?,?,4 op=2,t,data,?,0,4 op=3,t,ptr,?,0,4 op=4,x,data,?,3,4 op=5,x,ptr,?,3,4
! CONSTANT:
! REMARK: missed: .* changes a mapped pointer
!$omp target map(tofrom: p, t, x)
  p => t
  x = p
!$omp end target
end subroutine

subroutine arrays (a, b, x)
  real, pointer :: a(:), b(:)
  real :: x
! REGION: kind=omp-target dims=1,?,? op=0,a,data,?,?,4 op=1,a,ptr,?,?,0 op=2,,other,?,?,0 op=3,a,ptr2,?,?,0 op=4,b,data,?,?,4 op=5,b,ptr,?,?,0 op=6,,other,?,?,0 op=7,b,ptr2,?,?,0 op=8,x,data,?,3,4 op=9,x,ptr,?,3,4
! CONSTANT:
! REMARK: missed: .* changes a descriptor
!$omp target map(tofrom: a, b, x)
  a => b
  x = a(1)
!$omp end target
! REGION: kind=omp-target dims=1,?,? op=0,a,data,r,?,4 op=1,a,ptr,r,?,0 op=2,,other,-,?,0 op=3,a,ptr2,r,?,0 op=4,b,data,r,?,4 op=5,b,ptr,r,?,0 op=6,,other,-,?,0 op=7,b,ptr2,r,?,0 op=8,y,data,w,3,4 closed=1
! CONSTANT:
!$omp target map(tofrom: a, b) map(from: y)
  y = a(1) + b(1)
!$omp end target
  x = y
end subroutine

! The region's own descriptors may lead anywhere.
subroutine own (a)
  real, target :: a(100)
! REGION: kind=omp-target dims=1,?,? op=0,a,data,?,0,4 op=1,a,ptr,?,0,4
! CONSTANT:
!$omp target map(tofrom: a)
  block
    real, pointer :: p(:)
    p => a
    p(1) = a(2)
  end block
!$omp end target
! REGION: kind=omp-target dims=1,?,? op=0,a,data,?,0,4 op=1,a,ptr,?,0,4
! CONSTANT:
!$omp target map(tofrom: a)
  associate (q => a(1:10:2))
    q(1) = a(2)
  end associate
!$omp end target
end subroutine
! SPDX-License-Identifier: GPL-3.0-or-later
