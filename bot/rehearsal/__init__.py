"""A table without Discord, on SimCord: plays, the page and the cast.

It reaches the bot only as Discord would: through the gateway, and through what people can see.
"""

import logging


def _import_quietly() -> None:
    """Import SimCord while discord.py is silent: SimCord makes a client without intents, and discord.py warns of it."""
    log = logging.getLogger("discord.state")
    before, log.disabled = log.disabled, True
    try:
        import simcord  # noqa: F401
    finally:
        log.disabled = before


_import_quietly()
