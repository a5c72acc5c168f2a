"""Words for what the rules keep out of a trade, by game, with the rule that says so."""

from functools import cache

from pydantic import BaseModel, ConfigDict, Field

from data._read import read


class NotTraded(BaseModel):
    """A group of words for what can't be traded, and its refusal.

    ``words`` are lower case and singular; irregular plurals are listed too. ``reason`` is the
    refusal, in which ``{what}`` stands for the text typed, in quotation marks. ``remedy`` says what
    to do instead. ``under``: the group counts only while this card is in force, and comes before
    other groups with the same word.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    rule: str = Field(min_length=1)
    reason: str = Field(min_length=1, max_length=100, pattern=r"\{what\}")
    remedy: str = Field(min_length=1, max_length=160)
    words: tuple[str, ...] = Field(min_length=1)
    under: str = ""


@cache
def not_traded(game: str) -> tuple[NotTraded, ...]:
    """Return a game's words, in groups.

    Raises FileNotFoundError when the game has none, pydantic's ValidationError when a group is
    malformed.
    """
    return tuple(NotTraded(**row) for row in read(game, "not_traded")["group"])
