# What is known to be wrong today, and where (language-model): not drawn unless
# asked for by name (--only).  A line goes when its mend comes.
# SPDX-License-Identifier: GPL-3.0-or-later
package Whole::Wrong;
use strict;
use warnings;
use Exporter 'import';
use Whole::Text;
our @EXPORT = qw(known_wrong wrong_in_stock);

my %wrong = ();

# What stock GCC gets wrong.
sub wrong_in_stock
{
  my ($name) = @_;
  return $acc && $name =~ /^(gang|overlap)$/;
}

sub known_wrong
{
  my ($name) = @_;
  my $where = $lang . ($acc ? '-acc' : '-omp');
  return scalar grep { $_ eq $where } split / /, $wrong{$name} // '';
}

1;
