"""Slash commands and buttons: each turns one interaction into one command for the desk."""
