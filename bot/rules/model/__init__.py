"""The state of a table as immutable values: goods, people, seats, windows, offers, deals and
violations.
"""
