"""English lead-ins of teaching."""

from __future__ import annotations

_END = r"(?=[\s,:;.!?–—-]|$)"
NUMBER = (
    r"(?:\d[\d,.]*|(?:(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty"
    r"|thirty|forty|fifty|sixty|seventy|eighty|ninety|a|hundred|thousand|and)[\s-]?)+\b)"
)
RULE_NOUN = (
    r"(?:rules?|conventions?|guidelines?|polic(?:y|ies)|standards?|practices?|agreements?"
    r"|requirements?|principles?)"
)
_REMEMBER = r"(?:remember(?:ed)?|memori[sz]e)"
_NOT_VERB_AFTER_ALWAYS = (
    r"(?!(?:happy|glad|good|nice|great|fun|welcome|here|there|so|be(?:en)? (?:a|so|nice|kind"
    r"|happy|cool)|been|was"
    r"|were|had|has|thought|wonder\w*|love|like|hate|forget|learning|something|someone|interesting"
    r"|amazing|wrong|right|appreciate|grateful|impressed|thankful|open to|up for|ready|my|your|this"
    r"|that|these|those|it|me|a|an|the|one|some|more|next|mind|seen|saw|knew|know|heard|got|did"
    r"|gonna"
    r"|happen\w*|work\w*|too|again|in my|gets?|fear|give up|better|said|understood|understand|would"
    r"|see|sees|run into|runs|end up|ends?|struggle|tend|suffer|complain|argue|laugh|say|talk|wait"
    r"|lose|spend|notice|hit|face|managed?|intended|planned|wanted|needed|did|do (?:it|this|that)"
    r"|speak|discuss|mention|again|could|will|say never|a pleasure|broken|fails|failing|flaky"
    r"|passes|confus\w+|surprised?|made"
    r"|found|went|came|gave|took|told|felt|meant|kept|ran|wrote|enough|easy|hard|possible|on"
    r" (?:time"
    r"|it|call)|there|remember|funny|thanks?|delivers?|helpful)\b"
    r"|(?!need|embed|feed|exceed|proceed|seed|speed|shed)\w+ed\b)"
)

OURS = r"(?:the |this |our )?(?:team|repo(?:sitory)?|project|codebase|company|code ?base|squad)"

_TO_MEMORY = (
    (
        r"(?:please )?(?:note|jot|write|put|take|get) (?:(?:that|this|it) down|down (?:that"
        r"|this))(?:"
        r" (?:somewhere|please|for (?:next time|the future|later)))*\s*[:,–—-]*"
    ),
    r"(?:please )?(?:make|take) (?:a |another )?(?:mental )?notes?(?: of (?:this|that|it))?" + _END,
    (
        r"(?:please )?(?:put|store|save|keep|add|write|file) (?:this|that|it|the following|these)"
        r"(?: one| rule)? (?:in|into|on|onto|to|under) (?:your |the |our )?(?:memory|list|rulebook"
        r"|rules|conventions|notes|brain|memories|checks|what you (?:check|know|look (?:at|for)"
        r"|enforce|review))"
        r"\s*[:,–—-]*"
    ),
    (
        r"(?:please )?(?:learn|note|get|know|write) (?:this|that|the following)(?: one| thing|"
        r" rule| down)?"
        r"\s*[:–—-]"
    ),
    (
        r"(?:please )?(?:save|keep|note|store)(?: (?:this|that|it))? for (?:later|the future|next"
        r" time)\s*[:–—-]"
    ),
    r"(?:let it be known|be it known|(?:it is )?hereby (?:decreed|declared|decided))(?: that)?\s*:?"
    + _END,
    (
        r"(?:please )?(?:keep|bear|have) (?:that|this|it|these) in mind(?: (?:please|too|for"
        r" [\w ]+))*[\s.!]*$"
    ),
    r"(?:please )?(?:store|save|memori[sz]e) (?:this|that|it)(?=\s*[:–—-]|[\s.!]*$)",
    r"(?:please )?add to (?:your |the |our )?(?:list|rulebook|notes)\s*[:,–—-]+",
    (
        r"(?:please )?(?:enforce|apply|follow|respect) (?:this|that|it)(?: (?:from now on"
        r"|everywhere"
        r"|please|strictly|too))*[\s.!]*$"
    ),
    (
        r"(?:so )?(?:that|this|it)(?:'s| is) (?:now )?(?:a|our|the) (?:new |team |house |hard )*"
        rf"{RULE_NOUN}(?: (?:now|here|from now on))*[\s.!]*$"
    ),
    (
        r"(?:(?:just )?(?:to have|so (?:that )?we have|so (?:that )?it(?:'s| is)|to get) (?:(?:it"
        r"|this"
        r"|that) )?(?:written|noted|recorded|documented)(?: down| somewhere)?|(?:one |another"
        r" )?(?:more"
        r" )?for the (?:books|rulebook|list|files?))\s*[:,–—-]+"
    ),
)

