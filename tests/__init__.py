"""The tests. Their folders mirror those of the program; `plays/` has tables as scripts."""
