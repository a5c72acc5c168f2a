"""Offers from posting to transaction: signatures, handing over, what is open to a viewer."""
