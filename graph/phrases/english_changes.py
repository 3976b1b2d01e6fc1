"""English phrases of correcting, withdrawing, silencing, and giving background."""

from __future__ import annotations

_END = r"(?=[\s,:;.!?–—-]|$)"
_NUMBER = (
    r"(?:\d[\d,.]*|(?!(?:a|and)\b(?! hundred| thousand))(?:(?:one|two|three|four|five|six|seven"
    r"|eight|nine|ten|twelve|fifteen|twenty"
    r"|thirty|forty|fifty|sixty|seventy|eighty|ninety|a|hundred|thousand|and)[\s-]?)+\b)"
)

CORRECT_OPENERS = (
    r"(?:correction (?:to|of) (?:what (?:i|we)|my)[^:]{0,40}(?=:)|(?:no(?=\s*[,.;:!–—-]|\s+(?:it"
    r"|that|we|the|use|make|not|actually|wait|line|max|sorry|i|in)\b)|nope|nah|actually|sorry"
    r"|correction|corrected|wait|scratch that|hmm|oops|my"
    r" (?:bad"
    r"|mistake)|on second thought|(?:i|we) (?:was wrong|were wrong|meant|misspoke|mean"
    r"|got (?:it|that) wrong|made a mistake)(?: earlier| before| there| above| yesterday| just"
    r" now)?"
    r"|to correct myself|rather"
    r"|not quite|that(?:'s| is| was) (?:wrong|not right|outdated|old|incorrect)|update|wrong"
    r"|changed? (?:my|our) minds?|we(?:'ve| have)? changed (?:our minds?|that|it|this)|new"
    r" value"
    r"|change of plans?|plot twist|small correction|typo)" + _END + r"[\s,:;.!–—-]*)+",
)

CORRECT = (
    rf"not {_NUMBER}(?: \w+)?[,;] {_NUMBER}",
    (
        rf"(?:make|set) (?:the |our )(?:\S+ ){{0,4}}?(?:length|limit|maximum|max|width)(?: to be)? "
        rf"{_NUMBER}"
    ),
    (
        r"we(?:'re| are)(?: now)? (?:raising|lowering|changing|bumping|increasing|moving|reducing"
        r"|relaxing) (?:the |our )?(?:\S+ ){0,6}?(?:length|limit|max(?:imum)?|width)\b"
        r"[^.]{0,40}? to "
    ),
    (
        rf"(?:it|that)(?:'s| is|’s) (?:now )?(?:actually )?{_NUMBER}(?: \w+)?(?: now| these"
        rf" days| "
        rf"from now on|,? not {_NUMBER})"
    ),
    rf"(?:make|set|let'?s make|change) (?:it|that)(?: to)?(?: be)? {_NUMBER}",
    rf"use {_NUMBER}(?: \w+)? instead\b",
    (
        rf"we(?:'re| are)(?: now)? (?:at|on|up to|down to) {_NUMBER}(?: \w+)?(?: now\b|,? (?:and"
        rf" )?not {_NUMBER})"
    ),
    rf"we(?:'re| are) (?:now |back )+(?:at|on|to|up to|down to) {_NUMBER} (?:char|col)\w*",
    (
        r"(?:the |our )?(?:\S+ ){0,4}?(?:length|limit|max(?:imum)?|minimum|width|threshold)"
        r" (?:isn'?t|is not"
        rf"|ain'?t|was) {_NUMBER}[^.;?]{{0,30}}?[,;–—-]+ ?(?:but |it'?s |now |rather |we use"
        rf" )+{_NUMBER}"
    ),
    (
        r"instead of .{1,60}?(?:, ?| )(?:we |please |let'?s )?(?:now )?(?:use|do|make it"
        r"|it'?s|go"
        r" with|prefer|allow|write|want) "
    ),
    (
        rf"(?:it|that)(?:'s| is) (?:not|no longer) {_NUMBER}[^.;]{{0,30}}?[,;]? (?:but|it'?s"
        rf"|now"
        rf"|rather) {_NUMBER}"
    ),
    rf"not {_NUMBER}(?: \w+)?,? (?:but|it'?s|rather) {_NUMBER}",
    (
        r"(?:please )?(?!make (?:it|this|that) (?:a|our|the)\b)(?:change|set|raise|lower|bump"
        r"|increase|decrease|reduce|extend|update"
        r"|move"
        r"|relax"
        r"|tighten|switch|adjust|shorten|lengthen|loosen|correct|amend|fix|modify|make) (?:up"
        r" )?(?:the "
        r"|our |that )?(?:\S+ ){0,6}?(?:length|limit|rule|convention|max(?:imum)?|minimum|width"
        r"|policy"
        r"|guideline|threshold|requirement)(?: (?:for|in|on|of|about) [^.]{1,40}?)?(?: from"
        r" [^.]{1,30}?)?"
        r" (?:to|at|down to|up to|with|be)\b"
    ),
    (
        r"(?:the |our )?(?:\S+ ){0,5}?(?:length|limit|rule|convention|max(?:imum)?|minimum"
        r"|width"
        r"|threshold|policy)(?: (?:for|in|on|of|about) [^.]{1,40}?)? (?:(?:is|are|was)"
        r" (?:now|no"
        r" longer \S+(?: \S+)?,? (?:but|it'?s|now))|has (?:been )?(?:changed|raised|lowered"
        r"|increased"
        r"|moved|been) to|changed (?:from \S+(?: \S+)? )?to|changes to|went (?:up|down) to)\b"
    ),
    (
        rf"(?:the |our )?(?:\S+ ){{0,5}}?(?:length|limit|max(?:imum)?|minimum|width"
        rf"|threshold)(?: \S+"
        rf"){{0,3}}? (?:is|should be|must be) (?:max )?{_NUMBER}(?: \w+)?(?: now\b|,? (?:and"
        rf" )?not"
        rf" {_NUMBER}| instead)"
    ),
    (
        r"(?:we|you)(?:'ve| have| just)? (?:changed|raised|lowered|increased|bumped|moved"
        r"|reduced|went|go|gone|going"
        r"|switched|extended|relaxed)(?: up| down| over)? (?:the |our |it )?(?:\S+ ){0,6}?(?:from"
        r" \S+(?: \S+)?"
        r" )?to "
    ),
)

