# Regions for generate.pl that are more than one loop nest under one directive:
# several loops in a construct, variables and iterators declared inside it,
# loops of pointers and of C++'s iterators, triangles, linear variables, members
# and sections, declared reductions, rows under teams or gangs, tiles.
#
# A shape returns the region's text, the same for device and host: a line that
# is a directive is the device's, and ~NAME is the device's or the host's NAME.
#
# SPDX-License-Identifier: GPL-3.0-or-later
use strict;
use warnings;

our ($fortran, $acc, $language, $size, %r);

# Lines of run_text (generate.pl).
sub text
{
  my ($text) = @_;
  my @lines = grep { /\S/ } split /\n/, $text;
  for (@lines)
    {
      s/^\s+//;
      s/^(?=#pragma|!\$)/#/;
      s/~(\w+)/\@$1\@/g;
    }
  return @lines;
}

# A scalar or object that is compared behind the region.
sub result
{
  my ($name, $type, $start) = @_;
  push @{$r{scalars}}, [$name, $type, $start];
}

# What stands in front of the region, in the file and in its function; and
# what is compared behind it.
sub plain { return map { s/^#(?=[#!])//r } text ($_[0]) }
sub outside
{
  # (Programs are linked into one.)
  push @{$r{before}}, $language eq 'cc' ? 'namespace {' : (), plain ($_[0]),
    $language eq 'cc' ? '}' : ();
}
sub declare { push @{$r{declare}}, plain ($_[0]) }
sub expect_equal { push @{$r{compare}}, @_ }

# A loop of C whose TYPE VARIABLE takes every value in LOW ... HIGH - 1.  (GCC
# refuses an unsigned one that is compared with 0.)
sub through
{
  my ($type, $var, $low, $high) = @_;
  $type =~ s/unsigned/int/ if $high eq '0';
  my @ways = ("$var = $low; $var < $high; $var++",
	      "$var = $low; $var <= $high - 1; $var += 1",
	      "$var = $low; $high > $var; ++$var");
  push @ways, "$var = $high - 1; $var >= $low; $var--",
    "$var = ($high) - 1; $var > ($low) - 1; $var = $var - 1"
    if $type !~ /unsigned/;
  return 'for (' . ($type ? "$type " : '') . pick (@ways) . ')';
}

# The same of Fortran.
sub do_through
{
  my ($var, $low, $high) = @_;
  return chance (0.7) ? "do $var = $low, $high" : "do $var = $high, $low, -1";
}

sub schedule
{
  return chance (0.3)
    ? 'schedule (' . pick ('static', 'static, 2', 'dynamic', 'guided') . ')'
    : '';
}
sub threads { return chance (0.3) ? 'num_threads (' . between (1, 40) . ')' : '' }
sub teams
{
  return join ' ', grep { chance (0.25) } 'num_teams (' . between (1, 6) . ')',
    'thread_limit (' . between (1, 60) . ')';
}
sub loop_over_all
{
  return pick ('teams distribute parallel for', 'teams distribute parallel for',
	       'parallel for', 'teams distribute parallel for simd',
	       'parallel for simd', 'teams distribute', 'teams loop');
}

# Statements on element I that do not depend on one another.
sub independent
{
  my $open = $fortran ? sub { "~$_[0]($_[1])" } : sub { "~$_[0]\[$_[1]]" };
  my $e = sub { $open->($_[0], 'i') };
  my $c = between (1, 9);
  my @all = ($e->('o0') . ' = ' . $e->('in0') . " * $c + 1",
	     $e->('o1') . ' = ' . $e->('o1') . ' + ' . $e->('in1') . " - $c",
	     $e->('o2') . ' = ' . $e->('o2') . " * $c + " . $e->('in0'),
	     $e->('d0') . ' = ' . $e->('x0') . ' + ' . $e->('x1') . " * $c",
	     $e->('f0') . ' = ' . $e->('f0') . ' + ' . $e->('in1'));
  return map { $fortran ? $_ : "$_;" } sort { rand () <=> 0.5 } @all;
}

# ---- OpenMP, C and C++ ----

my %c_shapes = (
  # Several loops of one team; each may read what one before has written.
  several => sub {
    my $n = between (0, 900);
    my $inner = chance (0.5);
    my @bodies = (independent ())[0 .. between (1, 3)];
    my $after = "~o2[i] += ~o0[$n - 1 - i] + ~o1[i];";
    my @loops;
    for (@bodies, chance (0.6) ? $after : ())
      {
	push @loops, '#pragma omp ' . ($inner ? 'for ' : 'parallel for ')
	  . (chance (0.2) ? 'simd ' : '') . schedule ()
	  . ($inner ? '' : ' ' . threads ()),
	  through (pick ('int', 'long', 'unsigned', 'short'), 'i', 0, $n), $_;
      }
    # No loop but the last reads what another writes.
    $loops[0] .= ' nowait' if $inner && @bodies > 1 && chance (0.3);
    return ('#pragma omp target ' . ($inner ? 'parallel ' . threads () : '')
	    . ' ' . mapping (), '{', @loops, '}');
  },
  # A loop leaves its last value, or its own variable, to the next one.
  handed => sub {
    my ($n, $c) = (between (1, 300), between (1, 40));
    my ($outside, $iterates) = (chance (0.6), chance (0.4));
    my $last = $outside ? '~last' : 'last';
    declare ('int last = 3, h_last = 3;') if $outside;
    my $first = $iterates
      ? ['#pragma omp parallel for simd ' . schedule (),
	 "for ($last = 0; $last < $n; $last++)", "~o1[$last] = ~in0[$last] + $c;"]
      : ['#pragma omp parallel for ' . (chance (0.4) ? 'simd ' : '')
	   . "lastprivate ($last) " . schedule (),
	 through ('int', 'i', 0, $n),
	 '{', "$last = ~in0[i] % 50 + 60;", "~o1[i] = $last + $c;", '}'];
    return ('#pragma omp target ' . mapping ()
	    . ($outside ? " firstprivate ($last)" : ''), '{',
	    $outside ? () : 'int last = 3;', @$first,
	    '#pragma omp parallel for ' . threads (),
	    "for (int i = 0; i < $last; i++)", "~o0[i] = ~in1[i] - $c;", '}');
  },
  # Several loops of all teams, which do not exclude each other.
  leagues => sub {
    my $n = between (0, 900);
    my @loops;
    my $sum = chance (0.5);
    result ('all', 'long', 4) if $sum;
    for ((independent ())[0 .. between (1, 3)])
      {
	my $more = $sum && chance (0.6);
	push @loops, '#pragma omp '
	  . pick ('distribute parallel for', 'distribute parallel for simd',
		  'distribute parallel for', 'distribute')
	  . ($more ? ' reduction (+: ~all)' : ''),
	  through (pick ('int', 'long', 'unsigned'), 'i', 0, $n),
	  '{', $_, $more ? '~all += i % 7;' : (), '}';
      }
    s/distribute reduction/distribute parallel for reduction/ for @loops;
    my $map = mapping () . ($sum ? ' map (tofrom: ~all)' : '');
    return ("#pragma omp target $map", '#pragma omp teams ' . teams ()
	    . ($sum ? ' reduction (+: ~all)' : ''), '{', @loops, '}');
  },
  # Variables, and the loop's own, declared inside the target construct.
  inside => sub {
    my ($low, $n, $c) = (between (0, 20), between (0, 900), between (1, 9));
    my $pointer = chance (0.4);
    return ('#pragma omp target ' . mapping (), '{',
	    $pointer ? "int *from = ~o0 + $low, *end = ~o0 + $n + $low;"
	    : "long from = $low, end = sc * 0 + $n + $low;",
	    chance (0.5) ? "int scale = $c * 2;" : "const int scale = $c;",
	    $pointer ? 'int *i;' : 'long i;',
	    '#pragma omp ' . pick ('teams distribute parallel for',
				   'parallel for', 'parallel for simd',
				   'teams distribute parallel for simd',
				   $pointer ? () : 'teams distribute'),
	    through ('', 'i', 'from', 'end'),
	    $pointer ? '*i = (int) (i - from) * scale + sc;'
	    : '~o1[i] = ~in0[i] * scale + (int) (i - from);', '}');
  },
  pointer => sub {
    my ($n, $step) = (between (0, 900), between (1, 4));
    declare ('int *base = o0, *h_base = h_o0;');
    my $body = "*i = (int) (i - ~base) * 3 + sc; i[$step - 1] += 5;";
    my ($low, $high) = ('~base', "~base + $n");
    my $head = pick ("int *i = $low; i < $high; i += $step",
		     "int *i = $high; i > $low; i -= $step",
		     $step == 1 ? "int *i = $low; i != $high; i++" : (),
		     "int *i = $low; i <= $high; i = i + $step");
    return ('#pragma omp target '
	    . pick ('teams distribute parallel for', 'parallel for',
		    'teams distribute parallel for simd', 'parallel for simd')
	    . ' ' . " map (tofrom: ~base[0:$size])",
	    "for ($head)", "{ $body }");
  },
  # Collapsed loops whose bounds depend on the variables of those around.
  triangle => sub {
    my $type = pick ('int', 'long', 'int', 'unsigned', 'short');
    my $n = between ($type eq 'unsigned', 40);
    my @inner = ("$type j = 0; j < i; j++", "$type j = i; j < $n; j++",
		 "$type j = 0; j <= i; j += 2");
    push @inner, "$type j = i; j >= 0; j--", "$type j = 2 * i; j > i - 3; j -= 2",
      "$type j = i - 2; j < 2 * i + 3; j++" if $type !~ /unsigned/;
    my $sum = chance (0.4);
    result ('all', 'long', 1) if $sum;
    my $three = chance (0.3);
    my $at = $three ? '(i * 48 + (long) j + 3) * 2 + k' : 'i * 88 + (long) j + 3';
    my $inner = pick (@inner);
    return ('#pragma omp target ' . pick ('teams distribute parallel for',
					  'parallel for',
					  'teams distribute parallel for simd',
					  'teams distribute')
	    . ' collapse (' . ($three ? 3 : 2) . ') ' . mapping ()
	    . ($sum ? ' reduction (+: ~all) map (tofrom: ~all)' : ''),
	    "for ($type i = " . pick (0, 2) . "; i < $n; i += "
	    # As much must be left over of each row's last step.
	    . ($inner =~ /= 2$/ ? pick (2, 4) : pick (1, 1, 3)) . ')',
	    "for ($inner)",
	    $three ? 'for (int k = 0; k < 2; k++)' : (),
	    "{ long p = $at; ~o0[p % $size] += 3;",
	    $sum ? '~all += p % 11;' : (), '}');
  },
  # Collapsed loops of which another than the last goes along memory.
  across => sub {
    my ($n, $m) = (pick (between (0, 64), between (32, 64)), between (1, 20));
    my $k = pick (1, 1, 3);
    my $type = pick ('int', 'long', 'int', 'unsigned');
    my @loops = (through ($type, 'i', 0, $n), through ('int', 'j', 0, $m));
    @loops = reverse @loops if chance (0.2);
    push @loops, "for (int k = 0; k < $k; k++)" if $k > 1;
    my ($sum, $last) = (chance (0.4), chance (0.3));
    result ('all', 'long', 1) if $sum;
    # Nothing sets it in a loop without iterations.
    result ('end', 'int', 5) if $last &&= $n > 0;
    my $at = $k > 1 ? "(j * $k + k) * $n + i" : "j * $n + i";
    my $from = chance (0.2) ? "i * $m + j" : $at;
    return ('#pragma omp target '
	    . pick ('teams distribute parallel for', 'teams distribute parallel for simd',
		    'teams loop', 'parallel for', 'teams distribute')
	    . ' collapse (' . @loops . ') ' . mapping ()
	    . ($sum ? ' reduction (+: ~all) map (tofrom: ~all)' : ''),
	    @loops,
	    "{ ~o1[$at] += ~in0[$from] * 3 + (int) i - j;",
	    $sum ? "~all += ~in1[$at] % 13;" : (), '}') if !$last;
    return ('#pragma omp target teams distribute parallel for collapse (' . @loops . ') '
	    . pick ('', '', 'schedule (static, 3)', 'num_teams (3)') . ' ' . mapping ()
	    . ' lastprivate (~end) map (tofrom: ~end)',
	    @loops,
	    "{ ~o1[$at] = ~in0[$from] + (int) i; ~end = (int) i * 100 + j; }");
  },
  linear => sub {
    my ($n, $by) = (between (1, 1200), pick (1, 2, 3, -2));
    my $type = pick ('int', 'long', 'short', 'unsigned');
    result ('line', $type, between (1, 9));
    my $bare = chance (0.2) && $by == 1;
    return ('#pragma omp target ' . pick ('parallel for', 'parallel for simd',
					  'simd')
	    . ' linear (~line' . ($bare ? '' : ": $by") . ') ' . mapping ()
	    . ' map (tofrom: ~line)',
	    through ('int', 'i', 0, $n),
	    "{ ~o0[i] = (int) ~line + ~in0[i]; ~line += $by; }");
  },
  # One that goes in and out.  Which iteration has set what a thread reads is
  # open, but for its sign.
  first_and_last => sub {
    my $n = between (1, 1200);
    result ('both', pick ('int', 'long', 'double', 'short'), 7);
    return ('#pragma omp target parallel for ' . schedule () . ' ' . threads ()
	    . ' firstprivate (~both) lastprivate (~both) ' . mapping ()
	    . ' map (tofrom: ~both)',
	    through ('int', 'i', 0, $n),
	    '{ ~o0[i] = ~in0[i] + (~both > 0); ~both = i + 1; }');
  },
  # Members of structures, alone and as arrays.
  members => sub {
    my ($n, $k) = (between (0, 60), $r{k});
    outside ("struct box$k { int n, w[64]; double s; int *v; };");
    declare ("struct box$k box = { $n, { 3, 1, 4 }, 0.5, o2 }, h_box = box;
	      h_box.v = h_o2;");
    expect_equal ('box.w[5]', 'box.w[63]', 'box.n');
    my $by = between (2, 9);
    my ($map, $body) = @{pick (
      ['map (tofrom: ~box)', '~box.w[i] += i * ~box.n;'],
      ['map (tofrom: ~box.w) map (to: ~box.n)', "~box.w[i] += i * $by + ~box.n;"],
      ['map (tofrom: ~box.w[2:62])', '~box.w[2 + i] = sc + i;'],
      ['map (to: ~box.n, ~box.s)', '~o0[i] = (int) (~box.s * 8) + ~box.n;'],
      ["map (tofrom: ~box.v[0:$size])", '~box.v[i] += i;'],
      ['', '~o0[i] = ~box.w[i % 3] * ~box.n;'])};
    my $arrays = $body =~ /o0/ ? mapping () : '';
    return ('#pragma omp target ' . loop_over_all () . " $map $arrays",
	    through ('int', 'i', 0, $body =~ /2 \+ i/ && $n > 2 ? $n - 2 : $n),
	    $body);
  },
  # Sections that do not begin with the array.
  sections => sub {
    my ($low, $n) = (between (1, 500), between (1, 900));
    declare ('int *base = o1, *h_base = h_o1;') if my $p = chance (0.5);
    my $array = $p ? '~base' : '~o1';
    return ('#pragma omp target ' . loop_over_all ()
	    . " map (tofrom: $array\[$low:$n]) map (to: ~in0[0:$n])",
	    through (pick ('int', 'long'), 'i', $low, $low + $n),
	    "$array\[i] = $array\[i] * 2 + ~in0[i - $low];");
  },
  # A reduction that the program declares.
  declared => sub {
    my ($n, $k) = (between (0, 1500), $r{k});
    outside ("typedef struct { long sum; int least, at; } pair$k;
	      #pragma omp declare reduction (join$k: pair$k: \\
	      omp_out.sum += omp_in.sum, \\
	      omp_out.at = omp_in.least < omp_out.least \\
	      || (omp_in.least == omp_out.least && omp_in.at < omp_out.at) \\
	      ? omp_in.at : omp_out.at, \\
	      omp_out.least = omp_in.least < omp_out.least \\
	      ? omp_in.least : omp_out.least) \\
	      initializer (omp_priv = { 0, 1000, 1 << 30 })");
    declare ("pair$k all = { 5, 900, 1 << 20 }, h_all = all;");
    expect_equal ('all.sum', 'all.least', 'all.at');
    return ('#pragma omp target '
	    . pick ('teams distribute parallel for', 'parallel for',
		    'teams distribute parallel for', 'teams distribute')
	    . ' ' . " reduction (join$k: ~all) "
	    . mapping () . ' map (tofrom: ~all)', through ('int', 'i', 0, $n),
	    '{ int x = (~in1[i] + 7) % 53; ~all.sum += x;',
	    'if (x < ~all.least || (x == ~all.least && i < ~all.at))',
	    '{ ~all.least = x; ~all.at = i; } }');
  },
  # Reductions of loop directives, and nested ones that bind.
  loops => sub {
    my ($n, $m) = (between (0, 40), between (0, 30));
    result ('all', 'long', 3);
    return pick (
      ["#pragma omp target teams loop reduction (+: ~all) " . mapping ()
       . ' map (tofrom: ~all)', through ('int', 'i', 0, $n * 30),
       '{ ~o0[i] = ~in0[i] + sc; ~all += ~in1[i]; }'],
      ["#pragma omp target parallel loop reduction (max: ~all) " . mapping ()
       . ' map (tofrom: ~all)', through ('int', 'i', 0, $n * 30),
       '~all = ~all > ~in1[i] + i ? ~all : ~in1[i] + i;'],
      ["#pragma omp target teams loop collapse (2) " . mapping (),
       through ('int', 'i', 0, $n), through ('long', 'j', 0, $m),
       "~o1[i * $m + j] += i + (int) j;"],
      ['#pragma omp target teams loop bind (teams) ' . mapping (),
       through ('int', 'i', 0, $n), '{', '#pragma omp loop bind (thread)',
       through ('int', 'j', 0, $m), "~o1[i * $m + j] += i - j;", '}']);
  },
  # Bounds and steps that functions compute.
  bounds => sub {
    my ($low, $n, $step) = (between (0, 9), between (0, 900), between (1, 4));
    my $teams = chance (0.3) ? 'num_teams (twice (2))' : '';
    return ("#pragma omp target teams distribute parallel for $teams "
	    . mapping (),
	    pick ("for (int i = twice ($low); i < twice ($n) + 1; i += $step)",
		  "for (int i = twice ($n); i > middle ($low, 1, $low); i -= twice ($step))",
		  "for (int i = $low; i <= twice (twice ($n)); i += twice (1))"),
	    '~o1[i] = ~in1[i] + twice (sc);');
  },
  # A function that sets what it is given, and one with a loop.
  calls => sub {
    my ($n, $k) = (between (0, 1000), $r{k});
    outside ("#pragma omp declare target
	      static void put$k (int *to, int x) { *to += x; }
	      static int total$k (const int *p, int n)
	      { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
	      static double mix$k (double a, double b)
	      { return total$k ((int[2]) { 3, 4 }, 2) * a + b; }
	      #pragma omp end declare target");
    $r{before} = [map { s/\(int\[2\]\) \{ 3, 4 \}, 2/0, 0/r } @{$r{before}}]
      if $language eq 'cc';
    return ('#pragma omp target ' . loop_over_all () . ' ' . mapping (),
	    through ('int', 'i', 0, $n),
	    "{ put$k (&~o0[i], total$k (~in0 + i, 5) + sc);",
	    "~d0[i] = mix$k (~x0[i], ~x1[i]); }");
  });

# ---- C++ alone ----

# A random-access iterator of the program's own.
sub walker
{
  return plain ('struct walker
    {
      int *at;
      walker &operator++ () { at++; return *this; }
      walker &operator-- () { at--; return *this; }
      walker &operator+= (long n) { at += n; return *this; }
      walker &operator-= (long n) { at -= n; return *this; }
      walker operator+ (long n) const { return { at + n }; }
      long operator- (const walker &o) const { return at - o.at; }
      bool operator< (const walker &o) const { return at < o.at; }
      bool operator> (const walker &o) const { return at > o.at; }
      bool operator>= (const walker &o) const { return at >= o.at; }
      bool operator!= (const walker &o) const { return at != o.at; }
      int &operator* () const { return *at; }
    };');
}

my %cc_shapes = (
  iterator => sub {
    my ($n, $step) = (between (0, 900), between (1, 4));
    declare ('int *base = o0, *h_base = h_o0;');
    my $loop = pick ("for (walker i = first; i < last; i += $step)",
		     "for (walker i = last; i > first; i -= $step)",
		     $step == 1 ? 'for (walker i = first; i != last; ++i)' : (),
		     "for (walker i = last; i >= first; --i)");
    my @body = '*i = (int) (i - first) * 2 + sc;';
    my $form = pick ('teams distribute parallel for', 'parallel for');
    return ("#pragma omp target map (tofrom: ~base[0:$size])", '{',
	    "walker first = { ~base }, last = { ~base + $n };",
	    "#pragma omp $form", $loop, @body, '}') if chance (0.6);
    return ("#pragma omp target data map (tofrom: ~base[0:$size]) use_device_ptr (~base)",
	    '{', "walker first = { ~base }, last = { ~base + $n };",
	    "#pragma omp target $form firstprivate (first, last)", $loop, @body,
	    '}');
  },
  lambda => sub {
    my ($n, $by) = (between (0, 900), between (2, 9));
    return ("auto ~act = [sc] (int *p, long i) { p[i] += $by * (int) i + sc; };",
	    # (GCC 12 breaks down over one in a clause.)
	    '#pragma omp target ' . loop_over_all () . ' ' . mapping (),
	    through (pick ('int', 'long'), 'i', 0, $n), '~act (~o0, i);');
  },
  method => sub {
    my ($n, $by, $k) = (between (0, 900), between (2, 9), $r{k});
    my $template = chance (0.5);
    outside ("struct field$k
	      {
		int *data, n, by;
		int scaled (int i) const { return by * i; }
		" . ($template ? 'template <typename T, int Step> ' : '')
	     . "void fill (int sc)
		{
		  #pragma omp target teams distribute parallel for map (tofrom: data[:n])
		  for (" . ($template ? 'T i = 0; i < n; i += Step'
			    : 'int i = 0; i < n; i++') . ")
		    data[i] += scaled (i) + sc;
		}
		void fill_here (int sc)
		{
		  for (int i = 0; i < n; i += " . ($template ? 3 : 1) . ")
		    data[i] += scaled (i) + sc;
		}
	      };");
    declare ("field$k field = { o0, $n, $by }, h_field = { h_o0, $n, $by };");
    return ('%@field@.fill' . ($template ? '<long, 3>' : '') . ' (sc);',
	    '^@field@.fill_here (sc);');
  },
  reference => sub {
    my $n = between (0, 900);
    result ('all', pick ('int', 'long', 'double'), 2);
    declare ("auto &sum = all, &h_sum = h_all; long count = $n, &limit = count;");
    return ('#pragma omp target teams distribute parallel for reduction (+: ~sum) '
	    . mapping () . ' map (tofrom: ~sum)', 'for (long i = 0; i < limit; i++)',
	    '{ ~sum += ~in0[i]; ~o1[i] = sc; }');
  });

# ---- OpenMP, Fortran ----

my %f_shapes = (
  several => sub {
    my $n = between (0, 900);
    my $inner = chance (0.5);
    my @loops;
    for my $body ((independent ())[0 .. between (1, 3)],
		  chance (0.5) ? "~o2(i) = ~o2(i) + ~o0($n - 1 - i)" : ())
      {
	my $name = $inner ? 'do' : 'parallel do';
	push @loops, "!\$omp $name " . schedule (),
	  do_through ('i', 0, "$n - 1"), $body, 'end do', "!\$omp end $name";
      }
    my $around = $inner ? 'target parallel' : 'target';
    return ("!\$omp $around " . mapping (), @loops, "!\$omp end $around");
  },
  # Bounds that are somebody else's variables.
  bounds => sub {
    my ($low, $n) = (between (0, 9), between (0, 900));
    my $shape = pick ('(0:)', "(0:$size - 1)", '(0:high + 20)');
    my $head = do_through ('i', 'low', 'high');
    for my $where ('', 'h_')
      {
	push @{$r{procedures}}, "subroutine ${where}work (a, low, high)",
	  'integer, intent (in) :: low, high',
	  "integer, intent (inout) :: a$shape", 'integer :: i',
	  $where ? ()
	  : '!$omp target ' . pick ('teams distribute parallel do',
				    'parallel do', 'teams loop',
				    'teams distribute') . ' map (tofrom: a)',
	  $head, 'a(i) = a(i) + 3 * i - low', 'end do', 'end subroutine';
      }
    return ("\%call work (o0, $low, $n)", "^call h_work (h_o0, $low, $n)");
  },
  linear => sub {
    my ($n, $by) = (between (1, 1200), pick (1, 2, 3));
    result ('line', 'int', between (1, 9));
    # (From GCC 13 on it may not be mapped as well.)
    return ("!\$omp target parallel do linear (~line: $by) " . mapping (),
	    do_through ('i', 0, "$n - 1"),
	    '~o0(i) = ~line + ~in0(i)', "~line = ~line + $by", 'end do');
  },
  first_and_last => sub {
    my $n = between (1, 1200);
    result ('both', pick ('int', 'long', 'double'), 7);
    # (GCC 12 breaks down over the combined construct.)
    return ('!$omp target ' . mapping () . ' map (tofrom: ~both)',
	    '!$omp parallel do firstprivate (~both) lastprivate (~both)',
	    do_through ('i', 0, "$n - 1"),
	    '~o0(i) = ~in0(i) + merge (1, 0, ~both > 0)', '~both = i + 1',
	    'end do', '!$omp end target');
  },
  # A loop over teams around one over threads.
  rows => sub {
    my ($rows, $columns) = (between (0, 40), between (0, 60));
    my $sum = chance (0.5);
    return ('!$omp target teams distribute private (t, s) ' . teams () . ' '
	    . mapping (), do_through ('i', 0, "$rows - 1"),
	    "t = ~in0(i) + i", $sum ? 's = 2' : (),
	    '!$omp parallel do ' . threads () . ' '
	    . ($sum ? 'reduction (+: s)' : ''),
	    do_through ('j', 0, "$columns - 1"),
	    "~o0(i * $columns + j) = ~in1(i * $columns + j) * t",
	    $sum ? 's = s + mod (j, 5)' : (), 'end do', '!$omp end parallel do',
	    $sum ? '~o1(i) = s' : (), 'end do');
  },
  members => sub {
    my $n = between (0, 60);
    push @{$r{declare}}, 'type box', 'integer :: n, w(0:63)', 'end type',
      'type(box) :: b, h_b';
    push @{$r{set}}, "b%n = $n", 'b%w = 3', 'h_b = b';
    push @{$r{compare}}, 'any (b%w /= h_b%w)';
    my $c = between (1, 9);
    return pick (
      ['!$omp target teams distribute parallel do map (tofrom: ~b)',
       do_through ('i', 0, "$n - 1"), "~b%w(i) = ~b%w(i) * $c + ~b%n + i",
       'end do'],
      ['!$omp target parallel do map (tofrom: ~b%w)',
       do_through ('i', 0, "$n - 1"), "~b%w(i) = ~b%w(i) * $c + i", 'end do'],
      ['!$omp target teams distribute parallel do firstprivate (~b) ' . mapping (),
       do_through ('i', 0, "$n - 1"), "~o0(i) = ~b%w(i) * $c + ~b%n", 'end do']);
  },
  sections => sub {
    my ($low, $n) = (between (1, 500), between (1, 900));
    my $high = $low + $n - 1;
    return ('!$omp target ' . pick ('teams distribute parallel do',
				    'parallel do', 'teams loop')
	    . " map (tofrom: ~o1($low:$high)) map (to: ~in0(0:$n))",
	    do_through ('i', $low, $high),
	    "~o1(i) = ~o1(i) * 2 + ~in0(i - $low)", 'end do');
  },
  loops => sub {
    my $n = between (0, 1200);
    result ('all', 'long', 3);
    return ('!$omp target ' . pick ('teams loop', 'parallel loop')
	    . ' reduction (+: ~all) ' . mapping () . ' map (tofrom: ~all)',
	    do_through ('i', 0, "$n - 1"), '~o0(i) = ~in0(i) + sc',
	    '~all = ~all + ~in1(i)', 'end do');
  },
  declared => sub {
    my $n = between (0, 1200);
    push @{$r{declare}}, 'type pair', 'integer(8) :: total', 'integer :: most',
      'end type',
      '!$omp declare reduction (join: pair: omp_out = pair (omp_out%total'
      . ' + omp_in%total, max (omp_out%most, omp_in%most)))'
      . ' initializer (omp_priv = pair (0, -1))', 'type(pair) :: u, h_u';
    push @{$r{set}}, 'u = pair (5, 3)', 'h_u = u';
    push @{$r{compare}}, 'u%total /= h_u%total .or. u%most /= h_u%most';
    return ('!$omp target teams distribute parallel do reduction (join: ~u) '
	    . mapping () . ' map (tofrom: ~u)', do_through ('i', 0, "$n - 1"),
	    '~u%total = ~u%total + ~in0(i)', '~u%most = max (~u%most, ~in1(i))',
	    'end do');
  });

# ---- OpenACC, C and C++ ----

sub widths
{
  return join ' ', grep { chance (0.25) } 'num_workers (' . pick (1, 2, 4, 8)
    . ')', 'vector_length (' . pick (32, 64, 128) . ')';
}
sub tiles
{
  return (between (0, 60), between (0, 60),
	  between (1, 9) . ', ' . pick ('*', between (1, 9)));
}
sub compute { return pick ('parallel', 'parallel', 'kernels') }

my %acc_shapes = (
  # (The partitioned form of GCC 12 is wrong where tiles leave something over.)
  tile => sub {
    my ($n, $m, $tile) = tiles ();
    return ('#pragma acc ' . compute () . " loop tile ($tile) "
	    . pick ('', '', 'gang vector') . ' ' . mapping (),
	    through ('int', 'i', 0, $n), through ('long', 'j', 0, $m),
	    "~o0[i * $m + j] = ~in0[i * $m + j] * 2 + i;");
  },
  # Each row has a sum, computed by all lanes of a worker or gang.
  rows => sub {
    my ($n, $m) = (between (0, 40), between (0, 60));
    my $outer = pick ('gang', 'gang worker', 'gang');
    my $inner = $outer eq 'gang' ? pick ('vector', 'worker vector') : 'vector';
    my $type = pick ('int', 'long', 'double');
    my $op = pick ('+', 'max');
    my $x = "~in0[i * $m + j] + j";
    return ("#pragma acc parallel loop $outer " . widths () . ' ' . mapping (),
	    through ('int', 'i', 0, $n), '{', "$type s = i;",
	    "#pragma acc loop $inner reduction ($op: s)",
	    through ('int', 'j', 0, $m),
	    $op eq '+' ? "s += $x;" : "s = s > $x ? s : $x;",
	    '~o1[i] = (int) s + sc;', '}');
  },
  # Gang, worker and vector, each a loop, and what stands between.
  levels => sub {
    my ($n, $m, $l) = (between (0, 14), between (0, 12), between (0, 20));
    return ("#pragma acc parallel " . widths () . ' ' . mapping (), '{',
	    '#pragma acc loop gang', through ('int', 'i', 0, $n), '{',
	    "int row = i * $m;", '#pragma acc loop worker',
	    through ('int', 'j', 0, $m), '{', "int at = (row + j) * $l;",
	    '#pragma acc loop vector', through ('int', 'k', 0, $l),
	    '~o0[at + k] = ~in0[at + k] + j;', chance (0.4) ? '~o1[row + j] = at;'
	    : (), '}', '}', '}');
  },
  several => sub {
    my $n = between (0, 900);
    my @loops;
    push @loops, '#pragma acc loop ' . pick ('', 'gang vector', 'independent'),
      through (pick ('int', 'long'), 'i', 0, $n), $_
      for (independent ())[0 .. between (1, 3)];
    return ('#pragma acc ' . compute () . ' ' . widths () . ' ' . mapping (), '{',
	    @loops, '}');
  },
  private => sub {
    my $n = between (0, 900);
    my $array = chance (0.5);
    declare ('int own[4] = { 0 }; (void) own;') if $array;
    return ('#pragma acc ' . compute () . ' loop private ('
	    . ($array ? 'own' : 't') . ') ' . mapping (),
	    through ('int', 'i', 0, $n),
	    $array ? '{ own[i % 4] = ~in0[i]; own[(i + 1) % 4] = sc;'
	    . ' ~o0[i] = own[i % 4] + own[(i + 1) % 4]; }'
	    : '{ t = ~in0[i] * 2; ~o0[i] = t + sc; }');
  },
  # Loops that kernels may or may not find independent.
  kernels => sub {
    my ($n, $m) = (between (0, 60), between (0, 60));
    return pick (
      ['#pragma acc kernels ' . mapping (), '{', through ('int', 'i', 0, $n * 15),
       '~o0[i] = ~in0[i] * 3 + sc;', through ('int', 'i', 1, $n * 15 + 1),
       '~o1[i] = ~o0[i - 1] + 1;', '}'],
      ['#pragma acc kernels ' . mapping (), "for (int i = 1; i < $n; i++)",
       '~o0[i] = ~o0[i - 1] + ~in0[i];'],
      ['#pragma acc kernels loop independent ' . mapping (),
       through ('int', 'i', 0, $n), '{', '#pragma acc loop independent',
       through ('int', 'j', 0, $m), "~o2[i * $m + j] += i * j;", '}'],
      ['#pragma acc kernels ' . mapping (), through ('int', 'i', 0, $n),
       through ('int', 'j', 0, $m), "~d0[i * $m + j] = ~x0[i * $m + j] * 2 + i;"]);
  },
  sums => sub {
    my $n = between (0, 1500);
    result ('all', pick ('int', 'long', 'double', 'float'), 2);
    result ('top', 'int', -3);
    return ('#pragma acc ' . compute () . ' loop reduction (+: ~all)'
	    . ' reduction (max: ~top) copy (~all, ~top) ' . widths () . ' '
	    . mapping (), through ('int', 'i', 0, $n),
	    '{ ~all += ~in0[i]; ~top = ~top > ~in1[i] ? ~top : ~in1[i]; }');
  },
  # A chain through one thread: no parallelism.
  sequential => sub {
    my $n = between (1, 300);
    return pick (
      ['#pragma acc serial ' . mapping (), "for (int i = 1; i < $n; i++)",
       '~o0[i] = ~o0[i - 1] + ~in0[i];'],
      ['#pragma acc parallel num_gangs (1) ' . mapping (),
       '#pragma acc loop seq', "for (int i = 1; i < $n; i++)",
       '~o0[i] = ~o0[i - 1] + ~in0[i];']);
  });

# ---- OpenACC, Fortran ----

my %acc_f_shapes = (
  tile => sub {
    my ($n, $m, $tile) = tiles ();
    return ('!$acc ' . compute () . " loop tile ($tile) " . mapping (),
	    do_through ('i', 0, "$n - 1"), do_through ('j', 0, "$m - 1"),
	    "~o0(i * $m + j) = ~in0(i * $m + j) * 2 + i", 'end do', 'end do');
  },
  rows => sub {
    my ($n, $m) = (between (0, 40), between (0, 60));
    return ('!$acc parallel loop gang private (s) ' . widths () . ' '
	    . mapping (), do_through ('i', 0, "$n - 1"), 's = i',
	    '!$acc loop ' . pick ('vector', 'worker vector')
	    . ' reduction (+: s)', do_through ('j', 0, "$m - 1"),
	    "s = s + ~in0(i * $m + j)", 'end do', '~o1(i) = s', 'end do');
  },
  kernels => sub {
    my $n = between (0, 900);
    return ('!$acc kernels ' . mapping (), do_through ('i', 0, "$n - 1"),
	    '~o0(i) = ~in0(i) * 3 + sc', 'end do', '!$acc end kernels');
  },
  several => sub {
    my $n = between (0, 900);
    my @loops;
    push @loops, '!$acc loop ' . pick ('', 'gang vector', 'independent'),
      do_through ('i', 0, "$n - 1"), $_, 'end do'
      for (independent ())[0 .. between (1, 3)];
    my $name = compute ();
    return ("!\$acc $name " . mapping (), @loops, "!\$acc end $name");
  },
  sums => sub {
    my $n = between (0, 1500);
    result ('all', pick ('int', 'long', 'double'), 2);
    result ('top', 'int', -3);
    return ('!$acc ' . compute () . ' loop reduction (+: ~all)'
	    . ' reduction (max: ~top) copy (~all, ~top) ' . mapping (),
	    do_through ('i', 0, "$n - 1"), '~all = ~all + ~in0(i)',
	    '~top = max (~top, ~in1(i))', 'end do');
  });

my %shapes = (
  c => \%c_shapes, cc => { %c_shapes, %cc_shapes }, f90 => \%f_shapes,
  'acc c' => \%acc_shapes, 'acc cc' => \%acc_shapes, 'acc f90' => \%acc_f_shapes);

# Region K of the SHAPE, any for "".
sub draw_shape
{
  my ($k, $shape) = @_;
  my $of = $shapes{($acc ? 'acc ' : '') . $language};
  %r = (k => $k, has => 'pf', scalars => [], clauses => [], loops => [],
	pointers => !$fortran && chance (0.3));
  my $make = $of->{$shape || pick (sort keys %$of)}
    or die "no shape '$shape' in this language\n";
  my @text = $make->();
  @text = @{$text[0]} if ref $text[0];
  my @lines = map { text ($_) } @text;
  return { outside => 0, %r, device => [run_text (0, @lines)],
	   host => [run_text (1, @lines)] };
}

1;
