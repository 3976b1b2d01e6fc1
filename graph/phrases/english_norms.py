"""English sentences that are rules by what they say: who must or may not do what."""

from __future__ import annotations

from graph.phrases.english_teaching import OURS

_ONE = r"(?:this|that|these|those|it|them|him|her|me|us|my|your|the)"

NORMS = (
    (
        r"(?:nothing|no (?!one\b|need\b|way\b|idea\b|more\b)[^\s,.:;?]+)(?: [^\s,.:;?]+){0,4}?"
        r" (?:may|must|should"
        r"|shall|is allowed to|are allowed to) (?!(?:have|break|change|happen|fail|crash|go wrong"
        r"|matter|take|be (?:that|this"
        r"|so|too))\b)\S"
    ),
    (
        r"(?:we|the team|our team) (?:only|exclusively|all) (?!(?:just|recently|have|had|saw|need"
        r"|got|know|found"
        r"|noticed|changed|touched|added|want|wanted|agree|think|love|hope|did|do this|fixed|use"
        r" (?:this|that|it)"
        r")\b)\w+ \S"
    ),
    (
        r"(?:nobody|no ?one|no (?:developer|engineer|human|person)) (?:should|may|must|shall|is"
        r" (?:allowed"
        r"|supposed|permitted) to|gets to|ever|is ever to) (?!(?:be (?:able|surprised|blamed|sad)"
        r"|have to"
        r"|care|know|see|notice|mind|panic|worry|feel|complain|wonder|expect)\b)\S"
    ),
    (
        r"(?:please )?(?:make sure|ensure|see to it)(?: that)? (?:nobody|no ?one|everyone"
        r"|everybody|we"
        r" (?:always|never|don'?t)|all of us) \S"
    ),
    (
        r"(?:please )?(?:don'?t|do not|never) (?:let|allow) (?:anyone|anybody|people|someone"
        r"|somebody|us|devs"
        r"|developers|any) \S"
    ),
    (
        r"(?:everyone|everybody|(?:every|each|all|any) (?!(?:the|of|these|those)\b)(?:[^\s,.:;?]+"
        r" ){1,3}?)\s?(?:must|has to"
        r"|have to|needs?"
        r" to|shall|is required to|are required to|is to|are to)(?: not)? (?!have \w+(?:ed|en)\b"
        r"|be (?:(?:really|very|so"
        r"|quite) )?(?:tired|down|broken|wrong|green|passing|kidding|joking|flaky|happy|red"
        r"|blocked|confused"
        r"|mistaken|missing)\b"
        r"|(?:update|pull|rebase|restart|vote|leave|come (?:to|by|over|along)|read|look)\b)\S"
    ),
    (
        r"(?:we|the team|our team)(?: (?:do not|don'?t))? (?:require|forbid|prohibit|ban|disallow"
        r"|mandate"
        rf"|enforce|insist on|expect|demand|permit|tolerate|allow|accept) (?!{_ONE}\b)\S"
    ),
    (
        r"(?:we|the team|our team|i)(?:'d like|'d love| would like| wants?) (?:all|every|each|no"
        r" more|everyone"
        r"|everybody|nobody|only|max(?:imum)?|at most|at least) \S"
    ),
    (
        r"(?:we|the team|our team) (?:don'?t|do not|only|never) (?:do|use|write|merge|commit"
        r"|import|log|mock"
        rf"|nest|hardcode|swallow|push|deploy|return|throw|catch) (?!{_ONE}\b)[^.?]{{2,80}}"
        rf" (?:(?:around"
        rf" )?here|in {OURS})[\s.!]*$"
    ),
    (
        r"under no circumstances (?:should|may|must|shall|can|do|does|are|is) \S|on no account"
        r" (?:should|may"
        r"|must|can) \S"
    ),
    (
        r"(?:it(?:'s| is) )?(?:strictly |absolutely |hereby |now )*(?:forbidden|prohibited|not"
        r" allowed|not"
        r" permitted|banned|mandatory|compulsory|obligatory|not acceptable|not ok|unacceptable)"
        r" to (?!be\b)\S"
    ),
    (
        rf"(?!(?:{_ONE}|what|which|who|why|if|when|he|she|they|we|i|you|an?|access|there"
        rf"|here)\b)[^,.;:?]"
        r"{2,60}? (?:is|are) (?:strictly |now |absolutely |hereby |always )*(?:forbidden"
        r"|prohibited|banned"
        r"|mandatory|compulsory|obligatory|off[- ]limits|a must|taboo|a no-go|not allowed"
        r"|disallowed)"
        r"(?![^.?]{0,40}(?:error|exception|status))\b"
    ),
    (
        r"we(?:'re| are) (?:now |all |officially |only )*(?:on|using|doing|switching to|moving to"
        r"|standardi[sz]ing on|going with|adopting|writing|sticking (?:to|with)) (?!(?:it|this"
        r"|that|these"
        r"|those|call|vacation|holiday|track|time|hold|board|fire|leave|strike|top|our|your|my"
        r"|the|an?"
        r"|something|our way|schedule|duty|a)\b)[^.?]{2,60} (?:now|as of \w+|since (?:yesterday"
        r"|today|\w+day"
        r"|last \w+)|these days|only|everywhere)[\s.!]*$"
    ),
    (
        r"(?:please |i want you to |i'?d like you to |you (?:should|must|can) )*(?:start |also"
        r" )?(?:flag(?:ging)?"
        r"|report(?:ing)?|complain(?:ing)?(?: about| if| when)?|warn(?:ing)?(?: us| me)?(?: about"
        r"| if| when)?"
        r"|reject(?:ing)?|block(?:ing)?|call(?:ing)? out|point(?:ing)? out|shout(?:ing)?(?: at"
        r" us)?) (?:whenever"
        r"|when (?:someone|somebody|anyone|people|a|an)|if (?:someone|somebody|anyone|a|an)"
        r"|any(?: use| usage"
        r"| new| call| code| function| file| class| test| pr)?|every|each|(?:people|anyone"
        r"|anybody|someone)"
        r" who) (?!(?:issues?|problems?|bugs?|errors?|mistakes?|concerns?|findings?|of)\b)\S"
    ),
    (
        r"(?:please |can you )*stop (?!(?:do|say|ask|talk|send|tell|work|run|try|bother|spam|wast"
        r"|worr|act|be|look"
        r"|review|read|answer|reply|post|guess|mak|go|be|blam|kidd|jok|whin"
        r"|shout)\w*ing\b)\w{3,}ing"
        rf" (?!{_ONE}\b(?! main\b))\S"
    ),
)
