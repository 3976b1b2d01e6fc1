"""Words that tell, where a rule might be read, that none is meant. Pure patterns."""

from __future__ import annotations

import re

ONE_CASE = re.compile(
    r"\b(?:this|that|these|those|today|tonight|tomorrow|asap|right now|line \d+|(?:try|look|check"
    r"|run it|review|retry) again|(?:the|your)"
    r" (?:pr|mr|pull"
    r" request|branch|build|comment|typo)(?! (?:description|title|template|body|author|name|text"
    r"|message)s?\b)|est[ea]|esse|essa|diese[rsmn]?|heute|hoy|hoje|(?:here"
    r"|this)"
    r"(?= [a-z]))\b",
    re.IGNORECASE,
)

TELLS = re.compile(
    r"(?:i(?= )|to ?do|fixme|the|this|that|his|her|my|your|their|lesson|finding|issue|bug"
    r"|problem)\b",
    re.IGNORECASE,
)
"""Begins what tells of something: "the leak: we never free the buffer"."""

ONLY_WHEN = re.compile(
    r"(?:(?:for|in) (?:the |all )?(?:next|future|later|other)\b[\w ]{0,20}|from now on|please"
    r"|too|as well"
    r"|everyone|always|forever|next time|in (?:the )?future|going forward|for later|rule|one"
    r"|[\s.!,])+",
    re.IGNORECASE,
)

ABOUT_PEOPLE = re.compile(
    r"(?:i'?m|i am|i'?ll|i will|i was|i'?ve|i have|you'?re|you are|you(?! (?:must|should|shall"
    r"|may|can|need|have|always|never|don'?t|do not|all|cannot|can't)\b)|he'?s|she'?s|he|she"
    r"|(?:nobody|no ?one|everyone|everybody) (?:knows?|knew|cares?|cared|understands?|noticed|saw"
    r"|sees|likes?|agrees|complained)\b"
    r"|i(?!(?:'d| would)? (?:want|expect|like)(?! to\b)))\b"
    r"|(?:the|an?|our|it) (?:root )?(?:bug|issue|problem|error|crash|outage|incident|failure|fix"
    r"|cause|culprit)"
    r" (?:was|is|were)\b"
    r"|(?-i:[A-Z][a-z]{2,11}) (?:takes?|will|handles?|is going|does|owns?|presents?|joins?|leads?"
    r"|stays?)\b",
    re.IGNORECASE,
)

OPINION = re.compile(
    r"(?:(?:so|too|very|really|a bit|quite|still|not) )*(?:un)?(?:clear|broken|wrong|fine|good"
    r"|bad|silly"
    r"|confusing|annoying|strange|weird|missing|great|stupid|outdated|nice|helpful|useless)"
    r"(?=\s*(?:$|[,.;!?])|\s(?:to me|to us|for (?:me|us)|because|and|in my|anyway|but)\b)",
    re.IGNORECASE,
)
"""What is said of a rule: "the convention is unclear"."""

HERE = re.compile(
    r"\b(?:here|this (?:line|function|file|one|case|test|method|class|loop)|line \d+)\b", re.I
)

JEST = re.compile(
    r"^(?:hydrate|breathe|smile|drink|have fun|be kind|touch grass)\b|\b(?:always|never)(?:"
    r" ever)? (?:blame|hydrate|panic|surrender|smile|laugh|dance|sing|cry|hug"
    r"|kiss|marry|pet|eat|drink|sleep|nap|dream|brag|bring|buy|tip|thank|wear|bet|feed|gamble"
    r"|apologi[sz]e|negotiate|skip leg day|meet your heroes|look back|give up|stop|change|grow up"
    r"|be (?:closing|yourself|kind|nice|cool|brave|happy|that (?:guy|person))"
    r"|trust (?:an?|the|anyone|anybody|atoms|people|me|\w+ (?:deploys?|managers?|interns?))"
    r"|remember to (?:hydrate|drink|breathe|smile|eat|sleep))\b(?! [\w.-]*[`(_/])"
    r"|\b(?:interns?|boss|ceo|cto|coffee|espresso|beers?|whisky|wine|pizzas?|dough?nuts?|cakes?"
    r"|snacks?|tacos|bacon|ice cream|karaoke|leg day|horoscopes?|astrolog\w+|karma|mom|grandma"
    r"|girlfriend|boyfriend|wife|husband|cosmic rays?|gremlins?|murphy)\b",
    re.IGNORECASE,
)
"""What people say in fun: of blame and food, not of code. A rule that names code is none of it."""

SAID_EARLIER = re.compile(
    r"\b(?:said|told|taught|know|dije|dijimos|disse|dissemos|dit)\b", re.IGNORECASE
)