_ANNOUNCED = (
    (
        r"(?:add |make |create |save )?a (?:new |team )?(?:rule|convention|policy)"
        r" (?:that |which )?(?:says|states|reads|saying|stating)(?: that)?\b"
    ),
    (
        r"(?:the |our |a |one |new |team |another )*(?:deal|habit|memo|norm|plan|practice)(?:"
        r" (?:for (?:the"
        rf" team|everyone|all|us)|here|in {OURS}|now|is|from now on))*\s*[:–—]"
    ),
    (
        r"(?:the |our |new |team |hard |house |golden |simple |one |another )*(?:rule|convention"
        r"|policy)"
        rf"(?: (?:for (?:you|the bot|reviewers|all|everyone)|\#?\d+|number \w+|(?:of|in|for)"
        rf" {OURS}))*"
        r"\s*[:–—]"
    ),
    (
        rf"(?:the|our) {RULE_NOUN}(?: that)? (?:we|the team)(?:'ve| have| all| just| finally)*"
        rf" (?:picked"
        r"|chose|chosen|agreed (?:up)?on|settled on|decided on|want|have|follow|use|made)(?: is|"
        r" are)"
        r"(?: that| to)?\s*:?"
    ),
    (
        r"(?:(?:the|our) new (?:norm|standard|default|normal|way|practice|habit|rule)|our (?:norm"
        r"|standard|way"
        r"|practice|habit))(?: (?:(?:around )?here|for \w+|in \w+|now|of working))* is(?: that|"
        r" to)?\b"
    ),
    (
        r"(?:starting|beginning|effective) (?:with|from|on) (?:the |this |our )?(?:next |new "
        r"|coming"
        r" )?(?:release|sprint|version|week|quarter|month|year|pr|iteration|today|now|\w+day)"
        + _END
    ),
    (
        r"from (?:this|the next|next) (?:release|sprint|version|week|quarter|month|year|pr"
        r"|iteration)(?: on(?:wards?)?| forward)?" + _END
    ),
    (
        r"[^.:;?!]{3,60} (?:from (?:now|today|here)(?: on)?|going forward|as of (?:now|today)"
        r"|starting"
        r" (?:today|now))\s*:"
    ),
    (
        r"(?:the |our |team |new |final )*(?:decision|decided|agreement|agreed|consensus|outcome"
        r"|resolution)\s*[(\[][^)\]]{1,60}[)\]]\s*[:–—]"
    ),
    (
        r"as a (?:team|group|company),? (?:we|we'?ve|we have)(?: all| now| just| finally)*"
        r" (?:chosen|chose|picked|decided|settled|agreed|opted)(?: (?:on|for|to|that))?" + _END
    ),
    (
        r"(?:please |you should |can you (?:please )?)*(?:start |begin |also )?(?:enforce"
        r"|enforcing|insist"
        r" on|insisting on) (?!(?:this|that|it|these|those|them|[co]\d)\b)"
    ),
)

