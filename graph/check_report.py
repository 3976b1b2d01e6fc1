"""The check run: what was looked at, what was found, and never green for what nobody saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from graph import rendering
from graph.answers import plural
from graph.context import CheckReport, Conclusion
from graph.conventions import Convention, id_order
from graph.findings import Finding
from graph.repository_settings import RepositorySettings
from graph.routing import stale_sentence
from graph.spending import tokens_of
from graph.state import ReviewState

MAX_TITLE_CHARACTERS = 255

_DROPPED = {
    "already_said": "said before",
    "dismissed": "dismissed by a person on this pull request",
    "dismissed_by_author": "dismissed by the author, who may not write here, and so still counted",
    "refuted": "not confirmed by the second look",
    "over_limit": "over the number of comments a review makes",
    "same_cause": "at another place of the same cause",
    "ignored": "in a place that the team does not want reviewed",
    "below_severity_floor": "below the severity floor",
    "low_confidence": "of low confidence",
    "unknown_convention": "citing a convention that does not hold",
    "no_convention": "about style that no convention asks for",
    "checked_by_code": "about a convention that code checks",
    "unknown_path": "about a file that is not in the diff",
    "malformed": "that could not be understood",
    "outside_scope": "about code that was read before",
    "repeats_prompt": "repeating our own instructions",
}


def check_report(
    state: ReviewState,
    settings: RepositorySettings,
    conventions: Mapping[str, Convention],
    *,
    model: str,
) -> CheckReport:
    """What the check run says of a head. `model` is the model's name, or "none"."""
    if state["skip"]:
        return CheckReport("neutral", state["skip"][:MAX_TITLE_CHARACTERS], state["skip"])
    found = [Finding.from_json(f) for f in state["counted"]]
    conclusion, title = _verdict(state, settings, conventions, found, model)
    notes = [
        _scope(conventions, state, model),
        *_cost(state, model),
        *(f"Failed: {failure}." for failure in state["failures"]),
        *_looked_up(state),
        *_hidden(state),
        *_dropped(state["dropped"]),
    ]
    return rendering.report(found, conclusion, title[:MAX_TITLE_CHARACTERS], notes, state["unread"])


def lost_findings(dropped: Sequence[Mapping[str, str]]) -> str:
    """What a model found and could not say, in a few words, or "": nobody decided to drop that."""
    count = sum(item["reason"] == "malformed" for item in dropped)
    return f"{plural(count, 'finding')} of the model could not be understood" if count else ""


def _verdict(
    state: ReviewState,
    settings: RepositorySettings,
    conventions: Mapping[str, Convention],
    found: Sequence[Finding],
    model: str,
) -> tuple[Conclusion, str]:
    missing = _missing(state, conventions, model)
    title = plural(len(found), "finding") if found else "No findings"
    if found:
        wanted = set(settings.check_fail_on)
        fails = any({f.severity, f.category, f.convention_id} & wanted for f in found)
        conclusion: Conclusion = "failure" if fails else "neutral"
        return conclusion, f"{title}; incomplete: {missing}" if missing else title
    if state["reading"].get("nothing_to_read"):
        return "neutral", "Nothing to review: no file here is written by people"
    if not conventions and model == "none":
        return "neutral", "Nothing to check: no conventions yet and no model configured"
    if missing:
        return "neutral", f"Incomplete: {missing}"
    return "success", title


def _missing(state: ReviewState, conventions: Mapping[str, Convention], model: str) -> str:
    """Why this head was not looked at completely, in a few words, or ""."""
    if state["failures"]:
        return state["failures"][0]
    if model != "none" and state["reading"].get("no_model"):
        return f"checks only, {state['reading']['no_model']}"
    if lost := lost_findings(state["dropped"]):
        return lost
    unread = [item for item in state["unread"] if item.get("kind") == "incomplete"]
    if unread:
        return f"{plural(len(unread), 'file')} not read completely"
    needs_model = [c for c in conventions.values() if c.mode == "enforce" and c.check is None]
    if model == "none" and needs_model:
        ids = ", ".join(c.id for c in needs_model[:5])
        return f"{ids} can't be checked by code"
    return ""


def _scope(conventions: Mapping[str, Convention], state: ReviewState, model: str) -> str:
    checked = sorted((c.id for c in conventions.values() if c.check), key=id_order)
    by_code = f"Checked by code: {', '.join(checked) or 'no conventions'}."
    if model == "none":
        return f"{by_code} Checks only: no model is configured."
    if state["reading"].get("no_model"):
        return f"{by_code} Checks only: {state['reading']['no_model']}."
    judged = sorted(
        {r.partition("@")[0] for r in state["recalled"]} - set(checked) & set(conventions),
        key=id_order,
    )
    scope = "what is new since the last review" if state["reading"].get("is_partial") else "all"
    return f"{by_code} Judged by {model}: {', '.join(judged) or 'no conventions'}; read {scope}."


def _cost(state: ReviewState, model: str) -> list[str]:
    tokens_into, tokens_out = tokens_of(state["usage"])
    seconds = f"{state['seconds']:.0f} s"
    if not state["usage"]:
        return [f"No model call; {seconds}."]
    calls = plural(len(state["usage"]), "call")
    return [f"{calls} of {model}: {tokens_into:,} tokens in, {tokens_out:,} out; {seconds}."]


def _looked_up(state: ReviewState) -> list[str]:
    """What of the rest of the repository the model was shown, and from which commit."""
    decided = state.get("route", {})
    if not decided.get("briefs") and not state.get("looked_up"):
        return []
    sentence = f"Looked up in the rest of the repository: {decided['reason']}."
    if count := sum(not record["is_error"] for record in state.get("looked_up", [])):
        sentence += f" The model asked for {plural(count, 'further look-up')}."
    return [f"{sentence} {stale_sentence(decided)}".rstrip()]


def _hidden(state: ReviewState) -> list[str]:
    hidden = state["reading"].get("hidden", [])
    if not hidden:
        return []
    return ["Hidden text was left out of what the model read: " + "; ".join(hidden[:20]) + "."]


def _dropped(dropped: Sequence[Mapping[str, str]]) -> list[str]:
    counts = Counter(item["reason"] for item in dropped)
    if not counts:
        return []
    parts = [f"{count} {_DROPPED.get(reason, reason)}" for reason, count in counts.most_common()]
    return [f"Not told: {plural(counts.total(), 'finding')}, {', '.join(parts)}."]
