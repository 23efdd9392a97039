! The device address of mapped data gets out, in Fortran; see escape.c.
! usage: escape number|pointer|descriptor|use
! SPDX-License-Identifier: GPL-3.0-or-later
program escape
  use iso_c_binding
  implicit none
  interface
    subroutine driver_read (to, from, n) bind (c)
      import
      integer (c_int) :: to(*)
      integer (c_intptr_t), value :: from
      integer (c_size_t), value :: n
    end subroutine
    subroutine driver_write (to, from, n) bind (c)
      import
      integer (c_intptr_t), value :: to
      integer (c_int) :: from(*)
      integer (c_size_t), value :: n
    end subroutine
  end interface
  integer, parameter :: n = 200
  integer (c_size_t), parameter :: bytes = 4 * n
  integer (c_int), pointer :: a(:)
#ifdef _OPENMP
  integer (c_int), allocatable, target :: b(:)
#else
  integer (c_int), target :: b(n)
#endif
  integer (c_int) :: t(n)
  integer (c_int), pointer :: p(:)
  integer (c_intptr_t) :: d
  type (c_ptr) :: c
  character (20) :: way
  integer :: k

  call get_command_argument (1, way)
#ifdef _OPENMP
  allocate (b(n))
#endif
  a => b
  a = 1
  d = 0
  c = c_null_ptr
!$acc enter data copyin (b)
!$omp target enter data map (to: b)
  select case (way)
  case ('number')
!$acc parallel copy (d) present (b)
!$omp target map (tofrom: d)
    d = loc (b(1))
!$acc end parallel
!$omp end target
  case ('pointer')
!$acc parallel copy (c) present (b)
!$omp target map (tofrom: c)
    c = c_loc (b(1))
!$acc end parallel
!$omp end target
    d = transfer (c, d)
  case ('descriptor')
!$acc parallel copy (d) present (b) private (p)
!$omp target map (tofrom: d) private (p)
    p => b(2:n)
    d = loc (p(1)) - 4
!$acc end parallel
!$omp end target
  case ('use')
!$acc host_data use_device (b)
!$omp target data use_device_addr (b)
    d = loc (b)
!$acc end host_data
!$omp end target data
  end select
  print '(a)', trim (merge ('known    ', 'not known', d /= 0))
  do k = 2, 5
    a = k
!$acc update device (b)
!$omp target update to (b)
    t = 0
    call driver_read (t, d, bytes)
    write (*, '(i0,1x)', advance = 'no') t(n)
!$acc update device (b)
!$omp target update to (b)
    t = 100 + k
    call driver_write (d, t, bytes)
!$acc update host (b)
!$omp target update from (b)
    print '(i0)', a(n)
  end do
end program
