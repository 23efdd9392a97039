# Random choices; the same seed gives the same ones.
# SPDX-License-Identifier: GPL-3.0-or-later
package Whole::Draw;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT = qw(pick chance between some_of);

sub pick { return $_[rand @_] }
sub chance { return rand () < $_[0] }
sub between { my ($low, $high) = @_; return $low + int rand ($high - $low + 1) }

# COUNT of the others, each once.
sub some_of
{
  my ($count, @from) = @_;
  my @out;
  push @out, splice @from, int rand @from, 1 while @from && @out < $count;
  return @out;
}

1;
