# What is known to be wrong today, and where (language-model): not drawn unless
# asked for by name (--only).  A line goes when its mend comes.
# SPDX-License-Identifier: GPL-3.0-or-later
package Whole::Wrong;
use strict;
use warnings;
use Exporter 'import';
use Whole::Text;
our @EXPORT = qw(known_wrong);

my %wrong = (
  # Regions of GCC's own form at once with other numbers of threads, which the
  # device's libgomp has in a global variable.
  limits => 'c-omp cc-omp f90-omp',
  # Scalars of gang loops are one variable for all gangs.
  gang => 'c-acc cc-acc f90-acc',
  # Where strides may overlap, the loop is still parallel.
  overlap => 'c-acc cc-acc f90-acc');

sub known_wrong
{
  my ($name) = @_;
  my $where = $lang . ($acc ? '-acc' : '-omp');
  return scalar grep { $_ eq $where } split / /, $wrong{$name} // '';
}

1;