CORRECT_WORDS = (
    (
        r"\b(?:should be|must be|is now|are now|it'?s|make it|now|instead|not \d+|rather than"
        r"|must|should|we (?:use|want|agreed|decided|prefer|do|allow|don'?t)|use|allowed|at"
        r" most"
        r"|max"
        r"|maximum|limit)\b"
    ),
)

FORGET = (
    (
        r"(?:please )?(?:disregard|ignore)(?= (?:the |our |that )?(?:\S+ ){0,3}?(?:rule|convention"
        r"|guideline|policy)\b| [CO]\d+\b) "
    ),
    (
        r"(?:you (?:can|may|should) )?(?:please )?(?:now )?(?:forget|drop|delete|remove|discard"
        r"|scrap"
        r"|retire|revoke|withdraw|un-?learn|un-?remember|erase|cancel|abandon|lift|get rid of"
        r"|kill|ditch"
        r"|disable|turn"
        r" off|take back|undo|repeal|rescind|clear|throw away|deactivate)(?: (?:about"
        r"|everything"
        r" about|(?:whatever|anything|everything|all|what) you (?:know|remember|learned|saved)(?:"
        r" about)?"
        r"|what (?:i|we) (?:just )?(?:said|told you|taught you)(?: about)?|that (?=we\b)|that "
        r"(?=there)))? "
    ),
    (
        r"(?:stop|quit|no longer|don'?t|do not|no need to) (?:enforc\w+|apply\w*|check\w*"
        r"|requir\w+"
        r"|us(?:e|ing)|follow\w*) (?=(?:the |our |rule |convention )?(?:\S+ ){0,5}(?:rule"
        r"|convention|limit"
        r"|policy|guideline|[CO]\d+)\b)"
    ),
    r"(?:stop|quit) (?:enforcing|checking|requiring|limiting) ",
)

FORGET_ABOUT = (r"(?:please )?forget\b",)

