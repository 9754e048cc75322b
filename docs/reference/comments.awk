# The headers' plain comments as Doxygen's: the first block of a file is about the file, a comment on
# lines of its own is about what follows, one behind code is about that code. Rulers are left out.
/^[ \t]*\/\/ -{10,}/ { print ""; next }
/^[ \t]*\/\// {
  if (!seen_code && !in_file_comment && !had_file_comment) {
    in_file_comment = 1
    had_file_comment = 1
    print "/** @file"
  }
  text = $0
  if (in_file_comment) {
    sub(/^[ \t]*\/\/ ?/, "", text)
    print " * " text
  } else if (match(text, /\/\//) && RSTART == behind_code) {
    sub(/\/\//, "///<", text)
    print text
  } else {
    sub(/\/\//, "///", text)
    print text
  }
  next
}
in_file_comment { in_file_comment = 0; print " */" }
/[^ \t].*[;,{] +\/\/ / {
  seen_code = 1
  match($0, / \/\/ /)
  behind_code = RSTART + 1  # where it goes on, if it does
  sub(/ \/\/ /, " ///< ")
  print
  next
}
{
  behind_code = 0
  if ($0 !~ /^#pragma/ && $0 != "") seen_code = 1
  print
}
