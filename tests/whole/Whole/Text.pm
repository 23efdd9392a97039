# The same statements in C, C++ and Fortran.  Indices count from 0 in all of
# them; loops run from a first value to one below an end.
# SPDX-License-Identifier: GPL-3.0-or-later
package Whole::Text;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT = qw($lang $fortran $acc $unit set rem quotient element part loop
		 pragma block_pragma invoke when declare type_name);

our ($lang, $fortran, $acc, $unit);

my %fortran_type = (int => 'integer(4)', double => 'real(8)',
		    float => 'real(4)', long => 'integer(8)');

sub type_name { return $fortran ? $fortran_type{$_[0]} : $_[0] }
sub declare
{
  my ($type, $name, $value) = @_;
  return type_name ($type) . " :: $name" if $fortran;
  return "$type $name" . (defined $value ? " = $value;" : ';');
}

sub set { my ($to, $value) = @_; return $fortran ? "$to = $value" : "$to = $value;" }
sub rem
{
  my ($value, $by) = @_;
  return $fortran ? "mod (int ($value), $by)" : "((int) ($value)) % $by";
}
sub quotient { my ($a, $b) = @_; return "(($a) / ($b))" }
sub element
{
  my ($name, $index) = @_;
  return "$name\[$index]" if !$fortran;
  return $index =~ /^\d+$/ ? "$name(" . ($index + 1) . ')' : "$name($index + 1)";
}

# LENGTH elements of NAME from LOW; both may be expressions.
sub part
{
  my ($name, $low, $length) = @_;
  return "$name\[$low:$length]" if !$fortran;
  return $low eq '0' ? "$name(1:$length)" : "$name($low + 1:$low + $length)";
}

# BODY for each VAR from LOW, STEP by step, below END.
sub loop
{
  my ($var, $low, $end, $step, @body) = @_;
  return ("do $var = $low, $end - 1" . ($step eq '1' ? '' : ", $step"), @body,
	  'end do') if $fortran;
  return ("for (int $var = $low; $var < $end; $var += $step)", '{', @body, '}');
}

sub when
{
  my ($condition, @then) = @_;
  return $fortran ? ("if ($condition) then", @then, 'end if')
    : ("if ($condition)", '{', @then, '}');
}

sub pragma { return ($fortran ? '!$' : '#pragma ') . ($acc ? 'acc ' : 'omp ') . $_[0] }

# The construct NAME with CLAUSES around BODY.
sub block_pragma
{
  my ($name, $clauses, @body) = @_;
  return (pragma ("$name $clauses"), $fortran ? () : '{', @body,
	  $fortran ? pragma ("end $name") : '}');
}

sub invoke
{
  my ($name, @args) = @_;
  my $call = "$name (" . join (', ', @args) . ')';
  return $fortran ? "call $call" : "$call;";
}

1;
