"""A table without Discord, on SimCord: plays, the page and the cast.

It talks to the bot only as Discord would: through the gateway, and through what people can see.
"""

import logging


def _import_quietly() -> None:
    """Import SimCord with discord.py silenced: SimCord makes a client without intents, which
    discord.py warns about.
    """
    log = logging.getLogger("discord.state")
    before, log.disabled = log.disabled, True
    try:
        import simcord  # noqa: F401
    finally:
        log.disabled = before


_import_quietly()