FORGET_KEPT = (
    (
        r"(?:we(?:'re| are)|the team is) (?:not|no longer) (?:doing|using|enforcing|requiring"
        r"|following|limiting"
        r"|checking|having) [^.;?]{2,60}?(?: any ?(?:more|longer)\b|(?<=no longer )\b)"
    ),
    (
        r"[^.;?]{2,60}? (?:isn'?t|is not|aren'?t|are not) (?:a |an |our |the )?(?:rules?"
        r"|conventions?"
        r"|requirements?|policy|thing)[^.;?]{0,20} any ?(?:more|longer)\b"
    ),
    (
        r"(?:we|the team) (?:don'?t|do not) (?:use|have|keep) [^.;?]{2,60}?(?:rule|convention"
        r"|policy"
        r"|guideline)\b[^.;?]{0,40}any ?(?:more|longer)\b"
    ),
    (
        r"(?:(?:as of|from) (?:now|today)(?: on)?,? )?(?:we|the team)(?: have|'ve)? no longer "
        r"(?:have (?:to|a)|limit|enforce|require|restrict|care|need|want|check|follow|insist"
        r"|mandate|cap"
        r"|forbid|ban|worry|bother|apply|mind|demand|ask|stick|do|have)\b"
    ),
    (
        r"(?:we|the team) (?:don'?t|do not|needn'?t) (?:have (?:to|a)|limit|enforce|require"
        r"|restrict"
        r"|care|need|want|check|follow|insist|mandate|cap|forbid|ban|apply|mind|do"
        r"|have)\b.{0,120}\b(?:any"
        r" ?more|any longer)\b"
    ),
    (
        r"(?:we|the team)(?:'ve| have| just)? (?:dropped|abandoned|gave up|given up|retired"
        r"|scrapped"
        r"|lifted|removed|abolished|stopped (?:enforcing|requiring|limiting|checking)) "
    ),
    (
        r"(?:the |our |rule |convention )?(?:\S+ ){0,6}?(?:rule|convention|limit|policy"
        r"|guideline"
        r"|requirement|restriction|[CO]\d+)(?: (?:for|in|on|of|about) [^.]{1,40}?)? (?:(?:is"
        r"|are) "
        r"(?:now )?(?:obsolete|gone|void|outdated|no longer (?:valid|needed|relevant|true|in"
        r" force"
        r"|required|in effect)|not (?:needed|valid|relevant|required) any ?more|history|over"
        r"|dead"
        r"|off the table|cancelled|canceled|deprecated|wrong(?=[\s.!]*$))|no longer appl(?:y|ies)"
        r"|do(?:es)?(?:n'?t| not) (?:apply|hold|matter|count)(?: (?:to|for) (?:us|anyone|anything"
        r"|this repo\w*)| here)? (?:any ?more|any longer)|can (?:go|be (?:dropped|removed|deleted"
        r"|forgotten))|has been"
        r" (?:dropped"
        r"|removed|lifted|retired|withdrawn)|should (?:go|be (?:dropped|removed|deleted"
        r"|forgotten)))\b"
    ),
    (
        r"(?:there(?:'s| is) no (?:longer )?(?:a )?|no more )(?:\S+ ){0,4}(?:rule|limit"
        r"|convention"
        r"|restriction|requirement)\b(?! (?:about|that|for|on|against)\b.{20})"
    ),
    (
        r"(?:there(?:'s| is) )?(?:no need to|don'?t|do not|you (?:don'?t|needn'?t)(?: have to|"
        r" need to)?) (?:enforce"
        r"|check|limit|require|restrict|apply|follow|mind) [^.;]{2,80} any ?(?:more|longer)\b"
    ),
    (
        r"there(?:'s| is| are) (?:no|not a) [^.;]{0,60}?(?:limits?|rules?|restrictions?"
        r"|requirements?|conventions?)\b"
        r"[^.;]{0,60}any ?(?:more|longer)\b"
    ),
    (
        r"(?:line length|\S+(?: \S+){0,4}) (?:is|are) no longer (?:limited|enforced|required"
        r"|restricted|mandatory|forbidden|banned|checked)\b"
    ),
)

FORGET_NOUNS = (
    (
        r"\b(?:rules?|conventions?|limit(?:ation)?s?|polic(?:y|ies)|guidelines?|requirements?"
        r"|restrictions?"
        r"|agreements?|(?:things?|stuff|bit|part|one)(?= (?:about|on|with)\b)|what (?:i|we)"
        r" (?:just )?(?:said|told|taught)|the one about|[CO]\d+"
        r"|constraint)\b"
    ),
)

