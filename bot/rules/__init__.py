"""The rules. Pure: no I/O, no clock, no Discord, no asyncio; of this project they import nothing but `data`."""
