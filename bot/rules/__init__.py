"""The rules. Pure: no I/O, no clock, no Discord, no asyncio. They import only `data` from this
project.
"""
