"""The shared rules module. Pure: no I/O, no clock, no Discord, no asyncio; it imports nothing of ours but `data`."""
