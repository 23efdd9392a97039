# Long lines of generated programs.
# SPDX-License-Identifier: GPL-3.0-or-later
package Fold;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT = qw(fold);

# LINE, of FORTRAN or of C, continued where it is long.
sub fold
{
  my ($line, $fortran) = @_;
  return $line if length $line < 76;
  my ($glue, $lead) = $fortran
    ? $line =~ /^(!\$\w+)/ ? (' &', "$1& ") : (' &', '  & ')
    : $line =~ /^#/ ? (' \\', '  ') : ('', '  ');
  my @words = split / /, $line;
  my @out = shift @words;
  for (@words)
    {
      if (length ($out[-1]) + length > 70)
	{
	  $out[-1] .= $glue;
	  push @out, "$lead$_";
	}
      else
	{
	  $out[-1] .= " $_";
	}
    }
  return @out;
}

1;
