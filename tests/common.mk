# Included by the Makefile.am of every folder of tests.
# A test is a program or shell script that speaks TAP; scripts find the build
# and source trees in the environment.  What depends on time is not measured;
# threads that wait leave the processor to other tests.
# SPDX-License-Identifier: GPL-3.0-or-later
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh --ignore-exit
TEST_LOG_DRIVER = $(LOG_DRIVER)
SH_LOG_DRIVER = $(LOG_DRIVER)
TEST_EXTENSIONS = .sh
# Seconds after which a test fails, 0: never (./setup check says).
TEST_LIMIT ?= 0
LOG_COMPILER = timeout -k 10 $(TEST_LIMIT)
TEST_LOG_COMPILER = $(LOG_COMPILER)
SH_LOG_COMPILER = $(LOG_COMPILER) $(SHELL)
AM_TESTS_ENVIRONMENT = \
  top_srcdir='$(abs_top_srcdir)' top_builddir='$(abs_top_builddir)' \
  srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' \
  CC='$(CC)' CXX='$(CXX)' FC='$(FC)' ACCRETE_LIMITS=0 \
  OMP_WAIT_POLICY=passive; \
  export top_srcdir top_builddir srcdir builddir CC CXX FC ACCRETE_LIMITS \
  OMP_WAIT_POLICY;
AM_CPPFLAGS = -I$(top_srcdir)/tests -I$(top_srcdir)/libgomp-ext -I$(top_srcdir)/ptx-post
AM_CFLAGS = $(ACR_CFLAGS)

# Longer runs; a folder that has any overrides these.
CHECK_FULL ?= true
CHECK_GPU ?= true
check-programs: all
	$(MAKE) check TESTS=
check-full: check-programs
	$(CHECK_FULL)
check-gpu: check-programs
	$(CHECK_GPU)
.PHONY: check-programs check-full check-gpu
