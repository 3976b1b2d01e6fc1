"""What makes a rule doubtful, in every language: jests, thoughts aloud, and asking for opinions.

A rule that was not meant does more harm than one that has to be said again, so these win.
"""

from __future__ import annotations

from graph.phrases.table import Phrases

_JESTS = (
    r"[😂🤣😆😹🙃😜😝😛🤪😏😎🤡🙄💀]",
    (
        r":(?:joy|rofl|laughing|upside_down(?:_face)?|stuck_out_tongue\w*|zany_face|smirk"
        r"|sunglasses"
        r"|clown(?:_face)?|rolling_eyes|face_with_rolling_eyes|skull|shrug|troll\w*):"
    ),
    r"\b(?:lo+l|lmf?ao|rofl|jk|j/k|(?:ha){2,}h?|(?:he){2,}|kk+k|rsrs+|(?:ja){2,}|(?:je){2,}|xd+)\b",
    r"(?:^|\s)/(?:s|j|jk|sarcasm)\b",
    r"哈哈|呵呵|嘻嘻|开玩笑|[(（]笑[)）]|笑[。！!]?$|(?<=[\u3040-\u9fff。！!])[wｗ]+[。！!]?$|冗談",
    (
        r"\b(?:just )?(?:kidding|joking)\b|\bnur (?:spaß|ein scherz)\b|\bscherz\b|\bes broma\b"
        r"|\bera broma\b|\bbrincadeira\b|\bje (?:rigole|plaisante)\b"
    ),
    r"\bamirite\b|\bam i right\b|\bfight club\b|\bfamous last words\b|\bsurely (?:nothing|that)\b",
    r"\bwhat could (?:possibly )?go wrong\b|\bsaid no ?(?:one|body) ever\b|\byeah,? right\b",
    r"\boh,? (?:great|wonderful|joy|sure|perfect|lovely|fantastic|brilliant|awesome)\b",
    (
        r"\b(?:brilliant|genius|fantastic|great|wonderful|awesome|terrific|clever) (?:idea|plan"
        r"|move)"
        r"[\s.!…]*$"
    ),
)

_ASKING = (
    (
        r"\bwdyt\b|\b(?:thoughts|opinions)\?|\b(?:any|some) (?:other )?(?:thoughts|objections"
        r"|opinions"
        r"|concerns)[^.!?]{0,25}\?"
    ),
    r"\bwhat do (?:you|u|y'?all|we|others|people|folks)(?: all| guys| folks)? (?:think|say)\b",
    (
        r"\b(?:do|does|would|can|could) (?:you|we|everyone|everybody|anyone|that|this|it)(?: all)?"
        r" (?:agree|object|mind|make sense|sound \w+|work|be (?:ok|okay|fine))\b[^.!]{0,30}\?"
    ),
    (
        r"\b(?:agree[d]?|right|correct|makes sense|sounds? (?:good|ok|okay|right)|objections|(?:is"
        r" (?:that|this|it)"
        r" )?(?:ok|okay|fine|alright) (?:with|for|by) (?:you|everyone|everybody|all)(?: all)?|yes"
        r" or no"
        r"|or not|or what|right or wrong)\s*\?"
    ),
    r"\b(?:wouldn'?t|don'?t) (?:you|we) (?:say|agree|think)\b",
    (
        r"\blet (?:me|us) know (?:what|if|whether) you(?:'d| would| all)? (?:think|agree|disagree"
        r"|object"
        r"|mind)\b|\bup for (?:discussion|debate)\b"
        r"|\bopen (?:to|for) (?:discussion|feedback|debate|suggestions)\b"
    ),
    (
        r"\bjust my (?:two|2) cents\b|\bjust (?:a thought|an idea|thinking(?: out)? aloud"
        r"|thinking out loud)\b|\b(?:that'?s |it'?s )just me\b|\bor (?:something|whatever|so\?)"
        r"|\bi guess\b|\bdunno\b|\b(?:imo|imho)\b|\blet'?s (?:see|discuss|talk)\b|\bi'?m not sure\b"
    ),
    (
        r"(?:大家|你们|各位)?(?:怎么看|觉得呢|觉得怎么样|意见如何|有意见吗|同意吗|怎么样)[？?]"
        r"|どう(?:思い|でしょう|ですか)|いかがでしょう|どうかな|かもしれ(?:ない|ません)"
    ),
    (
        r"¿?qué (?:os|les|te) parece|¿?qué (?:opináis|opinan|opinas|pensáis|piensan)"
        r"|¿(?:de acuerdo|os parece)\b|o que (?:vocês? )?acham?\b|que tal\?|concordam\?"
    ),
    (
        r"\bwas (?:meint|denkt|haltet|sagt) ihr\b|\bwas meinst du\b|\bmeinungen\?|\boder nicht\?"
        r"|\beinverstanden\?|\bqu'en (?:pensez-vous|penses-tu|dites-vous)\b"
    ),
)

