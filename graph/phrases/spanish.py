"""Spanish phrases of teaching, correcting and withdrawing."""

from __future__ import annotations

from graph.phrases.iberian import NO_ORDER
from graph.phrases.table import Phrases

_END = r"(?=[\s,:;.!?–—-]|$)"
_NOUN = (
    r"(?:reglas?|normas?|convención|convenciones|políticas?|directrices|directriz|acuerdos?"
    r"|pautas?|estándar(?:es)?|criterios?)"
)
_LIMIT = r"(?:longitud|largo|ancho|límite|limite|máximo|regla|norma|convención|política|tope)"

SPANISH = Phrases(
    openers=(
        r"(?:¡?hola(?: a todos| equipo| todos)?|buen(?:os|as) (?:días|tardes|noches)|por favor"
        r"|porfa|porfavor|gracias|muchas gracias|vale|ok|bueno|bien|perfecto|además|ademas"
        r"|también|tambien|y|otra cosa|una cosa más|por cierto|por último|primero|segundo"
        r"|tercero|luego|después|(?:equipo|chicos)(?=[,:!])|oye|sí|claro|entonces|pues"
        r"|importante|aviso)" + _END + r"[\s,:;.!–—-]*",
        (
            r"(?:quiero que|quisiera que|me gustaría que|necesito que) (?=(?:recuerdes|olvides"
            r"|guardes|apuntes|siempre|nunca))"
        ),
    ),
    chatter=(
        (
            r"¡?(?:gracias|muchas gracias|genial|perfecto|buen trabajo|bien hecho|de nada|hola|vale"
            r"|ok|buenos días|excelente|no importa|da igual|déjalo|olvídalo|era broma|es broma"
            r"|jaja\w*|bravo|sí|no(?=[\s.!]*$|,))\b[^.]{0,40}$"
        ),
    ),
    refusals=(
        (
            r"(?:por favor,? )?no (?:hace falta (?:que )?(?:lo )?|tienes que |es necesario (?:que"
            r" )?(?:lo )?|necesitas )?(?:recuerdes|recordar|recordarlo|guardes|guardarlo|memorices"
            r"|apuntes|anotes|lo recuerdes|lo guardes|lo apuntes|lo anotes)\b"
        ),
        r"(?:eso )?(?:era|es) (?:una )?(?:broma|solo un ejemplo)",
    ),
    lookalikes=(
        r"¿?(?:te acuerdas|recuerdas|os acordáis|recuerdan)\b",
        r"recuerd\w+ (?:cuando|cómo|quién|qué|dónde|por qué|aquel|aquella|la última|la vez|ayer)\b",
    ),
    teach=(
        r"que conste(?: que)?\s*[:,]?" + _END,
        r"(?:por favor,? )?(?:recuerda|recuerde|recuerden|recordad|recuerdes|recordemos|memoriza"
        r"|memorice|apunta|apunte|apuntad|anota|anote|anoten|anotad|guarda|guarde|graba|aprende"
        r"|registra|añade|agrega)(?:te)?(?: (?:por favor|esto|lo siguiente|siempre|bien|también"
        r"|para (?:el futuro|la próxima|siempre)|(?:esta|una|la|como)(?: nueva)? "
        + _NOUN
        + r"))*\s*(?:[:,–—-]+\s*(?:que\s+)?|\s*que\s+|(?=\s(?:usar|no|siempre|nunca)\b)|$)",
        r"(?:por favor,? )?(?:acuérdate|acordaos|acuérdense|acuerdate)(?: de)?(?: que)?\s*[:,]?"
        + _END,
        r"(?:por favor,? )?(?:ten|tened|tengan|tenga|tener) (?:en cuenta|presente)(?: que)?\s*[:,]?"
        + _END,
        r"(?:recordar|apuntar|anotar|guardar)(?: (?:siempre|por favor))?(?:\s*:| que\b)",
        r"(?:por favor,? )?toma(?:d)? nota(?: de)?(?: que)?\s*[:,]?" + _END,
        r"(?:a partir de (?:ahora|hoy|este momento|mañana|la próxima semana|aquí)|de (?:ahora"
        r"|aquí|hoy) en (?:adelante|más)|desde (?:ahora|hoy|ya)|en (?:adelante|lo sucesivo|el"
        r" futuro|futuras revisiones|futuros prs?)|para (?:el futuro|futuras revisiones|la"
        r" próxima(?: vez)?)|la próxima vez)" + _END,
        (
            rf"(?:(?:aquí va|esta es|es|hay|tenemos|una?|otra|nuevas?|nuestras?|las?|de equipo|del"
            rf" equipo|añade|agrega|pequeña)\s+)*{_NOUN}(?: (?:nuevas?|del equipo|de equipo|de"
            rf" código|de estilo|del proyecto|de la casa|para (?:todos|el equipo|este repo)|número"
            rf" \d|\d))*(?:\s*[:–—]\s*|\s+-+\s+|\s+(?:es|son)(?:\s+que)?\s+)"
        ),
        (
            r"(?:(?:hoy|ayer|en la (?:retro|reunión|daily)),? )?(?:hemos|se ha|el equipo ha"
            r"|nosotros"
            r"|ya|ayer|hoy|todos|\s)*(?:decidido|decidimos|acordado|acordamos|quedado|quedamos"
            r"|convenido|convenimos|determinado|el equipo decidió|se decidió|se acordó|resuelto"
            r"|pactado|decidió|acordó)(?: (?:no time|na equipe|em equipe|hoy|ayer|en equipo|entre"
            r" todos|en la (?:retro|reunión)"
            r"|por unanimidad))*\s*[:,]?\s*(?:en\s+)?(?:que\s+)?"
        ),
        r"(?:\S+ ){0,4}(?:acordado|decidido|decisión|acuerdo)(?: \S+){0,3}\s*[:–—]\s*",
        r"(?:decisión|acuerdo|decidido|acordado)\s*[:–—-]\s*",
        r"(?:por favor,? )?no (?:olvides|olvidéis|olviden|te olvides)(?: de)?\s*(?:que\s+|:\s*)",
    ),
    teach_weak=(r"(?:por favor,? )?no (?:olvides|olvidéis|olviden|te olvides de)\b",),
    teach_headings=(
        (
            rf"(?:por favor,? )?(?:recuerda|recuerden|a partir de ahora|de ahora en adelante|hemos"
            rf" decidido|acordamos)?(?: (?:lo siguiente|estas?|las?|siguientes|nuevas?"
            rf"|nuestras?))*\s*(?:lo siguiente|estas|las|siguientes|nuevas|nuestras|algunas|unas"
            rf"|dos"
            rf"|tres|\s)*{_NOUN}?(?: (?:del|de|para|en|este|el|equipo|proyecto|repo|código"
            rf"|siguientes|todos))*\s*[:–—-]\s*$"
        ),
    ),
    teach_kept=(
        (r"(?:siempre|nunca|jamás)\s+" + NO_ORDER + r"\S"),
        (
            r"(?:nosotros |el equipo |todos |en este (?:repo|proyecto),? )?(?:siempre|nunca"
            r"|jamás)\s+(?:usamos|hacemos|escribimos|ponemos|debemos|permitimos|guardamos"
            r"|registramos|subimos|commiteamos)\b"
        ),
        (
            r"(?!(?:yo|tú|él|ella|eso|esto|por qué|si)\b)(?:\S+ ){1,6}?(?:debe|deben|tiene que"
            r"|tienen que|debería|deberían|hay que|puede|pueden)\s+(?:siempre|nunca)\s\S"
        ),
        r"(?:nosotros\s)?(?:usamos|hacemos|escribimos|ponemos)\s(?:siempre|nunca)\s",
        (
            r"(?:en|al|cuando|para|antes de|después de)\s[^,.;]{2,60},\s(?:por favor )?(?:siempre"
            r"|nunca|jamás)\s\S"
        ),
        (
            r"(?:la |el |nuestro |nuestra )?(?:longitud|largo|ancho|límite|tamaño) (?:máxim[oa]"
            r" )?(?:de |por )(?:la |las |una )?líneas?(?: máxim[oa])? (?:es|será|debe ser|es de"
            r"|son)\s(?:de |como máximo )?\d+"
        ),
    ),
    norms=(
        r"(?:nadie|ninguno) (?:debe|debería|puede|podrá) \S",
        r"(?:está|queda|queda terminantemente) (?:terminantemente |totalmente )?prohibid[oa]s? \S",
        r"(?:es|será) obligatorio (?!(?:esto|eso)\b)\S",
        (
            r"(?:tod[oa]s?(?: (?:el|la|los|las|nuestr\w+))?|cada) (?!(?:esto|eso)\b)(?:\S+"
            r" ){1,4}?(?:deben?"
            r"|tienen? que|necesitan?) \S"
        ),
        r"(?:no (?:permitimos|aceptamos)|exigimos|prohibimos) (?!(?:esto|eso)\b)\S",
    ),
    teach_after=(
        (
            r"[\s,;.!–—-]+(?:por favor,? )?(?:recuérdalo|recuérdelo|recordadlo|apúntalo|anótalo"
            r"|guárdalo|tenlo en cuenta|no lo olvides|que no se te olvide|recuerda esto|toma"
            r" nota)(?: (?:por favor|para (?:el futuro|la próxima)))*"
        ),
        (
            r"[\s,;–—-]+(?:a partir de (?:ahora|hoy)|de ahora en adelante|desde (?:ahora|hoy)|en"
            r" adelante|en el futuro|en lo sucesivo|para la próxima)"
        ),
        (
            rf"[\s,;.!–—-]+(?:esa |esta |eso |esto )?es (?:una|la|nuestra) (?:nueva )?{_NOUN}(?:"
            rf" nueva)?"
        ),
    ),
    courtesies=(
        (
            r"[\s,;.!–—-]*[\s,;.!–—(](?:por favor|porfa|gracias|muchas gracias|¿?vale\?|¿?ok\?|¿?de"
            r" acuerdo\?|saludos)"
        ),
    ),
    correct_openers=(
        r"(?:(?:no(?=\s*[,.;:!–—-])|en realidad|de hecho|corrección|correccion|perdón|perdon"
        r"|mejor dicho|me"
        r" equivoqué|espera|quise decir|rectifico|rectificación|error mío|cambio de planes"
        r"|actualización|más bien|mejor)" + _END + r"[\s,:;.!–—-]*)+",
    ),
    correct=(
        (
            rf"(?:por favor,? )?(?:cambia|cambie|cambiad|cambiemos|sube|subid|subamos|baja|bajad"
            rf"|pon"
            rf"|poned|aumenta|reduce|actualiza|modifica|corrige|amplía|ajusta|pasa|establece|relaja"
            rf"|fija)\s+(?:\S+ ){{0,5}}?{_LIMIT}(?:\s[^.]{{1,40}}?)?\s(?:a|en|por|hasta)\s"
        ),
        (
            rf"(?:ahora )?(?:la |el |nuestr[oa] )?(?:\S+ ){{0,2}}?{_LIMIT}(?: \S+){{0,5}}? (?:ahora"
            rf" es|es ahora|ahora son|pasa a ser|ha pasado a|pasó a|cambió a|ha cambiado a|sube a"
            rf"|baja a|ya no (?:es|son) \S+(?: \S+)?,? (?:sino|es|ahora))(?: de)?\s"
        ),
        (
            rf"(?:la |el |nuestr[oa] )?(?:\S+ ){{0,2}}?{_LIMIT}(?: \S+){{0,5}}? (?:es|son|debe ser"
            rf"|debería ser)(?: de)? \d+(?: caracteres)?,? (?:y )?no \d+"
        ),
        (
            r"(?:ahora (?:es|son)|son|es) \d+(?: caracteres)?(?: ahora)?$|ahora (?:es|son|el límite"
            r" es|la longitud[^.]{0,30} es)(?: de)? \d+"
        ),
        r"en (?:vez|lugar) de \d+(?: caracteres)?,?\s.*\d+",
        r"(?:usa|usad|usemos|usamos|usar) \d+(?: caracteres)? en (?:vez|lugar) de",
        r"no (?:es|son) \d+,? (?:sino|es|son) (?:que )?\d+|no \d+,? sino \d+",
    ),
    correct_words=(
        r"\b(?:debe|deben|debería|ahora|es|son|usar|usamos|máximo|no \d+|en vez de|tiene que)\b",
    ),
    forget=(
        (
            r"(?:por favor,? )?(?:olvida|olvide|olvidad|olviden|olvídate|olvídense|elimina|elimine"
            r"|borra|borre|quita|quite|descarta|retira|anula|cancela|suprime|desactiva"
            r"|deroga)\s+(?:de |lo de |lo que (?:dije|dijimos) (?:de|sobre) |todo sobre )?"
        ),
    ),
    forget_about=(r"(?:por favor,? )?(?:olvida|olvide|olvidad|olviden|olvídate)\b",),
    forget_kept=(
        r"ya no (?:aplica|vale|rige|se aplica) (?:la|el|esa|ese|nuestra) ",
        (
            r"(?:nosotros )?ya no (?:limitamos|exigimos|requerimos|obligamos|aplicamos|comprobamos"
            r"|restringimos|pedimos|seguimos|necesitamos|queremos|tenemos|hace falta|es obligatorio"
            r"|hay que|imponemos)\b"
        ),
        (
            rf"(?:la |el |nuestr[oa] )?(?:\S+ ){{0,6}}?(?:{_LIMIT}|[CO]\d+)(?: \S+){{0,6}}?"
            rf" (?:ya no"
            rf" (?:aplica|vale|se aplica|es (?:válid[oa]|necesari[oa])|sirve|existe)|está"
            rf" obsolet[oa]|queda (?:anulad[oa]|sin efecto|eliminad[oa]))"
        ),
    ),
    forget_nouns=(rf"\b(?:{_NOUN}|límite|restricción|limitación)\b",),
    ignore=(
        (
            r"(?:por favor,? )?(?:ignora|ignore|ignorad|ignoren|omite|omitan|salta|silencia|pasa"
            r" por"
            r" alto) (?!(?:esto|eso|este comentario|ese|lo anterior|mi)\b)[^.,;]{2,80}?(?:avisos"
            r"|comentarios|hallazgos|advertencias|observaciones|problemas|errores|carpeta"
            r"|directorio"
            r"|archivos|ficheros|tests?|pruebas|scripts|\S*/|\*)"
        ),
        (
            r"(?:por favor,? )?no (?:comentes|reportes|informes|marques|señales|avises|menciones|te"
            r" quejes|revises|más (?:avisos|comentarios)|digas nada)(?: (?:de|sobre|más"
            r"|nada))*\s+(?!(?:esto|eso)\b)\S"
        ),
        r"(?:deja|dejad|deje) de (?:comentar|reportar|marcar|señalar|avisar|quejarte|mencionar)\b",
    ),
    context=(
        (
            r"(?:para (?:dar |tener |más )?contexto|como contexto|contexto|a modo de contexto|para"
            r" tu información|como información|antecedentes|para que (?:lo )?sepas|de"
            r" fondo)\s*[:,–—-]?\s*"
        ),
    ),
    context_subjects=(
        (
            r"(?:nosotros|nuestr\w+|usamos|tenemos|desplegamos|trabajamos|est[ea]"
            r" (?:repo(?:sitorio)?|servicio|proyecto|módulo|paquete|sistema|api)|el (?:repo"
            r"|servicio"
            r"|proyecto|equipo|sistema|backend|frontend)|la (?:api|app|base de datos|aplicación)"
            r"|tod[oa]s? (?:el|la|los|las|nuestr\w+)|producción|en producción)"
        ),
    ),
    once=(
        (
            r"\b(?:en|para|sobre|solo en|sólo en) (?:est[ea]|el|la) (?:pr|pull request|mr|merge"
            r" request|rama|revisión|cambio)(?: (?:actual|solamente|únicamente|solo))?\b"
        ),
        r"\b(?:solo (?:por )?esta vez|por esta vez|esta vez|sólo esta vez|solo aquí)\b",
    ),
    once_orders=(
        (
            r"\b(?:ignora\w*|omite|salta|no|solo|sólo|céntrate|enfócate|concéntrate|permite|acepta"
            r"|deja|puede|pueden|está bien|fíjate|presta atención|revisa (?:solo|sólo))\b"
        ),
    ),
    instruction_withdrawals=(
        (
            r"(?:por favor,? )?(?:deja de (?:ignorar|omitir|saltar)|ya no (?:ignores|omitas)"
            r"|(?:olvida|borra|quita|cancela|elimina) (?:todas )?(?:las |mis |tus"
            r" )?(?:instrucciones"
            r"|instrucción|indicaciones))"
        ),
    ),
    instruction_lists=(
        (
            r"¿?(?:qué|cuáles son las|lista(?:me)? (?:las|tus)|muestra(?:me)? (?:las|tus)) (?:tus "
            r"|las )?(?:instrucciones|indicaciones)"
        ),
    ),
    preferences=(
        (
            r"(?:por favor,? |a partir de ahora,? |siempre |de ahora en adelante,? )*(?:responde"
            r"|respóndeme|responda|contesta|contéstame|háblame|habla|escribe|escríbeme|comenta"
            r"|explica|explícame)(?: \w+){0,3}? en (?:español|inglés|alemán|francés|chino|japonés"
            r"|portugués|italiano|castellano)\b"
        ),
        (
            r"(?:por favor,? |siempre )*(?:sé (?:más )?(?:breve|conciso|concisa)|(?:responde"
            r"|contesta) (?:de forma |de manera |más )?(?:breve|corta|concisa|corto)|(?:respuestas"
            r"|comentarios) (?:cortas|cortos|breves)|mantenlo (?:corto|breve)|hazlo (?:corto|breve)"
            r"|sin emojis|no uses emojis)\b"
        ),
    ),
    questions=(
        r"¿",
        r"(?:qué|cuál|cuáles|quién|cómo|cuándo|dónde|por qué|cuánt[oa]s?)\b",
        (
            r"(?:puedes|podrías|recuerdas|sabes|tenemos|hay|es|son|debemos|deberíamos"
            r"|podemos)\b[^?]*\?$"
        ),
    ),
    polite=(
        (
            r"¿?(?:puedes|podrías|podéis|pueden|me puedes) (?:por favor )?(?=(?:recordar|apuntar"
            r"|olvidar|borrar|anotar|guardar))"
        ),
    ),
    reported=(
        (
            r"(?:él|ella|alguien|mi jefe|el jefe|la jefa|\w+) (?:dice|dijo|piensa|cree|escribió"
            r"|comentó|opina|sugiere|sugirió|ha dicho)\b"
        ),
        r"(?:por ejemplo|imagina|supongamos|p\. ?ej\.)",
    ),
    rule_like=(
        (
            r"\b(?:debe|deben|debería|deberían|hay que|tiene que|tienen que|siempre|nunca|jamás|no"
            r"|usar|usa|usamos|usad|utilizar|evitar|evita|máximo|mínimo|como máximo|al menos|solo"
            r"|sólo|todos|todas|cada|prohibido|obligatorio|obligatoria|van|va en|se (?:usa|usan"
            r"|escribe|escriben|permite|permiten|pone|ponen|hace|hacen|prohíbe)|preferir|preferimos"
            r"|escribimos|ponemos|requieren?|necesitan?|son|es|llevan?|tienen)\b"
        ),
    ),
    asides=(
        (
            r"(?:porque|ya que|esto|eso|yo|creo|gracias|perdón|si no|la razón|ayer|quizás|tal vez"
            r"|mira|ver)\b"
        ),
    ),
    joints=(
        (
            r",?\s(?:y|e)\s(?:además |también |que |por favor )*(?=(?:siempre|nunca|no |usar |usa "
            r"|usamos |evitar |evita |tod[oa]s |cada |las? |los? |el )(?:\S+ )?(?:\S+"
            r" )?(?:\S+)?\s?(?:debe|deben|siempre|nunca|se|van|son|es|usa|usan|tienen|llevan"
            r"|necesitan|requieren|máxim|en|a|\w+))"
        ),
        r"[,.]\s(?:además|también|asimismo),?\s",
    ),
)
