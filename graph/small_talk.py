"""What people say in passing, and the one sentence that fits: no model is needed for it."""

from __future__ import annotations

import re

from graph.answers import Answer

_MARKS = r"[\s.,!:;)(…~\U0001F300-\U0001FAFF\u2600-\u27BF\uFE0F\u200d。、！，-]"
_SMILEY = r":[a-z0-9_+-]{2,40}:|:-?\)|<3"
_WHO = (
    r"(?:,? (?:a lot|a bunch|so much|very much|again|for (?:that|this|the \w+|your help|checking"
    r"|catching (?:that|this|it))|bot|buddy|man|mate|all|everyone|team|there|precedent|you))*"
)


def _alone(words: str) -> re.Pattern[str]:
    """Matches when nothing else is said, however often and with whatever marks."""
    one = rf"(?:{_MARKS}|{_SMILEY}|(?:{words}){_WHO}(?!\w))"
    return re.compile(rf"{one}+", re.IGNORECASE)


_THANKS = (
    r"thanks|thank you|thx|thnx|ty|tysm|cheers|much appreciated|appreciate (?:it|that)|you rock"
    r"|(?:good|nice|great) (?:bot|job|work|catch|one|find|spot)|well done|awesome|perfect|brilliant"
    r"|great|nice|cool|love (?:it|this)|(?:that|this|it)(?:'s| is| was)(?: an?| really| very| so)*"
    r" (?:good|great|nice|helpful|useful|right|spot on|awesome|excellent)(?: (?:catch|find|point"
    r"|call|one|hint|idea))?|gracias|muchas gracias|danke(?: schön| dir)?|vielen dank"
    r"|merci(?: beaucoup)?|obrigad[oa]|valeu|谢谢|多谢|感谢|辛苦了|ありがとう(?:ございます"
    r"|ございました)?|助かりました|助かります|お疲れ様(?:です|でした)?"
)
_GREETING = (
    r"hi|hello|hey|yo|good (?:morning|afternoon|evening)|howdy|hola|buenas|hallo|moin|servus|olá|oi"
    r"|bonjour|salut|你好|您好|こんにちは|おはよう(?:ございます)?|ping|test|are you (?:there|alive)"
)
_AGREEMENT = (
    r"ok|okay|k|sure|got it|understood|noted|agreed|exactly|yes|yep|yeah|no|nope|fine|right|lgtm"
    r"|sounds good|makes sense|fair enough|will do|done|fixed|sorry|my bad|oops|never ?mind|nvm"
    r"|no worries|vale|de acuerdo|genau|alles klar|certo|d'accord|好的|收到|了解(?:です|しました)?"
    r"|承知(?:です|しました)?|わかりました|分かりました"
)
_POLITE = _alone(f"{_THANKS}|{_GREETING}|{_AGREEMENT}")
_THANKED = re.compile(rf"(?<!\w)(?:{_THANKS})(?!\w)", re.IGNORECASE)
_GREETED = re.compile(rf"(?<!\w)(?:{_GREETING})(?!\w)", re.IGNORECASE)
_MAX_CHARACTERS = 120
_CHOICE = re.compile(
    r"(?:please )?(?:keep (?:both|them both)|replace(?: it| [CO]\d{1,9})?)[\s.!]*", re.IGNORECASE
)

NOBODY_ASKED = Answer(
    "No question is open here: it was answered already, or nobody answered it within 7 days.",
    is_refusal=True,
)
HERE = Answer("I'm here. Mention me with `help` for what I can do, or `list` for what I know.")
WELCOME = Answer("You're welcome.")
ALL_RIGHT = Answer("All right; I changed nothing.")


def small_talk(said: str) -> Answer | None:
    """The answer to `said`, the words behind the mention; None when they want more than that.

    An answer to a question of ours comes here only when none is open in the thread.
    """
    if len(said) > _MAX_CHARACTERS:
        return None
    if _CHOICE.fullmatch(said):
        return NOBODY_ASKED
    if not any(c.isalnum() for c in re.sub(_SMILEY, "", said)):
        return ALL_RIGHT if said.strip(" \n\t.,:;!?…-") else HERE
    if not _POLITE.fullmatch(said.replace("’", "'")):
        return None
    if _THANKED.search(said):
        return WELCOME
    return HERE if _GREETED.search(said) else ALL_RIGHT
