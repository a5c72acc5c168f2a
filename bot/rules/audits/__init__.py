"""Looking into a table's ledger."""
