"""German phrases of teaching, correcting and withdrawing."""

from __future__ import annotations

from graph.phrases.table import Phrases

_END = r"(?=[\s,:;.!?–—-]|$)"
_NOUN = (
    r"(?:regeln?|konvention(?:en)?|vorgaben?|richtlinien?|vereinbarung(?:en)?|absprachen?"
    r"|standards?|grundsatz|policy)"
)
_LIMIT = (
    r"(?:zeilenlänge|zeilenlaenge|zeilenbreite|limit|grenze|maximum|obergrenze|regel"
    r"|konvention|vorgabe|beschränkung|begrenzung)"
)

GERMAN = Phrases(
    openers=(
        r"(?:hallo(?: zusammen| team| alle)?|moin|guten (?:morgen|tag|abend)|danke|vielen dank"
        r"|bitte|ok|okay|also|und|außerdem|ausserdem|zudem|übrigens|uebrigens|noch (?:etwas|was"
        r"|eins)|ferner|gut|super|alles klar|ach|ja|genau|zuletzt|erstens|zweitens|drittens|dann"
        r"|kurz|hinweis|wichtig|leute(?=[,:!])|auch)" + _END + r"[\s,:;.!–—-]*",
    ),
    chatter=(
        (
            r"(?:danke(?:schön)?|vielen dank|super|prima|toll|klasse|gut gemacht|alles klar|passt"
            r"|gerne|hallo|moin|guten morgen|sehr schön|egal|schon gut|vergiss es|nicht so wichtig"
            r"|haha|scherz|spaß|ja|nein|genau)\b[^.]{0,40}$"
        ),
    ),
    refusals=(
        (
            r"(?:bitte )?(?:merk|merke|merken sie|merkt|speicher|speichere|notier|notiere)(?:"
            r" (?:dir"
            r"|euch|sich))?(?: (?:das|dies|es|diese regel))? (?:bitte )?nicht\b"
        ),
        r"(?:das )?(?:musst du|brauchst du|müsst ihr) (?:dir )?(?:das )?nicht (?:zu )?merken",
        r"(?:das )?(?:war|ist) (?:nur )?(?:ein (?:scherz|witz|beispiel)|keine regel)",
    ),
    lookalikes=(
        r"(?:erinnerst|weißt|weisst) du (?:noch|dich)",
        r"denk dran,? (?:den|diesen|das) (?:pr|branch)\b",
    ),
    teach=(
        (
            r"(?:in|für|bei) (?:diese[mnrs]?|unsere[mnrs]?|dem|das) (?:repo(?:sitory)?|projekt"
            r"|team|code|codebasis)"
            r" (?:gilt|gelten)(?: ab (?:jetzt|sofort)| folgendes| immer)*\s*[:,–—-]?"
        ),
        r"(?:bitte )?(?:merk|merke|merkt|merken|notier|notiere|speicher|speichere|vermerk"
        r"|vermerke|lern|lerne|beachte|beachtet|behalte?)(?: (?:dir|euch|sich|sie|wir|uns|bitte"
        r"|das|folgendes|folgende|im kopf|mal|für (?:die zukunft|später|künftige reviews)|als"
        r" regel|" + _NOUN + r"))*\s*(?:[:,–—-]+\s*|(?=dass)|$)(?:dass\s+)?",
        r"(?:bitte )?(?:merk|merke|merkt) (?:dir|euch)" + _END,
        r"(?:bitte )?(?:denk|denke|denkt)(?: bitte)? (?:daran|dran)\s*[:,]\s*(?:dass\s+)?",
        r"(?:bitte )?(?:vergiss|vergesst)(?: bitte)? nicht\s*[:,]\s*(?:dass\s+)?",
        r"(?:dir |euch |bitte )*(?:merken|notieren|speichern)\s*[:,]\s*(?:dass\s+)?",
        r"(?:bitte )?(?:zu )?merken(?: bitte)?\s*[:–—-]\s*",
        r"(?:ab (?:jetzt|sofort|heute|nun|morgen|nächster woche)|von (?:jetzt|nun) an|in zukunft"
        r"|künftig|kuenftig|zukünftig|zukuenftig|fortan|für die zukunft|fürs nächste mal"
        r"|nächstes mal|ab dem nächsten (?:pr|sprint))"
        + _END
        + r"(?:\s+(?:gilt|bitte|gilt bitte))?\s*[,:]?(?:\s*dass\b)?",
        (
            rf"(?:(?:hier ist|das ist|wir haben|es gibt|eine?|neue?|unsere?|weitere|noch eine|die"
            rf"|team|projekt|coding|kleine|wichtige|folgende|zusätzliche|als)\s*-?\s*)*{_NOUN}(?:"
            rf" für (?:alle|das team|dieses (?:repo|projekt)|die zukunft)| nr\.? ?\d| \d| ab"
            rf" (?:jetzt|sofort))*(?:\s*[:–—]\s*|\s+-+\s+|\s+(?:ist|lautet|sind)(?:\s*[:,]|,?"
            rf" dass)?\s+|,\s+dass\s+)"
        ),
        (
            r"(?:(?:heute|gestern|im (?:meeting|retro|team|standup)|in der retro) )?(?:wir haben"
            r"|haben wir|das team hat|hat das team|wir)(?: (?:uns|heute|gestern|gemeinsam|im"
            r" (?:team"
            r"|meeting)|in der retro|jetzt|nun|auch|alle|einstimmig|darauf|dafür|beim"
            r" standup))*\s+(?:beschlossen|entschieden|vereinbart|festgelegt|geeinigt|abgemacht"
            r"|ausgemacht|verständigt)(?: (?:darauf|dafür))?\s*[,:]?\s*(?:dass\s+|auf\s+)?"
        ),
        r"wir (?:einigen|einigten) uns (?:darauf|auf)\s*[,:]?\s*(?:dass\s+)?",
        r"(?:\S+ ){0,4}(?:vereinbart|beschlossen|abgemacht|festgelegt|entschieden)\s*[:–—]\s*",
        r"(?:beschluss|entscheidung|vereinbart|abgemacht|beschlossen)\s*[:–—-]\s*",
        (
            r"es (?:wurde|ist) (?:beschlossen|vereinbart|entschieden|festgelegt)(?:"
            r" worden)?\s*[,:]?\s*(?:dass\s+)?"
        ),
    ),
    teach_weak=(
        r"(?:bitte )?(?:denk|denke|denkt) (?:daran|dran)\b,?",
        r"(?:bitte )?(?:vergiss|vergesst) nicht\b,?",
    ),
    teach_headings=(
        (
            rf"(?:bitte )?(?:merk dir|merke dir|merkt euch|ab jetzt|ab sofort|künftig|in"
            rf" zukunft)?(?: (?:bitte|gilt|gelten|folgendes|folgende|das|die|diese|unsere|neue|paar"
            rf"|ein|ab jetzt))*\s*(?:folgende|folgendes|neue|unsere|die|diese|ein paar|team|coding"
            rf"|weitere|zwei|drei|\s|-)*{_NOUN}?(?: (?:für|in|im|des|dieses|das|unser|repo|projekt"
            rf"|team|alle))*\s*[:–—-]\s*$"
        ),
    ),
    teach_kept=(
        (
            r"wir haben (?:uns )?(?:heute |gestern |im team |gemeinsam )*(?:auf )?[^.?]{2,120}"
            r" (?:geeinigt|verständigt|beschlossen|vereinbart|festgelegt)\s*[.!]?$"
        ),
        (
            r"(?:immer|niemals|nie|stets|grundsätzlich|auf keinen fall)\s+(?!(?:noch|wieder gern"
            r"|gerne?|diese[rs]?|das|dieses|mit der ruhe|mehr|gesehen|gehört|gedacht|im|der|die"
            r"|schön|gut|so|wenn|kaputt|rot|dasselbe|wieder|ein|was|schade|kommt|geht|passiert|ich"
            r"|du|er|sie|es)\b)\S"
        ),
        (
            r"(?:wir|unser team|das team|alle|tests|niemand)\s+(?:\w+\s+){1,3}?(?:immer|niemals|nie"
            r"|stets|grundsätzlich)\s+(?!(?:noch|wieder)\b)\S"
        ),
        (
            r"(?!(?:ich|du|er|sie|es|das|dies|warum|wenn|ob)\b)(?:\S+ ){1,6}?(?:muss|müssen|soll"
            r"|sollen|sollte|sollten|darf|dürfen)\s+(?:\S+ ){0,3}?(?:immer|niemals|nie|stets)\s+\S"
        ),
        (
            r"(?:die |unsere )?(?:maximale |max\.? )?zeilen(?:länge|laenge|breite)(?: \S+){0,3}"
            r" (?:ist|beträgt|liegt bei|soll|sollte)\s+(?:maximal |höchstens |auf |bei )?\d+"
        ),
        (
            r"(?:bei|in|für|vor|nach|wenn|beim|im)\s[^,.;]{2,60},?\s(?:bitte )?(?:immer|niemals|nie"
            r"|stets)\s\S"
        ),
    ),
    norms=(
        r"(?:niemand|keiner) (?:soll(?:te)?|darf|dürfte) \S",
        (
            r"es ist (?:strengstens |absolut )?(?:verboten|untersagt|nicht (?:erlaubt|gestattet)"
            r"|pflicht),? \S"
        ),
        (
            r"(?:jede[rs]?|alle) (?!(?:dies|das)\b)(?:\S+ ){1,4}?(?:muss|müssen|braucht|brauchen"
            r"|benötigt"
            r"|benötigen) \S"
        ),
        (
            r"(?!(?:das|dies|es|er|sie|der|die|warum|wenn|ob)\b)(?:\S+ ){1,4}?(?:sind|ist|bleibt"
            r"|bleiben)"
            r" (?:strengstens |ab jetzt )?(?:verboten|pflicht|tabu|untersagt|nicht erlaubt)[\s.!]*$"
        ),
        r"wir (?:erlauben|akzeptieren|dulden|verlangen|fordern|verbieten) (?!(?:das|dies)\b)\S",
    ),
    teach_after=(
        (
            r"[\s,;.!–—-]+(?:bitte )?(?:merk|merke|merkt) (?:dir|euch)(?: (?:das|bitte|bitte das"
            r"|das"
            r" bitte))*"
        ),
        (
            r"[\s,;.!–—-]+(?:bitte )?(?:das )?(?:bitte )?(?:merken|nicht vergessen|notieren"
            r"|(?<=[,;.!–—-] )speichern|(?<=bitte )speichern|(?<=das )speichern)"
        ),
        (
            r"[\s,;–—-]+(?:und zwar )?(?:ab (?:jetzt|sofort|heute|nun)|von (?:jetzt|nun) an|in"
            r" zukunft|künftig|zukünftig)"
        ),
        rf"[\s,;.!–—-]+(?:das|dies) ist (?:ab jetzt |jetzt )?(?:eine|unsere|die) (?:neue )?{_NOUN}",
    ),
    courtesies=(
        r"[\s,;.!–—-]*[\s,;.!–—(](?:bitte|danke(?:schön)?|vielen dank|ok\?|okay\?|ja\?|lg|gruß)",
    ),
    correct_openers=(
        r"(?:(?:nein|nee|eigentlich|korrektur|doch|quatsch|moment|stimmt nicht|falsch|sorry"
        r"|entschuldigung|kleine korrektur|ich meinte|ich habe? mich (?:geirrt|vertan)|mein fehler"
        r"|hab mich (?:geirrt|vertan)|änderung|neu|update|tatsächlich)" + _END + r"[\s,:;.!–—-]*)+",
    ),
    correct=(
        (
            rf"(?:bitte )?(?:änder|ändere|aender|aendere|setz|setze|erhöh|erhöhe|erhoehe|senk|senke"
            rf"|heb|hebe|reduzier|reduziere|stell|stelle|verkürze|verlängere|passe?|korrigiere"
            rf"|aktualisiere|mach|mache|lockere)\s+(?:\S+"
            rf" ){{0,5}}?(?:\w*{_LIMIT})(?:\s[^.]{{1,40}}?)?\s(?:auf|zu|zu|in|an)\b"
        ),
        (
            rf"(?:die |das |der |unsere? )?(?:\S+ ){{0,3}}?\w*{_LIMIT}(?: \S+){{0,3}}? (?:ist"
            rf"|beträgt|liegt|lautet)(?: (?:jetzt|nun|ab jetzt|neuerdings|inzwischen)| nicht mehr"
            rf" \S+(?:,)? sondern)(?: bei| auf)?\s"
        ),
        (
            rf"(?:die |das |der |unsere? )?(?:\S+ ){{0,3}}?\w*{_LIMIT}(?: \S+){{0,3}}? (?:ist"
            rf"|beträgt|liegt bei|soll|sollte) (?:\d+\S*)(?: zeichen)?,? (?:nicht|statt) \d+"
        ),
        (
            rf"(?:die |das |der |unsere? )?(?:\S+ ){{0,3}}?\w*{_LIMIT}(?: \S+){{0,3}}? (?:wurde"
            rf"|wird) (?:auf|von) \S+"
        ),
        (
            r"(?:es|das) sind (?:jetzt|nun) \d+|(?:jetzt|nun) (?:sind es|gilt|gelten) \d+|(?:es ist"
            r"|das ist|ist) jetzt \d+"
        ),
        r"statt \d+(?: zeichen)?,?\s.*\d+",
        r"nicht \d+(?: zeichen)?,? sondern \d+",
        r"(?:nimm|nehmt|verwende|verwendet|wir nehmen|benutze?) (?:jetzt )?\d+(?: zeichen)? statt",
    ),
    correct_words=(
        (
            r"\b(?:soll|sollen|sollte|muss|müssen|jetzt|nicht \d+|statt|maximal|sind es|gilt"
            r"|verwenden|erlaubt)\b"
        ),
    ),
    forget=(
        (
            r"(?:bitte )?(?:vergiss|vergesst|lösch|lösche|loesche|streich|streiche|entfern|entferne"
            r"|verwirf|verwerft|nimm|hebe?|schaff|schaffe|deaktivier|deaktiviere|widerrufe?)(?!"
            r" nicht)\s+(?:bitte |mal |auch )*(?:alles über |was ich (?:über|zu) )?"
        ),
    ),
    forget_about=(r"(?:bitte )?(?:vergiss|vergesst)\b",),
    forget_kept=(
        (
            r"(?:die |unsere )?[^.?]{0,40}(?:regel|konvention|[CO]\d+)\b[^.?]{0,20} (?:streichen"
            r"|löschen|entfernen|verwerfen) wir\b"
        ),
        (
            r"wir (?:begrenzen|beschränken|erzwingen|verlangen|fordern|brauchen|prüfen|limitieren"
            r"|kümmern|haben|achten|bestehen|müssen|wollen|benötigen)\s[^.]{2,80}\b(?:nicht"
            r"|kein\w*)"
            r" (?:mehr|länger)\b"
        ),
        (
            rf"(?:die |das |der |unsere? )?(?:\S+ ){{0,6}}?(?:\w*{_LIMIT}|[CO]\d+)(?: \S+){{0,4}}?"
            rf" (?:gilt nicht mehr|ist (?:hinfällig|überholt|obsolet|veraltet|weg|abgeschafft"
            rf"|aufgehoben|nicht mehr (?:gültig|nötig))|entfällt|kann weg|fällt weg|wird nicht mehr"
            rf" (?:benötigt|gebraucht)|brauchen wir nicht mehr|wurde (?:abgeschafft|aufgehoben"
            rf"|gestrichen))"
        ),
    ),
    forget_nouns=(
        (
            r"\b\w*(?:regeln?|konvention|vorgabe|limit|begrenzung|beschränkung|richtlinie"
            r"|vereinbarung)\b"
        ),
    ),
    ignore=(
        (
            r"(?:bitte )?(?:ignorier|ignoriere|ignoriert|überspring|überspringe|unterdrück"
            r"|unterdrücke) (?!(?:das|dies|diese[ns]?|mich|es)\b)(?:bitte )?[^.,;]{2,80}(?:hinweise"
            r"|warnungen|kommentare|meldungen|verstöße|befunde|anmerkungen|ordner|verzeichnis"
            r"|dateien|tests?|skripten?|\S*/|\*)"
        ),
        (
            r"(?:bitte )?(?:keine (?:hinweise|warnungen|kommentare|meldungen|anmerkungen) (?:mehr"
            r" )?(?:zu|zur|zum|über|wegen|bei)|(?:melde|kommentiere|beanstande|bemängle|erwähne"
            r"|prüfe|reviewe) (?!(?:das|dies|es)\b)[^.,;]{2,60}\b(?:nicht|keine)\b(?: mehr)?"
            r"|hör(?:e)? auf,? [^.,;]{2,80} zu (?:melden|kommentieren|bemängeln|beanstanden))"
        ),
    ),
    context=(
        (
            r"(?:zum|als|für den|zur) (?:kontext|hintergrund|info(?:rmation)?"
            r"|einordnung)\s*[:,–—-]?\s*"
        ),
        (
            r"(?:hintergrund|kontext|zur info|nur zur info|zur information|zu deiner"
            r" information)\s*[:,–—-]+\s*"
        ),
    ),
    context_subjects=(
        (
            r"(?:wir|unser\w*|dieses? (?:repo(?:sitory)?|projekt|dienst|service|modul|paket|system)"
            r"|das (?:repo|projekt|backend|frontend|team|system)|der (?:dienst|service)|die (?:app"
            r"|api|anwendung|datenbank)|alle unsere|in (?:diesem|unserem)|produktion)"
        ),
    ),
    once=(
        (
            r"\b(?:bei|in|für|auf|zu) (?:diese[mnr]?|den|dem)?\s*(?:aktuellen )?(?:pr|pull[-"
            r" ]request|merge[- ]request|mr|branch|review)\b"
        ),
        r"\b(?:nur dieses mal|diesmal|dieses mal|nur (?:für )?hier|ausnahmsweise|nur einmal)\b",
    ),
    once_orders=(
        (
            r"\b(?:ignorier\w*|überspring\w*|nicht|kein\w*|nur|konzentrier\w*|fokussier\w*|achte"
            r"|erlaube?|akzeptier\w*|lass|darf|dürfen|okay|in ordnung|streng\w*|besonders)\b"
        ),
    ),
    instruction_withdrawals=(
        (
            r"(?:bitte )?(?:(?:vergiss|lösche|streiche|verwirf|setze) (?:alle |die |meine |deine"
            r" )*(?:anweisung(?:en)?|sonderregeln?)(?: \w+)*|(?:ignoriere?|überspringe?) [^.]{2,60}"
            r" nicht (?:mehr|länger)|hör(?:e)? auf,? [^.]{2,60} zu (?:ignorieren|überspringen))"
        ),
    ),
    instruction_lists=(
        (
            r"(?:welche|zeig(?:e)?(?: mir)?|liste?)\s(?:die |deine |alle |meine )*(?:aktuellen"
            r" )?anweisungen\b"
        ),
    ),
    preferences=(
        (
            r"(?:bitte |ab jetzt |in zukunft |immer |künftig )*(?:antworte?|schreib(?:e)?|sprich"
            r"|kommentier(?:e)?|rede|erklär(?:e)?)(?: \w+){0,4} (?:auf|in) (?:deutsch|englisch"
            r"|französisch|spanisch|chinesisch|japanisch|portugiesisch|italienisch)\b"
        ),
        (
            r"(?:bitte |ab jetzt |immer )*(?:(?:antworte?|schreib(?:e)?|kommentier(?:e)?)(?: mir|"
            r" bitte)? (?:kurz|knapp|kürzer|knapper|ausführlich\w*|prägnant)|(?:halte?|fass)(?: es|"
            r" dich| deine (?:antworten|kommentare))? (?:bitte )?(?:kurz|knapp)|fass dich (?:bitte"
            r" )?kurz|kurze antworten|keine emojis)\b"
        ),
    ),
    questions=(
        r"(?:was|welche[rsnm]?|wer|wen|wem|warum|wieso|weshalb|wie|wo|wann|wozu)\b",
        (
            r"(?:kannst|könntest|weißt|weisst|hast|bist|ist|sind|haben|hat|gibt|gilt|darf|soll"
            r"|sollen|müssen|muss|können|erinnerst|wird|war) (?:du|wir|es|das|die|der|man|ich|ihr"
            r"|dich|unsere?)\b"
        ),
    ),
    polite=(
        (
            r"(?:kannst|könntest|würdest|magst) du (?=(?:dir |bitte )*(?:merken|notieren"
            r"|speichern)\b|.{3,}(?:merken|notieren|vergessen|löschen|ändern|speichern)\??$)"
        ),
    ),
    reported=(
        (
            r"(?:er|sie|jemand|mein chef|der chef|\w+) (?:sagt|sagte|meint|meinte|schreibt|schrieb"
            r"|behauptet|findet|hat gesagt)\b"
        ),
        r"(?:zum beispiel|z\.b\.|angenommen|stell dir vor)",
    ),
    rule_like=(
        (
            r"\b(?:muss|müssen|soll|sollen|sollte|sollten|darf|dürfen|immer|nie|niemals|kein|keine"
            r"|keinen|nur|nicht|verwenden|verwende|benutzen|nutzen|maximal|höchstens|mindestens"
            r"|stets|vermeiden|gehören|gehört|liegen|brauchen|braucht|benötigen|schreiben|haben"
            r"|sind"
            r"|ist|wird|werden|statt|auf)\b"
        ),
    ),
    asides=(
        (
            r"(?:weil|denn|da |ich|das|dies|danke|sonst|sorry|siehe|gestern|letzte|vielleicht|der"
            r" grund)\b"
        ),
    ),
    joints=(
        (
            r",?\s(?:und|sowie)\s(?:außerdem |auch |zudem |dass )*(?=(?:immer|nie|niemals|keine?n?"
            r"|wir |alle |jede\w* |tests? |\w+ (?:müssen|muss|sollen|sollte|dürfen|darf|brauchen"
            r"|gehören|haben|sind|ist) |die maximale|verwende|nutze|vermeide|maximal))"
        ),
        r",\s(?:außerdem|zudem)\s",
    ),
)
