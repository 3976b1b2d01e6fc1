"""English ways of asking a reviewer for more than one answer: "start checking that ...".

Whoever asks for a habit teaches a rule. What is asked for once ("make sure the tests pass") is
kept out by the words of one place or moment, which every norm is looked at for.
"""

from __future__ import annotations

from graph.phrases.english_teaching import NUMBER, RULE_NOUN

_END = r"(?=[\s,:;.!?–—-]|$)"
_ANY = r"(?:`[^`\n]{1,80}`|[^.?`])"
_FILLERS = r"(?: (?:please|pls|plz|folks|everyone|all|too|somewhere|for [\w ]{1,30}))*"
_ASKED = (
    r"(?:please |pls |can you |could you |you (?:should|can|need to) |i want you to "
    r"|i need you to |we want you to |i'?d like you to |we'?d like you to )*"
)
_PEOPLE = r"(?:us|everyone|everybody|people|folks|devs|developers|the team|all of us)"
_ONCE_DONE = (
    r"(?![^.?]{0,60}\b(?:pass(?:es|ing)?|green|up[- ]to[- ]date|resolved|merged|pushed|works?"
    r"|working|still|rebased|addressed|done|fixed|correct|ok|okay)\b)"
)

TEACH = (
    (
        rf"{_ASKED}(?:also )?(?:start|begin) (?:checking|verifying|making sure|ensuring"
        r"|watching out|looking out|insisting|expecting|requiring|asking|reminding \w+) "
        r"(?:(?:for )?that\b|(?=every|each|all|any|no|new)\b)"
    ),
    (
        rf"{_ASKED}(?:also |now )+(?:check|verify|make sure|watch out|look out|expect"
        r"|insist|require) (?:for )?(?:that )?(?!(?:the|this|that|it|these|those|my|your|here|i"
        r"|line"
        r"|for|if|in|on|with|again|out)\b)"
    ),
    (
        r"(?:(?:one|another|the|a) )?(?:more )?(?:thing|something|point)(?: that| which)? (?:i|we)"
        r"(?:'d| would)? (?:want|like|love|need|expect) you to (?:catch|flag|check|watch|look"
        r" (?:for"
        r"|at|out for)|enforce|report|insist on|notice|remember|know)[^.:;?!]{0,40}:"
    ),
    (
        r"(?:please )?(?:save|keep|note|store)(?: (?:this|that|it|these))?(?: down)? for (?:the "
        r"|all |our |any )*(?:later|future|next|coming|upcoming|other)(?: \w+){0,2}\s*[:–—]+"
    ),
    (
        r"(?:please )?(?:keep|bear|have) (?:this|that|it|these|the following)(?: one| thing"
        rf"| rule)? in mind{_FILLERS}\s*[:–—]+"
    ),
    (
        r"(?:note|memo|reminder) to (?:self|myself) and (?:to )?(?:you|the bot|everyone|all"
        r"|the team|others)\s*[:,–—-]+"
    ),
    (
        r"(?:please )?(?:put|note|mark|write|save|log|record|file|take|treat|add|keep)(?: (?:this"
        r"|that|it))?(?: down)? as (?:a |an |our |the |another |one more )*(?:new |team |hard "
        rf"|house |general )*{RULE_NOUN}(?: that\b|\s*[:,–—-])"
    ),
    r"as (?:a|an) (?:general|hard|basic|strict|absolute|house|team) (?:rule|policy)(?: of thumb)?"
    + _END,
    r"(?:going|moving|goin) (?:fwd|forw\w*)" + _END,
    (
        r"(?:please )?(?:hold|keep) (?:people|everyone|everybody|us|folks|devs|the team|me) to"
        r" (?:that|this|it)(?: (?:please|from now on|everywhere))*[\s.!]*$"
    ),
    r"(?:please |pls |do )*(?:enforce|remember|note|save|memori[sz]e)[\s.!]*$",
    (
        r"(?:and )?(?:that|this)(?:'s| is) (?:how|what|the way) (?:we|it)(?:'ll| will| want to|'re"
        r" going to|'s)? (?:do|does|did|done|handle|write|want|like|have|keep)(?: (?:it|this|that"
        r"|things|them))?(?: (?:here|now|everywhere|always|please|too))*[\s.!]*$"
    ),
    (
        r"(?:and )?(?:that|this|it) (?:holds|applies|goes|counts|stands|is valid|stays)"
        r"(?: (?:for everyone|everywhere|always|now|here))*[\s.!]*$"
    ),
)

TEACH_WEAK = (
    (
        r"(?:fyi|news|update|word|message|note|heads[ -]up)?(?:,? ?straight)? ?from (?:the |our "
        r"|an? )?"
        r"(?:[\w-]+ ){0,3}?(?:guild|team|meeting|sync|retro|folks|leads?|council|board|committee"
        r"|offsite|stand-?up|group)(?: (?:meeting|today|yesterday))?\s*:"
    ),
    (
        r"[^.:;?!`\"]{0,60}\b(?:outcome|result|conclusion|consensus|verdict|upshot|takeaway"
        r"|agreement|decision|resolution)(?: of (?:the |that |our )?\w+(?: \w+)?)? (?:is|was)"
        r"(?: that\b|\s*:)"
    ),
    (
        r"[^.:;?!`\"]{0,60}\bended up with\s*:\s*(?=(?:we|no|never|always|all|every|each|only|use"
        r"|prefer|avoid|one|two|max)\b)"
    ),
    (
        r"[^.:;?!`\"]{0,60}\b(?:settled|agreed|landed|came out|converged)"
        r" (?:with|on|at)(?: (?:this|the following))?\s*:"
    ),
    (
        r"(?:as )?per (?:the |our )?(?:security|infosec|appsec|legal|compliance|privacy|infra"
        r"|platform|ops|devops|sre|qa|data|design|architecture|arch)(?: (?:team|folks|guild"
        r"|people|review|policy|guidelines?))?\s*[:,](?=[^.?]{0,80}\b(?:must|never|always|should"
        r"|only|may not|has to|have to|needs? to|don't|avoid|use|no)\b)"
    ),
    (
        r"in case (?:nobody|no ?one|someone|anyone|anybody|it|you|i)(?: \w+(?:'t)?){1,4}(?: yet"
        r"| already| before)?\s*[:,–—]+"
    ),
)

