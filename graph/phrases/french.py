"""French phrases of teaching, correcting and withdrawing."""

from __future__ import annotations

from graph.phrases.table import Phrases

_END = r"(?=[\s,:;.!?–—-]|$)"
_NOUN = r"(?:règles?|regles?|conventions?|normes?|politiques?|consignes?|directives?|standards?)"
_LIMIT = r"(?:longueur|largeur|limite|maximum|règle|convention|norme|plafond)"

FRENCH = Phrases(
    openers=(
        r"(?:bonjour(?: à tous| l'équipe)?|salut|coucou|s'il (?:te|vous) pla[iî]t|stp|svp|merci"
        r"|ok|d'accord|bon|bien|parfait|aussi|et|de plus|en plus|au fait|autre chose|enfin"
        r"|d'abord|ensuite|puis|oui|alors|important)" + _END + r"[\s,:;.!–—-]*",
    ),
    chatter=(
        (
            r"(?:merci(?: beaucoup)?|super|parfait|génial|bravo|bien joué|de rien|bonjour|salut"
            r"|d'accord|ok|laisse tomber|peu importe|oublie ça|c'est une blague|je rigole|haha|oui"
            r"|non)\b[^.]{0,40}$"
        ),
    ),
    refusals=(
        (
            r"(?:s'il (?:te|vous) pla[iî]t,? )?(?:ne|n')\s*(?:retiens|retenez|note|notez|enregistre"
            r"|mémorise)s?\s+pas\b"
        ),
        r"(?:pas besoin de|inutile de) (?:retenir|noter|mémoriser|enregistrer)\b",
    ),
    lookalikes=(r"(?:tu )?(?:te )?souviens-?(?:tu|toi)? (?:quand|de la fois|du)\b",),
    teach=(
        r"(?:s'il (?:te|vous) pla[iî]t,? )?(?:retiens|retenez|souviens-toi|souvenez-vous"
        r"|rappelle-toi|rappelez-vous|mémorise|mémorisez|enregistre|enregistrez|note|notez"
        r"|apprends|ajoute)(?: (?:bien|ceci|cela|ça|ce qui suit|(?:cette|une|la|comme)(?:"
        r" nouvelle)? "
        + _NOUN
        + r"|stp|svp))*\s*(?:de\s+)?(?:[:,–—-]+\s*(?:qu[e']\s*)?|\s*qu(?:e\s+|')|$)",
        r"(?:retenir|noter)(?:\s*:| qu(?:e\b|'))",
        r"(?:à partir (?:de maintenant|d'aujourd'hui|de demain|d'ici)|dès (?:maintenant"
        r"|aujourd'hui|à présent)|désormais|dorénavant|à l'avenir|pour la suite|la prochaine"
        r" fois|pour l'avenir)" + _END,
        (
            rf"(?:(?:voici|c'est|il y a|une?|autre|nouvelles?|nos|notre|les?|la|ajoute"
            rf"|petite)\s+)*{_NOUN}(?: (?:d'équipe|de l'équipe|du projet|de code|de style|de"
            rf" nommage"
            rf"|numéro \d|\d))*(?:\s*[:–—]\s*|\s+-+\s+|\s+est (?:que|de)\s+)"
        ),
        (
            r"(?:(?:hier|aujourd'hui|en (?:rétro|réunion)),? )?(?:on a|nous avons|l'équipe a|on"
            r" s'est|nous nous sommes|il a été)(?: (?:tous|hier|aujourd'hui|ensemble|en réunion|mis"
            r"|mises|finalement))*\s*(?:décidé|convenu|d'accord|choisi"
            r"|acté)\s*[:,]?\s*(?:sur\s+)?(?:qu(?:e\s+|')|de ne (?=pas)|de\s+|d')?"
        ),
        r"(?:décision|décidé|convenu)\s*[:–—-]\s*",
        r"(?:s'il (?:te|vous) pla[iî]t,? )?n'oublie[sz]? pas\s*(?:qu(?:e\s+|')|:\s*)",
    ),
    teach_headings=(
        (
            rf"(?:retiens|retenez|à partir de maintenant|désormais|on a décidé)?(?: (?:ceci|ces|les"
            rf"|suivantes|nouvelles|nos))*\s*(?:les|ces|nouvelles|nos|quelques|deux|trois"
            rf"|\s)*{_NOUN}?(?: (?:suivantes|de|du|l'équipe|projet|pour|ce|repo))*\s*[:–—-]\s*$"
        ),
    ),
    teach_kept=(
        (
            r"(?:toujours|jamais)\s+(?!(?:aussi|là|vu|pas|en|un plaisir|content|heureux|été|plus"
            r"|d'accord)\b)\S"
        ),
        r"ne jamais\s\S",
        r"(?:on|nous|l'équipe) (?:n['e]\s?)?(?:\S+ ){1,3}?(?:toujours|jamais)\s\S",
        (
            r"(?!(?:je|tu|il|elle|ce|ça|pourquoi|si)\b)(?:\S+ ){1,6}?(?:doit|doivent|devrait"
            r"|devraient) (?:toujours|(?:ne )?jamais)\s\S"
        ),
        (
            r"(?:la |notre )?longueur (?:maximale? )?(?:des |de |d'une )(?:la )?lignes?(?:"
            r" maximale?)? (?:est|doit être)\s(?:de |limitée à )?\d+"
        ),
    ),
    teach_after=(
        (
            r"[\s,;.!–—-]+(?:s'il (?:te|vous) pla[iî]t,? )?(?:retiens-le|retiens ça|note-le|note ça"
            r"|souviens-t'en|n'oublie pas|à retenir)"
        ),
        r"[\s,;–—-]+(?:à partir de maintenant|désormais|dorénavant|à l'avenir)",
        rf"[\s,;.!–—-]+c'est (?:une|la|notre) (?:nouvelle )?{_NOUN}",
    ),
    courtesies=(
        (
            r"[\s,;.!–—-]*[\s,;.!–—(](?:s'il (?:te|vous) pla[iî]t|stp|svp|merci(?: beaucoup|"
            r" d'avance)?|ok ?\?|d'accord ?\?)"
        ),
    ),
    correct_openers=(
        r"(?:(?:non|en fait|en réalité|correction|pardon|désolé|finalement|plutôt|je voulais"
        r" dire|je me suis trompée?|je me trompe|erreur|mise à jour)" + _END + r"[\s,:;.!–—-]*)+",
    ),
    correct=(
        (
            rf"(?:change|changez|passe|passez|augmente|réduis|baisse|monte|modifie|mets|corrige"
            rf"|fixe)\s+(?:\S+ ){{0,5}}?{_LIMIT}(?:\s[^.]{{1,40}}?)?\s(?:à|en|par|de \S+ à)\s"
        ),
        (
            rf"(?:la |le |notre )?(?:\S+ ){{0,2}}?{_LIMIT}(?: \S+){{0,5}}? (?:est (?:maintenant"
            rf"|désormais|passée? à)|passe à|n'est plus (?:de )?\S+,? mais)(?: de)?\s"
        ),
        (
            rf"(?:la |le |notre )?(?:\S+ ){{0,2}}?{_LIMIT}(?: \S+){{0,5}}? (?:est|doit être)(?:"
            rf" de)?"
            rf" \d+(?: caractères)?,? (?:et )?(?:pas|non) \d+"
        ),
        (
            r"c'est (?:maintenant )?\d+(?: caractères)?(?: maintenant| désormais)?$|maintenant"
            r" c'est"
            r" \d+"
        ),
        r"au lieu de \d+(?: caractères)?,?\s.*\d+",
        r"(?:utilise|utilisez|utilisons) \d+(?: caractères)? au lieu de",
        r"(?:ce n'est )?pas \d+,? mais \d+",
    ),
    correct_words=(
        r"\b(?:doit|doivent|maintenant|désormais|est|c'est|utiliser|maximum|pas \d+|au lieu de)\b",
    ),
    forget=(
        (
            r"(?:s'il (?:te|vous) pla[iî]t,? )?(?:oublie|oubliez|supprime|supprimez|retire|retirez"
            r"|efface|enlève|annule|abandonne|désactive)\s+(?:ce que j'ai dit sur |tout sur )?"
        ),
    ),
    forget_about=(r"(?:s'il (?:te|vous) pla[iî]t,? )?(?:oublie|oubliez)\b",),
    forget_kept=(
        (
            r"(?:on|nous) (?:ne|n')\s*(?:limite|limitons|exige|exigeons|impose|imposons|applique"
            r"|appliquons|vérifie|demande|veut|avons)\w* plus\b"
        ),
        (
            rf"(?:la |le |notre )?(?:\S+ ){{0,6}}?(?:{_LIMIT}|[CO]\d+)(?: \S+){{0,6}}? (?:ne"
            rf" s'applique plus|n'est plus (?:valable|valide|nécessaire)|est (?:obsolète|caduque))"
        ),
    ),
    forget_nouns=(rf"\b(?:{_NOUN}|limite|restriction|contrainte)\b",),
    ignore=(
        (
            r"(?:s'il (?:te|vous) pla[iî]t,? )?(?:ignore|ignorez|saute|passe sur) (?!(?:ça|ceci"
            r"|cela"
            r"|ce commentaire)\b)[^.,;]{2,80}?(?:avertissements|commentaires|remarques|alertes"
            r"|problèmes|erreurs|dossier|répertoire|fichiers|tests?|scripts|\S*/|\*)"
        ),
        r"(?:ne|n')\s*(?:signale|commente|remonte|mentionne|relève)[sz]?\s(?:plus|pas)\b",
        r"(?:arrête|arrêtez|cesse) de (?:signaler|commenter|remonter|mentionner)\b",
    ),
    context=(
        (
            r"(?:pour (?:le |donner du |plus de )?contexte|comme contexte|contexte|pour (?:ton "
            r"|votre )?information|pour info|à titre d'information)\s*[:,–—-]?\s*"
        ),
    ),
    context_subjects=(
        (
            r"(?:on|nous|notre|nos|ce (?:dépôt|repo|service|projet|module|système)|cette (?:api"
            r"|application|bibliothèque)|le (?:dépôt|repo|service|projet|backend|frontend)|l'(?:api"
            r"|application|équipe)|tou[ts]|en production)\b"
        ),
    ),
    once=(
        (
            r"\b(?:sur|dans|pour) (?:cette|ce|la) (?:seule )?(?:pr|pull request|mr|merge request"
            r"|branche|revue)(?: (?:seulement|uniquement))?\b"
        ),
        r"\b(?:juste )?(?:cette fois(?:-ci)?|pour une fois|juste ici)\b",
    ),
    once_orders=(
        (
            r"\b(?:ignor\w+|saute|pas|seulement|uniquement|concentre|accepte|autorise|laisse|peut"
            r"|peuvent)\b"
        ),
    ),
    instruction_withdrawals=(
        (
            r"(?:arrête d'ignorer|n'ignore plus|(?:oublie|supprime|annule|efface) (?:toutes"
            r" )?(?:les"
            r" |mes |tes )?(?:instructions?|consignes de cette pr))"
        ),
    ),
    instruction_lists=(
        (
            r"(?:quelles sont (?:les|tes)|liste (?:les|tes)|montre(?:-moi)? (?:les|tes))"
            r" (?:instructions)"
        ),
    ),
    preferences=(
        (
            r"(?:s'il (?:te|vous) pla[iî]t,? |toujours |désormais,? |à partir de maintenant,?"
            r" )*(?:réponds|répondez|parle|parlez|écris|écrivez|explique)(?:-moi|-nous)?(?:"
            r" \w+){0,2}? en (?:français|anglais|allemand|espagnol|chinois|japonais|portugais"
            r"|italien)\b"
        ),
        (
            r"(?:s'il (?:te|vous) pla[iî]t,? |toujours )*(?:sois (?:plus )?(?:bref|brève|concis"
            r"|concise)|fais court|(?:réponds|répondez) (?:brièvement|plus court)|réponses courtes"
            r"|pas d'emojis?|sans emojis?)\b"
        ),
    ),
    questions=(
        r"(?:qu'est-ce|que(?:l|ls|lle|lles)?|qui|comment|quand|où|pourquoi|combien|est-ce)\b",
        r"(?:peux|pourrais|te souviens|sais|avons|avez|as)-(?:tu|vous|nous)\b",
    ),
    polite=(r"(?:peux|pourrais)-tu (?:s'il te pla[iî]t )?(?=(?:retenir|noter|oublier|supprimer))",),
    reported=(
        r"(?:il|elle|quelqu'un|mon chef|\w+) (?:dit|a dit|pense|croit|a écrit|suggère)\b",
        r"(?:par exemple|imagine)",
    ),
    rule_like=(
        (
            r"\b(?:doit|doivent|devrait|devraient|faut|toujours|jamais|pas|utiliser|utilise"
            r"|utilisons|éviter|évite|maximum|minimum|au plus|au moins|seulement|tous|toutes|chaque"
            r"|interdit|obligatoire|préférer|est|sont|vont|ont)\b"
        ),
    ),
    asides=(r"(?:parce que|car|puisque|ceci|cela|ça|je|merci|désolé|sinon|hier|peut-être|voir)\b",),
    joints=(
        (
            r",?\set\s(?:aussi |que |de )*(?=(?:toujours|jamais|ne |n'|pas de |utiliser |utilise "
            r"|éviter |évite |tou(?:s|tes) |chaque )|(?:les|le|la) \S+ (?:doit|doivent|est|sont"
            r"|vont"
            r"|ont)\b)"
        ),
        r"[,.]\s(?:de plus|aussi|également),?\s",
    ),
)
