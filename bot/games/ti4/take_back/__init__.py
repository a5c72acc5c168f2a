"""Taking a transaction back that two mis-pressed: a house rule, off by default, since 94.4.1 makes trades final."""