TEACH_HEADINGS = (
    (
        r"[^.:;?!]{0,60}\b(?:things?|points?|stuff|items?|ones?|rules?|conventions?|decisions?"
        r"|notes?|takeaways?|outcomes?)\b(?: that)?(?: (?:we|the team)(?:'ve| have| all| just"
        r"| finally| both)* (?:agreed|decided|settled|landed|want|wanted|care|follow|expect"
        r"|discussed|came up with)| from (?:the |our |today'?s |yesterday'?s )*(?:retro\w*"
        r"|meeting|sync|stand-?up|planning|offsite|guild|discussion|review meeting))"
        r"[^.:;?!]{0,40}\s*:\s*$"
    ),
)

NORMS = (
    (
        rf"(?:if|when(?:ever)?|as soon as|every time) (?!(?:i|you|it|that|this)\b){_ANY}{{5,80}}?,"
        r" (?:then )?(?:please )?(?:complain|flag|warn|shout|reject|report|say (?:so|something)"
        r"|tell us|let us know|speak up|raise)(?: (?:it|that|them|about it|loudly|us|the author))*"
        r"[\s.!]*$"
    ),
    (
        r"we(?:'re| are) (?:now |all |finally |officially )*(?:standardi[sz]ing on|banning"
        r"|deprecating|dropping support for|adopting|phasing out|moving away from|getting rid of)"
        r" (?!(?:this|that|it|the|my|your|these|those|an?)\b)\S"
    ),
    (
        r"(?:please |pls )*(?:make sure|ensure|see to it)(?: that)? (?:every|each|any|no|nothing"
        rf"|new|all (?:new|public|exported|external|outgoing|incoming|user)) {_ONCE_DONE}\S"
    ),
    (
        r"(?:please |pls )*(?:don'?t|do not|never) (?:let|allow) (?!(?:this|that|it|me|them|him"
        rf"|her|the (?:bot|build|tests?))\b){_ANY}{{2,60}}? (?:slip|get|creep|sneak|leak|pass"
        r"|through"
        r"|go|in|into|by|past|happen|land)\b"
    ),
    (
        rf"(?:please |pls )*(?:treat|consider|regard|count|handle|flag|report) {_ANY}{{3,80}} as"
        r" (?:an?"
        r" )?(?:must[- ]fix\w*|blockers?|blocking|errors?|bugs?|critical|high(?: severity)?"
        r"|showstoppers?|mandatory|violations?|warnings?|nits?)\b"
    ),
    (
        r"(?:who(?:so)?ever|(?:anyone|anybody|everyone|everybody|those|people|devs) who|(?:if"
        r"|when(?:ever)?|any ?time|every time) (?:you|someone|somebody|anyone|people|we) (?:add"
        r"|change|touch|write|introduce|create|remove|rename|modify|bump|deprecate|edit|update)s?)"
        rf"\b{_ANY}{{3,80}}? (?:must|has to|have to|needs? to|should|shall|is required to)"
        r" (?!(?:see"
        r"|be able|get|find|notice|probably)\b)\S"
    ),
    (
        r"(?:in|inside|under|within|outside) (?!(?:general|fact|theory|practice|case|my|order"
        r"|short|the meantime|production|prod|staging|ci|local|dev|this|that|addition|total)\b)"
        r"(?:[^\s,.:;?]+ ){1,4}?(?:we|you|nobody|no ?one) (?:(?:always|never|only) (?!(?:had|saw"
        r"|got"
        r"|have had|found|noticed|knew|hit)\b|(?!need|feed|exceed|seed|embed)\w+ed\b)"
        r"|(?:don'?t|do not|must|may not|must not) (?!(?:see|know|think|want|care|get|remember"
        r"|believe|seem|like|understand|have)\b))\S"
    ),
    (
        r"it(?:'s| is) (?:no longer|not|never|always) (?:ok|okay|allowed|acceptable|fine|cool"
        r"|permitted) to (?!(?:be|say|ask|complain)\b)\S"
    ),
    (
        rf"(?:i|we|the team)(?:'d| would)? (?:want|like|love|prefer|need|expect)s? {_PEOPLE} to"
        r" (?!(?:discuss|talk|meet|decide|think|consider|try|look|revisit|move|ship|merge|release"
        r"|wait|vote|read|review|know|see|agree|join|help|relax|be)\b)\S"
    ),
)

_FINE = r"(?:ok|okay|fine|allowed|acceptable|permitted|good|cool|alright)"

LINE_LIMITS = (
    (
        r"(?:we |the team |our |all |the )?(?:(?:allow|accept|permit|tolerate|use|have)s? )?lines?"
        r" (?:of |with |that are |(?:can|may|could) (?:now )?(?:be|have|go|run|get) )*(?:up to"
        rf"|at most|no more than|max(?:imum)?|as long as|no longer than) {NUMBER}\b"
    ),
    (
        rf"up to {NUMBER}(?: (?:char|col)\w*)(?: (?:per|a|in a) line)? (?:is|are) (?:now |still "
        rf"|perfectly )?{_FINE}\b"
    ),
)
"""A limit said as a permission. How long a line may be is nothing that concerns one place."""
