"""What people would put into a trade and the rules keep out of it: words by game, with the rule that says so."""

from functools import cache

from pydantic import BaseModel, ConfigDict, Field

from data._read import read


class NotTraded(BaseModel):
    """Words for what can't be traded, and the refusal of them.

    ``words`` are in lower case and in the singular; those whose plural is not made with an s are given in both.
    ``reason`` says so of ``{what}``, which is what was typed, in quotation marks. ``remedy`` is what would work.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    rule: str = Field(min_length=1)
    reason: str = Field(min_length=1, max_length=100, pattern=r"\{what\}")
    remedy: str = Field(min_length=1, max_length=160)
    words: tuple[str, ...] = Field(min_length=1)


@cache
def not_traded(game: str) -> tuple[NotTraded, ...]:
    """Return the words of a game, in groups.

    Raises FileNotFoundError when the game has none, pydantic's ValidationError when a group is misshapen.
    """
    return tuple(NotTraded(**row) for row in read(game, "not_traded")["group"])
