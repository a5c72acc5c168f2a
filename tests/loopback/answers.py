"""Discord's answers over HTTP."""

from __future__ import annotations

import json
from typing import Any

from aiohttp import web


def answered(data: Any, status: int = 200) -> web.Response:
    """discord.py parses what is of exactly this type."""
    return web.Response(
        body=json.dumps(data).encode(), status=status, headers={"Content-Type": "application/json"}
    )


def refused(status: int, code: int, message: str = "") -> web.Response:
    """An error that says no more than its code."""
    return answered({"code": code, "message": message or f"{status}: as the test wanted"}, status)


def rate_limited(retry_after: float, *, overall: bool = False, code: int = 0) -> web.Response:
    """429; discord.py waits (seconds) and tries again only when the answer came `Via` Discord's
    proxy.

    A limit with a `code` has a budget of its own, of which no header tells.
    """
    body = {
        "message": "You are being rate limited.",
        "retry_after": round(retry_after, 3),
        "global": overall,
    }
    body |= {"code": code} if code else {}
    response = answered(body, web.HTTPTooManyRequests.status_code)
    response.headers["Via"] = "1.1 google"
    response.headers["Retry-After"] = str(max(1, round(retry_after)))
    response.headers.update(
        {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": f"{retry_after:.3f}"}
    )
    response.headers["X-RateLimit-Scope"] = "global" if overall else "user"
    if overall:
        response.headers["X-RateLimit-Global"] = "true"
    return response


def banned(
    *, html: bool = False, via: bool = False, header: float | None = None, code: int = 0
) -> web.Response:
    """429 without `retry_after`, as Cloudflare's: discord.py expects that of what came `Via`.

    The `header` Retry-After may say it, in seconds.
    """
    status = web.HTTPTooManyRequests.status_code
    page = web.Response(
        text="<html>Error 1015: you are being rate limited</html>",
        status=status,
        content_type="text/html",
    )
    response = page if html else refused(status, code)
    if header is not None:
        response.headers["Retry-After"] = str(header)
    if via:
        response.headers["Via"] = "1.1 google"
    return response
