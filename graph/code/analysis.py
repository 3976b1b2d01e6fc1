"""What is kept of one file's content: clean text, symbols, imports, chunks and their terms."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graph.code.chunks import Chunk, chunks_of
from graph.code.imports import Import
from graph.code.lexical import counted, terms_of
from graph.code.outline import Symbol
from graph.code.repository import FileFacts, facts_of
from graph.generated import marker_reason
from graph.redaction import redacted_lines

VERSION = 1
"""Of what is kept. Another number and everything is read again."""

PATH_WEIGHT = 3
SYMBOL_WEIGHT = 3
"""How often words of the path and of the definition's name count in each chunk."""


@dataclass(frozen=True)
class FileRecord:
    """One file's content as the index keeps it. `left_out` is the reason why it is not."""

    text: str = ""
    facts: FileFacts = field(default_factory=FileFacts)
    chunks: tuple[Chunk, ...] = ()
    left_out: str = ""
    secrets: int = 0

    def packed(self) -> bytes:
        """Compressed JSON, without the secrets that were in it."""
        record = {
            "text": self.text,
            "symbols": [s.to_record() for s in self.facts.symbols],
            "imports": [
                [i.module, i.name, i.alias, i.line, i.is_passed_on] for i in self.facts.imports
            ],
            "chunks": [[c.first_line, c.last_line, c.symbol] for c in self.chunks],
            "left_out": self.left_out,
        }
        return packed_json(record)

    @staticmethod
    def unpacked(data: bytes) -> FileRecord:
        record = unpacked_json(data)
        symbols = tuple(Symbol.from_record(s) for s in record["symbols"])
        chunks = tuple(Chunk(*c) for c in record["chunks"])
        facts = FileFacts(symbols, imports_from(record))
        return FileRecord(record["text"], facts, chunks, record["left_out"])


def imports_from(record: Mapping[str, Any]) -> tuple[Import, ...]:
    """The imports of an unpacked record."""
    return tuple(Import(*i) for i in record["imports"])


def analysed(path: str, content: bytes) -> FileRecord:
    """Read one file. Binary, generated and minified content leaves a reason and no text."""
    if b"\0" in content[:8_000]:
        return FileRecord(left_out="binary")
    text = content.decode("utf-8", "replace")
    if reason := marker_reason(text[:20_000]):
        return FileRecord(left_out=reason)
    lines, secrets = redacted_lines(text.split("\n"))
    text = "\n".join(lines)
    facts = facts_of(path, text)
    chunks = chunks_of(text, facts.symbols)
    return FileRecord(text, facts, chunks, secrets=len(secrets))


def chunk_texts(record: FileRecord) -> list[str]:
    lines = record.text.split("\n")
    return ["\n".join(lines[c.first_line - 1 : c.last_line]) for c in record.chunks]


def chunk_terms(path: str, chunks: Sequence[Chunk], texts: Sequence[str]) -> list[Counter[str]]:
    """The counted terms of each chunk; words of path and definition count more."""
    from_path = Counter(dict.fromkeys(terms_of(path), PATH_WEIGHT))
    counts = []
    for chunk, text in zip(chunks, texts, strict=True):
        count = counted(text)
        count.update(from_path)
        count.update(dict.fromkeys(terms_of(chunk.symbol), SYMBOL_WEIGHT))
        counts.append(count)
    return counts


def packed_json(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(text.encode("utf-8", "replace"), 3)


def unpacked_json(data: bytes) -> Any:
    return json.loads(zlib.decompress(data))
