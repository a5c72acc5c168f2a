"""What deals are worth: they bind if all can be resolved at once [D3] [28.3], and then must be kept [D4]."""

from __future__ import annotations

from bot.api import Agreements

AGREEMENTS = Agreements(
    deals_bind=True,
    deal={
        "": "**Binding**: all of it is resolved at once [D3] [28.3], and it must be kept [D4].",
        "card": "**Not binding**: an action card's result can't be promised [D5] [28.3.1]. Nobody has to keep it.",
        "later": "**Not binding**: it can't all be resolved at once [D6] [28.4]. Nobody has to keep it.",
    },
    unbreakable="Deal {deal} is binding [D3] [28.3]: it was resolved when you agreed, and must be kept.",
    terms="The trade binds; these words are a promise [D6].",
    terms_hint="Not binding, unless it is done at once",
    ahead="That binds nobody; once it is possible, I ask you both to confirm.",
    ahead_mark=", binding nobody yet",
)
