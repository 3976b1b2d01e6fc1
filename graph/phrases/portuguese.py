"""Portuguese phrases of teaching, correcting and withdrawing."""

from __future__ import annotations

from graph.phrases.iberian import NO_ORDER
from graph.phrases.table import Phrases

_END = r"(?=[\s,:;.!?–—-]|$)"
_NOUN = (
    r"(?:regras?|normas?|convenção|convenções|políticas?|diretrizes|diretriz|acordos?|padrão"
    r"|padrões|combinados?)"
)
_LIMIT = r"(?:comprimento|tamanho|largura|limite|máximo|regra|norma|convenção|política|teto)"

PORTUGUESE = Phrases(
    openers=(
        r"(?:olá|ola|oi(?: pessoal| gente| time)?|bom dia|boa (?:tarde|noite)|por favor|pfv"
        r"|obrigad[oa]|valeu|ok|certo|beleza|bom|bem|perfeito|além disso|também|e|outra coisa"
        r"|mais uma coisa|aliás|por último|primeiro|segundo|terceiro|depois|(?:pessoal|gente"
        r"|time|equipe)(?=[,:!])|sim|então|importante|aviso|só)" + _END + r"[\s,:;.!–—-]*",
        (
            r"(?:quero que(?: você)?|gostaria que(?: você)?|preciso que(?: você)?) (?=(?:se"
            r" )?(?:lembre|esqueça|guarde|anote|sempre|nunca))"
        ),
    ),
    chatter=(
        (
            r"(?:obrigad[oa]|valeu|ótimo|otimo|perfeito|bom trabalho|de nada|oi|olá|beleza|ok|bom"
            r" dia|excelente|não importa|deixa pra lá|deixa para lá|esquece|esqueça isso"
            r"|brincadeira"
            r"|kkk+|legal|show|massa|parabéns|sim|não)\b[^.]{0,40}$"
        ),
    ),
    refusals=(
        (
            r"(?:por favor,? )?não (?:precisa |é preciso |é necessário |tem que )?(?:se"
            r" )?(?:lembr(?:e|ar|es)|guard(?:e|ar)|memoriz(?:e|ar)|anot(?:e|ar)|salv(?:e|ar)"
            r"|grav(?:e|ar)|registr(?:e|ar))\b(?! de)"
        ),
        r"(?:isso )?(?:era|é|foi) (?:só )?(?:uma )?(?:brincadeira|piada|um exemplo)",
    ),
    lookalikes=(
        r"(?:você )?(?:se )?(?:lembra|lembram)(?: do| da| de| quando|-se)\b(?! que)",
        r"lembr\w+ (?:quando|como|quem|onde|por que|daquele|daquela|da última|de ontem)\b",
    ),
    teach=(
        r"(?:por favor,? )?(?:lembre|lembra|lembrem|lembremos|lembrar|memorize|anote|anota"
        r"|anotem|guarde|guarda|grave|grava|registre|aprenda|salve|salva|adicione"
        r"|adiciona)(?:-?\s?(?:se|te|me|nos))?(?: (?:por favor|isto|isso|disso|o seguinte|aí"
        r"|também|sempre|para (?:o futuro|a próxima|sempre)|(?:esta|essa|uma|a|como)(?: nova)? "
        + _NOUN
        + r"))*\s*(?:de\s+)?(?:[:,–—-]+\s*(?:que\s+)?|\s*que\s+|(?=(?:usar|não|sempre|nunca"
        r"|escrever|adicionar|manter|rodar)\b)|$)",
        r"(?:por favor,? )?(?:tenha|tenham|tem|ter) em (?:mente|conta)(?: que)?\s*[:,]?" + _END,
        r"(?:se )?(?:lembrar|anotar|guardar|salvar)(?: de)?(?:\s*:| que\b)",
        r"(?:por favor,? )?(?:leve|levem) em conta(?: que)?\s*[:,]?" + _END,
        r"(?:a partir de (?:agora|hoje|já|amanhã|então)|de (?:agora|hoje) em diante|daqui (?:pra"
        r"|para|em) (?:frente|a frente|diante)|doravante|no futuro|em futuras revisões|em"
        r" futuros prs?|para (?:o futuro|a próxima(?: vez)?)|da próxima vez|na próxima vez|desde"
        r" já)" + _END,
        (
            rf"(?:(?:aqui vai|esta é|essa é|é|há|temos|uma?|outra|novas?|nossas?|as?|do time|da"
            rf" equipe|adicione|adiciona|pequena)\s+)*{_NOUN}(?: (?:novas?|do time|da equipe|de"
            rf" código|de estilo|do projeto|da casa|para (?:todos|o time|este repo)|número \d"
            rf"|\d))*(?:\s*[:–—]\s*|\s+-+\s+|\s+(?:é|são)(?:\s+que)?\s+)"
        ),
        (
            r"(?:(?:hoje|ontem|na (?:retro|reunião|daily)),? )?(?:nós|a gente|o time|a equipe|já"
            r"|hoje|ontem|todos|foi|ficou|fica|está|tá|\s)*(?:decidimos|decidiu|decidido"
            r"|combinamos|combinou"
            r"|combinado|acordamos|acordado|concordamos|definimos|definido|resolvemos|concordou"
            r"|acertamos)(?: (?:hoje|ontem|em equipe|em time|no time|na equipe|com o time|na"
            r" (?:retro|reunião|daily)|por"
            r" unanimidade|todos))*\s*[:,]?\s*(?:em\s+)?(?:que\s+)?"
        ),
        r"(?:\S+ ){0,4}(?:combinado|decidido|decisão|acordo)(?: \S+){0,3}\s*[:–—]\s*",
        r"(?:decisão|acordo|decidido|combinado)\s*[:–—-]\s*",
        r"(?:por favor,? )?não (?:esqueça|esqueçam|se esqueça|esquece)(?: de)?\s*(?:que\s+|:\s*)",
    ),
    teach_weak=(
        r"(?:por favor,? )?não (?:se )?esqueç\w+(?: de)?\b",
        r"(?:por favor,? )?lembr(?:e|em|a)-?(?:se)? de\b",
    ),
    teach_headings=(
        (
            rf"(?:por favor,? )?(?:lembre(?:-se)?|lembrem|a partir de agora|de agora em diante"
            rf"|decidimos|combinamos)?(?: (?:o seguinte|estas?|as?|seguintes|novas?|nossas?"
            rf"|disso|do"
            rf" seguinte))*\s*(?:o seguinte|estas|as|seguintes|novas|nossas|algumas|umas|duas|três"
            rf"|\s)*{_NOUN}?(?: (?:do|da|de|para|em|este|o|time|equipe|projeto|repo|código"
            rf"|seguintes"
            rf"|todos))*\s*[:–—-]\s*$"
        ),
    ),
    teach_kept=(
        (r"(?:sempre|nunca|jamais)\s+" + NO_ORDER + r"\S"),
        (
            r"(?:nós |a gente |o time |todos )?(?:sempre|nunca|jamais)\s+(?:usamos|fazemos"
            r"|escrevemos|colocamos|devemos|permitimos|guardamos|logamos|commitamos|usa)\b"
        ),
        (
            r"(?!(?:eu|você|ele|ela|isso|isto|por que|se)\b)(?:\S+ ){1,6}?(?:deve|devem|tem que|têm"
            r" que|precisa|precisam|deveria|deveriam|pode|podem)\s+(?:sempre|nunca)\s\S"
        ),
        r"(?:nós )?(?:usamos|fazemos|escrevemos|colocamos)\s(?:sempre|nunca)\s",
        (
            r"(?:em|ao|quando|para|antes de|depois de|nos|nas)\s[^,.;]{2,60},\s(?:por favor"
            r" )?(?:sempre|nunca|jamais)\s\S"
        ),
        (
            r"(?:o |a |nosso |nossa )?(?:comprimento|tamanho|largura|limite) (?:máxim[oa] )?(?:da "
            r"|das |de |por )(?:uma )?linhas?(?: máxim[oa])? (?:é|será|deve ser|é de|são)\s(?:de"
            r" |no"
            r" máximo )?\d+"
        ),
    ),
    norms=(
        r"ninguém (?:deve|deveria|pode|poderá) \S",
        r"(?:é|está|fica) (?:expressamente |terminantemente )?proibid[oa]s? \S",
        r"é obrigatóri[oa] (?!(?:isto|isso)\b)\S",
        (
            r"(?:tod[oa]s?(?: (?:o|a|os|as|noss\w+))?|cada) (?:\S+ ){1,4}?(?:devem?|precisam?|tem"
            r" que|têm que)"
            r" \S"
        ),
        r"(?:não (?:permitimos|aceitamos)|exigimos|proibimos) (?!(?:isto|isso)\b)\S",
    ),
    teach_after=(
        (
            r"[\s,;.!–—-]+(?:por favor,? )?(?:lembre-se disso|lembre disso|lembra disso|anote isso"
            r"|anota isso|anota aí|guarde isso|guarda isso|não (?:se )?esqueça(?: disso)?|tenha"
            r" isso"
            r" em mente|grave isso)(?: (?:por favor|para (?:o futuro|a próxima)))*"
        ),
        (
            r"[\s,;–—-]+(?:a partir de (?:agora|hoje)|de agora em diante|daqui (?:pra|para) frente"
            r"|daqui em diante|no futuro|doravante)"
        ),
        rf"[\s,;.!–—-]+(?:essa |esta |isso |isto )?é (?:uma|a|nossa) (?:nova )?{_NOUN}(?: nova)?",
    ),
    courtesies=(
        (
            r"[\s,;.!–—-]*[\s,;.!–—(](?:por favor|pfv|obrigad[oa]|valeu|ok\?|certo\?|beleza\?|tá\?"
            r"|combinado\?|abraços?)"
        ),
    ),
    correct_openers=(
        r"(?:(?:n[ãa]o(?=\s*[,.;:!–—-])|na verdade|na realidade|correção|correcao|desculpa"
        r"|desculpe|aliás|quer"
        r" dizer|me enganei|espera|quis dizer|errei|ou melhor|mudança de planos|atualização"
        r"|melhor dizendo)" + _END + r"[\s,:;.!–—-]*)+",
    ),
    correct=(
        (
            rf"(?:por favor,? )?(?:mude|muda|mudem|altere|altera|troque|troca|aumente|aumenta"
            rf"|reduza"
            rf"|reduz|diminua|suba|baixe|defina|ajuste|atualize|corrija|passe|coloque|modifique"
            rf"|estenda|fixe)\s+(?:\S+ ){{0,5}}?{_LIMIT}(?:\s[^.]{{1,40}}?)?\s(?:para|pra|a|em|por"
            rf"|até)\s"
        ),
        (
            rf"(?:agora )?(?:o |a |nosso |nossa )?(?:\S+ ){{0,2}}?{_LIMIT}(?: \S+){{0,5}}? (?:agora"
            rf" é|é agora|agora são|passa a ser|passou (?:a ser|para|a)|mudou para|foi (?:alterado"
            rf"|aumentado|reduzido) para|subiu para|não é mais \S+(?: \S+)?,? (?:e sim|mas|é"
            rf"|agora))(?: de)?\s"
        ),
        (
            rf"(?:o |a |nosso |nossa )?(?:\S+ ){{0,2}}?{_LIMIT}(?: \S+){{0,5}}? (?:é|são|deve ser"
            rf"|deveria ser)(?: de)? \d+(?: caracteres)?,? (?:e )?não \d+"
        ),
        (
            r"(?:agora (?:é|são)|são|é) \d+(?: caracteres)?(?: agora)?$|agora (?:é|são|o limite é|o"
            r" tamanho[^.]{0,30} é)(?: de)? \d+"
        ),
        r"(?:em vez|ao invés) de \d+(?: caracteres)?,?\s.*\d+",
        r"(?:use|usa|usem|usamos|usar) \d+(?: caracteres)? (?:em vez|ao invés) de",
        r"não (?:é|são) \d+,? (?:e sim|mas(?: sim)?|é|são) \d+|não \d+,? (?:e sim|mas) \d+",
    ),
    correct_words=(
        r"\b(?:deve|devem|deveria|agora|é|são|usar|usamos|máximo|não \d+|em vez de|tem que)\b",
    ),
    forget=(
        (
            r"(?:por favor,? )?(?:esqueça|esquece|esqueçam|apague|apaga|remova|remove|exclua|exclui"
            r"|delete|deleta|descarte|retire|anule|cancele|desative|revogue|elimine)\s+(?:sobre |o"
            r" que (?:eu disse|falei|dissemos) (?:de|sobre) |tudo sobre )?"
        ),
    ),
    forget_about=(r"(?:por favor,? )?(?:esqueça|esquece|esqueçam)\b",),
    forget_kept=(
        (
            r"(?:nós |a gente )?(?:já )?não (?:limitamos|exigimos|requeremos|obrigamos|aplicamos"
            r"|verificamos|restringimos|pedimos|seguimos|precisamos|queremos|temos|limita|exige"
            r"|impomos)\s.{0,60}\bmais\b|(?:nós )?(?:já )?não (?:limitamos|exigimos|requeremos"
            r"|obrigamos|aplicamos|restringimos|impomos) mais\b"
        ),
        (
            rf"(?:o |a |nosso |nossa )?(?:\S+ ){{0,6}}?(?:{_LIMIT}|[CO]\d+)(?: \S+){{0,6}}? (?:não"
            rf" (?:vale|se aplica|é (?:válid[oa]|necessári[oa])|existe|serve) mais|já não"
            rf" (?:vale|se"
            rf" aplica)|está obsolet[oa]|foi (?:removid[oa]|cancelad[oa]|revogad[oa])|caiu)"
        ),
    ),
    forget_nouns=(rf"\b(?:{_NOUN}|limite|restrição|limitação)\b",),
    ignore=(
        (
            r"(?:por favor,? )?(?:ignore|ignora|ignorem|omita|pule|pula|silencie) (?!(?:isto|isso"
            r"|este comentário|esse|o anterior|meu)\b)[^.,;]{2,80}?(?:avisos|comentários"
            r"|apontamentos|alertas|observações|problemas|erros|pasta|diretório|arquivos|ficheiros"
            r"|testes?|tests?|scripts|\S*/|\*)"
        ),
        (
            r"(?:por favor,? )?não (?:comente|reporte|aponte|marque|sinalize|avise|mencione|reclame"
            r"|revise|alerte)(?: (?:de|sobre|mais|nada))*\s+(?!(?:isto|isso)\b)\S"
        ),
        (
            r"(?:pare|parem|para) de (?:comentar|reportar|apontar|marcar|sinalizar|avisar|reclamar"
            r"|mencionar)\b"
        ),
    ),
    context=(
        (
            r"(?:para (?:dar |ter |mais )?contexto|como contexto|contexto|a título de contexto|para"
            r" sua informação|pra sua informação|como informação|só para você saber|para você saber"
            r"|de fundo)\s*[:,–—-]?\s*"
        ),
    ),
    context_subjects=(
        (
            r"(?:nós|noss\w+|a gente|usamos|temos|fazemos|est[ea] (?:repo(?:sitório)?|serviço"
            r"|projeto|módulo|pacote|sistema|api)|o (?:repo|serviço|projeto|time|sistema|backend"
            r"|frontend)|a (?:api|app|equipe|aplicação)|tod[oa]s? (?:o|a|os|as|noss\w+)|produção|em"
            r" produção)"
        ),
    ),
    once=(
        (
            r"\b(?:neste|nesse|nesta|para este|para esse|só neste|apenas neste"
            r"|no(?! pr (?:may|must|should|can|shall|is|without|with|gets?|of|or)\b)|na) (?:pr|pull"
            r" request|mr|merge request|branch|revisão|mudança)(?: (?:atual|apenas|somente|só))?\b"
        ),
        (
            r"\b(?:só (?:por )?(?:esta|essa|desta|dessa) vez|desta vez|dessa vez|apenas desta"
            r" vez|só"
            r" aqui)\b"
        ),
    ),
    once_orders=(
        (
            r"\b(?:ignor\w+|omita|pule|não|só|apenas|somente|foque|concentre|permita|aceite|deixe"
            r"|pode|podem|tudo bem|preste atenção)\b"
        ),
    ),
    instruction_withdrawals=(
        (
            r"(?:por favor,? )?(?:pare de (?:ignorar|omitir|pular)|não (?:ignore|omita) mais"
            r"|(?:esqueça|apague|remova|cancele|limpe) (?:todas )?(?:as |minhas |suas"
            r" )?(?:instruções|instrução))"
        ),
    ),
    instruction_lists=(
        (
            r"(?:quais são as|quais|lista?(?:e|r)? (?:as|suas)|mostre (?:as|suas)) (?:suas |as"
            r" )?instruções"
        ),
    ),
    preferences=(
        (
            r"(?:por favor,? |a partir de agora,? |sempre |de agora em diante,? )*(?:responda"
            r"|responde|fale|fala|escreva|escreve|comente|comenta|explique|me responda|me"
            r" responde)(?: \w+){0,3}? em (?:português|inglês|espanhol|alemão|francês|chinês"
            r"|japonês"
            r"|italiano)\b"
        ),
        (
            r"(?:por favor,? |sempre )*(?:seja (?:mais )?(?:breve|conciso|concisa|sucinto)"
            r"|(?:responda|responde) (?:de forma |de maneira |mais )?(?:breve|curta|concisa|curto)"
            r"|(?:respostas|comentários) (?:curtas|curtos|breves)|sem emojis|não use emojis"
            r"|mantenha"
            r" (?:curto|breve))\b"
        ),
    ),
    questions=(
        (
            r"(?:o que|qual|quais|quem|como|quando|onde|por que|por quê"
            r"|quant[oa]s?)\b(?!.*,.*(?:sempre|nunca))"
        ),
        (
            r"(?:você|vocês|pode|poderia|lembra|sabe|temos|há|tem|é|são|devemos|deveríamos"
            r"|podemos)\b[^?]*\?$"
        ),
    ),
    polite=(
        (
            r"(?:você )?(?:pode|poderia|podem|dá para|consegue) (?:por favor )?(?:se"
            r" )?(?=(?:lembrar"
            r"|anotar|esquecer|apagar|guardar|salvar|remover))"
        ),
    ),
    reported=(
        (
            r"(?:ele|ela|alguém|meu chefe|o chefe|a chefe|\w+) (?:diz|disse|pensa|acha|escreveu"
            r"|comentou|sugeriu|sugere|falou)\b"
        ),
        r"(?:por exemplo|imagine|suponha)",
    ),
    rule_like=(
        (
            r"\b(?:deve|devem|deveria|deveriam|precisa|precisam|tem que|têm que|sempre|nunca|jamais"
            r"|não|usar|use|usa|usamos|utilizar|evitar|evite|máximo|mínimo|no máximo|pelo menos|só"
            r"|apenas|somente|todos|todas|cada|proibido|obrigatório|obrigatória|vão|ficam|vai em|se"
            r" usa|preferir|preferimos|escrevemos|colocamos|requerem?|são|é|têm|tem|levam?)\b"
        ),
    ),
    asides=(
        (
            r"(?:porque|já que|isto|isso|eu|acho|obrigad[oa]|desculpa|senão|a razão|ontem|talvez"
            r"|veja|olha)\b"
        ),
    ),
    joints=(
        (
            r",?\s(?:e)\s(?:além disso |também |que |por favor )*(?=(?:sempre|nunca|não |usar |use "
            r"|usamos |evitar |evite |tod[oa]s |cada )\S+|(?:as?|os?) \S+ (?:devem?|precisam?|têm"
            r"|tem|são|é|ficam|vão)\b|\S+ (?:devem?|precisam?|ficam|vão)\b)"
        ),
        r"[,.]\s(?:além disso|também),?\s",
    ),
)
