# Included, after common.mk, by the folders that test an installed tree: what
# `make install' gives, put into stage/ here.  tests/system/stage.sh finds it.
# SPDX-License-Identifier: GPL-3.0-or-later
check_DATA = stage.stamp
stage.stamp: $(top_builddir)/config.status
	rm -rf stage
	$(MAKE) -C $(top_builddir) install prefix='$(abs_builddir)/stage' exec_prefix='$(abs_builddir)/stage' >/dev/null
	touch $@
.PHONY: stage.stamp

clean-local:
	rm -rf stage
CLEANFILES = stage.stamp
