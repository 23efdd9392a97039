! What -fopt-info-omp says about Fortran; see advice.c.
! SPDX-License-Identifier: GPL-3.0-or-later
subroutine advice (a, b, s, n)
  implicit none
  integer :: n, i, j, t
  real :: a(n,n), b(n,n), s, m
  real, allocatable :: w(:)
  m = 0
  ! MISSED: probable race on s and m, which all its threads read and write:
!$acc parallel loop copy(s, m) copyin(a)
!$omp target teams distribute parallel do map(tofrom: s, m) map(to: a)
  do i = 1, n
    s = s + a(i,1)
    if (a(i,1) > m) m = a(i,1)
  end do
  ! MISSED: nothing known about its data: changes a mapped pointer
  ! MISSED: not fused with the one at .*: it reduces or reads what the one before reduces$
!$acc parallel loop reduction(+: s) copyin(a)
!$omp target teams distribute parallel do reduction(+: s) map(to: a)
  do i = 1, n
    s = s + a(i,1)
  end do
  ! MISSED: uncoalesced access to a and b: neighbouring threads differ in i, but memory is contiguous along j: make the loop over j the innermost parallel one$
!$acc parallel loop copy(a) copyin(b)
!$omp target teams distribute parallel do map(tofrom: a) map(to: b)
  do i = 1, n
    do j = 1, n
      a(j,i) = a(j,i) + b(j,i)
    end do
  end do
  ! SAYS: becomes an SPMD kernel: the loops over j and i are shared out together among all GPU threads$
  ! SAYS: region: copies a to the GPU and back, b to the GPU where absent; b only read$
  ! MISSED: loop nest: a thread computes one row
!$acc parallel loop collapse(2) copy(a) copyin(b)
!$omp target teams distribute parallel do collapse(2) map(tofrom: a) map(to: b)
  do j = 1, n
    do i = 1, n
      a(i,j) = a(i,j) + b(i,j)
    end do
  end do
  allocate (w(n))
  ! MISSED: runs on one GPU thread: (so says its directive|no directive shares its loops among threads)$
!$acc serial copyout(w)
!$omp target map(from: w)
  do i = 1, n
    w(i) = i
  end do
!$acc end serial
!$omp end target
  do t = 1, 10
    ! SAYS: region: copies w to the GPU and back where absent$
    ! MISSED: in each iteration of the loop around it copies w, at which nothing else in the loop looks: put (acc|omp target) data around the loop$
!$acc parallel loop copy(w)
!$omp target teams distribute parallel do map(tofrom: w)
    do i = 1, n
      w(i) = w(i) + 1
    end do
  end do
  do t = 1, 10
!$acc parallel loop copy(w)
!$omp target teams distribute parallel do map(tofrom: w)
    do i = 1, n
      w(i) = w(i) + 1
    end do
    w(1) = 0
  end do
  a(1,1) = w(1) + m
end subroutine
