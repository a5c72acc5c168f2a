"""Alembic's migrations: each step upgrades the previous version's tables."""
