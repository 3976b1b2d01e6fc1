"""The few small pages that a browser sees: plain, without scripts, every text escaped."""

from __future__ import annotations

from html import escape

from starlette.responses import HTMLResponse

HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; form-action {}"
_STYLE = "body{font:16px/1.5 system-ui,sans-serif;max-width:36em;margin:4em auto;padding:0 1em}"


def page(title: str, *paragraphs: str, form: str = "", status_code: int = 200) -> HTMLResponse:
    """`form` is HTML of ours; all else is text."""
    texts = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs)
    # Chromium applies form-action to the redirect after a form as well, so it can't be 'self'.
    policy = _POLICY.format("*" if form else "'none'")
    return HTMLResponse(
        f'<!doctype html><html lang="en"><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style><h1>{escape(title)}</h1>{texts}{form}</html>",
        status_code=status_code,
        headers={**HEADERS, "Content-Security-Policy": policy},
    )


def button(label: str, **fields: str) -> str:
    """A form with hidden `fields` that posts back to the page's own address."""
    hidden = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'
        for name, value in fields.items()
    )
    return f'<form method="post">{hidden}<button>{escape(label)}</button></form>'
