"""`precedent doctor`: whether the model answers, by one tiny call."""

from __future__ import annotations

from collections.abc import Iterator

from graph.models import CHECKS_ONLY, ModelUnavailable, build_model, model_name
from workers.doctor import Finding, failed, ok, warning
from workers.settings import Settings


def examine(settings: Settings) -> Iterator[Finding]:
    key = settings.google_api_key.reveal()
    name = model_name(settings.review_model, key)
    if name == CHECKS_ONLY:
        yield warning(
            "model",
            "No model is configured: conventions are checked by code, questions go unanswered.",
            "Set GOOGLE_API_KEY, or REVIEW_MODEL; or leave it so.",
        )
        return
    try:
        model = build_model(name, google_api_key=key)
    except ModelUnavailable as error:
        yield failed("model", f"{name} can't be built.", str(error))
        return
    assert model is not None
    try:
        model.invoke("Answer with the one word: ready")
    except Exception as error:  # noqa: BLE001 - each provider has exceptions of its own
        yield failed(
            "model",
            f"{name} does not answer ({type(error).__name__}).",
            "Check the provider's key (GOOGLE_API_KEY for Gemini), the name in REVIEW_MODEL, the "
            "quota, and that this machine reaches the provider (for Ollama: OLLAMA_HOST).",
        )
        return
    yield ok("model", f"{name} answers.")
