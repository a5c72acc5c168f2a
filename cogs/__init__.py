"""Slash commands, buttons and forms: each turns one interaction into one command for the service
and replies.
"""
