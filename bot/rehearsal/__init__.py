"""A table without Discord, on SimCord: plays, the page and the cast.

It reaches the bot only as Discord would: through the gateway, and through what people can see.
"""