IGNORE = (
    r"[^.,;?]{2,60}? (?:don'?t|do not|doesn'?t|does not|needn'?t) need (?:a |any |to be )?review",
    (
        r"(?:please )?(?:ignore|skip|suppress|silence|mute|hide|disregard|overlook) (?:all "
        r"|any "
        r"|the "
        r"|your )*(?:findings?|comments?|warnings?|issues|nits?|nitpicks?|complaints?"
        r"|violations?|remarks?"
        r"|reports?|suggestions?|problems|errors|\w+ (?:findings?|warnings?|comments?|nits?"
        r"|violations"
        r"|issues)) (?:about|on|for|of|regarding|in|related|concerning|that|from|under)\b"
    ),
    (
        r"(?:please )?(?:don'?t|do not|never|stop|no need to|you (?:don'?t|needn'?t) (?:have"
        r"|need) to"
        r"|quit|avoid|refrain from) (?:ever )?(?:report|flag|comment|mention|complain|rais"
        r"|warn|nag"
        r"|bother|nitpick|point|bug|pester|suggest|remark|annotat|highlight)\w* (?:on |about"
        r" |us"
        r" |me "
        r"|out |people |anyone |at )*(?!(?:this|that|it|these|those|here|line \d)\b)\S"
    ),
    (
        r"(?:enough (?:with|of)|spare us|no more of|stop with|quit with|go easy on|drop) (?:all "
        r"|the |your |those |these )*(?:findings?|comments?|warnings?|nits?|nitpick\w*|complaints?"
        r"|remarks?|noise|nagging) (?:about|on|for|regarding) (?!(?:this|that|it)\b)\S"
    ),
    (
        r"no (?:more )?(?:findings?|comments?|warnings?|nits?|nitpick\w*|complaints?|remarks?)"
        r" (?:about"
        r"|on|for|regarding) (?!(?:this|that|it)\b)\S"
    ),
    (
        r"(?:please )?(?:ignore|skip|exclude|leave out|disregard|don'?t (?:review|look at|check"
        r"|touch|read"
        r"|analy[sz]e)|do not (?:review|look at|check|read)|never (?:review|check)) (?!(?:this"
        r"|that|these"
        r"|those|it|my|me|him|her|the (?:last|previous|above|failing|red"
        r"|comment))\b)[^.,;]{0,70}?(?:\b(?:folder"
        r"s?|director(?:y|ies)|files|paths?|generated|vendored|migrations|fixtures|snapshots"
        r"|lock ?files?"
        r"|dependabot|renovate)\b|\S*/|\*)"
    ),
    (
        r"(?:please )?ignore (?!(?:this|that|these|those|it|my|me|him|her|the (?:last|previous"
        r"|above"
        r"|failing|red|comment))\b)[^.,;]{2,60} (?:in|under|inside|within|for) [^.,;]*(?:tests?"
        r"|scripts?"
        r"|docs|examples|migrations|code|\S*/)"
    ),
)

CONTEXT = (
    (
        r"(?:just )?(?:for|some|as|a bit of|little|more|additional)?\s*(?:context|background(?:"
        r" info"
        r"(?:rmation)?)?)\s*[:,–—-]+"
    ),
    r"for (?:context|background|your information|what it'?s worth)" + _END,
    r"(?:just )?(?:fyi|f\.y\.i\.?)" + _END,
    r"(?:just )?(?:so (?:that )?you know|good to know|you should know(?: that)?)" + _END,
)

CONTEXT_SUBJECTS = (
    (
        r"(?:we|our|us|(?:this|the|that) (?:repo(?:sitory)?|service|project|codebase"
        r"|app(?:lication)?"
        r"|module|package|library|api|team|backend|frontend|system|monolith|platform|product"
        r"|company"
        r"|database|cluster|worker|queue|code|directory|folder|\S+ (?:service|module|package"
        r"|folder"
        r"|directory|team|layer|table|app|api|library))|all (?:of )?our|everything|every \S+"
        r"|`|\S+/"
        r"|production|prod\b|staging|in (?:this|our) |python|node|java|most of)"
    ),
)