_HEDGES = (
    (
        r"(?:i(?: (?:also|still|kind of|kinda|sort of|really|just))? (?:think|guess|feel|believe"
        r"|suppose|reckon|suspect|figure|assume|hope|wish|wonder|imagine|read|heard)"
        r"|i'?d (?:say|argue|suggest|propose|prefer|rather|vote)|i would (?:say|argue|suggest"
        r"|propose"
        r"|prefer|rather|vote)|i'?m (?:not sure|unsure|thinking|considering|tempted|wondering"
        r"|inclined|of the opinion)|i am (?:not sure|unsure|thinking|considering|wondering)"
        r"|i (?:personally )?(?:always|never|usually|normally|often|tend|prefer))\b"
    ),
    (
        r"(?:imo|imho|in my (?:humble |honest )?(?:opinion|view|experience|book)|personally|maybe"
        r"|perhaps|possibly|probably|presumably|supposedly|apparently|ideally|theoretically"
        r"|in (?:theory|an ideal world|a perfect world|principle)|hypothetically|not sure"
        r"|thinking (?:about|of)|wondering|(?:just )?(?:a |one |my |an )?(?:suggestion|proposal"
        r"|idea"
        r"|rfc|thought|opinion|take|two cents|preference|question|brainstorm\w*)\b(?= ?[:,–—-]|"
        r" is\b)"
        r"|how about|what about|what if|why not|why don'?t we|we (?:could|might|may want|should"
        r" (?:probably|maybe|perhaps)|ought to consider|can maybe)|(?:should|could|shall|may|might)"
        r" we|(?:it|that|this) (?:might|could|may|would) (?:be|make)|wouldn'?t it"
        r"|unless (?:someone|anyone|somebody|anybody|you|we|there)|suppose|imagine"
        r"|(?:feels?|seems?|looks?|sounds?) like)\b"
    ),
    (
        r"(?:at|in|back (?:at|in)|with) (?:google|amazon|facebook|meta|microsoft|netflix|(?:my"
        r"|our|the)"
        r" (?:last|old|previous|former|first|other|prior) \w+|other (?:teams|companies|projects"
        r"|repos))"
        r"\b"
    ),
    (
        r"(?:my|our) (?:last|old|previous|former|first|other|prior) (?:team|company|job|employer"
        r"|boss"
        r"|project|repo|place|manager)\b"
    ),
    r"(?:我(?:觉得|认为|想|猜|个人)|也许|或许|可能|大概|要不|要不然|是不是|不如|能不能(?!.{0,3}记)|应该可以)",
    r"(?:たぶん|多分|おそらく|個人的には|もしかし|できれば|理想的には|私は(?:いつも|普段))",
    (
        r"(?:creo|pienso|supongo|opino|quizás?|tal vez|a lo mejor|igual|personalmente|en mi opinión"
        r"|yo (?:diría|creo|siempre|nunca)|podríamos|¿?y si|propongo|sugiero|propuesta)\b"
    ),
    (
        r"(?:ich (?:glaube|denke|finde|meine|würde|vermute|nehme|persönlich)|vielleicht|eventuell"
        r"|evtl|meiner meinung nach|meines erachtens|m\.\s?e\.|persönlich|wir könnten|man könnte"
        r"|vorschlag|idee|wie wäre|idealerweise|im idealfall|theoretisch)\b"
    ),
    (
        r"(?:(?:eu )?(?:acho|penso|creio|suponho|imagino)|talvez|quem sabe|pessoalmente"
        r"|na minha opinião|poderíamos|podíamos|a gente podia|e se|será|sugiro|proponho|sugestão"
        r"|proposta|ideia)\b"
    ),
    (
        r"(?:je (?:pense|crois|trouve|suppose|dirais)|peut-être|à mon avis|personnellement"
        r"|on pourrait|et si|proposition|suggestion|idée)\b"
    ),
)

_REPORTS = (
    (
        r"(?!(?:we|our|i|you|us|please|in case)\b)(?:the |my |your |their |his |her |some |a |an "
        r"|this "
        r"|that"
        r"|@)?(?:(?!(?:that|which|who|and|if|when|always|never|i|we|you)\b)[\w.'-]+ ){0,4}?"
        r"(?:says?|said|tells?|told (?:me|us|you)|recommends?|suggests?|suggested|recommended"
        r"|complains?"
        r"|warns?|warned|claims?|claimed|thinks?|thought|believes?|argues?|argued|insists?|insisted"
        r"|reckons?|mentioned|wrote|writes|prefers?|proposed|proposes|hinted|keeps? saying|wants?"
        r" us)"
        r"(?: to me| us| me)?(?: that\b|,|:| (?:you|we|one|that|to|lines?|always|never|not|the"
        r"|from|it"
        r"|i|they|functions?|tests?|everyone|all|every|there)\b)"
    ),
    (
        r"(?:according to|quoting|quote from|as per|per) (?!(?:our|the team|team)\b|(?:the |our )?"
        r"(?:security|infosec|appsec|legal|compliance|privacy|infra|platform|ops|devops|sre|qa"
        r"|data|design|arch)\w*(?: \w+)?\s*[:,])"
    ),
    (
        r"(?:in|on|from) (?:the |an? )?(?:old|previous|other|another|different|upstream|legacy)"
        r" (?:repo"
        r"|repository|project|codebase|team|company|version)\b"
    ),
    (
        r"(?:someone|somebody|anyone|people|some people|folks) (?:in|on|at|from|who|here|there"
        r"|say|says"
        r"|said|wrote)\b"
    ),
)

DOUBTFUL = Phrases(doubts=(*_JESTS, *_ASKING), hedges=_HEDGES, reported=_REPORTS)
