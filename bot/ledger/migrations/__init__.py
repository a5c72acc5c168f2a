"""Alembic's folder: how each version's tables come from those of the version before."""
