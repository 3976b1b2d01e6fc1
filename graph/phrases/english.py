"""English phrases of teaching, correcting and withdrawing."""

from __future__ import annotations

from graph.phrases.table import Phrases

_END = r"(?=[\s,:;.!?–—-]|$)"
_NUMBER = (
    r"(?:\d[\d,.]*|(?:(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty"
    r"|thirty|forty|fifty|sixty|seventy|eighty|ninety|a|hundred|thousand|and)[\s-]?)+\b)"
)
_RULE_NOUN = (
    r"(?:rules?|conventions?|guidelines?|polic(?:y|ies)|standards?|practices?|agreements?"
    r"|requirements?|principles?)"
)
_REMEMBER = r"(?:remember|memori[sz]e)"
_NOT_VERB_AFTER_ALWAYS = (
    r"(?!(?:happy|glad|good|nice|great|fun|welcome|here|there|so|be(?:en)? (?:a|so|nice|kind|happy|cool)|been|was"
    r"|were|had|has|thought|wonder\w*|love|like|hate|forget|learning|something|someone|interesting"
    r"|amazing|wrong|right|appreciate|grateful|impressed|thankful|open to|up for|ready|my|your|this"
    r"|that|these|those|it|me|a|an|the|one|some|more|next|mind|seen|saw|knew|know|heard|got|did|gonna"
    r"|happen\w*|work\w*|too|again|in my|gets?|fear|give up|better|said|understood|understand|would"
    r"|could|will|say never|a pleasure|broken|fails|failing|flaky|passes|confus\w+|surprised?|made"
    r"|found|went|came|gave|took|told|felt|meant|kept|ran|wrote|enough|easy|hard|possible|on (?:time"
    r"|it|call)|there|remember|funny|thanks?|delivers?|helpful)\b"
    r"|(?!need|embed|feed|exceed|proceed|seed|speed|shed)\w+ed\b)"
)

