"""Text from outside that every store can hold."""

from __future__ import annotations


def encodable(text: str) -> str:
    """The text with each half of a surrogate pair that stands alone replaced.

    JSON may carry such halves as escapes; Redis' JSON reader refuses them, and an event that
    can't be stored would be delivered again for ever.
    """
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
