"""The tests. Their folders mirror the floors of the house; `plays/` holds tables as scripts."""
