"""The texts of games that are ready to be played, which the game of any text offers."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

NAMES = ("island", "shops", "summit", "market")


@cache
def presets() -> Mapping[str, str]:
    """Return the text of each preset by its name."""
    folder = files("data.any")
    texts = {name: (folder / f"{name}.toml").read_text(encoding="utf-8") for name in NAMES}
    return MappingProxyType(texts)