ENGLISH = Phrases(
    openers=(
        r"(?:(?:hey|hi|hello|dear)(?: (?:all|team|everyone|folks|there|guys|bot))?|ok|okay|so(?! (?:that )?you know)|also"
        r"|and|oh|btw|by the way|please|pls|plz|alright|right|great|thanks|thank you|thx|well"
        r"|one (?:more|last)(?: thing)?|another thing|(?:team|everyone|folks|guys|all)(?=\s*[,:!–—-])|first(?:ly)?"
        r"|second(?:ly)?|third(?:ly)?|finally|lastly|then|plus|additionally|furthermore|p\.?s\.?"
        r"|quick note|heads[ -]up|just(?! so)|yes|yeah|yep|sure|cool|perfect|nice|good (?:catch|point|idea"
        r"|morning|afternoon|evening)|lgtm|fair enough|hm+|ah|but|kindly|and also|oh and|next"
        r"|importantly|important|reminder|quick (?:reminder|one|question)|i think"
        r"|fyi (?:for everyone))" + _END + r"[\s,:;.!–—-]*",
        r"(?:i(?:'d| would) like (?:you )?to|i want you to|i need you to|you (?:should"
        r"|must|need to|can|may)|let'?s|let us|make sure (?:to|you|we|that you|that we)|be sure"
        r" to|try to) (?=(?:please )?(?:remember|always|never"
        r"|not ever|note|forget|drop|stop|keep in mind|ignore|save|add (?:a|the|this) (?:new )?rule"
        r"|change the|use \d|(?:change|raise|lower|bump|increase|decrease|reduce|set|make|switch|move|update) ))",
    ),
    chatter=(
        r"(?:thanks?|thank you|thx|ty|cheers|hi|hello|hey|ok|okay|great|nice|cool|awesome|perfect"
        r"|lgtm|lol|haha+|good (?:job|bot|work|morning|night)|well done|got it|sounds good|done"
        r"|sorry|my bad|welcome|yes|no|nope|yep|sure|agreed|exactly|wow|congrats|bye|\+1|ship it"
        r"|love (?:it|this)|much appreciated|you rock|brilliant)\b[^.]{0,60}$",
        r"(?:never ?mind|nvm|nevermind|forget (?:about )?it|scratch that|ignore (?:me|that|this)"
        r"|please ignore)\b[\s.!]*(?:$|i\b|it\b|that\b|my\b|sorry)",
        r"never ?mind\b|nvm\b",
    ),
    refusals=(
        r"(?:please )?(?:don'?t|do not|no need to|you (?:don'?t|do not) (?:have|need) to"
        r"|needn'?t|never|not) (?:bother to |have to |need to )?(?:remember|save|store|memori[sz]e"
        r"|record|learn|keep|note)\b(?!\w)(?= (?:this|that|it|these|those|anything|what|the "
        r"(?:above|following|rule)|my|me|any of)|[\s.!:,]*$|:)",
        r"(?:this|that|it)(?:'s| is| was) (?:not|no|only|just) (?:a )?(?:new )?(?:rule|convention"
        r"|joke|an example)",
        r"(?:i'?m |i am |just )?(?:joking|kidding|just kidding)\b",
    ),
    lookalikes=(
        r"remember (?:when|how|who|what|why|where|whether|if|me\b|us\b|him|her|them|last|yesterday"
        r"|th(?:is|ese)\b(?! (?:rule|convention|for|please|one)|\s*[:,–—-])|those|the (?:time|day|days"
        r"|old|good|milk|last|previous|alamo|titans)|that (?:time|day|one|bug|pr\b|guy|thread|meeting"
        r"|incident|outage|discussion|conversation|we (?:talked|discussed|spoke|had (?:a|an) "
        r"(?:outage|incident|meeting)))|our (?:discussion|chat|talk|meeting|conversation)|your )",
        r"remember to (?:rebase|merge|push|ping|tell|ask|reply|answer|close|reopen|call|breathe"
        r"|smile|drink|eat|sleep|have fun|retest|re-?run|re-?request|approve this|fix (?:this|that"
        r"|the|line)|update this|remove this|delete this|check (?:this|that|line))\b",
        r"(?:we|they|team)(?:'ve| have| just)? (?:decided|agreed|settled|chose) (?:to |not to )"
        r"(?:merge|ship|release|postpone|wait|close|revert|skip|go (?:for|out|home|ahead)|leave"
        r"|do (?:it|this)|split this|move (?:this|on)|keep this|hold|meet|have (?:lunch|a )|take"
        r"|delay|cancel|disagree|meet|talk|discuss|start|drop this|fix this|not )\b",
        r"(?:rules?|conventions?|policy) (?:engine|file|set|id)\b",
    ),
    teach=(
        rf"(?:(?:can|could|would|will) you )?(?:please )?(?:always |also )?{_REMEMBER}(?: (?:please"
        r"|this|that|the following|to|also|for (?:next time|later|the (?:future|next time)|future"
        rf" (?:reviews?|prs?|pull requests?))|this {_RULE_NOUN}|from now on|going forward|it|as a"
        rf" {_RULE_NOUN}|one (?:thing|rule)|two (?:things|rules)|forever|well)){{0,3}}" + _END,
        r"(?:please )?(?:save|store|record|learn|take|make|keep|add|write down|note|register|adopt) "
        rf"(?:a |the |this |that |as )*(?:following )?(?:a |new |team |another )*(?:{_RULE_NOUN}"
        r"|note|memory|lesson)(?: (?:for (?:the future|next time|us|later|this repo(?:sitory)?)|to"
        r" memory|of this|please|that|to))*(?:\s*[:,–—-]| (?=\S))",
        r"(?:please )?(?:save|store|learn|add) (?:this|that|it)?(?: to (?:your |the |our )?(?:memory"
        r"|conventions|rules|list|team rules)| for (?:later|the future))?\s*:",
        r"(?:please )?(?:save|keep|note)(?: down)? (?:this|that|it) (?:for|in) \w+(?: \w+)?\s*[:,–—-]",
        r"(?:please )?note down(?: that)?" + _END,
        rf"(?:a |the |our |new |team |another )*{_RULE_NOUN} (?:from now on|going forward|for everyone|effective \w+)"
        + _END,
        r"(?:please )?(?:add|save) to (?:your |the |our )?(?:memory|conventions|rules)\b",
        r"(?:from|form|fom|starting|beginning|effective) (?:now|here|today|this (?:day|point|week)|tomorrow"
        r"|monday|immediately|right now|next (?:week|sprint))(?: on(?:wards?)?| forward| out| on"
        r" out)?" + _END,
        r"(?:as of|effective) (?:now|today|this week|immediately)" + _END,
        r"(?:going|moving) (?:forward|forwards|foward)" + _END,
        r"(?:henceforth|hereafter|in (?:the )?future|for (?:the|all) future(?! (?:prs?|pull|reviews|changes|code|work)\b)|for future reference"
        r"|for (?:all )?future (?:prs?|pull requests|reviews|changes|code|work)|for next time"
        r"|next time|in (?:all )?future (?:reviews|prs|pull requests)|for the record"
        r"|note for (?:the future|later|future (?:reviews|prs))|note to (?:the )?(?:bot|reviewers?"
        r"|team|everyone)|lessons? learned|for new code)" + _END,
        rf"(?:(?:here(?:'s| is| are| comes)|this is|that(?:'s| is)|we have|there(?:'s| is)|let(?:'s| "
        r"us) (?:have|make (?:it|this)|set|add|adopt)|make (?:it|this|that)|i have|consider this"
        rf"|treat this as|small|quick|one|two|three|some|a (?:few|couple of)) )?(?:(?:a|an|the|our|one"
        r"|two|three|another|as|of|few|some|new|additional|important|simple|small|general|hard|team(?:'s)?|house"
        r"|project(?:'s)?|repo|repository|company(?:'s)?|code|coding|style|formatting|naming|logging|testing|error"
        r"|security|api|db|database|sql|import|git|commit|branch|review|documentation|docs|python|go"
        rf"|typescript|js|java|rust|backend|frontend|updated?) )*{_RULE_NOUN}(?: (?:of thumb|\#?\d+|for"
        r" (?:the )?(?:team|future|everyone|all|us|this repo(?:sitory)?|the (?:repo|project|codebase"
        r"|backend|frontend))|here|from now on|number \w+|effective|today|tomorrow|as of|now|monday|immediately|starting|to (?:remember|follow|add)|going forward"
        r"|in this (?:repo|project|team|codebase)))*(?:\s*[:–—=]\s*|\s+-+\s+|,\s+| (?:is|are)(?: now| "
        r"simple| that| to| the following)*(?:\s*[:,–—-]| )| (?:that|to) )",
        r"(?:as a rule|rule of thumb|by convention|as a (?:team|convention|policy)"
        r"|per (?:our|team) (?:policy|convention|agreement))" + _END,
        r"(?:(?:after|during|following|at|in|since|per|on) (?:\S+ ){1,5}?,?\s?)?"
        r"(?:today |yesterday |in (?:the|our|today'?s|yesterday'?s) (?:retro|meeting|standup|sync"
        r"|planning)(?:spective)?,? )?(?:we|(?:the |our )?team|as a team,? we|everyone|all of us)"
        r"(?:'ve| have| all| just| finally| also| both| now)* (?:decided|agreed|settled|concluded"
        r"|resolved|aligned|voted|committed)(?: (?:today|yesterday|together|in (?:the )?(?:retro"
        r"|meeting|standup|sync|planning)|at (?:the )?(?:retro|meeting|standup|sync|planning)|as a"
        r" team|last week|unanimously))*(?: (?:that|on (?!not)|to|upon|for)\b)?(?! against)[:,]?"
        r"(?! (?:yet|already|before)\b)",
        r"(?:it (?:was|has been|is) (?:decided|agreed)(?: that)?|(?:decision|decided|agreed|agreement"
        r"|consensus|outcome of the \w+|team decision|resolution)\s*(?:[:–—]|- |is that)"
        r"|the (?:decision|consensus|agreement) is(?: that| to)?)",
        r"(?:the |our |team |new |final |a )*(?:decisions?|agreements?|consensus|outcome|conclusion|verdict"
        r"|takeaway|learning|action item)(?: \w+){0,5}\s*[:–—]",
        r"(?:\S+ ){0,4}(?:decided|agreed)\s*:",
        r"(?:don'?t|do not|never) forget(?: (?:that|this)\b|\s*:)",
        r"(?:you (?:should|must) (?:know|learn) that|learn that|take note(?: that)?|noted? for"
        r" (?:the )?future|write (?:this|that) down|mark my words)" + _END,
    ),
    teach_weak=(
        r"(?:please )?(?:note|keep in mind|bear in mind|be aware|mind|be advised)(?: please)?"
        r"(?: that)?\s*[:,]?" + _END,
        r"(?:please )?(?:don'?t|do not) forget to\b",
        r"(?:in this|for this|in our) (?:repo(?:sitory)?|project|codebase|team|company|code ?base)\s*"
        r"[,:]",
        r"(?:reminder|important|attention|psa|heads[ -]up|team|everyone)\s*[:!]",
        r"let(?:'s| us) (?:agree|all agree|decide|settle)(?: (?:that|on|to))?\b",
        r"(?:our|the) (?:style ?guide|coding style|team policy) (?:says|is|requires)(?: that| to)?\b",
    ),
    teach_headings=(
        r"(?:please )?(?:remember|save|add|note|learn)?\s*(?:the following|these|our|the|a few|some"
        r"|my|team|new|here are|here'?s|couple of|two|three|four|five|several|more|all|coding|code"
        r"|project|house|for this repo|\s)*(?:rules|conventions|guidelines|things|points|standards"
        r"|practices|decisions|agreements|notes)?(?: (?:for|in|of|we|from|to|on|the|this|our|my|repo"
        r"|repository|project|team|agreed|follow|use|have|decided|remember|today|meeting|retro|everyone"
        r"|all|please|upon|\w+ team))*\s*[:：–—-]\s*$",
        r"(?:please )?(?:remember|note|save|learn) (?:these|the following|two|three|four|five|a few|some|several"
        r"|my|our)(?: \w+)? (?:things|rules|conventions|points|guidelines)(?: please)?\s*[.:!]?\s*$",
        r"(?:remember|please remember|from now on|going forward|we (?:decided|agreed)(?: on)?"
        r"(?: the following)?|new rules?|in future)(?: (?:the following|these|this|that|please))*"
        r"\s*[:：,–—-]?\s*$",
    ),
    teach_kept=(
        rf"(?:always|never|don'?t ever|do not ever) {_NOT_VERB_AFTER_ALWAYS}\S",
        r"(?:we|our team|the team|our (?:code|tests|apis?|services?)|everyone|everybody|nobody"
        rf"|all (?:\S+ ){{1,3}})(?:should |must |will |shall )?(?:always|never) {_NOT_VERB_AFTER_ALWAYS}\S",
        r"(?!(?:i|you|he|she|they|it|this|that|these|if|why|should|maybe|perhaps|i'?m|i'?ve)\b)(?:[^\s,.:;]+ )"
        r"{1,6}?(?:must|should|shall|may|can|has to|have to|needs? to) (?:always|never) \S",
        r"(?:when(?:ever)?|for|in|on|before|after|inside|within|under|outside|if) [^,.;:]{2,80}, (?:please "
        rf"|we |you (?:must |should ))?(?:always|never|do not ever|don'?t ever) {_NOT_VERB_AFTER_ALWAYS}\S",
        rf"(?:the |our )?(?:max(?:imum)? |allowed )*line (?:length|width)(?: limit)?(?: in \S+)?\s*"
        rf"(?:is|=|:|should be|must be) (?:max |at most |limited to |set to )?{_NUMBER}",
        r"(?:we|the team) (?:have |'ve |just )*decided against \S",
    ),
    teach_after=(
        r"[\s,;.!–—-]+(?:and |so )?(?:(?:please|pls|can you|could you) )?remember(?: (?:this|that|it"
        r"|please|for (?:next time|the future|later|future (?:reviews|prs))))*\??",
        r"[\s,;–—-]+(?:starting |effective )?(?:from (?:now|here|today)(?: on out| on(?:wards?)?| forward)?"
        r"|going forward|moving forward|in (?:the )?future|henceforth|as of (?:now|today)"
        r"|for (?:all )?future (?:prs?|pull requests|reviews)|starting (?:today|now|next (?:week"
        r"|sprint))|effective immediately|next time|for next time|in future (?:prs|reviews))",
        r"[\s,;.–—-]+(?:please )?(?:make|consider) (?:that|it|this) (?:a|our|the|as a) (?:new |team )?"
        rf"{_RULE_NOUN}",
        rf"[\s,;.–—-]+(?:that'?s|that is|this is|it'?s) (?:a|our|the) (?:new |team |house )*{_RULE_NOUN}"
        r"(?: now| here| from now on)*",
        r"[\s,;.–—-]+(?:please )?(?:save|note|keep) (?:that|this|it)(?: (?:for later|down|please|in"
        r" mind|as a (?:rule|convention)))*",
        r"[\s,;.–—-]+(?:please )?(?:don'?t|do not|never) forget(?: (?:that|this|it))?",
    ),
    courtesies=(
        r"[\s,;.!–—-]*[\s,;.!–—(](?:please|pls|plz|thanks|thank you|thx|ty|cheers|ok(?:ay)?\??|alright\??"
        r"|right\?|got it\?|deal\?|will you\?|thanks a lot|thank you very much|many thanks"
        r"|thanks in advance|kthxbye|:\w+:|:\)|;\)|[\U0001F300-\U0001FAFF\u2600-\u27BF\uFE0F]+"
        r"|(?:can|could) you do that\?|if (?:you can|possible))",
    ),
    correct_openers=(
        r"(?:(?:no|nope|nah|actually|sorry|correction|corrected|wait|scratch that|hmm|oops|my (?:bad"
        r"|mistake)|on second thought|i (?:was wrong|meant|misspoke|mean)|to correct myself|rather"
        r"|not quite|that(?:'s| is| was) (?:wrong|not right|outdated|old|incorrect)|update|wrong"
        r"|changed? (?:my|our) minds?|we(?:'ve| have)? changed (?:our minds?|that|it|this)|new value"
        r"|change of plans?|plot twist|small correction|typo)" + _END + r"[\s,:;.!–—-]*)+",
    ),
    correct=(
        rf"(?:it|that)(?:'s| is|’s) (?:now )?(?:actually )?{_NUMBER}(?: \w+)?(?: now| these days| "
        rf"from now on|,? not {_NUMBER})",
        rf"(?:make|set|let'?s make|change) (?:it|that)(?: to)?(?: be)? {_NUMBER}",
        rf"use {_NUMBER}(?: \w+)? instead\b",
        r"instead of .{1,60}?(?:, ?| )(?:we |please |let'?s )?(?:now )?(?:use|do|make it|it'?s|go"
        r" with|prefer|allow|write|want) ",
        rf"(?:it|that)(?:'s| is) (?:not|no longer) {_NUMBER}[^.;]{{0,30}}?[,;]? (?:but|it'?s|now|rather) {_NUMBER}",
        rf"not {_NUMBER}(?: \w+)?,? (?:but|it'?s|rather) {_NUMBER}",
        r"(?:please )?(?:change|set|raise|lower|bump|increase|decrease|reduce|extend|update|move|relax"
        r"|tighten|switch|adjust|shorten|lengthen|loosen|correct|amend|fix|modify|make) (?:up )?(?:the "
        r"|our |that )?(?:\S+ ){0,6}?(?:length|limit|rule|convention|max(?:imum)?|minimum|width|policy"
        r"|guideline|threshold|requirement)(?: (?:for|in|on|of|about) [^.]{1,40}?)?(?: from [^.]{1,30}?)?"
        r" (?:to|at|down to|up to|with|be)\b",
        r"(?:the |our )?(?:\S+ ){0,5}?(?:length|limit|rule|convention|max(?:imum)?|minimum|width"
        r"|threshold|policy)(?: (?:for|in|on|of|about) [^.]{1,40}?)? (?:(?:is|are|was) (?:now|no"
        r" longer \S+(?: \S+)?,? (?:but|it'?s|now))|has (?:been )?(?:changed|raised|lowered|increased"
        r"|moved|been) to|changed (?:from \S+(?: \S+)? )?to|changes to|went (?:up|down) to)\b",
        rf"(?:the |our )?(?:\S+ ){{0,5}}?(?:length|limit|max(?:imum)?|minimum|width|threshold)(?: \S+"
        rf"){{0,3}}? (?:is|should be|must be) (?:max )?{_NUMBER}(?: \w+)?(?: now\b|,? (?:and )?not"
        rf" {_NUMBER}| instead)",
        rf"(?:we|you)(?:'ve| have| just)? (?:changed|raised|lowered|increased|bumped|moved|reduced"
        r"|switched|extended|relaxed) (?:the |our |it )?(?:\S+ ){0,6}?(?:from \S+(?: \S+)? )?to ",
    ),
    correct_words=(
        r"\b(?:should be|must be|is now|are now|it'?s|make it|now|instead|not \d+|rather than"
        r"|must|should|we (?:use|want|agreed|decided|prefer|do|allow|don'?t)|use|allowed|at most|max"
        r"|maximum|limit)\b",
    ),
    forget=(
        r"(?:you (?:can|may|should) )?(?:please )?(?:now )?(?:forget|drop|delete|remove|discard|scrap"
        r"|retire|revoke|withdraw|unlearn|erase|cancel|abandon|lift|get rid of|kill|ditch|disable|turn"
        r" off|take back|undo|repeal|rescind|clear|throw away|deactivate)(?: (?:about|everything about"
        r"|what (?:i|we) (?:just )?(?:said|told you|taught you)(?: about)?|that (?=we\b)|that "
        r"(?=there)))? ",
        r"(?:stop|quit|no longer|don'?t|do not|no need to) (?:enforc\w+|apply\w*|check\w*|requir\w+"
        r"|us(?:e|ing)|follow\w*) (?=(?:the |our |rule |convention )?(?:\S+ ){0,5}(?:rule|convention|limit"
        r"|policy|guideline|[CO]\d+)\b)",
        r"(?:stop|quit) (?:enforcing|checking|requiring|limiting) ",
    ),
    forget_about=(r"(?:please )?forget\b",),
    forget_kept=(
        r"(?:(?:as of|from) (?:now|today)(?: on)?,? )?(?:we|the team)(?: have|'ve)? no longer "
        r"(?:have (?:to|a)|limit|enforce|require|restrict|care|need|want|check|follow|insist|mandate|cap"
        r"|forbid|ban|worry|bother|apply|mind|demand|ask|stick|do|have)\b",
        r"(?:we|the team) (?:don'?t|do not|needn'?t) (?:have (?:to|a)|limit|enforce|require|restrict"
        r"|care|need|want|check|follow|insist|mandate|cap|forbid|ban|apply|mind|do|have)\b.{0,120}\b(?:any"
        r" ?more|any longer)\b",
        r"(?:we|the team)(?:'ve| have| just)? (?:dropped|abandoned|gave up|given up|retired|scrapped"
        r"|lifted|removed|abolished|stopped (?:enforcing|requiring|limiting|checking)) ",
        r"(?:the |our |rule |convention )?(?:\S+ ){0,6}?(?:rule|convention|limit|policy|guideline"
        r"|requirement|restriction|[CO]\d+)(?: (?:for|in|on|of|about) [^.]{1,40}?)? (?:(?:is|are) "
        r"(?:now )?(?:obsolete|gone|void|outdated|no longer (?:valid|needed|relevant|true|in force"
        r"|required|in effect)|not (?:needed|valid|relevant|required) any ?more|history|over|dead"
        r"|off the table|cancelled|canceled|deprecated|wrong)|no longer appl(?:y|ies)|does(?:n'?t| "
        r"not) apply any ?more|can (?:go|be (?:dropped|removed|deleted|forgotten))|has been (?:dropped"
        r"|removed|lifted|retired|withdrawn)|should (?:go|be (?:dropped|removed|deleted|forgotten)))\b",
        r"(?:there(?:'s| is) no (?:longer )?(?:a )?|no more )(?:\S+ ){0,4}(?:rule|limit|convention"
        r"|restriction|requirement)\b(?! (?:about|that|for|on|against)\b.{20})",
        r"(?:there(?:'s| is) )?(?:no need to|don'?t|do not|you (?:don'?t|needn'?t)(?: have to| need to)?) (?:enforce"
        r"|check|limit|require|restrict|apply|follow|mind) [^.;]{2,80} any ?(?:more|longer)\b",
        r"there(?:'s| is| are) (?:no|not a) [^.;]{0,60}?(?:limits?|rules?|restrictions?|requirements?|conventions?)\b"
        r"[^.;]{0,60}any ?(?:more|longer)\b",
        r"(?:line length|\S+(?: \S+){0,4}) (?:is|are) no longer (?:limited|enforced|required"
        r"|restricted|mandatory|forbidden|banned|checked)\b",
    ),
    forget_nouns=(
        r"\b(?:rules?|conventions?|limit(?:ation)?s?|polic(?:y|ies)|guidelines?|requirements?|restrictions?"
        r"|agreements?|what (?:i|we) (?:just )?(?:said|told|taught)|the one about|[CO]\d+|constraint)\b",
    ),
    ignore=(
        r"(?:please )?(?:ignore|skip|suppress|silence|mute|hide|disregard|overlook) (?:all |any |the "
        r"|your )*(?:findings?|comments?|warnings?|issues|nits?|nitpicks?|complaints?|violations?|remarks?"
        r"|reports?|suggestions?|problems|errors|\w+ (?:findings?|warnings?|comments?|nits?|violations"
        r"|issues)) (?:about|on|for|of|regarding|in|related|concerning|that|from|under)\b",
        r"(?:please )?(?:don'?t|do not|never|stop|no need to|you (?:don'?t|needn'?t) (?:have|need) to"
        r"|quit|avoid|refrain from) (?:ever )?(?:report|flag|comment|mention|complain|rais|warn|nag"
        r"|bother|nitpick|point|bug|pester|suggest|remark|annotat|highlight)\w* (?:on |about |us |me "
        r"|out |people |anyone |at )*(?!(?:this|that|it|these|those|here|line \d)\b)\S",
        r"no (?:more )?(?:findings?|comments?|warnings?|nits?|nitpick\w*|complaints?|remarks?) (?:about"
        r"|on|for|regarding) (?!(?:this|that|it)\b)\S",
        r"(?:please )?(?:ignore|skip|exclude|leave out|disregard|don'?t (?:review|look at|check|touch|read"
        r"|analy[sz]e)|do not (?:review|look at|check|read)|never (?:review|check)) (?!(?:this|that|these"
        r"|those|it|my|me|him|her|the (?:last|previous|above|failing|red|comment))\b)[^.,;]{0,70}?(?:\b(?:folder"
        r"s?|director(?:y|ies)|files|paths?|generated|vendored|migrations|fixtures|snapshots|lock ?files?"
        r"|dependabot|renovate)\b|\S*/|\*)",
        r"(?:please )?ignore (?!(?:this|that|these|those|it|my|me|him|her|the (?:last|previous|above"
        r"|failing|red|comment))\b)[^.,;]{2,60} (?:in|under|inside|within|for) [^.,;]*(?:tests?|scripts?"
        r"|docs|examples|migrations|code|\S*/)",
    ),
    context=(
        r"(?:just )?(?:for|some|as|a bit of|little|more|additional)?\s*(?:context|background(?: info"
        r"(?:rmation)?)?)\s*[:,–—-]+",
        r"for (?:context|background|your information|what it'?s worth)" + _END,
        r"(?:just )?(?:fyi|f\.y\.i\.?)" + _END,
        r"(?:just )?(?:so (?:that )?you know|good to know|you should know(?: that)?)" + _END,
    ),
    context_subjects=(
        r"(?:we|our|us|(?:this|the|that) (?:repo(?:sitory)?|service|project|codebase|app(?:lication)?"
        r"|module|package|library|api|team|backend|frontend|system|monolith|platform|product|company"
        r"|database|cluster|worker|queue|code|directory|folder|\S+ (?:service|module|package|folder"
        r"|directory|team|layer|table|app|api|library))|all (?:of )?our|everything|every \S+|`|\S+/"
        r"|production|prod\b|staging|in (?:this|our) |python|node|java|most of)",
    ),
    once=(
        r"\b(?:on|for|in|within|during|to|throughout) (?:just |only )?(?:this|the current|that) "
        r"(?:one )?(?:pull(?: |-)?requests?|prs?|mr|merge request|branch|review|change(?:set)?|diff|patch)"
        r"(?: only)?\b",
        r"\b(?:this once|just (?:this|for) (?:once|now|today)|only this (?:time|once)|just this (?:time|once|one)"
        r"|this (?:one )?time(?: only)?|for this one(?: only)?|here only|only here|for (?:the )?"
        r"(?:time being))\b",
        r"\bthis (?:pr|pull request|mr|branch)\b",
    ),
    once_orders=(
        r"\b(?:ignore|skip|don'?t|do not|focus|only|leave out|exclude|disregard|allow|accept|tolerate"
        r"|treat|never|always|be (?:strict|lenient|gentle|extra|brief|thorough|picky)|assume|concentrate"
        r"|pay (?:special |extra |close )?attention|stop|no (?:nits|nitpick\w*|comments|style|findings)"
        r"|line length|limit|overlook|suppress|prioriti[sz]e|emphasi[sz]e|look (?:only|mainly|especially"
        r"|closely|at)|concern yourself|mute|may be|can be|(?:is|are) (?:fine|ok|okay|allowed|acceptable)"
        r"|does not apply|doesn'?t apply|not apply|use)\b",
    ),
    instruction_withdrawals=(
        r"(?:please )?(?:stop (?:ignoring|skipping|excluding|focusing|leaving out)|(?:forget|drop|clear"
        r"|remove|cancel|withdraw|reset|lift) (?:all |the |my |our |that |your )*(?:standing |special "
        r"|extra )*instructions?|(?:forget|drop|clear|cancel) (?:everything|what) (?:i|we) (?:said|told"
        r" you|asked) (?:for|on|about|in) this (?:pr|pull request)|(?:don'?t|do not|no longer) "
        r"(?:ignore|skip|exclude) [^.]{2,60} (?:any ?more|any longer|again)|(?:no longer (?:ignore"
        r"|skip|exclude))|(?:please )?(?:look at|review|include) [^.]{2,60} (?:after all|again after"
        r" all))",
    ),
    instruction_lists=(
        r"(?:(?:list|show|print|give)(?: me)?(?: all)?(?: the| your| my| our)?|what|which|what are|any) "
        r"(?:the |your |my |our |current )*(?:standing |special |active |current )*instructions?\b",
        r"what (?:are you|did i (?:tell|ask) you to|do you) (?:ignor\w+|skip\w*)\b",
    ),
    preferences=(
        r"(?:please |always |can you |could you |i prefer (?:that you )?|i'?d prefer (?:you )?)*"
        r"(?:answer|reply|respond|speak|talk|write|comment|communicate|address me|explain(?: things)?) "
        r"(?:(?:to|with) )?(?:me |us |back |things |your (?:answers|replies|comments) |always |only )*"
        r"(?:in )?(?:simple |plain )?(?:english|chinese|mandarin|japanese|spanish|german|portuguese"
        r"|french|italian|korean|russian|polish|dutch|turkish|hindi|arabic|ukrainian|swedish|brazilian"
        r"|中文|日本語|español|deutsch|français|português)\b",
        r"(?:please |always |can you )*(?:keep (?:it|them|(?:your|the) (?:answers?|replies|comments?"
        r"|messages?|reviews?|responses?)) (?:to me )?(?:short|brief|concise|simple|to the point|crisp"
        r"|very short|shorter|polite|friendly)|be (?:more |very |a bit more )?(?:brief|briefer|concise"
        r"|short|terse|verbose|detailed|polite|friendlier|friendly|succinct)(?: (?:with|in|when|please"
        r"|to|from)\b.*)?|(?:give|send|write) me (?:short|brief|concise|long|detailed|shorter) (?:answers"
        r"|replies|comments|explanations)|(?:short|brief|shorter|longer) (?:answers|replies|comments) "
        r"(?:please|only|from now on)|no (?:emojis?|smileys|jokes|poems)|(?:don'?t|do not|stop) (?:use"
        r"|using) emojis?|less (?:verbose|chatty)|call me \w+|(?:don'?t|do not|never|stop) (?:@-?)?"
        r"(?:mention(?:ing)?|ping(?:ing)?|tag(?:ging)?) me)\s*(?:from now on|please|always|in future)?\s*[.!]*$",
        r"i (?:prefer|like|want|would (?:like|prefer)|'d (?:like|prefer)) (?:short|brief|concise|longer"
        r"|shorter|detailed|terse)(?:er)? (?:answers|replies|comments|explanations|reviews|responses)",
        r"i (?:prefer|like|want|would (?:like|prefer)) (?:answers|replies|comments) in \w+",
    ),
    questions=(
        r"(?:do|does|did|can|could|would|will|should|shall|is|are|was|were|has|have|had|may|might|am|isn'?t"
        r"|aren'?t|don'?t (?:you|we)|doesn'?t|didn'?t|won'?t|wouldn'?t|couldn'?t|shouldn'?t) (?:i|you|we"
        r"|they|he|she|it|this|that|these|those|the|our|there|anyone|someone|somebody|any|a|your|my)\b",
        r"(?:what|which|who|whom|whose|why|how|where|when)\b(?!ever)(?! (?:adding|writing|using|touching"
        r"|changing|in doubt|you (?:add|write|change|touch|see|review)|we |a |an |the |testing|logging"
        r"|naming|importing|reviewing|handling|calling|parsing|creating)[^?]*,[^?]*$)",
        r"(?:any|anyone|wondering|i wonder|curious|tell me|explain|remind me)\b",
    ),
    polite=(
        r"(?:can|could|would|will) (?:you|we) (?:please |all |also )*(?=remember|note|keep in mind|save"
        r"|forget|drop|delete|remove|stop|ignore|add (?:a|the|this)|change the|make (?:it|that)|respond"
        r"|speak|talk|write to|be (?:brief|more|concise)|raise|lower|answer|reply|keep (?:it|your)|update the|set the|skip|not (?:flag|report))",
        r"would you mind (?=remember|forgett|dropp|ignor)",
    ),
    reported=(
        r"(?:@?\w+ ){1,3}(?:said|says|told|wrote|writes|thinks|claims|claimed|suggested|suggests|asked|wants"
        r"|insists|keeps saying|mentioned|argued|used to say)\b",
        r"(?:as )?(?:he|she|they|someone|somebody|people|ada|according to) (?:said|say|told|wrote|put|always"
        r"|never|\w+)\b",
        r"(?:imagine|suppose|what if|if (?:you|i) (?:want|like|need|wish|prefer)|the (?:comment|code|text|file|doc|article|book)\\S* (?:say|says|said|reads)|if (?:i|we|you) (?:say|said|write|wrote|were)|you could (?:say|write)"
        r"|for example|e\.g\.|example|the (?:docs|readme|linter|ticket) (?:say|says|said))\b",
        r"(?:to teach (?:me|the bot|it)|you can (?:say|write|type)|people can|just (?:say|write|type)"
        r"|try (?:saying|writing|typing))\b",
    ),
    rule_like=(
        r"^(?:always|never|use|prefer|avoid|keep|no|do not|don'?t|only|every|each|all|any|must|max(?:imum)?"
        r"|limit|put|write|name|add|run|test|wrap|log|return|raise|catch|handle|validate|document|mark|make"
        r"|import|export|declare|define|group|sort|order|prefix|suffix|require|pin|create|include|check|ensure"
        r"|enforce|forbid|ban|follow|treat|mock|squash|rebase|tag|call|pass|store|cache|close|set|start|end"
        r"|place|format|indent|align|annotate|type|escape|sanitize|encrypt|hash|commit|deploy|merge|open|ask"
        r"|read|throw|wrap|split|extract|inline|favou?r|one|two|at (?:most|least)|not|nothing|nobody)\b",
        r"^(?:we|our \w+|everyone|everybody|nobody) (?:\w+ )?(?:use|uses|don'?t|do not|always|never|only"
        r"|prefer|keep|write|put|require|want|have|need|must|should|expect|avoid|name|run|call|log|return|test"
        r"|deploy|pin|ship|like|follow|stick|format|go|goes|are|is|live|lives|document|commit|squash|rebase"
        r"|allow|forbid|ban|treat|store|cache|hate|love|can'?t|cannot|may)\b",
        r"\b(?:must|should|shall|has to|have to|need to|needs?|may not|can'?t|cannot|(?:is|are) "
        r"(?:required|forbidden|banned|mandatory|not allowed|allowed|disallowed|prohibited|limited|optional"
        r"|preferred|named|written|sorted|formatted|kept|stored|pinned|tested|at most|never|always|the"
        r"|our|in|not|no|a|an|on|only|private|public|immutable|\d+|snake|camel|async|done|squashed)"
        r"|at most|at least|no more than|not more than|max(?:imum)?|go(?:es)? (?:in|to|into|under)"
        r"|live[sd]? (?:in|under)|belongs?|instead of|rather than|over|returns?|raises?|uses?|gets?"
        r"|begins?|starts?|ends?|comes?)\b",
    ),
    asides=(
        r"(?:because|since (?:it|this|we|they)|this|that|it|i|i'?m|i'?ll|i'?ve|he|she|they|thanks|sorry"
        r"|see|cc|e\.g|otherwise|reason|the reason|why|it'?s|that'?s|which|just like|as discussed|let me"
        r"|hope|maybe|perhaps|looks?|you|link|ref|source|here|there|yesterday|last|we (?:had|got|were|lost"
        r"|saw|spent|discussed|talked|did|just)|everything else|the rest|for example|good|great|nice)\b",
    ),
    joints=(
        r"\s*;\s*(?:and |also |then )*",
        r",? (?:and|plus|but) (?:also |then |that |please )*(?=(?:we |you |must |should )?(?:always"
        r"|never|don'?t|do not|no \w+ |use |prefer |avoid |keep |all |every |each |tests? (?:must"
        r"|should|are|go|live|need)|\w+ (?:functions?|names?|imports?|tests?|methods?|classes|files|prs|commits)"
        r" (?:must|should|are|have|need|use|go|may)|(?:the )?\w+ (?:must|should|need|have to|are|is|go|live"
        r"|may) |we \w+ |max |maximum |run |write |put |log |add |name |the (?:max|maximum|line)|"
        r"(?:the )?(?:max|maximum|line) ))",
        r"[,.]? also,? (?=\w+ \w+ )",
        r", (?=(?:we (?:always|never|don'?t|use)|always|never|don'?t|do not) \w+ \w+ )",
        r", (?=(?:all|every|each) \w+ )",
        r"\. (?=\S)",
    ),
)