TEACH = (
    *_TO_MEMORY,
    *_ANNOUNCED,
    (
        rf"(?:let'?s |please )?(?:make|consider) (?:it|this|that) (?:a|our|the) (?:new |team"
        rf" )*{RULE_NOUN}"
        r"(?: that\b|\s*[:,])"
    ),
    (
        rf"it(?:'s| is)(?: now)? (?:our|a|the|team) (?:new |team )*{RULE_NOUN}(?: now)?"
        r"(?: that\b| to\b|\s*:)"
    ),
    r"(?:start )?remembering(?: that\b|\s*:)",
    r"as (?:agreed|discussed|decided)(?: \S+){0,5}?\s*[:,]",
    r"we as a (?:team|group|company)(?: have|'ve)? (?:decided|agreed)(?: (?:that|to|on))?\b",
    rf"(?:(?:can|could|would|will) you )?(?:please )?(?:always |also )?{_REMEMBER}(?: (?:please"
    r"|this|that|the following|to|also|for (?:next time|later|the (?:future|next time)|future"
    rf" (?:reviews?|prs?|pull requests?))|this {RULE_NOUN}|from now on|going forward|it|as a"
    rf" {RULE_NOUN}|one (?:thing|rule)|two (?:things|rules)|forever|well)){{0,3}}" + _END,
    (
        r"(?:please )?(?:save|store|record|learn|take|make|keep|add|write down|note|register"
        r"|adopt) "
        rf"(?:a |the |this |that |as )*(?:following )?(?:a |new |team |another"
        rf" )*(?:{RULE_NOUN}"
        r"|note|memory|lesson)(?: (?:for (?:the future|next time|us|later|this"
        r" repo(?:sitory)?)|to"
        r" memory|of this|please|that|to))*(?:\s*[:,–—-]| (?=\S))"
    ),
    (
        r"(?:please )?(?:save|store|learn|add) (?:this|that|it)?(?: to (?:your |the |our"
        r" )?(?:memory"
        r"|conventions|rules|list|team rules)| for (?:later|the future))?\s*:"
    ),
    (
        r"(?:please )?(?:save|keep|note)(?: down)? (?:this|that|it) (?:for|in) \w+(?:"
        r" \w+)?\s*[:,–—-]"
    ),
    r"(?:please )?note down(?: that)?" + _END,
    rf"(?:a |the |our |new |team |another )*{RULE_NOUN} (?:from now on|going forward|for"
    rf" everyone|effective \w+)" + _END,
    r"(?:please )?(?:add|save) to (?:your |the |our )?(?:memory|conventions|rules)\b",
    r"(?:from|form|fom|starting|beginning|effective) (?:now|here|today|this (?:day|point"
    r"|week)|tomorrow"
    r"|monday|immediately|right now|next (?:week|sprint))(?: on out| on(?:wards?)?| forward"
    r"| out)?" + _END,
    r"(?:as of|effective) (?:now|today|this week|immediately)" + _END,
    r"(?:going|moving) (?:forward|forwards|foward)" + _END,
    r"(?:henceforth|hereafter|in (?:the )?future|for (?:the|all) future(?! (?:prs?|pull"
    r"|reviews|changes|code|work)\b)|for future reference"
    r"|for (?:all )?future (?:prs?|pull requests|reviews|changes|code|work)|for next time"
    r"|next time|in (?:all )?future (?:reviews|prs|pull requests)|for the record"
    r"|note for (?:the future|later|future (?:reviews|prs))|note to (?:the )?(?:bot|reviewers?"
    r"|team|everyone)|lessons? learned|for new code)" + _END,
    (
        rf"(?:(?:here(?:'s| is| are| comes)|this is|that(?:'s| is)|we have|there(?:'s| is)"
        rf"|let(?:'s| "
        r"us) (?:have|make (?:it|this)|set|add|adopt)|make (?:it|this|that)|i have|consider"
        r" this"
        rf"|treat this as|small|quick|one|two|three|some|a (?:few|couple of)) )?(?:(?:a|an|the"
        rf"|our|one"
        r"|two|three|another|as|of|few|some|new|additional|important|simple|small|general|hard"
        r"|team(?:'s)?|house"
        r"|project(?:'s)?|repo|repository|company(?:'s)?|code|coding|style|formatting|naming"
        r"|logging|testing|error"
        r"|security|api|db|database|sql|import|git|commit|branch|review|documentation|docs"
        r"|python|go"
        rf"|typescript|js|java|rust|backend|frontend|updated?) )*{RULE_NOUN}(?: (?:of thumb"
        rf"|\#?\d+|for"
        r" (?:the )?(?:team|future|everyone|all|us|this repo(?:sitory)?|the (?:repo|project"
        r"|codebase"
        r"|backend|frontend))|here|from now on|number \w+|effective|today|tomorrow|as of|now"
        r"|monday|immediately|starting|to (?:remember|follow|add)|going forward"
        r"|in this (?:repo|project|team|codebase)))*(?:\s*(?:[:–—=]|->|→)\s*|\s+-+\s+|,\s+| (?:is"
        r"|are)(?:"
        r" now| "
        r"simple| that| to| the following)*(?:\s*[:,–—-]| )| (?:that|to) )"
    ),
    r"(?:as a rule|rule of thumb|by convention|as a (?:team|convention|policy)"
    r"|per (?:our|team) (?:policy|convention|agreement))" + _END,
    (
        r"(?:(?:after|during|following|at|in|since|per|on) (?:\S+ ){1,5}?,?\s?)?"
        r"(?:today |yesterday |in (?:the|our|today'?s|yesterday'?s) (?:retro|meeting|standup"
        r"|sync"
        r"|planning)(?:spective)?,? )?(?:we|(?:the |our )?team|as a team,? we|everyone|all"
        r" of us)"
        r"(?:'ve| have| all| just| finally| also| both| now)* (?:decided|agreed|settled"
        r"|concluded"
        r"|resolved|aligned|voted|committed)(?: (?:today|yesterday|together|in (?:the"
        r" )?(?:retro"
        r"|meeting|standup|sync|planning)|at (?:the )?(?:retro|meeting|standup|sync"
        r"|planning)|as a"
        r" team|last week|unanimously))*(?: (?:that|on (?!not)|to|upon|for)\b)?(?!"
        r" against)[:,]?"
        r"(?! (?:yet|already|before)\b)"
    ),
    (
        r"(?:it (?:was|has been|is) (?:decided|agreed)(?: that)?|(?:decision|decided|agreed"
        r"|agreement"
        r"|consensus|outcome of the \w+|team decision|resolution)\s*(?:[:–—]|- |is that)"
        r"|the (?:decision|consensus|agreement) is(?: that| to)?)"
    ),
    (
        r"(?:the |our |team |new |final |a )*(?:decisions?|agreements?|consensus|outcome"
        r"|conclusion|verdict"
        r"|takeaway|learning|action item)(?: \w+){0,5}\s*[:–—]"
    ),
    r"(?:\S+ ){0,4}(?:decided|agreed)\s*:",
    r"(?:don'?t|do not|never) forget(?: (?:that|this)\b|\s*:)",
    r"(?:you (?:should|must) (?:know|learn) that|learn that|take note(?: that)?|noted? for"
    r" (?:the )?future|write (?:this|that) down|mark my words)" + _END,
)

