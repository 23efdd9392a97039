# A compiler compiles alike each time it runs, wherever its data lie in memory.
#
