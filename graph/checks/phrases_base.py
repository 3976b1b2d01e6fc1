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
        "the rule is|our rule|our convention is that|in general we|as a rule"
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
