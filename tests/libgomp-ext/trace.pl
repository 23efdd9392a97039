# trace.pl FILE: what a trace says, and whether it is one: every event is whole,
# those of a track come in order, constructs and waits nest.
# SPDX-License-Identifier: GPL-3.0-or-later
use strict;
use warnings;
use JSON::PP;

my ($file) = @ARGV;
open (my $in, '<', $file) or die "$file: $!\n";
my $text = do { local $/; <$in> };
my $cut = $text !~ /\]\s*\z/;	# the bracket may be missing
my $events = JSON::PP->new->utf8->decode ($cut ? "$text]" : $text);

my $launched = "";
my (%track, %sum, %constructs, %kernels, %host);
for my $e (@$events)
  {
    next if $e->{ph} eq 'M' and $e->{name} eq 'process_name';
    my $t = $track{"$e->{pid} $e->{tid}"} //= { open => [], end => 0 };
    if ($e->{ph} eq 'M')
      {
	die "a track has two names\n" if $t->{name};
	$t->{name} = $e->{args}{name};
	next;
      }
    die "a track without a name: $e->{pid} $e->{tid}\n" unless $t->{name};
    if ($e->{ph} eq 'B')
      {
	die "$e->{name} begins too early\n" if $e->{ts} < $t->{end};
	die "a construct in another one\n" if $e->{cat} eq 'construct' and @{$t->{open}};
	push @{$t->{open}}, $e;
	$t->{end} = $e->{ts};
	$sum{waits}++ if $e->{cat} eq 'wait';
	next unless $e->{cat} eq 'construct';
	$e->{name} =~ s|^.*/||;
	$constructs{$e->{name}}++;
	$sum{constructs}++ unless $e->{args}{entry} =~ /_end/;
      }
    elsif ($e->{ph} eq 'E')
      {
	my $b = pop @{$t->{open}} or die "an end without a begin\n";
	die "$b->{name} ends too early\n" if $e->{ts} < $t->{end} - 0.002;
	$t->{end} = $e->{ts};
      }
    elsif ($e->{ph} eq 'X')
      {
	die "a negative time\n" if $e->{dur} < 0;
	die "$e->{name} begins too early on $t->{name}\n"
	  if $e->{ts} < $t->{end} - 0.002;
	$t->{end} = $e->{ts} + $e->{dur};
	if ($e->{cat} eq 'copy')
	  {
	    my %short = (to => 'h2d', from => 'd2h', within => 'd2d');
	    my ($way) = $e->{name} =~ /^copy (\w+) device$/ or die "copy whither\n";
	    $sum{"$short{$way}_copies"}++;
	    $sum{"$short{$way}_bytes"} += $e->{args}{bytes};
	  }
	$sum{launches}++ if $e->{cat} eq 'launch';
	$launched = $e->{args}{construct} if $e->{cat} eq 'launch';
	if ($e->{cat} eq 'kernel')
	  {
	    die "a kernel on $t->{name}\n" unless $t->{name} =~ /^GPU/;
	    $e->{name} =~ s|^.*/||;
	    $kernels{$e->{name}}++;
	    $sum{kernels}++;
	  }
      }
    else
      {
	die "an event of kind $e->{ph}\n";
      }
    $host{"$e->{pid} $e->{tid}"} = 1 unless $t->{name} =~ /^GPU/;
  }
my @open = map { map { $_->{name} } @{$_->{open}} } values %track;
die "a construct has no end\n" if @open and !$cut;

print "cut ", $cut ? 1 : 0, "\n";
print "threads ", scalar keys %host, "\n";
print "$_ $sum{$_}\n" for sort keys %sum;
print "construct $_: $constructs{$_}\n" for sort keys %constructs;
print "kernel $_: $kernels{$_}\n" for sort keys %kernels;
print "open $_\n" for @open;
$launched =~ s|^.*/||;
print "launched $launched\n";
