"""What people see, as plain values: text, cards, buttons. Nothing here knows Discord's library or the database."""
