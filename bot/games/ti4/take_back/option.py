"""The table setting for taking transactions back."""

from __future__ import annotations

from bot.api import SettingOption, TableSettings

OPTION = SettingOption(
    "take_back",
    ("off", "on"),
    "on: two may take back a trade they mis-pressed, in its turn or agenda. off: trades are final",
)


def is_on(settings: TableSettings) -> bool:
    """Return whether transactions may be taken back at a table with these settings."""
    return settings.options.get(OPTION.name) == "on"
