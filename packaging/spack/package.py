# SPDX-License-Identifier: GPL-3.0-or-later
"""accrete for Spack: put this folder into a repository as packages/accrete."""
from spack.package import *


class Accrete(AutotoolsPackage):
    """Fast OpenACC and OpenMP offloading for GCC on NVIDIA GPUs, without a change
    to the program: a GCC plugin, a PTX post-processor and an extension of libgomp.
    One flag of the compiler switches it on."""

    # The sources are this tree: "spack dev-build accrete@0.1.0", or a tarball of
    # "make dist" in a mirror.
    version("0.1.0")

    license("GPL-3.0-or-later")

    # A compiler that offloads to nvptx and takes plugins.
    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build")
    depends_on("gcc@12:16 +nvptx", type=("build", "link", "run"))
    depends_on("z3")
    depends_on("gmake", type="build")
    depends_on("autoconf@2.71:", type="build")
    depends_on("automake@1.16:", type="build")
    depends_on("libtool", type="build")
    depends_on("help2man", type="build")
    depends_on("pkgconfig", type=("build", "run"))

    requires("platform=linux target=x86_64:")

    def configure_args(self):
        """The compiler that programs will be built with is the one to build with."""
        tools = self.spec["gcc"].prefix.bin
        return [
            "CC={0}".format(tools.gcc),
            "CXX={0}".format(join_path(tools, "g++")),
            "FC={0}".format(tools.gfortran),
        ]

    def check(self):
        """All tests, on the emulated GPU; 20 minutes on two cores."""
        with working_dir(self.build_directory):
            make("check")

    def setup_run_environment(self, env):
        """For Makefiles: gcc $ACCRETE_FLAGS -fopenacc x.c"""
        specs = join_path(self.prefix.lib, "accrete", "accrete.specs")
        env.set("ACCRETE_FLAGS", "-specs={0}".format(specs))
