"""Agreements in words."""
