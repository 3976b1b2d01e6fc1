"""English words that every grammar shares. Letters: m must, b be, n not; "" changes nothing."""

from __future__ import annotations

BASE: dict[str, str] = {
    "": (
        "please|the|a|an|all|any|every|each|our|your|always|make sure|make sure that|ensure|"
        "ensure that|be sure|be sure that|be sure to|make sure to|remember|remember that|note|"
        "note that|important|also|strictly|that|you|we|everyone|rule|convention|hard rule|"
        "per pep 8|per pep8|as per pep 8|as per pep8|pep 8|pep8|no exceptions|without exception|"
        "this is a hard limit|from now on|remember to|thanks|thank you|new|hey|ok|okay|and please|"
        "in this project|in this repository|in this repo|in our codebase|new code|the rule is that|"
        "the rule is|our rule|our convention is that|in general we|as a rule|for readability|"
        "for better readability|to improve readability|for consistency|for clarity|"
        "to improve code readability|to keep the code readable|for maintainability|"
        "to ensure readability|to maintain readability|to aid readability|for code readability"
    ),
    "m": (
        "must|should|shall|has to|have to|need to|needs to|ought to|are to|is to|must all|will|"
        "must always|should always|shall always|are required to|is required to|must be sure to|"
        "should all|needs|is expected to|are expected to"
    ),
    "b": "be|is|are|being|stay|stays|remain|'s|is always|are always",
    "n": (
        "not|never|don't|do not|doesn't|does not|cannot|can't|can not|mustn't|must not|"
        "shouldn't|should not|shall not|may not|must never|should never|may never|won't|will not|"
        "dont|are not to|is not to|is not|are not|isn't|aren't|can never|shall never|do not ever|"
        "don't ever|need not to|must not be|should not be|shouldn't be|must never be|may not be|"
        "should never be|shall not be|cannot be|can't be|mustn't be|not be|never be|do n't"
    ),
}

NO = (
    "don't allow|do not allow|never allow|we disallow|no|avoid|without|never have|ban|forbid|"
    "disallow|prohibit|refrain from|stay away from|avoid the"
)
"""Words that forbid what follows. Where a grammar has other uses for "no", it leaves them out."""

FORBIDDEN = (
    "is forbidden|are forbidden|is prohibited|are prohibited|is not allowed|are not allowed|"
    "not allowed|is disallowed|are disallowed|is banned|are banned|forbidden|prohibited|banned|"
    "is not permitted|are not permitted|is never allowed|are never allowed|is not ok|are not ok|"
    "is not acceptable|are not acceptable|is unacceptable|are unacceptable|will be rejected|"
    "are rejected|is off limits|are off limits|are not accepted|is not accepted|disallowed|"
    "isn't allowed|aren't allowed|must be avoided|should be avoided|must be removed|"
    "should be removed|is a no go|are a no go|are not welcome|are not okay|is not okay|"
    "must not be used|should not be used|may not be used|must never be used|should never be used|"
    "shouldn't be used|cannot be used|can't be used|is not to be used|are not to be used|"
    "must not be present|should not be present|must not be committed|should not be committed|"
    "mustn't be used|must not appear|should not appear|must not remain|do not belong here|"
    "shall not be used|need to be removed|have to be removed|needs to be removed|must go"
)

REQUIRED = (
    "is required|are required|is mandatory|are mandatory|required|mandatory|is compulsory|"
    "are compulsory|is a must|are a must|is obligatory|are obligatory"
)

LIMITS: dict[str, str] = {
    "M": "max|maximum|limit|maximum of|max of|limit of|limited to|hard limit|hard limit of|"
         "capped at|restricted to|kept to|upper limit|maximum allowed|cap|limited to a maximum of|"
         "limited to at most|max .|upper bound|ceiling",
    "E": "at most|no more than|not more than|up to|<=|≤|within|a maximum of|a max of|at maximum|"
         "not over|no greater than|no longer than|not longer than|no larger than|no deeper than|"
         "not be longer than|no bigger than|not larger than|not deeper than|not be more than|"
         "no higher than|not exceeding",
    "X": "under|below|less than|fewer than|<|shorter than|smaller than|kept under|kept below|"
         "stay under|stay below|be less than|be fewer than",
    "V": "exceed|exceeds|exceeding|go over|longer than|over|more than|above|greater than|"
         "be longer than|be more than|that exceed|that are longer than|larger than|bigger than|"
         "deeper than|with more than|be over|be larger than|be deeper than|which are longer than|"
         "go beyond|that are over|with over|be bigger than|higher than|go deeper than|>",
    "K": "keep|restrict|constrain|hold|split|limit the size of|keep the size of|"
         "limit the length of|limit the number of|keep the number of|keep the length of",
    "T": "to|at|of|in|for|on|by|as",
    "R": "or less|or fewer|or shorter|tops|or smaller|at the most",
    "S": "have|has|contain|contains|use|take|takes|accept|accepts|touch|change|modify|include|"
         "span|be made of|consist of|we have|we use|there is|exist|receive|declare|write|create|"
         "open|submit|allow|we allow|add|affect|cover|we enforce|enforce|set|define|with",
}  # fmt: skip
"""Comparisons. M maximum, E at most, X under, V exceed, K keep, T preposition, S have."""
