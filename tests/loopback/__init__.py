"""A small Discord on this machine, REST and gateway, for tests and benchmarks.

`loopback` is the server and the people in front of it; `process` starts the bot as a process of its
own that talks to it. REST is in `rest`, what goes wrong there in `faults` and `limits`; the gateway
in `gateway`; what it remembers in `world`, `places` and `exchange`; `screen` reads what a person
would see. It knows nothing of the bot it serves.
"""
