"""English phrases of teaching, correcting and withdrawing."""

from __future__ import annotations

from graph.phrases import english_changes, english_norms, english_requests, english_teaching
from graph.phrases.table import Phrases

_END = r"(?=[\s,:;.!?–—-]|$)"

ENGLISH = Phrases(
    openers=(
        r"(?:(?:hey|hi|hello|dear)(?: (?:all|team|everyone|folks|there|guys|bot))?|ok|okay|so(?!"
        r" (?:that )?you know)|also"
        r"|and|oh|btw|by the way|please|pls|plz|alright|right|great|thanks|thank you|thx|well"
        r"|one (?:more|last)(?: thing)?|another thing|(?:team|everyone|folks|guys"
        r"|all)(?=\s*[,:!–—-])|first(?:ly)?"
        r"|second(?:ly)?|third(?:ly)?|finally|lastly|then|plus|additionally|furthermore|p\.?s\.?"
        r"|quick note|heads[ -]up|just(?! so)|yes|yeah|yep|sure|cool|perfect|nice|good (?:catch"
        r"|point|idea"
        r"|morning|afternoon|evening)|lgtm|fair enough|hm+|ah|but|kindly|and also|oh and|next"
        r"|importantly|important|reminder|quick (?:reminder|one|question)"
        r"|fyi (?:for everyone|all|everyone|team|folks))" + _END + r"[\s,:;.!–—-]*",
        (
            r"(?:i(?:'d| would) like (?:you )?to|i want you to|i need you to|you (?:should"
            r"|must|need to|can|may)|let'?s|let us|make sure (?:to|you|we|that you|that we)|be sure"
            r" to|try to) (?=(?:please )?(?:remember|always|never"
            r"|not ever|note|forget|drop|stop|keep in mind|ignore|save|add (?:a|the|this) (?:new"
            r" )?rule"
            r"|change the|use \d|(?:change|raise|lower|bump|increase|decrease|reduce|set|make"
            r"|switch"
            r"|move|update|relax|loosen|tighten|extend|shorten) ))"
        ),
        (
            r"(?:can|could|may) we (?:(?:please|all|just|finally|now) )+(?=(?:stop|start|not|always"
            r"|never|avoid|keep|use|agree) )"
        ),
        (
            r"(?:(?:it(?:'d| would)|would) be (?:great|nice|good|cool|lovely|helpful|awesome)"
            r"|i(?:'d| would) (?:appreciate|love|like)(?: it)?) if (?:you|we)(?: could| would|"
            r" can| all)*(?:"
            r" please)? (?=remember|keep in mind|note |always |never )"
        ),
    ),
    chatter=(
        (
            r"(?:thanks?|thank you|thx|ty|cheers|hi|hello|hey|ok|okay|great|nice|cool|awesome"
            r"|perfect"
            r"|lgtm|lol|haha+|good (?:job|bot|work|morning|night)|well done|got it|sounds good|done"
            r"|sorry|my bad|welcome|yes|no(?=[\s.!]*$|,| thanks| problem| worries)|nope|yep|sure"
            r"|agreed|exactly|wow|congrats|bye|\+1"
            r"|ship it"
            r"|love (?:it|this)|much appreciated|you rock|brilliant)\b[^.]{0,60}$"
        ),
        (
            r"(?:never ?mind|nvm|nevermind|forget (?:about )?it|scratch that|ignore (?:me|that"
            r"|this)"
            r"|please ignore)\b[\s.!]*(?:$|i\b|it\b|that\b|my\b|sorry)"
        ),
        r"never ?mind\b|nvm\b",
    ),
    refusals=(
        (
            r"(?:please )?(?:don'?t|do not|no need to|you (?:don'?t|do not) (?:have|need) to"
            r"|needn'?t|never|not) (?:bother to |have to |need to )?(?:remember|save|store"
            r"|memori[sz]e"
            r"|record|learn|keep|note)\b(?!\w)(?= (?:this|that|it|these|those|anything|what|the "
            r"(?:above|following|rule)|my|me|any of)|[\s.!:,]*$|:)"
        ),
        (
            r"(?:this|that|it)(?:'s| is| was) (?:not|no|only|just) (?:a )?(?:new )?(?:rule"
            r"|convention"
            r"|joke|an example)"
        ),
        r"(?:i'?m |i am |just )?(?:joking|kidding|just kidding)\b",
    ),
    lookalikes=(
        (
            r"remember (?:when|how|who|what|why|where|whether|if|me\b|us\b|him|her|them|last"
            r"|yesterday"
            r"|th(?:is|ese)\b(?! (?:rule|convention|for|please|one)|\s*(?:[:,–—-]|[.!]*$))|those"
            r"|the (?:time"
            r"|day|days"
            r"|old|good|milk|last|previous|alamo|titans)|that (?:time|day|one|bug|pr\b|guy|thread"
            r"|meeting"
            r"|incident|outage|discussion|conversation|we (?:talked|discussed|spoke|had (?:a|an) "
            r"(?:outage|incident|meeting)))|our (?:discussion|chat|talk|meeting|conversation)"
            r"|your )"
        ),
        (
            r"remember to (?:rebase|merge|push|ping|tell|ask|reply|answer|close|reopen|call|breathe"
            r"|smile|drink|eat|sleep|have fun|retest|re-?run|re-?request|approve this|fix"
            r" (?:this|that"
            r"|the|line)|update this|remove this|delete this|check (?:this|that|line))\b"
        ),
        (
            r"(?:we|they|team)(?:'ve| have| just)? (?:decided|agreed|settled|chose) (?:to |not to )"
            r"(?:merge|ship|release|postpone|wait|close|revert|skip|go (?:for|out|home|ahead)|leave"
            r"|do (?:it|this)|split this|move (?:this|on)|keep this|hold|meet|have (?:lunch|a )"
            r"|take"
            r"|delay|cancel|disagree|hire|fire|promote|buy|pay|invite|onboard|launch|celebrate"
            r"|host|visit|meet|talk|discuss|start|drop this|fix this|not )\b"
        ),
        r"(?:rules?|conventions?|policy) (?:engine|file|set|id)\b",
        (
            r"(?:note|memo|reminder|todo) (?:to|for) (?:self|myself|me)\b(?! and (?:to )?(?:you|the"
            r"|every|all|others))"
        ),
    ),
    teach=(*english_teaching.TEACH, *english_requests.TEACH),
    teach_weak=(*english_teaching.TEACH_WEAK, *english_requests.TEACH_WEAK),
    teach_headings=(*english_teaching.TEACH_HEADINGS, *english_requests.TEACH_HEADINGS),
    teach_kept=(*english_teaching.TEACH_KEPT, *english_requests.LINE_LIMITS),
    norms=(*english_norms.NORMS, *english_requests.NORMS),
    teach_after=english_teaching.TEACH_AFTER,
    courtesies=(
        (
            r"\s*[,;.!–—-]+\s*(?:no exceptions|without exceptions?|period|full stop|end of (?:story"
            r"|discussion))"
        ),
        (
            r"[\s,;.!–—-]*[\s,;.!–—(](?:please|pls|plz|thanks|thank you|thx|ty|cheers|ok(?:ay)?\??"
            r"|alright\??"
            r"|right\?|got it\?|deal\?|will you\?|thanks a lot|thank you very much|many thanks"
            r"|thanks in advance|kthxbye|:\w+:|:\)|;\)|[\U0001F300-\U0001FAFF\u2600-\u27BF\uFE0F]+"
            r"|(?:can|could) you do that\?|if (?:you can|possible))"
        ),
    ),
    correct_openers=english_changes.CORRECT_OPENERS,
    correct=english_changes.CORRECT,
    correct_words=english_changes.CORRECT_WORDS,
    forget=english_changes.FORGET,
    forget_about=english_changes.FORGET_ABOUT,
    forget_kept=english_changes.FORGET_KEPT,
    forget_nouns=english_changes.FORGET_NOUNS,
    ignore=english_changes.IGNORE,
    context=english_changes.CONTEXT,
    context_subjects=english_changes.CONTEXT_SUBJECTS,
    once=(
        (
            r"\b(?:on|for|in|within|during|to|throughout) (?:just |only )?(?:this|the current"
            r"|that) "
            r"(?:one )?(?:pull(?: |-)?requests?|prs?|mr|merge request|branch|review|change(?:set)?"
            r"|diff|patch)"
            r"(?: only)?\b"
        ),
        (
            r"\b(?:this (?:pr|pull request|mr) only|this once|just (?:this|for) (?:once|now"
            r"|today)|only this (?:time|once)|just this"
            r" (?:time|once|one)"
            r"|this (?:one )?time(?: only)?|for this one(?: only)?|here only|only here|for"
            r" (?:the )?"
            r"(?:time being))\b"
        ),
        r"(?<!from )\bthis (?:pr|pull request|mr|branch)\b",
    ),
    once_orders=(
        (
            r"\b(?:ignore|skip|don'?t|do not|focus|only|leave out|exclude|disregard|allow|accept"
            r"|tolerate"
            r"|treat|never|always|be (?:strict|lenient|gentle|extra|brief|thorough|picky)|assume"
            r"|concentrate"
            r"|pay (?:special |extra |close )?attention|stop|no (?:nits|nitpick\w*|comments|style"
            r"|findings)"
            r"|line length|limit|overlook|suppress|prioriti[sz]e|emphasi[sz]e|look (?:only|mainly"
            r"|especially"
            r"|closely|at)|concern yourself|mute|may be|can be|(?:is|are) (?:fine|ok|okay|allowed"
            r"|acceptable)"
            r"|does not apply|doesn'?t apply|not apply|use)\b"
        ),
    ),
    instruction_withdrawals=(
        (
            r"(?:please )?(?:stop (?:ignoring|skipping|excluding|focusing|leaving out)|(?:forget"
            r"|drop|clear"
            r"|remove|cancel|withdraw|reset|lift) (?:all |the |my |our |that |your )*(?:standing "
            r"|special "
            r"|extra )*instructions?|(?:forget|drop|clear|cancel) (?:everything|what) (?:i|we)"
            r" (?:said|told"
            r" you|asked) (?:for|on|about|in) this (?:pr|pull request)|(?:don'?t|do not|no longer) "
            r"(?:ignore|skip|exclude) [^.]{2,60} (?:any ?more|any longer|again)|(?:no longer"
            r" (?:ignore"
            r"|skip|exclude))|(?:please )?(?:look at|review|include) [^.]{2,60} (?:after all|again"
            r" after"
            r" all))"
        ),
    ),
    instruction_lists=(
        (
            r"(?:(?:list|show|print|give)(?: me)?(?: all)?(?: the| your| my| our)?|what|which|what"
            r" are|any) "
            r"(?:the |your |my |our |current )*(?:standing |special |active |current"
            r" )*instructions?\b"
        ),
        r"what (?:are you|did i (?:tell|ask) you to|do you) (?:ignor\w+|skip\w*)\b",
    ),
    preferences=(
        (
            r"(?:please |always |can you |could you |i prefer (?:that you )?|i'?d prefer (?:you"
            r" )?)*"
            r"(?:answer|reply|respond|speak|talk|write|comment|communicate|address me|explain(?:"
            r" things)?) "
            r"(?:(?:to|with) )?(?:me |us |back |things |your (?:answers|replies|comments) |always "
            r"|only )*"
            r"(?:in )?(?:simple |plain )?(?:english|chinese|mandarin|japanese|spanish|german"
            r"|portuguese"
            r"|french|italian|korean|russian|polish|dutch|turkish|hindi|arabic|ukrainian|swedish"
            r"|brazilian"
            r"|中文|日本語|español|deutsch|français|português)\b"
        ),
        (
            r"(?:please |always |can you )*(?:keep (?:it|them|(?:your|the) (?:answers?|replies"
            r"|comments?"
            r"|messages?|reviews?|responses?)) (?:to me )?(?:short|brief|concise|simple|to the"
            r" point"
            r"|crisp"
            r"|very short|shorter|polite|friendly)|be (?:more |very |a bit more )?(?:brief|briefer"
            r"|concise"
            r"|short|terse|verbose|detailed|polite|friendlier|friendly|succinct)(?: (?:with|in|when"
            r"|please"
            r"|to|from)\b.*)?|(?:give|send|write) me (?:short|brief|concise|long|detailed|shorter)"
            r" (?:answers"
            r"|replies|comments|explanations)|(?:short|brief|shorter|longer) (?:answers|replies"
            r"|comments)"
            r"(?: (?:please|only|from now on))?|no (?:emojis?|smileys|jokes|poems)|(?:don'?t|do not"
            r"|stop)"
            r" (?:use"
            r"|using) emojis?|less (?:verbose|chatty)|call me \w+|(?:don'?t|do not|never|stop)"
            r" (?:@-?)?"
            r"(?:mention(?:ing)?|ping(?:ing)?|tag(?:ging)?) me)\s*(?:from now on|please|always|in"
            r" future)?\s*[.!]*$"
        ),
        (
            r"i (?:prefer|like|want|would (?:like|prefer)|'d (?:like|prefer)) (?:short|brief"
            r"|concise"
            r"|longer"
            r"|shorter|detailed|terse)(?:er)? (?:answers|replies|comments|explanations|reviews"
            r"|responses)"
        ),
        r"i (?:prefer|like|want|would (?:like|prefer)) (?:answers|replies|comments) in \w+",
    ),
    questions=(
        (
            r"(?:do|does|did|can|could|would|will|should|shall|is|are|was|were|has|have|had|may"
            r"|might|am|isn'?t"
            r"|aren'?t|don'?t (?:you|we)|doesn'?t|didn'?t|won'?t|wouldn'?t|couldn'?t|shouldn'?t)"
            r" (?:i|you|we"
            r"|they|he|she|it|this|that|these|those|the|our|there|anyone|someone|somebody|any|a"
            r"|your"
            r"|my)\b"
        ),
        (
            r"(?:what|which|who|whom|whose|why|how|where|when)\b(?!ever)(?! (?:adding|writing|using"
            r"|touching"
            r"|changing|in doubt|you (?:add|write|change|touch|see|review)|we |a |an |the |testing"
            r"|logging"
            r"|naming|importing|reviewing|handling|calling|parsing|creating)[^?]*,[^?]*$)"
        ),
        r"(?:any|anyone|wondering|i wonder|curious|tell me|explain|remind me)\b",
    ),
    polite=(
        (
            r"(?:can|could|would|will) (?:you|we) (?:please |all |also )*(?=remember|(?:start"
            r"|begin) (?!over|with|here|by)"
            r"\w|make sure (?:every|each|no|all new)|hold \w+ to (?:that|this|it)|note|keep in"
            r" mind|save"
            r"|forget|drop|delete|remove|stop|ignore|add (?:a|the|this)|change the|make (?:it|that)"
            r"|respond"
            r"|speak|talk|write to|be (?:brief|more|concise)|raise|lower|answer|reply|keep (?:it"
            r"|your)|update the|set the|skip|not (?:flag|report))"
        ),
        r"would you mind (?=remember|forgett|dropp|ignor)",
    ),
    reported=(
        (
            r"(?!(?:please |you can )?(?:forget|drop|delete|remove|discard|scrap|disregard|ignore"
            r"|undo|cancel|scratch|correct\w*|in case)\b|(?:the |our )?(?:whole )?team\b|(?:we"
            r"|everyone"
            r"|everybody)\b)"
            r"(?:@?\w+"
            r" ){1,3}(?:said|says|told|wrote|writes|thinks|claims|claimed|suggested"
            r"|suggests"
            r"|asked|wants"
            r"|insists|keeps saying|mentioned|argued|used to say)\b"
        ),
        (
            r"(?:as )?(?:he|she|they|someone|somebody|people|ada|according to) (?:said|say|told"
            r"|wrote|put|always"
            r"|never|\w+)\b"
        ),
        (
            r"(?:imagine|suppose|what if|if (?:you|i) (?:want|like|need|wish|prefer)|the (?:comment"
            r"|code|text|file|doc|article|book)\\S* (?:say|says|said|reads)|if (?:i|we|you) (?:say"
            r"|said|write|wrote|were)|you could (?:say|write)"
            r"|for example|e\.g\.|example|the (?:docs|readme|linter|ticket) (?:say|says|said))\b"
        ),
        (
            r"(?:to teach (?:me|the bot|it)|you can (?:say|write|type)|people can|just (?:say|write"
            r"|type)"
            r"|try (?:saying|writing|typing))\b"
        ),
    ),
    rule_like=(
        (
            r"^(?:always|never|use|prefer|avoid|keep|no|do not|don'?t|only|every|each|all|any|must"
            r"|max(?:imum)?"
            r"|limit|put|write|name|add|run|test|wrap|log|return|raise|catch|handle|validate"
            r"|document|mark|make"
            r"|import|export|declare|define|group|sort|order|prefix|suffix|require|pin|create"
            r"|include|check|ensure"
            r"|enforce|forbid|ban|follow|treat|mock|squash|rebase|tag|call|pass|store|cache|close"
            r"|set|start|end"
            r"|place|format|indent|align|annotate|type|escape|sanitize|encrypt|hash|commit|deploy"
            r"|merge|open|ask"
            r"|read|throw|wrap|split|extract|inline|favou?r|one|two|at (?:most|least)|not|nothing"
            r"|nobody)\b"
        ),
        (
            r"^(?:we|the team|our team)(?:'ve| have) (?:now |just |all |finally )*(?:banned|adopted"
            r"|chosen|picked|forbidden|prohibited|settled|standardi[sz]ed|retired|moved (?:to|away)"
            r"|switched)\b"
        ),
        (
            r"^(?:an?|one|the) [\w-]+ (?:has|have|takes?|gets?) (?:exactly |only |at (?:most"
            r"|least) )*"
            r"(?:one|no|two|its own|their own|\d)\b"
        ),
        (
            r"^(?:we|our \w+|everyone|everybody|nobody) (?:\w+ )?(?:use|uses|don'?t|do not|always"
            r"|never|only"
            r"|prefer|keep|write|put|require|want|have|need|must|should|expect|avoid|name|run|call"
            r"|log|return|test"
            r"|deploy|pin|ship|like|follow|stick|format|go|goes|are|is|live|lives|document|commit"
            r"|squash|rebase"
            r"|allow|forbid|ban|treat|store|cache|hate|love|can'?t|cannot|may)\b"
        ),
        (
            r"\b(?:never|always|only|(?:in|for|to|on|with|per) (?:every|each|all|any)|everywhere"
            r"|nowhere)\b"
        ),
        (
            r"\b(?:must|should|shall|has to|have to|need to|needs?|may not|can'?t|cannot|(?:is"
            r"|are) "
            r"(?:required|compulsory|obligatory|taboo|forbidden|banned|mandatory|not allowed"
            r"|allowed|disallowed|prohibited"
            r"|limited|optional"
            r"|preferred|named|written|sorted|formatted|kept|stored|pinned|tested|at most|never"
            r"|always|the"
            r"|our|in|not|no|a|an|on|only|private|public|immutable|\d+|snake|camel|async|done"
            r"|squashed)"
            r"|at most|at least|no more than|not more than|max(?:imum)?|go(?:es)? (?:in|to|into"
            r"|under)"
            r"|live[sd]? (?:in|under)|belongs?|instead of|rather than|over|returns?|raises?"
            r"|uses?|gets?"
            r"|begins?|starts?|ends?|comes?)\b"
        ),
    ),
    asides=(
        (
            r"(?:because|since (?:it|this|we|they)|this|that|it|i|i'?m|i'?ll|i'?ve|he|she|they"
            r"|thanks|sorry"
            r"|see|cc|e\.g|otherwise|reason|the reason|why|it'?s|that'?s|which|just like|as"
            r" discussed|let me"
            r"|hope|maybe|perhaps|looks?|you|link|ref|source|here|there|yesterday|last|we (?:had"
            r"|got"
            r"|were|lost"
            r"|saw|spent|discussed|talked|did|just)|everything else|the rest|for example|good|great"
            r"|nice)\b"
        ),
    ),
    joints=(
        r"(?<!&amp)(?<!&lt)(?<!&gt)(?<!&quot)\s*;\s*(?:and |also |then )*",
        (
            r",? (?:and|plus|but) (?:also |then |that |please )*(?=(?:we |you |must |should"
            r" )?(?:always"
            r"|never|don'?t|do not|no \w+ |use |prefer |avoid |keep |all |every |each |tests?"
            r" (?:must"
            r"|should|are|go|live|need)|\w+ (?:functions?|names?|imports?|tests?|methods?|classes"
            r"|files|prs|commits)"
            r" (?:must|should|are|have|need|use|go|may)|(?:the )?\w+ (?:must|should|need|have to"
            r"|are"
            r"|is|go|live"
            r"|may) |we \w+ |max |maximum |run |write |put |log |add |name |the (?:max|maximum"
            r"|line)|"
            r"(?:the )?(?:max|maximum|line) ))"
        ),
        r"[,.]? also,? (?=\w+ \w+ )",
        r", (?=(?:we (?:always|never|don'?t|use)|always|never|don'?t|do not) \w+ \w+ )",
        r", (?=(?:all|every|each) \w+ )",
        r"\. (?=\S)",
    ),
)
