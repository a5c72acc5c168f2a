"""Tests of the three pages for monitoring, and of the counts, without Discord."""

from __future__ import annotations

import asyncio
import math
import re
import socket
from itertools import chain
from pathlib import Path

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot import __version__, watch
from bot.errors import OperatorError
from bot.ledger import LedgerError
from bot.watch import Watch
from tests.work import calls

LOCAL = "127.0.0.1"


async def read(port: int, path: str, **headers: str) -> tuple[int, str]:
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.get(f"http://{LOCAL}:{port}{path}") as answer,
    ):
        return answer.status, await answer.text()


async def figures(counted: Watch) -> dict[tuple[str, ...], float]:
    """Return the metrics by name and the values of their labels, which are in the order of their
    names.
    """
    page = (await counted.page()).decode()
    families = text_string_to_metric_families(page)
    samples = chain.from_iterable(family.samples for family in families)
    return {(sample.name, *sample.labels.values()): sample.value for sample in samples}


async def test_another_program_with_the_token_is_a_line_of_readyz() -> None:
    counted = Watch()
    counted.troubles.append(lambda: "")
    async with counted.served(LOCAL, 0) as port:
        counted.answered_elsewhere()
        status, said = await read(port, "/readyz")
        assert (status, said.splitlines()[1]) == (
            200,
            "Another program with my token answered in my place 0 s ago.",
        )


async def test_the_three_pages() -> None:
    counted = Watch()
    async with counted.served(LOCAL, 0) as port:
        assert await read(port, "/healthz") == (200, "I run.\n")
        assert await read(port, "/readyz") == (503, "I am starting.\n")
        counted.troubles += [lambda: "", lambda: "Discord is away."]
        assert await read(port, "/readyz") == (503, "Discord is away.\n")
        counted.troubles.pop()
        assert await read(port, "/readyz") == (200, "I answer people.\n")
        counted.owes(lambda: (3, 12.5))
        assert await read(port, "/readyz") == (
            200,
            "I answer people.\nMessages owed: 3, the oldest for 12 s.\n",
        )
        status, page = await read(port, "/metrics")
        assert (status, f'bourse_info{{version="{__version__}"}} 1.0' in page) == (200, True)
        assert (await read(port, "/"))[0] == 404
    with pytest.raises(aiohttp.ClientConnectionError):
        await read(port, "/healthz")


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
async def test_a_web_page_that_has_its_name_lead_here_reads_nothing(path: str) -> None:
    """Its requests come from a browser on this machine, with its own name as Host."""
    async with Watch().served(LOCAL, 0) as port:
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example", "[::1"):
            assert (await read(port, path, Host=host))[0] == 403, host


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.0.0.1:9464", "10.1.2.3:9464", "[::1]:9464", "localhost:9464", "bot:8080"],
)
async def test_a_monitoring_program_asks_by_an_address_or_a_local_name(host: str) -> None:
    async with Watch().served(LOCAL, 0) as port:
        assert (await read(port, "/metrics", Host=host))[0] == 200


def test_it_may_ask_by_the_name_in_the_settings() -> None:
    assert watch._is_local("Bourse.Example:80", "bourse.example")
    assert not watch._is_local("bourse.example:80", LOCAL)


async def test_a_port_that_is_taken_is_one_sentence() -> None:
    with socket.create_server((LOCAL, 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            OperatorError, match=rf"port {port} \(Address already in use\)\. Set BOURSE_HTTP_PORT"
        ):
            async with Watch().served(LOCAL, port):
                pass


async def test_what_happens_is_counted() -> None:
    counted = Watch()
    counted.interaction("press", "offers.sign", "done")
    counted.interaction("press", "offers.sign", "refused", "94.1")
    counted.interaction("command", "offer post", "refused", "")
    counted.answered("press", 0.07, deferred=False)
    counted.answered("press", 1.6, deferred=True)
    counted.given_up("the channel was deleted")
    counted.waited(0.0)
    counted.waited(3.0)
    counted.limited(overall=True)
    counted.owes(lambda: (3, 12.5))
    counted.shards.update({0: True, 1: False})
    found = await figures(counted)
    assert found["bourse_interactions_total", "offers.sign", "press", "done"] == 1
    assert found["bourse_interactions_total", "offers.sign", "press", "refused"] == 1
    assert (found["bourse_refusals_total", "94.1"], found["bourse_refusals_total", "none"]) == (
        1,
        1,
    )
    assert found["bourse_answer_seconds_bucket", "reply", "press", "0.1"] == 1
    assert found["bourse_answer_seconds_bucket", "deferral", "press", "1.5"] == 0
    assert found["bourse_answer_seconds_bucket", "deferral", "press", "2.0"] == 1
    assert found["bourse_given_up_total", "the channel was deleted"] == 1
    assert (
        found["bourse_request_wait_seconds_count",],
        found["bourse_request_wait_seconds_sum",],
    ) == (2, 3)
    assert found["bourse_rate_limited_total", "bot"] == 1
    assert (found["bourse_messages_owed",], found["bourse_messages_owed_oldest_seconds",]) == (
        3,
        12.5,
    )
    assert (found["bourse_gateway_connected", "0"], found["bourse_gateway_connected", "1"]) == (
        1,
        0,
    )
    assert not any(name.endswith("_created") for name, *_ in found)


def test_a_click_pays_for_a_few_calls() -> None:
    """Some microseconds, of milliseconds that a click takes."""
    counted = Watch()

    def click() -> None:
        counted.interaction("press", "offers.sign", "refused", "94.1")
        counted.answered("press", 0.07, deferred=False)

    click()
    assert calls(click) < 60


def test_each_metric_is_described() -> None:
    """And nothing that is described is missing."""
    page = (Path(__file__).parents[1] / "docs" / "monitoring.md").read_text(encoding="utf-8")
    described = set(re.findall(r"^\| `(bourse\w*)`", page, re.MULTILINE))
    assert described == {
        family.name for family in Watch()._registry.collect() if family.name.startswith("bourse")
    }


async def test_a_database_that_does_not_answer_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "DATABASE_WITHIN", 0.01)
    counted = Watch()
    counted.troubles.append(lambda: "")

    async def seven() -> int:
        return 7

    async def fails() -> int:
        raise LedgerError("it is gone")

    async def hangs() -> int:
        await asyncio.Event().wait()
        return 0

    counted.open_tables = seven
    found = await figures(counted)
    assert (
        await counted.why_not_ready(),
        found["bourse_ready",],
        found["bourse_open_tables",],
    ) == ([], 1, 7)
    for counted.open_tables in (fails, hangs):
        (why,) = await counted.why_not_ready()
        assert "database does not answer" in why
        found = await figures(counted)
        assert found["bourse_ready",] == 0
        assert math.isnan(found["bourse_open_tables",])


async def test_the_lag_of_the_loop_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "LAG_EVERY", 0.001)
    counted = Watch()
    async with counted.served(LOCAL, 0):
        while not (await figures(counted))["bourse_loop_lag_seconds_count",]:  # noqa: ASYNC110  (nobody tells)
            await asyncio.sleep(0.001)