_NAMES_A_RULE = (
    r"(?:rules?|norms?|polic(?:y|ies)|conventions?|guidelines?|standards?|agreed|agreement|decided"
    r"|decision|remember|your memory|memo|learn|commandments?|laws?|principles?|mantra|best"
    r" practices?)"
)

TEACH_WEAK = (
    (
        r"(?:[^.:;?!`\"]{0,40}\b)?(?:official|tl;?dr|meeting|retro(?:spective)?|stand-?up"
        r"|announcement|outcome"
        r"|tired of|had it with|enough)\b[^.:;?!]{0,30}\s*[:,–—]\s*(?=(?:we|no|never|always|all"
        r"|every|each"
        r"|only|use|prefer|avoid)\b)"
    ),
    (
        r"(?!(?:what|which|why|who|how|where|is|are|do|does|did|should|can|i)\b)[^.:;?!`\"]{0,50}\b"
        rf"{_NAMES_A_RULE}\b[^.:;?!`\"]{{0,40}}?(?:\s*[:–—]\s|\s-+\s)"
        r"(?!(?:you|it|he|she|they|i|there|this|that)\b)"
    ),
    r"for (?:all|every|each|any|new|our)(?: [\w-]+){1,3}\s*[:,]",
    r"(?:please )?(?:note|keep in mind|bear in mind|be aware|mind|be advised)(?: please)?"
    r"(?: that)?\s*[:,]?" + _END,
    r"(?:please )?(?:don'?t|do not) forget to\b",
    (
        r"(?:in this|for this|in our) (?:repo(?:sitory)?|project|codebase|team|company|code"
        r" ?base)(?:\s*[,:]| (?=(?:an?|each|every|no|all|only) ))"
    ),
    r"(?:reminder|important|attention|psa|heads[ -]up|team|everyone)\s*[:!]",
    r"let(?:'s| us) (?:agree|all agree|decide|settle)(?: (?:that|on|to))?\b",
    (
        r"(?:our|the) (?:style ?guide|coding style|team policy) (?:says|is|requires)(?: that|"
        r" to)?\b"
    ),
)

