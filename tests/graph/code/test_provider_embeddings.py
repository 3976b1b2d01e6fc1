"""A provider's embeddings, through the real client against an endpoint on this machine."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

import pytest
from redis import Redis

from graph.code.building import build_index
from graph.code.code_store import CodeStore
from graph.code.embeddings import Embedding, EmbeddingFailed, StaticEmbedder, embedding_of
from graph.code.index import CodeIndex, open_index
from graph.code.search import search
from graph.code.tools import CodeTools
from graph.models import ModelUnavailable
from tests.gemini_endpoint import API_KEY, GeminiEndpoint
from tests.graph.code.local_commits import LocalCommit

NAME = "gemini-embedding-001"
FILES: dict[str, bytes | str] = {
    "app/retry.py": "def with_backoff(call):\n    # waits longer after every failure\n    call()\n",
    "app/shop.py": "def pay(items):\n    return sum(items)\n",
}


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[GeminiEndpoint]:
    with GeminiEndpoint([]) as served:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", served.url)
        yield served


def gemini() -> Embedding:
    return embedding_of(NAME, google_api_key=API_KEY)


def opened(redis: Redis, embedding: Embedding) -> CodeIndex:
    index = open_index(redis, 1, embedding.load)
    assert index is not None
    return index


def test_code_and_questions_are_embedded_by_the_provider(
    redis: Redis, endpoint: GeminiEndpoint
) -> None:
    embedding = gemini()
    build_index(CodeStore(redis, 1), LocalCommit(FILES), embedding.load())
    assert len(endpoint.embedded) == 2
    assert any("waits longer after every failure" in text for text in endpoint.embedded)
    index = opened(redis, embedding)
    assert index.about["model"] == NAME
    assert index.vectors is not None
    assert index.vectors.shape == (2, 256)
    hits = search(index, "longer failure waits", 2, index.embedder, "embeddings")
    assert hits[0].path == "app/retry.py"
    assert endpoint.embedded[-1] == "longer failure waits"
    assert "app/retry.py" in CodeTools(index).run("search_code", {"query": "failure"}).text


def test_other_embeddings_make_another_index(redis: Redis, endpoint: GeminiEndpoint) -> None:
    store = CodeStore(redis, 1)
    build_index(store, LocalCommit(FILES))
    first = opened(redis, gemini())
    assert search(first, "failure", 2, first.embedder, "embeddings") == []  # it has no vectors
    changed = LocalCommit(FILES)
    report = build_index(store, changed, gemini().load())
    assert not report.was_current
    assert opened(redis, gemini()).about["model"] == NAME
    assert build_index(store, changed, gemini().load()).was_current
    back = build_index(store, changed, None)
    assert not back.was_current
    assert opened(redis, gemini()).vectors is None
    assert not [k for k in redis.keys("precedent:code:1:*") if NAME.encode() in k]


def test_when_the_provider_is_down_the_search_goes_on_by_words(
    redis: Redis, endpoint: GeminiEndpoint
) -> None:
    build_index(CodeStore(redis, 1), LocalCommit(FILES), gemini().load())
    endpoint.embedding_status = 400
    index = opened(redis, gemini())
    assert search(index, "pay items", 1, index.embedder)[0].path == "app/shop.py"


def test_an_index_that_gets_no_vectors_leaves_the_old_one_in_use(
    redis: Redis, endpoint: GeminiEndpoint
) -> None:
    store = CodeStore(redis, 1)
    build_index(store, LocalCommit(FILES), gemini().load())
    endpoint.embedding_status = 400
    new = LocalCommit({**FILES, "app/new.py": "def fresh():\n    pass\n"}, commit_sha="d" * 40)
    with pytest.raises(EmbeddingFailed, match="CODE_EMBEDDINGS"):
        build_index(store, new, gemini().load())
    assert opened(redis, gemini()).commit_sha == "c" * 40
    endpoint.embedding_status = 200
    asked = len(endpoint.embedded)
    build_index(store, new, gemini().load())
    assert [text.split("\n")[0] for text in endpoint.embedded[asked:]] == ["app/new.py fresh"]


def test_a_secret_is_not_sent_to_the_provider(redis: Redis, endpoint: GeminiEndpoint) -> None:
    token = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2dF4gH6"
    build_index(CodeStore(redis, 1), LocalCommit({"a.py": f"T = '{token}'\n"}), gemini().load())
    assert endpoint.embedded
    assert token not in "".join(endpoint.embedded)


def test_what_is_set_decides_and_a_missing_package_is_told() -> None:
    assert embedding_of("none").load() is None
    has_static = importlib.util.find_spec("wordllama") is not None
    assert embedding_of("").name == (StaticEmbedder.name if has_static else "")
    with pytest.raises(ModelUnavailable, match=r"CODE_EMBEDDINGS=mistralai:x needs .* install"):
        embedding_of("mistralai:x")
