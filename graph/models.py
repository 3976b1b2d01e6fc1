"""Which model a name means, built only when a worker is built."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings
    from langchain_core.language_models import BaseChatModel

DEFAULT_GEMINI = "gemini-3.8-flash"
CHECKS_ONLY = "none"
TIMEOUT_S = 120.0
_WELL_KNOWN = frozenset(
    {"anthropic", "azure_openai", "bedrock", "cohere", "deepseek", "fireworks", "google_genai",
     "google_vertexai", "groq", "huggingface", "mistralai", "ollama", "openai", "together", "xai"}
)  # fmt: skip
MAX_CONNECTIONS = 400
"""google-genai's own client allows 100 connections; a worker may hold more calls than that."""


class ModelUnavailable(RuntimeError):  # noqa: N818
    """The configured model can't be built; the message says what to install or to set."""

    reason = "model_unavailable"


def model_name(configured: str, google_api_key: str) -> str:
    """The name that counts: what is configured, else Gemini when there is a key, else "none"."""
    if configured:
        return configured
    return DEFAULT_GEMINI if google_api_key else CHECKS_ONLY


def build_model(name: str, *, google_api_key: str = "") -> BaseChatModel | None:
    """The chat model for a name: "none", a Gemini name, an Ollama name, or "provider:model".

    Gemini's endpoint can be moved by GOOGLE_GEMINI_BASE_URL, which its client reads itself.
    Raises ModelUnavailable when the provider's package is missing or refuses its settings.
    """
    if name == CHECKS_ONLY:
        return None
    provider, model = _provider(name)
    with _told(f"REVIEW_MODEL={name}", provider):
        if provider == "google_genai":
            return _gemini(model, google_api_key)
        from langchain.chat_models import init_chat_model

        built: BaseChatModel = init_chat_model(model, model_provider=provider, temperature=0)
        return built


def build_embeddings(name: str, *, google_api_key: str = "", dimensions: int) -> Embeddings:
    """The embeddings for a name as in `build_model`; `dimensions` where the provider can be asked.

    Raises ModelUnavailable when the provider's package is missing or refuses its settings.
    """
    provider, model = _provider(name)
    with _told(f"CODE_EMBEDDINGS={name}", provider):
        if provider == "google_genai":
            from langchain_google_genai import GoogleGenerativeAIEmbeddings
            from pydantic import SecretStr

            return GoogleGenerativeAIEmbeddings(
                model=model,
                api_key=SecretStr(google_api_key) if google_api_key else None,
                output_dimensionality=dimensions,
            )
        from langchain.embeddings import init_embeddings

        built: Embeddings = init_embeddings(model, provider=provider)
        return built


@contextmanager
def _told(setting: str, provider: str) -> Iterator[None]:
    """What a provider's package raises, as a sentence that names the setting."""
    try:
        yield
    except ImportError as error:
        raise ModelUnavailable(
            f"{setting} needs the provider's package: pip install "
            f"langchain-{provider.replace('_', '-')}."
        ) from error
    except ValueError as error:
        raise ModelUnavailable(
            f"{setting} can't be used: {type(error).__name__}. "
            "Check the name and the provider's own variables."
        ) from error


def _provider(name: str) -> tuple[str, str]:
    # An Ollama tag holds a colon too ("gemma4:e2b"): a prefix counts as a provider only when it is
    # one, installed or well known.
    if name.startswith("gemini"):
        return "google_genai", name
    prefix, _, rest = name.partition(":")
    if rest and _is_provider(prefix):
        return prefix, rest
    return "ollama", name


def _is_provider(prefix: str) -> bool:
    return prefix in _WELL_KNOWN or (
        prefix.isidentifier() and importlib.util.find_spec(f"langchain_{prefix}") is not None
    )


def _gemini(model: str, api_key: str) -> BaseChatModel:
    import httpx
    from langchain_google_genai import ChatGoogleGenerativeAI

    return ChatGoogleGenerativeAI(
        model=model,
        api_key=api_key or None,
        temperature=0,
        timeout=TIMEOUT_S,
        max_retries=1,
        client_args={"limits": httpx.Limits(max_connections=MAX_CONNECTIONS)},
    )
