"""German phrases of teaching, correcting and withdrawing."""

from __future__ import annotations

from graph.phrases.table import Phrases

_END = r"(?=[\s,:;.!?–—-]|$)"
_NOUN = r"(?:regeln?|konvention(?:en)?|vorgaben?|richtlinien?|vereinbarung(?:en)?|absprachen?|standards?|grundsatz|policy)"
_LIMIT = r"(?:zeilenlänge|zeilenlaenge|zeilenbreite|limit|grenze|maximum|obergrenze|regel|konvention|vorgabe|beschränkung|begrenzung)"

GERMAN = Phrases(
    openers=(
        r"(?:hallo(?: zusammen| team| alle)?|moin|guten (?:morgen|tag|abend)|danke|vielen dank|bitte|ok|okay|also|und|außerdem|ausserdem|zudem|übrigens|uebrigens|noch (?:etwas|was|eins)|ferner|gut|super|alles klar|ach|ja|genau|zuletzt|erstens|zweitens|drittens|dann|kurz|hinweis|wichtig|leute(?=[,:!])|auch)"
        + _END + r"[\s,:;.!–—-]*",
    ),
    chatter=(
        r"(?:danke(?:schön)?|vielen dank|super|prima|toll|klasse|gut gemacht|alles klar|passt|gerne|hallo|moin|guten morgen|sehr schön|egal|schon gut|vergiss es|nicht so wichtig|haha|scherz|spaß|ja|nein|genau)\b[^.]{0,40}$",
    ),
    refusals=(
        r"(?:bitte )?(?:merk|merke|merken sie|merkt|speicher|speichere|notier|notiere)(?: (?:dir|euch|sich))?(?: (?:das|dies|es|diese regel))? (?:bitte )?nicht\b",
        r"(?:das )?(?:musst du|brauchst du|müsst ihr) (?:dir )?(?:das )?nicht (?:zu )?merken",
        r"(?:das )?(?:war|ist) (?:nur )?(?:ein (?:scherz|witz|beispiel)|keine regel)",
    ),
    lookalikes=(r"(?:erinnerst|weißt|weisst) du (?:noch|dich)", r"denk dran,? (?:den|diesen|das) (?:pr|branch)\b"),
    teach=(
        r"(?:bitte )?(?:merk|merke|merkt|merken|notier|notiere|speicher|speichere|vermerk|vermerke|lern|lerne|beachte|beachtet|behalte?)(?: (?:dir|euch|sich|sie|wir|uns|bitte|das|folgendes|folgende|im kopf|mal|für (?:die zukunft|später|künftige reviews)|als regel|" + _NOUN + r"))*\s*(?:[:,–—-]+\s*|(?=dass)|$)(?:dass\s+)?",
        r"(?:bitte )?(?:merk|merke|merkt) (?:dir|euch)" + _END,
        r"(?:bitte )?(?:denk|denke|denkt)(?: bitte)? (?:daran|dran)\s*[:,]\s*(?:dass\s+)?",
        r"(?:bitte )?(?:vergiss|vergesst)(?: bitte)? nicht\s*[:,]\s*(?:dass\s+)?",
        r"(?:dir |euch |bitte )*(?:merken|notieren|speichern)\s*[:,]\s*(?:dass\s+)?",
        r"(?:bitte )?(?:zu )?merken(?: bitte)?\s*[:–—-]\s*",
        r"(?:ab (?:jetzt|sofort|heute|nun|morgen|nächster woche)|von (?:jetzt|nun) an|in zukunft|künftig|kuenftig|zukünftig|zukuenftig|fortan|für die zukunft|fürs nächste mal|nächstes mal|ab dem nächsten (?:pr|sprint))" + _END + r"(?:\s+(?:gilt|bitte|gilt bitte))?\s*[,:]?(?:\s*dass\b)?",
        rf"(?:(?:hier ist|das ist|wir haben|es gibt|eine?|neue?|unsere?|weitere|noch eine|die|team|projekt|coding|kleine|wichtige|folgende|zusätzliche|als)\s*-?\s*)*{_NOUN}(?: für (?:alle|das team|dieses (?:repo|projekt)|die zukunft)| nr\.? ?\d| \d| ab (?:jetzt|sofort))*(?:\s*[:–—]\s*|\s+-+\s+|\s+(?:ist|lautet|sind)(?:\s*[:,]|,? dass)?\s+|,\s+dass\s+)",
        r"(?:(?:heute|gestern|im (?:meeting|retro|team|standup)|in der retro) )?(?:wir haben|haben wir|das team hat|hat das team|wir)(?: (?:uns|heute|gestern|gemeinsam|im (?:team|meeting)|in der retro|jetzt|nun|auch|alle|einstimmig|darauf|dafür|beim standup))*\s+(?:beschlossen|entschieden|vereinbart|festgelegt|geeinigt|abgemacht|ausgemacht|verständigt)(?: (?:darauf|dafür))?\s*[,:]?\s*(?:dass\s+|auf\s+)?",
        r"wir (?:einigen|einigten) uns (?:darauf|auf)\s*[,:]?\s*(?:dass\s+)?",
        r"(?:\S+ ){0,4}(?:vereinbart|beschlossen|abgemacht|festgelegt|entschieden)\s*[:–—]\s*",
        r"(?:beschluss|entscheidung|vereinbart|abgemacht|beschlossen)\s*[:–—-]\s*",
        r"es (?:wurde|ist) (?:beschlossen|vereinbart|entschieden|festgelegt)(?: worden)?\s*[,:]?\s*(?:dass\s+)?",
    ),
    teach_weak=(r"(?:bitte )?(?:denk|denke|denkt) (?:daran|dran)\b,?", r"(?:bitte )?(?:vergiss|vergesst) nicht\b,?"),
    teach_headings=(
        rf"(?:bitte )?(?:merk dir|merke dir|merkt euch|ab jetzt|ab sofort|künftig|in zukunft)?(?: (?:bitte|gilt|gelten|folgendes|folgende|das|die|diese|unsere|neue|paar|ein|ab jetzt))*\s*(?:folgende|folgendes|neue|unsere|die|diese|ein paar|team|coding|weitere|zwei|drei|\s|-)*{_NOUN}?(?: (?:für|in|im|des|dieses|das|unser|repo|projekt|team|alle))*\s*[:–—-]\s*$",
    ),
    teach_kept=(
        r"(?:immer|niemals|nie|stets|grundsätzlich|auf keinen fall)\s+(?!(?:noch|wieder gern|gerne?|diese[rs]?|das|dieses|mit der ruhe|mehr|gesehen|gehört|gedacht|im|der|die|schön|gut|so)\b)\S",
        r"(?:wir|unser team|das team|alle|tests|niemand)\s+(?:\w+\s+){1,3}?(?:immer|niemals|nie|stets|grundsätzlich)\s+(?!(?:noch|wieder)\b)\S",
        r"(?!(?:ich|du|er|sie|es|das|dies|warum|wenn|ob)\b)(?:\S+ ){1,6}?(?:muss|müssen|soll|sollen|sollte|sollten|darf|dürfen)\s+(?:\S+ ){0,3}?(?:immer|niemals|nie|stets)\s+\S",
        r"(?:die |unsere )?(?:maximale |max\.? )?zeilen(?:länge|laenge|breite)(?: \S+){0,3} (?:ist|beträgt|liegt bei|soll|sollte)\s+(?:maximal |höchstens |auf |bei )?\d+",
        r"(?:bei|in|für|vor|nach|wenn|beim|im)\s[^,.;]{2,60},?\s(?:bitte )?(?:immer|niemals|nie|stets)\s\S",
    ),
    teach_after=(
        r"[\s,;.!–—-]+(?:bitte )?(?:merk|merke|merkt) (?:dir|euch)(?: (?:das|bitte|bitte das|das bitte))*",
        r"[\s,;.!–—-]+(?:bitte )?(?:das )?(?:bitte )?(?:merken|nicht vergessen|notieren|speichern)",
        r"[\s,;–—-]+(?:und zwar )?(?:ab (?:jetzt|sofort|heute|nun)|von (?:jetzt|nun) an|in zukunft|künftig|zukünftig)",
        rf"[\s,;.!–—-]+(?:das|dies) ist (?:ab jetzt |jetzt )?(?:eine|unsere|die) (?:neue )?{_NOUN}",
    ),
    courtesies=(r"[\s,;.!–—-]*[\s,;.!–—(](?:bitte|danke(?:schön)?|vielen dank|ok\?|okay\?|ja\?|lg|gruß)",),
    correct_openers=(
        r"(?:(?:nein|nee|eigentlich|korrektur|doch|quatsch|moment|stimmt nicht|falsch|sorry|entschuldigung|kleine korrektur|ich meinte|änderung|neu|update|tatsächlich)"
        + _END + r"[\s,:;.!–—-]*)+",
    ),
    correct=(
        rf"(?:bitte )?(?:änder|ändere|aender|aendere|setz|setze|erhöh|erhöhe|erhoehe|senk|senke|heb|hebe|reduzier|reduziere|stell|stelle|verkürze|verlängere|passe?|korrigiere|aktualisiere|mach|mache|lockere)\s+(?:\S+ ){{0,5}}?(?:\w*{_LIMIT})(?:\s[^.]{{1,40}}?)?\s(?:auf|zu|zu|in|an)\b",
        rf"(?:die |das |der |unsere? )?(?:\S+ ){{0,3}}?\w*{_LIMIT}(?: \S+){{0,3}}? (?:ist|beträgt|liegt|lautet)(?: (?:jetzt|nun|ab jetzt|neuerdings|inzwischen)| nicht mehr \S+(?:,)? sondern)(?: bei| auf)?\s",
        rf"(?:die |das |der |unsere? )?(?:\S+ ){{0,3}}?\w*{_LIMIT}(?: \S+){{0,3}}? (?:ist|beträgt|liegt bei|soll|sollte) (?:\d+\S*)(?: zeichen)?,? (?:nicht|statt) \d+",
        rf"(?:die |das |der |unsere? )?(?:\S+ ){{0,3}}?\w*{_LIMIT}(?: \S+){{0,3}}? (?:wurde|wird) (?:auf|von) \S+",
        r"(?:es|das) sind (?:jetzt|nun) \d+|(?:jetzt|nun) (?:sind es|gilt|gelten) \d+|(?:es ist|das ist|ist) jetzt \d+",
        r"statt \d+(?: zeichen)?,?\s.*\d+",
        r"nicht \d+(?: zeichen)?,? sondern \d+",
        r"(?:nimm|nehmt|verwende|verwendet|wir nehmen|benutze?) (?:jetzt )?\d+(?: zeichen)? statt",
    ),
    correct_words=(r"\b(?:soll|sollen|sollte|muss|müssen|jetzt|nicht \d+|statt|maximal|sind es|gilt|verwenden|erlaubt)\b",),
    forget=(
        r"(?:bitte )?(?:vergiss|vergesst|lösch|lösche|loesche|streich|streiche|entfern|entferne|verwirf|verwerft|nimm|hebe?|schaff|schaffe|deaktivier|deaktiviere|widerrufe?)(?! nicht)\s+(?:bitte |mal |auch )*(?:alles über |was ich (?:über|zu) )?",
    ),
    forget_about=(r"(?:bitte )?(?:vergiss|vergesst)\b",),
    forget_kept=(
        r"wir (?:begrenzen|beschränken|erzwingen|verlangen|fordern|brauchen|prüfen|limitieren|kümmern|haben|achten|bestehen|müssen|wollen|benötigen)\s[^.]{2,80}\b(?:nicht|kein\w*) (?:mehr|länger)\b",
        rf"(?:die |das |der |unsere? )?(?:\S+ ){{0,6}}?(?:\w*{_LIMIT}|[CO]\d+)(?: \S+){{0,4}}? (?:gilt nicht mehr|ist (?:hinfällig|überholt|obsolet|veraltet|weg|abgeschafft|aufgehoben|nicht mehr (?:gültig|nötig))|entfällt|kann weg|fällt weg|wird nicht mehr (?:benötigt|gebraucht)|brauchen wir nicht mehr|wurde (?:abgeschafft|aufgehoben|gestrichen))",
    ),
    forget_nouns=(r"\b\w*(?:regeln?|konvention|vorgabe|limit|begrenzung|beschränkung|richtlinie|vereinbarung)\b",),
    ignore=(
        r"(?:bitte )?(?:ignorier|ignoriere|ignoriert|überspring|überspringe|unterdrück|unterdrücke) (?!(?:das|dies|diese[ns]?|mich|es)\b)(?:bitte )?[^.,;]{2,80}(?:hinweise|warnungen|kommentare|meldungen|verstöße|befunde|anmerkungen|ordner|verzeichnis|dateien|tests?|skripten?|\S*/|\*)",
        r"(?:bitte )?(?:keine (?:hinweise|warnungen|kommentare|meldungen|anmerkungen) (?:mehr )?(?:zu|zur|zum|über|wegen|bei)|(?:melde|kommentiere|beanstande|bemängle|erwähne|prüfe|reviewe) (?!(?:das|dies|es)\b)[^.,;]{2,60}\b(?:nicht|keine)\b(?: mehr)?|hör(?:e)? auf,? [^.,;]{2,80} zu (?:melden|kommentieren|bemängeln|beanstanden))",
    ),
    context=(
        r"(?:zum|als|für den|zur) (?:kontext|hintergrund|info(?:rmation)?|einordnung)\s*[:,–—-]?\s*",
        r"(?:hintergrund|kontext|zur info|nur zur info|zur information|zu deiner information)\s*[:,–—-]+\s*",
    ),
    context_subjects=(r"(?:wir|unser\w*|dieses? (?:repo(?:sitory)?|projekt|dienst|service|modul|paket|system)|das (?:repo|projekt|backend|frontend|team|system)|der (?:dienst|service)|die (?:app|api|anwendung|datenbank)|alle unsere|in (?:diesem|unserem)|produktion)",),
    once=(
        r"\b(?:bei|in|für|auf|zu) (?:diese[mnr]?|den|dem)?\s*(?:aktuellen )?(?:pr|pull[- ]request|merge[- ]request|mr|branch|review)\b",
        r"\b(?:nur dieses mal|diesmal|dieses mal|nur (?:für )?hier|ausnahmsweise|nur einmal)\b",
    ),
    once_orders=(r"\b(?:ignorier\w*|überspring\w*|nicht|kein\w*|nur|konzentrier\w*|fokussier\w*|achte|erlaube?|akzeptier\w*|lass|darf|dürfen|okay|in ordnung|streng\w*|besonders)\b",),
    instruction_withdrawals=(
        r"(?:bitte )?(?:(?:vergiss|lösche|streiche|verwirf|setze) (?:alle |die |meine |deine )*(?:anweisung(?:en)?|sonderregeln?)(?: \w+)*|(?:ignoriere?|überspringe?) [^.]{2,60} nicht (?:mehr|länger)|hör(?:e)? auf,? [^.]{2,60} zu (?:ignorieren|überspringen))",
    ),
    instruction_lists=(r"(?:welche|zeig(?:e)?(?: mir)?|liste?)\s(?:die |deine |alle |meine )*(?:aktuellen )?anweisungen\b",),
    preferences=(
        r"(?:bitte |ab jetzt |in zukunft |immer |künftig )*(?:antworte?|schreib(?:e)?|sprich|kommentier(?:e)?|rede|erklär(?:e)?)(?: \w+){0,4} (?:auf|in) (?:deutsch|englisch|französisch|spanisch|chinesisch|japanisch|portugiesisch|italienisch)\b",
        r"(?:bitte |ab jetzt |immer )*(?:(?:antworte?|schreib(?:e)?|kommentier(?:e)?)(?: mir| bitte)? (?:kurz|knapp|kürzer|knapper|ausführlich\w*|prägnant)|(?:halte?|fass)(?: es| dich| deine (?:antworten|kommentare))? (?:bitte )?(?:kurz|knapp)|fass dich (?:bitte )?kurz|kurze antworten|keine emojis)\b",
    ),
    questions=(
        r"(?:was|welche[rsnm]?|wer|wen|wem|warum|wieso|weshalb|wie|wo|wann|wozu)\b",
        r"(?:kannst|könntest|weißt|weisst|hast|bist|ist|sind|haben|hat|gibt|gilt|darf|soll|sollen|müssen|muss|können|erinnerst|wird|war) (?:du|wir|es|das|die|der|man|ich|ihr|dich|unsere?)\b",
    ),
    polite=(r"(?:kannst|könntest|würdest|magst) du (?=(?:dir |bitte )*(?:merken|notieren|speichern)\b|.{3,}(?:merken|notieren|vergessen|löschen|ändern|speichern)\??$)",),
    reported=(r"(?:er|sie|jemand|mein chef|der chef|\w+) (?:sagt|sagte|meint|meinte|schreibt|schrieb|behauptet|findet|hat gesagt)\b", r"(?:zum beispiel|z\.b\.|angenommen|stell dir vor)"),
    rule_like=(
        r"\b(?:muss|müssen|soll|sollen|sollte|sollten|darf|dürfen|immer|nie|niemals|kein|keine|keinen|nur|nicht|verwenden|verwende|benutzen|nutzen|maximal|höchstens|mindestens|stets|vermeiden|gehören|gehört|liegen|brauchen|braucht|benötigen|schreiben|haben|sind|ist|wird|werden|statt|auf)\b",
    ),
    asides=(r"(?:weil|denn|da |ich|das|dies|danke|sonst|sorry|siehe|gestern|letzte|vielleicht|der grund)\b",),
    joints=(
        r",?\s(?:und|sowie)\s(?:außerdem |auch |zudem |dass )*(?=(?:immer|nie|niemals|keine?n?|wir |alle |jede\w* |tests? |\w+ (?:müssen|muss|sollen|sollte|dürfen|darf|brauchen|gehören|haben|sind|ist) |die maximale|verwende|nutze|vermeide|maximal))",
        r",\s(?:außerdem|zudem)\s",
    ),
)