TEACH_HEADINGS = (
    r"(?:a |one |another )?(?:new |team |important )*(?:rules?|conventions?)\s*[!.]+\s*$",
    (
        r"(?:please )?(?:remember|save|add|note|learn)?\s*(?:the following|these|our|the|a"
        r" few|some"
        r"|my|team|new|here are|here'?s|couple of|two|three|four|five|several|more|all"
        r"|coding|code"
        r"|project|house|for this repo|\s)*(?:rules|conventions|guidelines|things|points"
        r"|standards"
        r"|practices|decisions|agreements|notes)?(?: (?:for|in|of|we|from|to|on|the|this|our|my"
        r"|repo"
        r"|repository|project|team|agreed|follow|use|have|decided|remember|today|meeting|retro"
        r"|everyone"
        r"|all|please|upon|\w+ team))*\s*[:：–—-]\s*$"
    ),
    (
        r"(?:please )?(?:remember|note|save|learn) (?:these|the following|two|three|four|five|a"
        r" few|some|several"
        r"|my|our)(?: \w+)? (?:things|rules|conventions|points|guidelines)(?:"
        r" please)?\s*[.:!]?\s*$"
    ),
    (
        r"(?:remember|please remember|from now on|going forward|we (?:decided|agreed)(?: on)?"
        r"(?: the following)?|new rules?|in future)(?: (?:the following|these|this|that"
        r"|please))*"
        r"\s*[:：,–—-]?\s*$"
    ),
)

TEACH_KEPT = (
    rf"(?:always|never|don'?t ever|do not ever) {_NOT_VERB_AFTER_ALWAYS}\S",
    (
        r"(?:(?:we|our team|the team|our (?:code|tests|apis?|services?)|everyone|everybody"
        r"|nobody)\s"
        rf"|all (?:\S+ ){{1,3}})(?:should |must |will |shall )?(?:always|never)"
        rf" {_NOT_VERB_AFTER_ALWAYS}\S"
    ),
    (
        r"(?!(?:i|you|he|she|they|it|this|that|these|if|why|should|maybe|perhaps|i'?m"
        r"|i'?ve)\b)(?:[^\s,.:;]+ )"
        r"{1,6}?(?:must|should|shall|may|can|has to|have to|needs? to) (?:always|never) \S"
    ),
    (
        r"(?:when(?:ever)?|for|in|on|before|after|inside|within|under|outside|if)"
        r" [^,.;:]{2,80},"
        r" (?:please "
        rf"|we |you (?:must |should ))?(?:always|never|do not ever|don'?t ever)"
        rf" {_NOT_VERB_AFTER_ALWAYS}\S"
    ),
    (
        rf"(?:the |our )?(?:max(?:imum)? |allowed )*line (?:length|width|limit)(?: limit)?(?: in"
        rf" \S+)?\s*"
        rf"(?:is|=|:|should be|must be) (?:max |at most |limited to |set to )?{NUMBER}"
    ),
    r"(?:we|the team) (?:have |'ve |just )*decided against \S",
)

TEACH_AFTER = (
    (
        r"[\s,;.–—-]+(?:please )?(?:keep|bear) (?:that|this|it) in mind(?: (?:please|(?:when"
        r"|while|for|during)"
        r" [\w ]{1,30}))*"
    ),
    (
        r"[\s,;.!–—-]+(?:and |so )?(?:(?:please|pls|can you|could you) )?remember(?: (?:this"
        r"|that|it"
        r"|please|for (?:next time|the future|later|future (?:reviews|prs))))*\??"
    ),
    (
        r"[\s,;–—-]+(?:starting |effective )?(?:from (?:now|here|today)(?: on out|"
        r" on(?:wards?)?"
        r"| forward)?"
        r"|(?:going|moving) (?:forward|fwd)|in (?:the )?future|henceforth|as of (?:now|today)"
        r"|for (?:all )?future (?:prs?|pull requests|reviews)|starting (?:today|now|next"
        r" (?:week"
        r"|sprint))|effective immediately|next time|for next time|in future (?:prs|reviews))"
    ),
    (
        r"[\s,;.–—-]+(?:please )?(?:make|consider) (?:that|it|this) (?:a|our|the|as a) (?:new "
        r"|team )?"
        rf"{RULE_NOUN}"
    ),
    (
        rf"[\s,;.–—-]+(?:that'?s|that is|this is|it'?s) (?:a|our|the) (?:new |team |house"
        rf" )*{RULE_NOUN}"
        r"(?: now| here| from now on)*"
    ),
    (
        r"[\s,;.–—-]+(?:please )?(?:save|note|keep) (?:that|this|it)(?: (?:for later|down"
        r"|please|in"
        r" mind|as a (?:rule|convention)))*"
    ),
    r"[\s,;.–—-]+(?:please )?(?:don'?t|do not|never) forget(?: (?:that|this|it))?",
)
